package io.idempotent.benchmarks.token;

/**
 * A way to hand tokens out and to take each back once. Fails if it does not work.
 */
interface TokenWay {

	/**
	 * Hands one out.
	 */
	String issue() throws Exception;

	/**
	 * Takes it back.
	 */
	void check(String token) throws Exception;

}
