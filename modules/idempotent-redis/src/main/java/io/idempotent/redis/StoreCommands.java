package io.idempotent.redis;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The few commands that the store sends, one round trip each. Safe for use by several
 * threads.
 */
interface StoreCommands extends AutoCloseable {

	/**
	 * Writes a key that is not there yet.
	 */
	void setIfAbsent(byte[] key, byte[] value, long timeToLiveInMillis);

	/**
	 * Runs a script that Redis knows, or fails with {@code NOSCRIPT}.
	 */
	@Nullable List<Object> evalSha(String sha1, byte[] key, byte[]... arguments);

	/**
	 * Runs a script.
	 */
	@Nullable List<Object> eval(byte[] script, byte[] key, byte[]... arguments);

	/**
	 * Which server of a cluster has a key, as far as is known without asking.
	 * @return names the server; all keys have the same where they are not told apart
	 */
	default String serverOf(byte[] key) {
		return "";
	}

	@Override
	void close();

}
