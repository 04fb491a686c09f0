package io.idempotent.lock.switching;

import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

import io.idempotent.lock.switching.EpochDocument.Member;
import io.idempotent.lock.switching.EpochDocument.PendingSwitch;
import org.jspecify.annotations.Nullable;

/**
 * Determines the change of the document that a node writes together with its own entry.
 * At most one switch is in progress at a time. The next epoch starts when each member has
 * confirmed that it holds no lock, or its lease has ended.
 */
record EpochRules(SwitchSettings settings, List<String> engines) {

	/**
	 * The document to write. The given one was read after {@code now}; it contains the
	 * entry of this node, and no expired members.
	 */
	EpochDocument next(EpochDocument document, EpochObserver observer, @Nullable SwitchCommand command, long now,
			long newId) {
		PendingSwitch pending = document.pending();
		if (pending != null) {
			return next(document, pending, observer, command, now);
		}
		PendingSwitch started = start(document, observer, command, now, newId);
		return (started != null) ? document.switching(started) : document;
	}

	private EpochDocument next(EpochDocument document, PendingSwitch pending, EpochObserver observer,
			@Nullable SwitchCommand command, long now) {
		long nanosPending = observer.nanosPending(now);
		boolean confirmed = document.isConfirmedByAll(pending);
		if (pending.settling()) {
			return (confirmed && nanosPending > settlingTime(document)) ? document.completed(pending) : document;
		}
		if (confirmed) {
			return document.completed(pending);
		}
		boolean overdue = nanosPending > this.settings.drainTime().toNanos();
		return (overdue || command instanceof SwitchCommand.CallOff) ? document.calledOff() : document;
	}

	/** The longest known lease: all nodes should have the same. */
	private long settlingTime(EpochDocument document) {
		return document.members()
			.values()
			.stream()
			.map(Member::lease)
			.max(Comparator.naturalOrder())
			.map(SwitchSettings::nanosToExpiry)
			.orElse(SwitchSettings.nanosToExpiry(this.settings.lease()));
	}

	private @Nullable PendingSwitch start(EpochDocument document, EpochObserver observer,
			@Nullable SwitchCommand command, long now, long newId) {
		if (document.epoch() >= EpochDocument.LAST_EPOCH) {
			return null;
		}
		if (command instanceof SwitchCommand.Start start) {
			return isPossible(document, start.engine())
					? new PendingSwitch(newId, start.engine(), false, "requested by an operator") : null;
		}
		if (observer.nanosQuiet(now) < this.settings.dwellTime().toNanos()) {
			return null;
		}
		String proposed = proposed(document);
		return (proposed != null)
				? new PendingSwitch(newId, proposed, false, "proposed by most nodes, from what they see of the engines")
				: null;
	}

	/** By majority: a preferred engine that has recovered, or else a working one. */
	private @Nullable String proposed(EpochDocument document) {
		int current = isAgreed(document) ? this.engines.indexOf(document.engine()) : 0;
		for (String preferred : this.engines.subList(0, Math.max(0, current))) {
			if (isPossible(document, preferred)
					&& isMajority(document, (member) -> member.recovered().contains(preferred))) {
				return preferred;
			}
		}
		if (!isFailing(document, document.engine())) {
			return null;
		}
		return this.engines.stream()
			.filter((engine) -> isPossible(document, engine) && !isFailing(document, engine))
			.findFirst()
			.orElse(null);
	}

	/** Otherwise each node would switch back to the engine that it prefers. */
	private boolean isAgreed(EpochDocument document) {
		return document.members().values().stream().allMatch((member) -> member.engines().equals(this.engines));
	}

	/** Whether another engine is in force, and all members have this one. */
	private static boolean isPossible(EpochDocument document, String engine) {
		return !engine.equals(document.engine())
				&& document.members().values().stream().allMatch((member) -> member.engines().contains(engine));
	}

	private static boolean isFailing(EpochDocument document, String engine) {
		return isMajority(document, (member) -> member.failing().contains(engine));
	}

	private static boolean isMajority(EpochDocument document, Predicate<Member> condition) {
		long count = document.members().values().stream().filter(condition).count();
		return count * 2 > document.members().size();
	}

	/** A command of an operator. */
	sealed interface SwitchCommand {

		record Start(String engine) implements SwitchCommand {
		}

		record CallOff() implements SwitchCommand {
		}

	}

}
