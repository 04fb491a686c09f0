package io.idempotent.lock.engine;

import java.time.Duration;

import io.idempotent.lock.LockOptions;
import io.idempotent.lock.Renewal;
import org.jspecify.annotations.Nullable;

/**
 * The configured values for lock options that are not set.
 *
 * @param lease the duration of a lease without renewal
 * @param renewal what happens to the lease while the lock is held
 * @param maxHold the longest hold, for {@link Renewal#UP_TO_MAXIMUM}
 */
public record LockDefaults(Duration lease, Renewal renewal, Duration maxHold) {

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException if the renewal is {@code DEFAULT} or a duration is
	 * out of range, see {@link LockOptions}
	 */
	public LockDefaults {
		if (renewal == Renewal.DEFAULT) {
			throw new IllegalArgumentException("The configured renewal must not be DEFAULT");
		}
		LockOptions.DEFAULTS.withLease(lease).withMaxHold(maxHold);
	}

	Duration lease(LockOptions options) {
		Duration lease = (options.lease() != null) ? options.lease() : this.lease;
		Duration limit = limit(options);
		return (limit != null && limit.compareTo(lease) < 0) ? limit : lease;
	}

	/**
	 * The longest hold.
	 * @param options the options
	 * @return the limit, or {@code null} if there is none
	 */
	@Nullable Duration limit(LockOptions options) {
		return switch ((options.renewal() != Renewal.DEFAULT) ? options.renewal() : this.renewal) {
			case DEFAULT, WHILE_HELD -> null;
			case FIXED -> (options.lease() != null) ? options.lease() : this.lease;
			case UP_TO_MAXIMUM -> (options.maxHold() != null) ? options.maxHold() : this.maxHold;
		};
	}

}
