package io.idempotent.lock.switching;

import java.util.List;

import io.idempotent.lock.internal.epoch.EpochDocument;
import io.idempotent.lock.internal.epoch.EpochDocument.PendingSwitch;
import io.idempotent.lock.internal.epoch.Member;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Logs changes of the agreement.
 */
final class EpochLog {

	private static final Log logger = LogFactory.getLog(EpochLog.class);

	private EpochLog() {
	}

	static void changed(@Nullable EpochDocument before, @Nullable EpochDocument now) {
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
					+ "' was called off. Last waited for: " + waitingFor(before, former));
		}
		if (pending != null && (former == null || former.id() != pending.id())) {
			logger.warn(pending.settling()
					? "No lock is granted for the length of a lease and a tenth, since there may be nodes that hold locks: "
							+ pending.reason()
					: "Locks are switched from '" + now.engine() + "' to '" + pending.target() + "' ("
							+ pending.reason() + "): no lock is granted until all that are held have been released");
		}
	}

	/**
	 * Notifies a listener of a switch that has ended. The nodes may have started another
	 * one since.
	 * @param before the former agreement, or {@code null} if this node did not know it
	 * @param now the agreement
	 * @param listener the listener
	 */
	static void publish(@Nullable EpochDocument before, @Nullable EpochDocument now, SwitchListener listener) {
		if (before == null || now == null) {
			return;
		}
		PendingSwitch former = before.pending();
		if (!now.engine().equals(before.engine())) {
			listener.onSwitch(SwitchListener.Result.COMPLETED, now.engine());
		}
		else if (former != null && !former.settling() && now.pending() == null && now.epoch() == before.epoch()) {
			listener.onSwitch(SwitchListener.Result.CALLED_OFF, former.target());
		}
	}

	private static boolean isSettled(@Nullable PendingSwitch former) {
		return former != null && former.settling();
	}

	static List<String> waitingFor(EpochDocument document, PendingSwitch pending) {
		return document.members()
			.values()
			.stream()
			.filter((member) -> member.confirmed() != pending.id())
			.map(Member::toStatusText)
			.sorted()
			.toList();
	}

}
