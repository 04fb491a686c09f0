package io.idempotent.lock.switching;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.idempotent.lock.switching.EpochDocument.Member;
import io.idempotent.lock.switching.EpochDocument.PendingSwitch;

/**
 * Measures by the clock of this node how long entries have not changed, so that no clocks
 * of two machines are compared. Used by one thread.
 */
final class EpochObserver {

	private final Map<String, Beat> beats = new HashMap<>();

	private long epoch;

	private long pendingId;

	private long pendingSince;

	/** When a new epoch, or the end of a switch, was last seen. */
	private long quietSince;

	/** Observes a document, at a time after it was read. */
	void observe(EpochDocument document, long now) {
		this.beats.keySet().retainAll(document.members().keySet());
		document.members().forEach((id, member) -> {
			Beat known = this.beats.get(id);
			if (known == null || known.number() != member.beat()) {
				this.beats.put(id, new Beat(member.beat(), now));
			}
		});
		PendingSwitch pending = document.pending();
		long id = (pending != null) ? pending.id() : 0;
		if (document.epoch() != this.epoch || (id == 0 && this.pendingId != 0)) {
			this.epoch = document.epoch();
			this.quietSince = now;
		}
		if (id != this.pendingId) {
			this.pendingId = id;
			this.pendingSince = now;
		}
	}

	/** Members whose lease surely ended at a time before the document was read. */
	List<String> expired(EpochDocument document, long now) {
		return document.members()
			.values()
			.stream()
			.filter((member) -> isExpired(member, now))
			.map(Member::id)
			.sorted()
			.toList();
	}

	private boolean isExpired(Member member, long now) {
		Beat beat = this.beats.get(member.id());
		return beat != null && beat.number() == member.beat()
				&& now - beat.since() > SwitchSettings.nanosToExpiry(member.lease());
	}

	/** How long the switch in progress has been observed. */
	long nanosPending(long now) {
		return now - this.pendingSince;
	}

	/** How long there has been neither a new epoch nor the end of a switch. */
	long nanosQuiet(long now) {
		return now - this.quietSince;
	}

	private record Beat(long number, long since) {
	}

}
