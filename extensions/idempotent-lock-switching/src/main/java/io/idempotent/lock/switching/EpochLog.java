package io.idempotent.lock.switching;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

import io.idempotent.lock.switching.EpochDocument.PendingSwitch;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/** Logs and counts changes of the agreement, as this node has seen them. */
final class EpochLog {

	private static final Log logger = LogFactory.getLog(EpochLog.class);

	/** Switches by the engine that the nodes switched to, or were to switch to. */
	final Map<String, LongAdder> completed = new ConcurrentHashMap<>();

	final Map<String, LongAdder> calledOff = new ConcurrentHashMap<>();

	void changed(@Nullable EpochDocument before, @Nullable EpochDocument now) {
		if (now == null) {
			return;
		}
		PendingSwitch pending = now.pending();
		PendingSwitch former = (before != null) ? before.pending() : null;
		if (pending == null && (before == null || before.epoch() != now.epoch() || isSettled(former))) {
			logger.info("Epoch " + now.epoch() + ": all nodes take locks on the engine '" + now.engine() + "'");
		}
		else if (before != null && former != null && pending == null) {
			logger.warn("The switch of locks from '" + now.engine() + "' to '" + former.target()
					+ "' was called off. Last waited for: " + before.waitingFor(former));
		}
		if (pending != null && (former == null || former.id() != pending.id())) {
			logger.warn(pending.settling()
					? "No lock is granted for the length of a lease and a tenth, since there may be nodes that hold locks: "
							+ pending.reason()
					: "Locks are switched from '" + now.engine() + "' to '" + pending.target() + "' ("
							+ pending.reason() + "): no lock is granted until all that are held have been released");
		}
		if (before != null) {
			count(before, now);
		}
	}

	/** Counts a switch that ended. The nodes may have started another one since. */
	private void count(EpochDocument before, EpochDocument now) {
		PendingSwitch former = before.pending();
		if (!now.engine().equals(before.engine())) {
			count(this.completed, now.engine());
		}
		else if (former != null && !former.settling() && now.pending() == null && now.epoch() == before.epoch()) {
			count(this.calledOff, former.target());
		}
	}

	private static void count(Map<String, LongAdder> switches, String engine) {
		switches.computeIfAbsent(engine, (key) -> new LongAdder()).increment();
	}

	private static boolean isSettled(@Nullable PendingSwitch former) {
		return former != null && former.settling();
	}

}
