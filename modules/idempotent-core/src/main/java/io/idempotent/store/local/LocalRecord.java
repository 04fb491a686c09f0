package io.idempotent.store.local;

import java.time.Duration;

import io.idempotent.store.Fingerprint;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Origin;
import io.idempotent.store.Outcome;
import io.idempotent.store.Owner;
import io.idempotent.store.RecordSnapshot;
import io.idempotent.store.RecordState;
import org.jspecify.annotations.Nullable;

/** The record of one key. Immutable. Times are nanoseconds of the store's clock. */
sealed interface LocalRecord {

	long expiry();

	/** The record must not have expired. */
	RecordSnapshot snapshot(OperationKey key, long now);

	record Issued(int attempts, long expiry) implements LocalRecord {

		/** Whether it can be removed safely: its first claim would be refused. */
		boolean isUnused() {
			return this.attempts == 0;
		}

		@Override
		public RecordSnapshot snapshot(OperationKey key, long now) {
			return new RecordSnapshot(key, RecordState.ISSUED, this.attempts, null, null, Duration.ZERO,
					Duration.ofNanos(this.expiry - now), null);
		}

	}

	/**
	 * A claim that has not been completed.
	 *
	 * @param leaseEnd {@link #GIVEN_UP} once the outcome is unknown, {@link #BURNT}
	 * without lease
	 * @param tokenEnd until when a release makes the key {@link Issued} again, or
	 * {@link #NO_TOKEN}
	 * @param retention how long the record is kept after the last call of its owner
	 */
	record Claimed(Owner owner, Fingerprint fingerprint, int attempt, boolean tookOver, long leaseEnd, long tokenEnd,
			long retention, long expiry, @Nullable Origin origin) implements LocalRecord {

		static final long GIVEN_UP = Long.MIN_VALUE;

		static final long BURNT = Long.MAX_VALUE;

		static final long NO_TOKEN = Long.MIN_VALUE;

		boolean isBurnt() {
			return this.leaseEnd == BURNT;
		}

		boolean isGivenUp() {
			return this.leaseEnd == GIVEN_UP;
		}

		Claimed until(long newLeaseEnd, long newExpiry) {
			return new Claimed(this.owner, this.fingerprint, this.attempt, this.tookOver, newLeaseEnd, this.tokenEnd,
					this.retention, newExpiry, this.origin);
		}

		@Override
		public RecordSnapshot snapshot(OperationKey key, long now) {
			Duration retentionLeft = Duration.ofNanos(this.expiry - now);
			if (isBurnt()) {
				return new RecordSnapshot(key, RecordState.COMPLETED, this.attempt, this.owner, this.origin,
						Duration.ZERO, retentionLeft, Outcome.TOMBSTONE);
			}
			boolean alive = this.leaseEnd > now;
			return new RecordSnapshot(key, alive ? RecordState.IN_PROGRESS : RecordState.UNKNOWN, this.attempt,
					this.owner, this.origin, alive ? Duration.ofNanos(this.leaseEnd - now) : Duration.ZERO,
					retentionLeft, null);
		}

	}

	record Finished(Owner owner, Fingerprint fingerprint, int attempt, Outcome outcome, long expiry,
			@Nullable Origin origin) implements LocalRecord {

		@Override
		public RecordSnapshot snapshot(OperationKey key, long now) {
			return new RecordSnapshot(key, RecordState.COMPLETED, this.attempt, this.owner, this.origin, Duration.ZERO,
					Duration.ofNanos(this.expiry - now), this.outcome);
		}

	}

}
