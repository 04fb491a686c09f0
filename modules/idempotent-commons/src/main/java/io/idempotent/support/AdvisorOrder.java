package io.idempotent.support;

/**
 * Where our advisors stand among others. A smaller number is further outside.
 */
public final class AdvisorOrder {

	/**
	 * Idempotency stands inside the method security of Spring Security (100 to 600), so
	 * that nobody gets an answer without a yes, and outside transactions
	 * ({@link Integer#MAX_VALUE}), so that an outcome is recorded after the commit.
	 */
	public static final int IDEMPOTENCY = 1000;

	/**
	 * Locks stand inside idempotency, since a duplicate needs none, and outside
	 * transactions, so that a lock is given back after the commit.
	 */
	public static final int LOCK = 2000;

	private AdvisorOrder() {
	}

}
