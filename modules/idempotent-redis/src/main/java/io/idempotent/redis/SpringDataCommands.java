package io.idempotent.redis;

import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStringCommands.SetOption;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.core.types.Expiration;

/**
 * Sends commands through any Spring Data Redis client, with that client's time-outs. What
 * replaces {@link SetOption} is not in Spring Data Redis before 4.1.
 */
@SuppressWarnings("deprecation")
record SpringDataCommands(RedisConnectionFactory connections) implements StoreCommands {

	/** An error of Redis begins with a code, such as OOM. */
	private static final Pattern ERROR_REPLY = Pattern.compile("[A-Z][A-Z0-9]+ ");

	@Override
	public boolean setIfAbsent(byte[] key, byte[] value, long timeToLiveInMillis) {
		return Boolean.TRUE.equals(send((connection) -> connection.stringCommands()
			.set(key, value, Expiration.milliseconds(timeToLiveInMillis), SetOption.ifAbsent())));
	}

	@Override
	public byte @Nullable [] setOrGet(byte[] key, byte[] value, long timeToLiveInMillis) {
		try {
			return send((connection) -> connection.stringCommands()
				.setGet(key, value, Expiration.milliseconds(timeToLiveInMillis), SetOption.ifAbsent()));
		}
		catch (StackOverflowError ex) {
			// The connection is of an older version: two default methods call each other.
			throw new UnsupportedOperationException("The client has no SET with GET", ex);
		}
	}

	/** With some clients, one type of reply is either a list or a number. */
	@Override
	public @Nullable List<Object> evalSha(LuaScript script, ScriptKeys keys, byte[]... arguments) {
		return send((connection) -> connection.scriptingCommands()
			.<List<Object>>evalSha(script.listing().sha1(), ReturnType.MULTI, 1, concatenate(keys.key(), arguments)));
	}

	@Override
	public @Nullable List<Object> eval(LuaScript script, ScriptKeys keys, byte[]... arguments) {
		return send((connection) -> connection.scriptingCommands()
			.<List<Object>>eval(script.listing().text(), ReturnType.MULTI, 1, concatenate(keys.key(), arguments)));
	}

	private <T extends @Nullable Object> T send(Function<RedisConnection, T> command) {
		try (RedisConnection connection = this.connections.getConnection()) {
			return command.apply(connection);
		}
		catch (InvalidDataAccessApiUsageException ex) {
			// The translation of an error that Redis replied, and of any error of a
			// client that is unknown.
			if (!ERROR_REPLY.matcher(String.valueOf(NestedExceptionUtils.getMostSpecificCause(ex).getMessage()))
				.lookingAt()) {
				throw ex;
			}
			throw new CommandNotExecutedException(CommandNotExecutedException.Reason.REFUSED,
					String.valueOf(ex.getMessage()), ex);
		}
	}

	private static byte[][] concatenate(byte[] key, byte[]... arguments) {
		byte[][] all = new byte[1 + arguments.length][];
		all[0] = key;
		System.arraycopy(arguments, 0, all, 1, arguments.length);
		return all;
	}

	/** No connection stays open. */
	@Override
	public void close() {
	}

}
