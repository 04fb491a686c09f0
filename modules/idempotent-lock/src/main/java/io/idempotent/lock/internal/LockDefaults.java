package io.idempotent.lock.internal;

import java.time.Duration;

import io.idempotent.lock.LockOptions;
import io.idempotent.lock.LockSettings;
import io.idempotent.lock.Renewal;
import org.jspecify.annotations.Nullable;

/**
 * The configured values for lock options that are not set.
 *
 * @param lease the duration of a lease without renewal
 * @param renewal what happens to the lease while the lock is held
 * @param settings the settings of single locks, which take precedence over their options
 */
public record LockDefaults(Duration lease, Renewal renewal, LockSettings settings) {

	/**
	 * Creates values without settings of single locks.
	 * @param lease the duration of a lease without renewal
	 * @param renewal what happens to the lease while the lock is held
	 */
	public LockDefaults(Duration lease, Renewal renewal) {
		this(lease, renewal, LockSettings.NONE);
	}

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException if the renewal is {@code DEFAULT} or a duration is
	 * out of range, see {@link LockOptions}
	 */
	public LockDefaults {
		if (renewal == Renewal.DEFAULT) {
			throw new IllegalArgumentException("The configured renewal must not be DEFAULT");
		}
		LockOptions.DEFAULTS.withLease(lease);
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
	public @Nullable Duration limit(LockOptions options) {
		if (options.holdAtMost() != null) {
			return options.holdAtMost();
		}
		Renewal chosen = (options.renewal() != Renewal.DEFAULT) ? options.renewal() : this.renewal;
		if (chosen != Renewal.FIXED) {
			return null;
		}
		return (options.lease() != null) ? options.lease() : this.lease;
	}

}
