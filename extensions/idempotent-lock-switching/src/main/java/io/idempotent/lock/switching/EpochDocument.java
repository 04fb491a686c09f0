package io.idempotent.lock.switching;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * The agreement of the nodes: the epoch, which grows with every completed switch, the
 * engine in force, the switch in progress, if any, and the nodes that take locks, by
 * their ids. Immutable.
 */
record EpochDocument(long epoch, String engine, @Nullable PendingSwitch pending, Map<String, Member> members) {

	/** Keeps tokens of all epochs within a {@code long}, see {@link EpochTerm#token}. */
	static final long LAST_EPOCH = 1L << 15;

	EpochDocument {
		members = Map.copyOf(members);
	}

	EpochDocument with(Member member) {
		return changed((members) -> {
			members.put(member.id(), member);
			return members;
		});
	}

	EpochDocument without(Collection<String> ids) {
		return changed((members) -> {
			members.keySet().removeAll(ids);
			return members;
		});
	}

	private EpochDocument changed(UnaryOperator<Map<String, Member>> change) {
		return new EpochDocument(this.epoch, this.engine, this.pending, change.apply(new TreeMap<>(this.members)));
	}

	/** Starts a switch, which no member has confirmed. */
	EpochDocument switching(PendingSwitch pending) {
		return new EpochDocument(this.epoch, this.engine, pending, this.members);
	}

	EpochDocument calledOff() {
		return new EpochDocument(this.epoch, this.engine, null, this.members);
	}

	/** Starts the next epoch, on the engine of the switch in progress. */
	EpochDocument completed(PendingSwitch completed) {
		return new EpochDocument(this.epoch + 1, completed.target(), null, this.members);
	}

	/** The nodes that have not confirmed a switch, for operators. */
	List<String> waitingFor(PendingSwitch pending) {
		return this.members.values()
			.stream()
			.filter((member) -> member.confirmed() != pending.id())
			.map(Member::toStatusText)
			.sorted()
			.toList();
	}

	boolean isConfirmedByAll(PendingSwitch pending) {
		return this.members.values().stream().allMatch((member) -> member.confirmed() == pending.id());
	}

	/**
	 * A switch in progress. If it is settling, the next epoch starts only after a lease
	 * and a tenth, since there may be nodes that the document does not know.
	 */
	record PendingSwitch(long id, String target, boolean settling, String reason) {
	}

	/**
	 * The entry of a node. Its id changes with a restart, and its beat with each write,
	 * on which the node may rely for its lease. Confirmed is the switch for which it no
	 * longer holds a lock, or 0. Its engines are in order of preference; recovered ones
	 * have worked there for the recovery time.
	 */
	record Member(String id, String description, long beat, Duration lease, int holds, long confirmed,
			List<String> engines, Set<String> failing, Set<String> recovered) {

		Member {
			engines = List.copyOf(engines);
			failing = Set.copyOf(failing);
			recovered = Set.copyOf(recovered);
		}

		Member next(int holds, long confirmed, Set<String> failing, Set<String> recovered) {
			return new Member(this.id, this.description, this.beat + 1, this.lease, holds, confirmed, this.engines,
					failing, recovered);
		}

		/** Whether only beat and number of locks differ. */
		boolean saysTheSameAs(Member other) {
			return this.confirmed == other.confirmed && this.failing.equals(other.failing)
					&& this.recovered.equals(other.recovered);
		}

		String toStatusText() {
			return this.description + " (" + ((this.holds == 1) ? "1 lock" : this.holds + " locks") + ")";
		}

	}

}
