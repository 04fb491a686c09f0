package io.idempotent.store.redis;

import java.util.List;
import java.util.function.Function;

import io.idempotent.store.OperationKey;
import io.idempotent.store.StoreUnavailableException;
import org.jspecify.annotations.Nullable;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.ReturnType;

/**
 * One round trip to Redis at a time, with one word for everything that can go wrong.
 */
final class RedisCalls {

	private final RedisConnectionFactory connections;

	RedisCalls(RedisConnectionFactory connections) {
		this.connections = connections;
	}

	/**
	 * Runs a script by its name; Redis is sent the script itself only if it does not know
	 * it, after a restart for example.
	 */
	List<Object> run(LuaScript script, String what, OperationKey operation, byte[]... keyAndArguments) {
		List<Object> reply = call(what, operation, (connection) -> {
			try {
				return connection.scriptingCommands()
					.<List<Object>>evalSha(script.sha1(), ReturnType.MULTI, 1, keyAndArguments);
			}
			catch (RuntimeException ex) {
				if (!isUnknownScript(ex)) {
					throw ex;
				}
				return connection.scriptingCommands().eval(script.source(), ReturnType.MULTI, 1, keyAndArguments);
			}
		});
		if (reply == null) {
			throw unavailable(what, operation, "no reply", null);
		}
		return reply;
	}

	/**
	 * Whatever a client or its pool throws here, Redis did not answer.
	 */
	<T extends @Nullable Object> T call(String what, OperationKey operation, Function<RedisConnection, T> call) {
		try (RedisConnection connection = this.connections.getConnection()) {
			return call.apply(connection);
		}
		catch (RuntimeException ex) {
			throw unavailable(what, operation, NestedExceptionUtils.getMostSpecificCause(ex).getMessage(), ex);
		}
	}

	private static StoreUnavailableException unavailable(String what, OperationKey operation, @Nullable String reason,
			@Nullable Throwable cause) {
		return new StoreUnavailableException("Redis did not answer the " + what + " of operation " + operation + " ("
				+ reason + "); it may or may not have taken effect. Look at the connection (spring.data.redis.*) and "
				+ "at whether Redis takes writes (memory, role, replicas)", cause);
	}

	private static boolean isUnknownScript(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause.getMessage() != null && cause.getMessage().startsWith("NOSCRIPT")) {
				return true;
			}
		}
		return false;
	}

}
