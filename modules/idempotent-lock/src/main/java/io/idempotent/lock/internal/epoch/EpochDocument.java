package io.idempotent.lock.internal.epoch;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

import io.idempotent.lock.switching.EpochTerm;
import org.jspecify.annotations.Nullable;

/**
 * The agreement of the nodes. Immutable.
 *
 * @param epoch the number of the epoch, which grows with every completed switch
 * @param engine the engine in force
 * @param pending the switch that is in progress, or {@code null}
 * @param members the nodes that take locks, by their identifiers
 */
public record EpochDocument(long epoch, String engine, @Nullable PendingSwitch pending, Map<String, Member> members) {

	/** Keeps tokens of all epochs within a {@code long}, see {@link EpochTerm#token}. */
	public static final long LAST_EPOCH = 1L << 15;

	public EpochDocument {
		members = Map.copyOf(members);
	}

	public EpochDocument with(Member member) {
		return changed((members) -> {
			members.put(member.id(), member);
			return members;
		});
	}

	public EpochDocument without(Collection<String> ids) {
		return changed((members) -> {
			members.keySet().removeAll(ids);
			return members;
		});
	}

	private EpochDocument changed(UnaryOperator<Map<String, Member>> change) {
		return new EpochDocument(this.epoch, this.engine, this.pending, change.apply(new TreeMap<>(this.members)));
	}

	/**
	 * Starts a switch.
	 * @param pending the switch
	 * @return the document, in which no member has confirmed it
	 */
	public EpochDocument switching(PendingSwitch pending) {
		return new EpochDocument(this.epoch, this.engine, pending, this.members);
	}

	public EpochDocument calledOff() {
		return new EpochDocument(this.epoch, this.engine, null, this.members);
	}

	/** Starts the next epoch, on the engine of the switch in progress. */
	public EpochDocument completed(PendingSwitch completed) {
		return new EpochDocument(this.epoch + 1, completed.target(), null, this.members);
	}

	boolean isConfirmedByAll(PendingSwitch pending) {
		return this.members.values().stream().allMatch((member) -> member.confirmed() == pending.id());
	}

	/**
	 * A switch in progress.
	 *
	 * @param id distinguishes it from all other switches
	 * @param target the engine of the next epoch
	 * @param settling whether the next epoch starts only after the length of a lease,
	 * since there may be nodes that the document does not know
	 * @param reason why it was started, for the log
	 */
	public record PendingSwitch(long id, String target, boolean settling, String reason) {
	}

}
