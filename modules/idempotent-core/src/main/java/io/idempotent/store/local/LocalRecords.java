package io.idempotent.store.local;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.idempotent.store.OperationKey;
import io.idempotent.store.StoreUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * A bounded map of records. Not safe for use by several threads.
 *
 * <p>
 * Expired records are removed when there is no room left, and when as many records were
 * added as the last sweep left: a sweep costs constant time for each added record. If the
 * map is full, the oldest unused tokens, which anybody may request, are removed: they are
 * unknown from then on, and no operation runs twice.
 */
final class LocalRecords {

	private static final int FEWEST_ADDED_BEFORE_SWEEP = 128;

	private final Map<OperationKey, LocalRecord> records = new HashMap<>();

	private final int maxRecords;

	private int unused;

	private int addedUntilSweep = FEWEST_ADDED_BEFORE_SWEEP;

	/** No record expires before this; a full store refuses without a sweep until then. */
	private long earliestExpiry = Long.MAX_VALUE;

	LocalRecords(int maxRecords) {
		if (maxRecords < 1) {
			throw new IllegalArgumentException("The local idempotency store keeps at least one record, "
					+ "but idempotent.store.local.max-records is " + maxRecords);
		}
		this.maxRecords = maxRecords;
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

	/** Adds, replaces or removes the record. Throws if there is no room. */
	void put(OperationKey key, @Nullable LocalRecord next, long now) {
		if (next == null) {
			remove(key);
			return;
		}
		if (!this.records.containsKey(key)) {
			makeRoom(now);
		}
		count(this.records.put(key, next), -1);
		count(next, 1);
		this.earliestExpiry = Math.min(this.earliestExpiry, next.expiry());
	}

	void clear() {
		this.records.clear();
		this.unused = 0;
	}

	private void remove(OperationKey key) {
		count(this.records.remove(key), -1);
	}

	private void count(@Nullable LocalRecord record, int change) {
		if (record instanceof LocalRecord.Issued issued && issued.isUnused()) {
			this.unused += change;
		}
	}

	private void makeRoom(long now) {
		if (--this.addedUntilSweep <= 0 || isFull()) {
			sweep(now);
		}
		if (isFull()) {
			removeOldestUnused();
		}
		if (isFull()) {
			throw StoreUnavailableException.withoutEffect("The local idempotency store is full: it keeps "
					+ this.maxRecords
					+ " records (idempotent.store.local.max-records), none of which has expired, and it removes none but "
					+ "unused tokens early. Raise the bound, shorten the retention, or choose a store outside this JVM",
					null);
		}
	}

	private boolean isFull() {
		return this.records.size() >= this.maxRecords;
	}

	/** A tenth of them at once, since finding them takes a pass over all records. */
	private void removeOldestUnused() {
		record Unused(OperationKey key, LocalRecord.Issued token) {
		}
		if (this.unused > 0) {
			List<Unused> tokens = this.records.entrySet()
				.stream()
				.flatMap((entry) -> (entry.getValue() instanceof LocalRecord.Issued issued && issued.isUnused())
						? Stream.of(new Unused(entry.getKey(), issued)) : Stream.empty())
				.sorted(Comparator.comparingLong((token) -> token.token().expiry()))
				.toList();
			tokens.stream().limit(1 + tokens.size() / 10).forEach((token) -> remove(token.key()));
		}
	}

	private void sweep(long now) {
		if (now >= this.earliestExpiry) {
			List<OperationKey> expired = this.records.entrySet()
				.stream()
				.filter((entry) -> entry.getValue().expiry() <= now)
				.map(Map.Entry::getKey)
				.toList();
			expired.forEach(this::remove);
			this.earliestExpiry = this.records.values()
				.stream()
				.mapToLong(LocalRecord::expiry)
				.min()
				.orElse(Long.MAX_VALUE);
		}
		this.addedUntilSweep = Math.max(FEWEST_ADDED_BEFORE_SWEEP, this.records.size());
	}

}
