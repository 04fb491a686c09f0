package io.idempotent.redis;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The commands that the store sends, one round trip each. Safe for use by several
 * threads.
 */
interface StoreCommands extends AutoCloseable {

	/**
	 * Writes a key unless it exists.
	 */
	void setIfAbsent(byte[] key, byte[] value, long timeToLiveInMillis);

	/**
	 * Runs a script on one key, if Redis knows the script, or fails with
	 * {@code NOSCRIPT}.
	 */
	@Nullable List<Object> evalSha(String sha1, byte[] key, byte[]... arguments);

	/**
	 * Runs a script on one key.
	 */
	@Nullable List<Object> eval(byte[] script, byte[] key, byte[]... arguments);

	/**
	 * Scans some keys of all servers.
	 * @param position the cursor, {@code null} to start
	 * @param pattern what the keys must match
	 * @return what was found, or {@code null} if the client cannot do this in steps
	 */
	default @Nullable KeyPage scan(@Nullable Object position, byte[] pattern) {
		return null;
	}

	/**
	 * Returns the server of a cluster that holds a key, as far as the client knows.
	 * @return an id of the server; the same for all keys if that is unknown
	 */
	default String serverOf(byte[] key) {
		return "";
	}

	@Override
	void close();

}
