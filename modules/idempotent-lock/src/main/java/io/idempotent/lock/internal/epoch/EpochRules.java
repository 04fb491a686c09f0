package io.idempotent.lock.internal.epoch;

import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

import io.idempotent.lock.internal.epoch.EpochDocument.PendingSwitch;
import org.jspecify.annotations.Nullable;

/**
 * Determines the change of the document that a node writes together with its own entry.
 * At most one switch is in progress at a time. The next epoch starts when each member has
 * confirmed that it holds no lock, or its lease has ended.
 *
 * @param settings how nodes switch
 * @param engines the engines to switch between, in order of preference
 */
public record EpochRules(SwitchSettings settings, List<String> engines) {

	/**
	 * The next document.
	 * @param document the document as it was read, with the entry of this node, without
	 * expired members
	 * @param observer has observed the document
	 * @param command what an operator wants, or {@code null}
	 * @param now the time before the document was read
	 * @param newId the identifier of a switch that is started
	 * @return the document to write
	 */
	public EpochDocument next(EpochDocument document, EpochObserver observer, @Nullable SwitchCommand command, long now,
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

	/**
	 * The longest lease of any node, as far as is known: all nodes should have the same.
	 */
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

	/**
	 * The engine that most of the members propose: one that is preferred and has
	 * recovered, or the first one that works in place of one that fails.
	 */
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

	/**
	 * Whether all members prefer the same engines. Otherwise each would switch back to
	 * its own.
	 */
	private boolean isAgreed(EpochDocument document) {
		return document.members().values().stream().allMatch((member) -> member.engines().equals(this.engines));
	}

	/**
	 * Whether a switch to an engine is possible.
	 * @param document the document
	 * @param engine the engine
	 * @return whether another engine is in force, and all members have this one
	 */
	static boolean isPossible(EpochDocument document, String engine) {
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

}
