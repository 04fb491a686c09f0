package io.idempotent.lock.switching;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How nodes switch engines. All nodes of an application have the same settings.
 *
 * @param lease how long a node may rely on what it has read from the authority
 * @param drainTime how long a switch waits for the holders of locks; then it is called
 * off
 * @param dwellTime the minimum time between automatic switches
 * @param authorityAway what a node does if it cannot reach the authority for the length
 * of its lease
 */
public record SwitchSettings(Duration lease, Duration drainTime, Duration dwellTime, WhenAuthorityAway authorityAway) {

	/** By how much the clocks of two nodes may differ in speed: a tenth. */
	private static final int DRIFT = 10;

	/** How often a node reads what the nodes have agreed on, in its lease. */
	private static final int READS_IN_LEASE = 30;

	private static final Duration LONGEST_READ_INTERVAL = Duration.ofSeconds(1);

	/** How often a node reads the document while a switch is in progress. */
	static final long SWITCHING_INTERVAL = TimeUnit.MILLISECONDS.toNanos(100);

	/** How often a node writes in its lease, so that one lost write costs nothing. */
	private static final int BEATS_IN_LEASE = 3;

	/** How long the entry of a member must be unchanged to count as expired. */
	static long nanosToExpiry(Duration lease) {
		return lease.toNanos() + lease.toNanos() / DRIFT;
	}

	long nanosToNextBeat() {
		return this.lease.toNanos() / BEATS_IN_LEASE;
	}

	long nanosToNextRead() {
		return Math.min(this.lease.toNanos() / READS_IN_LEASE, LONGEST_READ_INTERVAL.toNanos());
	}

}
