package io.idempotent.lock;

/**
 * What happens to a call whose lock is not obtained in time. The method never runs.
 */
public enum WhenNotObtained {

	/**
	 * The caller gets a {@link LockNotObtainedException}; an HTTP client the problem
	 * {@code locked} with status 409.
	 */
	THROW,

	/**
	 * The call returns nothing: {@code null} or an empty {@link java.util.Optional}. For
	 * scheduled jobs, which another node runs right now. An engine that cannot be asked
	 * is logged in one line, and the call is skipped as well. A method that returns a
	 * primitive cannot say nothing and is refused at start-up.
	 */
	SKIP

}
