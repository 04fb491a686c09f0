package io.idempotent.lock;

import java.time.Duration;

import io.idempotent.logging.DurationText;
import org.jspecify.annotations.Nullable;

/**
 * How a lock is held. Options that are not set have the values that are configured under
 * {@code idempotent.lock}. What is configured for a single lock takes precedence over the
 * options, see {@link Settings}.
 *
 * @param lease how long a grant lives without renewal, on engines that have leases;
 * {@code null} for the configured time
 * @param holdAtMost the longest hold: the lease is renewed up to this time, then the lock
 * is lost; {@code null} to renew it until the lock is released or the JVM ends
 * @param fair whether waiting nodes get the lock in turn; must be the same for all uses
 * of a name
 * @param engine the name of an engine; {@code null} for the engine in force
 * @param holdAtLeast how long the lock stays locked at least, even if it is released
 * sooner, so that nodes whose clocks differ do not run a scheduled job twice
 * @param interruptOnLoss whether the holding thread is interrupted when it loses the lock
 * @param mode whether the lock is shared with other readers; {@link LockMode#WRITE} by
 * default
 */
public record LockOptions(@Nullable Duration lease, @Nullable Duration holdAtMost, boolean fair,
		@Nullable String engine, Duration holdAtLeast, boolean interruptOnLoss, LockMode mode) {

	private static final Duration SHORTEST_LEASE = Duration.ofMillis(10);

	/** Keeps durations within the range of nanoseconds in a {@code long}. */
	private static final Duration LONGEST = Duration.ofDays(365);

	/** The configured options. */
	public static final LockOptions DEFAULTS = new LockOptions(null, null, false, null, Duration.ZERO, false,
			LockMode.WRITE);

	/**
	 * Checks the options.
	 * @throws IllegalArgumentException if a duration is out of range or would have no
	 * effect; the message names it
	 */
	public LockOptions {
		require(lease == null || lease.compareTo(SHORTEST_LEASE) >= 0, "lease", lease, "must be at least 10ms");
		require(holdAtMost == null || holdAtMost.compareTo(SHORTEST_LEASE) >= 0, "holdAtMost", holdAtMost,
				"must be at least 10ms");
		require(!holdAtLeast.isNegative(), "holdAtLeast", holdAtLeast, "must not be negative");
		require(holdAtMost == null || holdAtLeast.compareTo(holdAtMost) <= 0, "holdAtMost", holdAtMost,
				"must not be shorter than holdAtLeast");
		requireCountable("lease", lease);
		requireCountable("holdAtMost", holdAtMost);
		requireCountable("holdAtLeast", holdAtLeast);
	}

	/** These options with another {@link #lease()}. */
	public LockOptions withLease(Duration lease) {
		return new LockOptions(lease, this.holdAtMost, this.fair, this.engine, this.holdAtLeast, this.interruptOnLoss,
				this.mode);
	}

	/** These options with a longest hold, {@link #holdAtMost()}. */
	public LockOptions withHoldAtMost(Duration holdAtMost) {
		return new LockOptions(this.lease, holdAtMost, this.fair, this.engine, this.holdAtLeast, this.interruptOnLoss,
				this.mode);
	}

	/** These options with or without {@linkplain #fair() fairness}. */
	public LockOptions withFair(boolean fair) {
		return new LockOptions(this.lease, this.holdAtMost, fair, this.engine, this.holdAtLeast, this.interruptOnLoss,
				this.mode);
	}

	/** These options on another {@link #engine()}, {@code null} for that in force. */
	public LockOptions withEngine(@Nullable String engine) {
		return new LockOptions(this.lease, this.holdAtMost, this.fair, engine, this.holdAtLeast, this.interruptOnLoss,
				this.mode);
	}

	/** These options with a shortest hold, {@link #holdAtLeast()}. */
	public LockOptions withHoldAtLeast(Duration holdAtLeast) {
		return new LockOptions(this.lease, this.holdAtMost, this.fair, this.engine, holdAtLeast, this.interruptOnLoss,
				this.mode);
	}

	/** These options with or without {@link #interruptOnLoss()}. */
	public LockOptions withInterruptOnLoss(boolean interruptOnLoss) {
		return new LockOptions(this.lease, this.holdAtMost, this.fair, this.engine, this.holdAtLeast, interruptOnLoss,
				this.mode);
	}

	/** These options in another {@link #mode()}. */
	public LockOptions withMode(LockMode mode) {
		return new LockOptions(this.lease, this.holdAtMost, this.fair, this.engine, this.holdAtLeast,
				this.interruptOnLoss, mode);
	}

	private static void requireCountable(String option, @Nullable Duration value) {
		require(value == null || value.compareTo(LONGEST) <= 0, option, value, "must be a year at most");
	}

	private static void require(boolean condition, String option, @Nullable Duration value, String reason) {
		if (!condition) {
			throw new IllegalArgumentException("The lock option " + option + " is "
					+ ((value != null) ? DurationText.of(value) : null) + ", but it " + reason);
		}
	}

	/**
	 * Settings of single locks that an operator has made, by the group of the lock: its
	 * name up to the first colon. They take precedence over the values in the code. Safe
	 * for use by many threads.
	 */
	public interface Settings {

		/** No settings: the values in the code apply. */
		Settings NONE = new Settings() {
		};

		/** The options of a lock: those declared in the code, with its settings. */
		default LockOptions options(String name, LockOptions declared) {
			return declared;
		}

		/** How long to wait for a lock: as configured, or else as declared in code. */
		default Duration waitTime(String name, Duration declared) {
			return declared;
		}

	}

}
