package io.idempotent.lock.internal;

import java.time.Duration;

import io.idempotent.lock.LockOptions;
import io.idempotent.lock.Renewal;
import org.jspecify.annotations.Nullable;

/**
 * The configured lease for options without one, and the settings of single locks, which
 * take precedence over their options.
 */
public record LockDefaults(Duration lease, LockOptions.Settings settings) {

	public LockDefaults(Duration lease) {
		this(lease, LockOptions.Settings.NONE);
	}

	/** Checks the lease, see {@link LockOptions}. */
	public LockDefaults {
		LockOptions.DEFAULTS.withLease(lease);
	}

	Duration lease(LockOptions options) {
		Duration lease = leaseOf(options);
		Duration limit = limit(options);
		return (limit != null && limit.compareTo(lease) < 0) ? limit : lease;
	}

	private Duration leaseOf(LockOptions options) {
		return (options.lease() != null) ? options.lease() : this.lease;
	}

	/** The longest hold; null for no limit. */
	@Nullable Duration limit(LockOptions options) {
		return (options.renewal() == Renewal.FIXED) ? leaseOf(options) : options.holdAtMost();
	}

}
