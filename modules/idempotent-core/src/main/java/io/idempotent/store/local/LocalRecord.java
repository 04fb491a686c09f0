package io.idempotent.store.local;

import io.idempotent.store.Fingerprint;
import io.idempotent.store.Origin;
import io.idempotent.store.Outcome;
import io.idempotent.store.Owner;
import org.jspecify.annotations.Nullable;

/**
 * The record of one key. Immutable. Times are nanoseconds of the store's clock.
 */
sealed interface LocalRecord {

	/**
	 * Returns when the record expires.
	 */
	long expiry();

	/**
	 * A key that was issued and is not claimed.
	 *
	 * @param attempts how often it has been claimed and released
	 */
	record Issued(int attempts, long expiry) implements LocalRecord {

		/** Whether it can be removed safely: its first claim would be refused. */
		boolean isUnused() {
			return this.attempts == 0;
		}

	}

	/**
	 * A claim that has not been completed.
	 *
	 * @param leaseEnd when the lease ends; {@link #GIVEN_UP} once the owner has reported
	 * that the outcome is unknown, {@link #BURNT} if there is no lease
	 * @param tokenEnd until when a release makes the key {@link Issued} again;
	 * {@link #NO_TOKEN} if it never was
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

	}

	/**
	 * A completed operation.
	 */
	record Finished(Owner owner, Fingerprint fingerprint, int attempt, Outcome outcome, long expiry,
			@Nullable Origin origin) implements LocalRecord {
	}

}
