package io.idempotent.lock.switching.autoconfigure;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

import io.idempotent.lock.administration.SwitchControl;
import io.idempotent.lock.administration.SwitchControl.NotSwitchedException;
import io.idempotent.lock.switching.EngineStatus;
import io.idempotent.lock.switching.EngineSwitchException;
import io.idempotent.lock.switching.EngineSwitching;

/** Shows the agreement of the nodes to operators, and lets them switch. */
record OperatorSwitchControl(EngineSwitching switching) implements SwitchControl {

	@Override
	public Map<String, Object> status() {
		EngineStatus status = this.switching.status();
		Map<String, Object> shown = new LinkedHashMap<>();
		shown.put("epoch", status.epoch());
		String target = status.target();
		if (target != null) {
			shown.put("switch", Map.of("target", target, "waitingFor", status.waitingFor()));
		}
		return shown;
	}

	@Override
	public void switchTo(String engine) {
		orNotSwitched(() -> this.switching.switchTo(engine));
	}

	@Override
	public boolean callOff() {
		return orNotSwitched(this.switching::callOff);
	}

	private static <T> T orNotSwitched(Supplier<T> work) {
		try {
			return work.get();
		}
		catch (EngineSwitchException ex) {
			throw new NotSwitchedException(ex);
		}
	}

}
