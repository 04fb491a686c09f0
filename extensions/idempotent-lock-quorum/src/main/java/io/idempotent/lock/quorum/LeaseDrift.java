package io.idempotent.lock.quorum;

import java.time.Duration;

/**
 * How much shorter a lease is for its holder than for the servers, since their clocks may
 * run at different rates: a share of the lease and the precision of Redis's expiry.
 *
 * @param factor the share
 */
record LeaseDrift(double factor) {

	private static final long PRECISION_NANOS = 2_000_000;

	/**
	 * How long the holder may use a lease.
	 * @param lease the lease that the servers have
	 * @return its validity, which may be negative
	 */
	Duration validity(Duration lease) {
		return lease.minusNanos((long) (lease.toNanos() * this.factor) + PRECISION_NANOS);
	}

	/**
	 * The lease for a validity, rounded up to milliseconds.
	 * @param validity how long the holder may use it
	 * @return the lease that the servers get
	 */
	Duration lease(Duration validity) {
		double nanos = (validity.toNanos() + PRECISION_NANOS) / (1 - this.factor);
		return Duration.ofMillis((long) Math.ceil(nanos / 1_000_000));
	}

}
