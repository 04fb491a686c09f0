package io.idempotent.store.local;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import io.idempotent.store.OperationKey;
import io.idempotent.store.StoreUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * A bounded map of records that is changed by compare-and-swap, one key at a time.
 *
 * <p>
 * Expired records are removed when there is no room left, and when as many records were
 * added as the last sweep left: a sweep costs constant time for each added record. If the
 * map is full, the oldest unused tokens, which anybody may request, are removed: they are
 * unknown from then on, and no operation runs twice.
 *
 * <p>
 * There are never more records than the bound. A thread that adds or removes the last
 * record holds its permit meanwhile, so that another thread may be refused slightly too
 * early.
 */
final class LocalRecords {

	private static final int FEWEST_ADDED_BEFORE_SWEEP = 128;

	private final Map<OperationKey, LocalRecord> records = new ConcurrentHashMap<>();

	private final int maxRecords;

	private final Semaphore room;

	private final AtomicInteger unused = new AtomicInteger();

	private final AtomicInteger addedUntilSweep = new AtomicInteger(FEWEST_ADDED_BEFORE_SWEEP);

	/** No record expires before this; a full store refuses without a sweep until then. */
	private final AtomicLong earliestExpiry = new AtomicLong(Long.MAX_VALUE);

	LocalRecords(int maxRecords) {
		if (maxRecords < 1) {
			throw new IllegalArgumentException("The local idempotency store keeps at least one record, "
					+ "but idempotent.store.local.max-records is " + maxRecords);
		}
		this.maxRecords = maxRecords;
		this.room = new Semaphore(maxRecords);
	}

	/** Includes expired records. */
	@Nullable LocalRecord get(OperationKey key) {
		return this.records.get(key);
	}

	/** Includes expired records. */
	Stream<OperationKey> keys() {
		return this.records.keySet().stream();
	}

	/** By the last sign of life of their owners, newest first. */
	Stream<OperationKey> newestClaims() {
		record Heard(OperationKey key, long at) {
		}
		return this.records.entrySet()
			.stream()
			.flatMap((entry) -> (entry.getValue() instanceof LocalRecord.Claimed claimed)
					? Stream.of(new Heard(entry.getKey(), claimed.expiry() - claimed.retention())) : Stream.empty())
			.sorted(Comparator.comparingLong(Heard::at).reversed())
			.map(Heard::key);
	}

	int size() {
		return this.records.size();
	}

	/** Replaces or removes the record if it is unchanged. Throws if there is no room. */
	boolean swap(OperationKey key, @Nullable LocalRecord found, @Nullable LocalRecord next, long now) {
		if (next == null) {
			return (found == null) || remove(key, found);
		}
		boolean swapped = (found != null) ? this.records.replace(key, found, next) : add(key, next, now);
		if (swapped) {
			count(found, -1);
			count(next, 1);
			// Not earlier: from here on every sweep sees the record.
			expiresBy(next.expiry());
		}
		return swapped;
	}

	private boolean add(OperationKey key, LocalRecord record, long now) {
		makeRoom(now);
		if (this.records.putIfAbsent(key, record) == null) {
			return true;
		}
		this.room.release();
		return false;
	}

	private boolean remove(OperationKey key, LocalRecord record) {
		boolean removed = this.records.remove(key, record);
		if (removed) {
			count(record, -1);
			this.room.release();
		}
		return removed;
	}

	private void count(@Nullable LocalRecord record, int change) {
		if (record instanceof LocalRecord.Issued issued && issued.isUnused()) {
			this.unused.addAndGet(change);
		}
	}

	private void makeRoom(long now) {
		if (this.addedUntilSweep.decrementAndGet() <= 0) {
			sweep(now);
		}
		if (this.room.tryAcquire()) {
			return;
		}
		sweep(now);
		removeOldestUnused();
		if (!this.room.tryAcquire()) {
			throw StoreUnavailableException.withoutEffect("The local idempotency store is full: it keeps "
					+ this.maxRecords
					+ " records (idempotent.store.local.max-records), none of which has expired, and it removes none but "
					+ "unused tokens early. Raise the bound, shorten the retention, or choose a store outside this JVM",
					null);
		}
	}

	/** A tenth of them at once, since finding them takes a pass over all records. */
	private synchronized void removeOldestUnused() {
		if (this.unused.get() == 0 || this.room.availablePermits() > 0) {
			return;
		}
		record Unused(OperationKey key, LocalRecord.Issued token) {
		}
		List<Unused> tokens = this.records.entrySet()
			.stream()
			.flatMap((entry) -> (entry.getValue() instanceof LocalRecord.Issued issued && issued.isUnused())
					? Stream.of(new Unused(entry.getKey(), issued)) : Stream.empty())
			.sorted(Comparator.comparingLong((token) -> token.token().expiry()))
			.toList();
		tokens.stream().limit(1 + tokens.size() / 10).forEach((token) -> remove(token.key(), token.token()));
	}

	private synchronized void sweep(long now) {
		if (now >= this.earliestExpiry.get()) {
			this.earliestExpiry.set(Long.MAX_VALUE);
			this.records.forEach((key, record) -> sweep(key, record, now));
		}
		this.addedUntilSweep.set(Math.max(FEWEST_ADDED_BEFORE_SWEEP, this.records.size()));
	}

	private void sweep(OperationKey key, LocalRecord record, long now) {
		if (record.expiry() > now || !remove(key, record)) {
			expiresBy(record.expiry());
		}
	}

	private void expiresBy(long expiry) {
		if (expiry < this.earliestExpiry.get()) {
			this.earliestExpiry.accumulateAndGet(expiry, Math::min);
		}
	}

}
