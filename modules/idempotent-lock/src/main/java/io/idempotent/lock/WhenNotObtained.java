package io.idempotent.lock;

/**
 * What happens to a call whose lock is not obtained in time. The method is not run.
 */
public enum WhenNotObtained {

	/**
	 * The caller gets a {@link LockNotObtainedException}; an HTTP client the problem
	 * {@code locked} with status 409.
	 */
	THROW,

	/**
	 * The call returns {@code null} or an empty {@link java.util.Optional}. For scheduled
	 * jobs, which another node runs at the same time. If the engine cannot be asked, that
	 * is logged in one line, and the call is skipped as well. A method that returns a
	 * primitive type is refused at start-up.
	 */
	SKIP

}
