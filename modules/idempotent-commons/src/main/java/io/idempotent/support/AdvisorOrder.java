package io.idempotent.support;

/**
 * The order of the advisors of this library. A smaller number is further outside. The
 * {@link TargetInterceptor} has the order of transactions, but is registered after them.
 */
public final class AdvisorOrder {

	/**
	 * Inside Spring Security's method security (100 to 600), so that an answer is
	 * replayed only to authorized callers; outside transactions
	 * ({@link Integer#MAX_VALUE}), so that an outcome is recorded after the commit.
	 */
	public static final int IDEMPOTENCY = 1000;

	/**
	 * Inside idempotency, because a duplicate needs no lock; outside transactions, so
	 * that a lock is released after the commit.
	 */
	public static final int LOCK = 2000;

	private AdvisorOrder() {
	}

}
