package io.idempotent.lock.internal.epoch;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.EpochStore;
import io.idempotent.lock.internal.epoch.EpochDocument.PendingSwitch;
import org.jspecify.annotations.Nullable;

/**
 * Measures by the clock of this node how long entries have not changed, so that no clocks
 * of two machines are compared. Used by one thread.
 */
public final class EpochObserver {

	private final Map<String, Beat> beats = new HashMap<>();

	private long epoch;

	private long pendingId;

	private long pendingSince;

	/** When a new epoch, or the end of a switch, was last seen. */
	private long quietSince;

	/**
	 * Observes a document.
	 * @param document the document
	 * @param now the time after it was read
	 */
	public void observe(EpochDocument document, long now) {
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

	/**
	 * The agreement of live nodes, for a node that does not take part. Waits until one of
	 * them has written, or all their leases have ended.
	 * @param store their register
	 * @return the document, or {@code null} if no node is alive
	 * @throws LockUnavailableException if the thread is interrupted, which stays so
	 */
	public static @Nullable EpochDocument documentOfOthers(EpochStore store) {
		EpochDocument first = read(store);
		long start = System.nanoTime();
		EpochDocument latest = first;
		while (first != null && latest != null && System.nanoTime() - start < longestLease(first)) {
			LockSupport.parkNanos(SwitchSettings.SWITCHING_INTERVAL);
			if (Thread.currentThread().isInterrupted()) {
				throw new LockUnavailableException(
						"It is not known whether other nodes agree on a lock engine: interrupted while waiting for them",
						null);
			}
			latest = read(store);
			if (latest != null && !first.members().values().containsAll(latest.members().values())) {
				return latest;
			}
		}
		return null;
	}

	private static @Nullable EpochDocument read(EpochStore store) {
		EpochStore.Entry entry = store.read();
		return (entry.version() != 0) ? EpochCodec.decode(entry.text()) : null;
	}

	private static long longestLease(EpochDocument document) {
		return document.members()
			.values()
			.stream()
			.mapToLong((member) -> SwitchSettings.nanosToExpiry(member.lease()))
			.max()
			.orElse(0);
	}

	/**
	 * The members whose lease has surely ended.
	 * @param document the document, as it was read just now
	 * @param now the time before it was read
	 * @return their identifiers
	 */
	public List<String> expired(EpochDocument document, long now) {
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
