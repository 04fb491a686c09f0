package io.idempotent.redis;

import java.util.List;

import org.jspecify.annotations.Nullable;

/** The commands that the store sends, one round trip each. Safe for several threads. */
interface StoreCommands extends AutoCloseable {

	/** Returns whether the key was absent, and is set now. */
	boolean setIfAbsent(byte[] key, byte[] value, long timeToLiveInMillis);

	/**
	 * As {@link #setIfAbsent}, but returns the value that the key has, or {@code null} if
	 * it was absent, and is set now. Redis refuses this before version 7.
	 */
	byte @Nullable [] setOrGet(byte[] key, byte[] value, long timeToLiveInMillis);

	/** Fails with {@code NOSCRIPT} if Redis does not know the script. */
	@Nullable List<Object> evalSha(String sha1, byte[] key, byte[]... arguments);

	@Nullable List<Object> eval(byte[] script, byte[] key, byte[]... arguments);

	/**
	 * Scans some keys of all servers, from the start if {@code position} is {@code null}.
	 * Returns {@code null} if the client cannot do this in steps.
	 */
	default @Nullable KeyPage scan(@Nullable Object position, byte[] pattern) {
		return null;
	}

	/** The server that holds a key; the same one for all keys if that is unknown. */
	default String serverOf(byte[] key) {
		return "";
	}

	@Override
	void close();

	/** {@code next} is {@code null} after the last step of a scan. */
	record KeyPage(List<byte[]> keys, @Nullable Object next) {
	}

}
