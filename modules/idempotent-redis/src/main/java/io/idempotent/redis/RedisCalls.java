package io.idempotent.redis;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.idempotent.store.OperationKey;
import io.idempotent.store.StoreUnavailableException;
import org.jspecify.annotations.Nullable;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * One round trip to Redis at a time, with one word for everything that can go wrong. Each
 * server of a cluster is silent on its own, so that one that is away neither holds up the
 * calls to others nor is overlooked because others answer.
 */
final class RedisCalls implements AutoCloseable {

	/** Servers come and go. */
	private static final int MOST_SERVERS = 1_000;

	private final StoreCommands commands;

	/** With the server, if it is known. */
	private final String redis;

	private final Duration timeout;

	private final Map<String, UnresponsiveRedisGuard> silences = new ConcurrentHashMap<>();

	RedisCalls(StoreCommands commands, Duration timeout, String address) {
		this.commands = commands;
		this.redis = address.isEmpty() ? "Redis" : "Redis at " + address;
		this.timeout = timeout;
	}

	static RedisCalls through(RedisConnectionFactory connections, Duration timeout, String address) {
		if (connections instanceof LettuceConnectionFactory lettuce) {
			Duration shorter = shorter(timeout, Duration.ofMillis(lettuce.getTimeout()));
			return new RedisCalls(new LettuceCommands(lettuce, shorter), shorter, address);
		}
		return new RedisCalls(new SpringDataCommands(connections), timeout, address);
	}

	/** To Lettuce, zero is no time-out at all. */
	private static Duration shorter(Duration timeout, Duration lettuce) {
		return (lettuce.isZero() || lettuce.compareTo(timeout) > 0) ? timeout : lettuce;
	}

	void setIfAbsent(String what, OperationKey operation, byte[] key, byte[] value, long timeToLiveInMillis) {
		UnresponsiveRedisGuard silence = silence(key);
		call(what, operation, () -> silence.ask(() -> {
			this.commands.setIfAbsent(key, value, timeToLiveInMillis);
			return true;
		}));
	}

	/**
	 * Runs a script by its name; Redis is sent the script itself only if it does not know
	 * it, after a restart for example.
	 */
	List<Object> run(LuaScript script, String what, OperationKey operation, byte[] key, byte[]... arguments) {
		UnresponsiveRedisGuard silence = silence(key);
		return reply(what, operation, () -> silence.ask(() -> run(script, key, arguments)));
	}

	/**
	 * Runs a script that is run again later if it was not done, so that it need not wait
	 * for a server that has just left another call unanswered.
	 */
	List<Object> runNowOrLater(LuaScript script, String what, OperationKey operation, byte[] key, byte[]... arguments) {
		UnresponsiveRedisGuard silence = silence(key);
		return reply(what, operation, () -> silence.askUnlessSuspect(() -> run(script, key, arguments)));
	}

	private List<Object> reply(String what, OperationKey operation, Supplier<@Nullable List<Object>> call) {
		List<Object> reply = call(what, operation, call);
		if (reply == null) {
			throw unavailable(what, operation, "no reply", null);
		}
		return reply;
	}

	private UnresponsiveRedisGuard silence(byte[] key) {
		String server = this.commands.serverOf(key);
		UnresponsiveRedisGuard known = this.silences.get(server);
		if (known != null) {
			return known;
		}
		if (this.silences.size() >= MOST_SERVERS) {
			this.silences.clear();
		}
		return this.silences.computeIfAbsent(server, (absent) -> new UnresponsiveRedisGuard(this.timeout));
	}

	private @Nullable List<Object> run(LuaScript script, byte[] key, byte[]... arguments) {
		try {
			return this.commands.evalSha(script.sha1(), key, arguments);
		}
		catch (RuntimeException ex) {
			if (!isUnknownScript(ex)) {
				throw ex;
			}
			return this.commands.eval(script.source(), key, arguments);
		}
	}

	/**
	 * Whatever a client or its pool throws here, Redis did not do what it was asked for,
	 * or did not say so.
	 */
	private <T extends @Nullable Object> T call(String what, OperationKey operation, Supplier<T> call) {
		try {
			return call.get();
		}
		catch (CommandNotExecutedException ex) {
			throw notDone(what, operation, ex);
		}
		catch (RuntimeException ex) {
			throw unavailable(what, operation, reason(ex), ex);
		}
	}

	private static String reason(Throwable failure) {
		return String.valueOf(NestedExceptionUtils.getMostSpecificCause(failure).getMessage());
	}

	@Override
	public void close() {
		this.commands.close();
	}

	private StoreUnavailableException unavailable(String what, OperationKey operation, String reason,
			@Nullable Throwable cause) {
		return new StoreUnavailableException(this.redis + " did not answer the " + what + " of key " + operation + " ("
				+ reason + "); it may or may not have taken effect. Check the connection (spring.data.redis.*)", cause);
	}

	private StoreUnavailableException notDone(String what, OperationKey operation,
			CommandNotExecutedException failure) {
		String asked = "the " + what + " of key " + operation;
		return StoreUnavailableException.withoutEffect(switch (failure.why()) {
			case NOT_ASKED -> this.redis + " was not asked for " + asked + ": " + failure.getMessage()
					+ ". Check the connection (spring.data.redis.*)";
			case NOT_CONNECTED -> "There is no connection to " + this.redis + " for " + asked + " (" + reason(failure)
					+ "). Check spring.data.redis.* and whether Redis runs";
			case REFUSED -> this.redis + " refused " + asked + " (" + reason(failure) + "), which took no effect. "
					+ "Check whether the Redis of spring.data.redis.* accepts writes (memory, role, replicas, permissions "
					+ "of its user: ACL LOG)";
		}, failure);
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
