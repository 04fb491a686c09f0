package io.idempotent.lock.internal.epoch;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The entry of a node.
 *
 * @param id distinguishes it from all other nodes, and from itself before a restart
 * @param description the process and host, for operators
 * @param beat grows with each write of the node
 * @param lease how long after a write the node may rely on it
 * @param holds how many locks the node held at its last write
 * @param confirmed the switch for which it no longer holds a lock, or 0
 * @param engines the engines that are configured there, in order of preference
 * @param failing the engines that fail there
 * @param recovered the engines that have worked there for the recovery time
 */
public record Member(String id, String description, long beat, Duration lease, int holds, long confirmed,
		List<String> engines, Set<String> failing, Set<String> recovered) {

	public Member {
		engines = List.copyOf(engines);
		failing = Set.copyOf(failing);
		recovered = Set.copyOf(recovered);
	}

	/** The entry that this node writes next. */
	public Member next(int holds, long confirmed, Set<String> failing, Set<String> recovered) {
		return new Member(this.id, this.description, this.beat + 1, this.lease, holds, confirmed, this.engines, failing,
				recovered);
	}

	/**
	 * Whether another entry of this node has the same content.
	 * @param other the other entry
	 * @return whether only beat and number of locks differ
	 */
	public boolean saysTheSameAs(Member other) {
		return this.confirmed == other.confirmed && this.failing.equals(other.failing)
				&& this.recovered.equals(other.recovered);
	}

	public String toStatusText() {
		return this.description + " (" + ((this.holds == 1) ? "1 lock" : this.holds + " locks") + ")";
	}

}
