package io.idempotent.benchmarks.replay;

/**
 * A way to run an operation once and to answer its duplicates. Fails if it does not work.
 */
interface ReplayWay {

	/**
	 * Runs an operation that was not run before, up to the point where its answer is
	 * kept.
	 */
	void first(String key) throws Exception;

	/**
	 * Meets an operation that was run before.
	 */
	void duplicate(String key) throws Exception;

}
