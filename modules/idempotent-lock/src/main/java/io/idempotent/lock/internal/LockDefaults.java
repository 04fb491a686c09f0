package io.idempotent.lock.internal;

import java.time.Duration;

import io.idempotent.lock.LockOptions;
import io.idempotent.lock.Renewal;
import org.jspecify.annotations.Nullable;

/**
 * The configured values for options that are not set, and the settings of single locks,
 * which take precedence over their options.
 */
public record LockDefaults(Duration lease, Renewal renewal, LockOptions.Settings settings) {

	public LockDefaults(Duration lease, Renewal renewal) {
		this(lease, renewal, LockOptions.Settings.NONE);
	}

	/** Checks the values, see {@link LockOptions}. */
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

	/** The longest hold; null for no limit. */
	@Nullable Duration limit(LockOptions options) {
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
