package io.idempotent.health.autoconfigure;

import java.time.Duration;
import java.util.function.Supplier;

import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockListener;
import io.idempotent.lock.administration.SwitchControl;
import io.idempotent.lock.internal.EngineDistributedLocks;

import org.springframework.beans.factory.ObjectProvider;

/**
 * Checks by a probe lock whether the engine in force grants locks. Does so only after a
 * lock was requested on this node, so that health never connects to an unused server.
 */
final class LockEngineHealthCheck implements HealthCheck, LockListener {

	/** How long the lock lives if its release is lost. */
	private static final Duration LEASE = Duration.ofSeconds(5);

	/** Its locks exist only within transactions of the application. */
	private static final String TRANSACTION_ENGINE = "jdbc-transaction";

	private final Supplier<DistributedLocks> locks;

	private final ObjectProvider<SwitchControl> switching;

	private final ProbeHealth probe;

	private volatile boolean used;

	LockEngineHealthCheck(Supplier<DistributedLocks> locks, ObjectProvider<SwitchControl> switching) {
		this.locks = locks;
		this.switching = switching;
		this.probe = new ProbeHealth("idempotent-lock-engine-health", () -> {
			((EngineDistributedLocks) locks.get()).check(LEASE);
			return true;
		});
	}

	@Override
	public void onEvent(LockEvent event) {
		this.used = true;
	}

	@Override
	public HealthReport report() {
		HealthReport report = new HealthReport();
		DistributedLocks known = this.locks.get();
		report.with("engine", known.engineInForce());
		this.switching.ifAvailable((control) -> control.status().forEach(report::with));
		if (!this.used) {
			report.unknown("No lock has been requested on this node yet: the engine is not asked");
		}
		else if (!(known instanceof EngineDistributedLocks) || known.engineInForce().equals(TRANSACTION_ENGINE)) {
			report.unknown("The engine cannot be asked outside of the application's transactions");
		}
		else {
			this.probe.check(report, "Locks are not obtained on this node (503 lock-unavailable), and locks that it "
					+ "holds are lost when their lease ends");
		}
		return report;
	}

}
