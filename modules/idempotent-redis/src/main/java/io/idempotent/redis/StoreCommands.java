package io.idempotent.redis;

import java.util.List;

import org.jspecify.annotations.Nullable;

/** The commands that the store sends, one round trip each. Safe for several threads. */
@SuppressWarnings("ArrayRecordComponent")
interface StoreCommands extends AutoCloseable {

	/** Returns whether the key was absent, and is set now. */
	boolean setIfAbsent(byte[] key, byte[] value, long timeToLiveInMillis);

	/**
	 * As {@link #setIfAbsent}, but returns the value that the key has, or {@code null} if
	 * it was absent, and is set now. Redis refuses this before version 7.
	 */
	byte @Nullable [] setOrGet(byte[] key, byte[] value, long timeToLiveInMillis);

	/**
	 * Runs a script whose reply is a list, or a number, which becomes a list. Fails with
	 * {@code NOSCRIPT} if Redis does not know the script.
	 */
	@Nullable List<Object> evalSha(LuaScript script, ScriptKeys keys, byte[]... arguments);

	@Nullable List<Object> eval(LuaScript script, ScriptKeys keys, byte[]... arguments);

	/** Whether a key can be set ahead of a script. */
	default boolean setsAhead() {
		return false;
	}

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

	/**
	 * The key of an operation, and maybe a second one, which is set ahead of the script
	 * without waiting for the reply: the script must expect that it was not set.
	 */
	record ScriptKeys(byte[] key, @Nullable Ahead ahead) {

		byte[][] all() {
			return (this.ahead != null) ? new byte[][] { this.key, this.ahead.key() } : new byte[][] { this.key };
		}

	}

	/** What is set ahead of a script, in the slot of its first key. */
	record Ahead(byte[] key, byte[] value, long timeToLiveInMillis) {
	}

	/** {@code next} is {@code null} after the last step of a scan. */
	record KeyPage(List<byte[]> keys, @Nullable Object next) {
	}

}
