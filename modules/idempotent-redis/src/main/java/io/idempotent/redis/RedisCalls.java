package io.idempotent.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import io.idempotent.redis.StoreCommands.KeyPage;
import io.idempotent.redis.StoreCommands.ScriptKeys;
import io.idempotent.store.OperationKey;
import io.idempotent.store.StoreUnavailableException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Sends calls to Redis, one round trip each, or two for a script that Redis does not know
 * yet, and translates failures into {@code StoreUnavailableException}. Each server of a
 * cluster has its own {@link UnresponsiveRedisGuard}, so that an unresponsive one neither
 * delays calls to others nor goes unnoticed because others answer.
 */
final class RedisCalls implements AutoCloseable {

	private static final String NO_REPLY = "no reply";

	/** Codes of a server that serves neither commands nor scripts for a while. */
	private static final Pattern NOT_NOW = Pattern
		.compile("(BUSY|LOADING|CLUSTERDOWN|MASTERDOWN|TRYAGAIN|MOVED|ASK)\\b");

	private static final Log logger = LogFactory.getLog(RedisCalls.class);

	private final StoreCommands commands;

	/** How messages name Redis, with its address if that is known. */
	private final String redis;

	private final Duration timeout;

	private final Map<String, UnresponsiveRedisGuard> guards = new ConcurrentHashMap<>();

	private volatile boolean setsOrGets = true;

	private volatile boolean confirmed;

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

	/** For Lettuce, zero means no time-out. */
	private static Duration shorter(Duration timeout, Duration lettuce) {
		return (lettuce.isZero() || lettuce.compareTo(timeout) > 0) ? timeout : lettuce;
	}

	/** Returns whether the key was absent, and is set now. */
	boolean setIfAbsent(String what, OperationKey operation, byte[] key, byte[] value, long timeToLiveInMillis) {
		return call(what, operation, () -> set(key, value, timeToLiveInMillis));
	}

	/**
	 * As {@link #setIfAbsent}, but also returns the value that the key has, which is
	 * unknown if Redis refuses to write, as a full one or a replica does, which still run
	 * a script that only reads.
	 */
	Present setOrGet(String what, OperationKey operation, byte[] key, byte[] value, long timeToLiveInMillis) {
		return call(what, operation, () -> {
			try {
				if (!this.setsOrGets) {
					return set(key, value, timeToLiveInMillis) ? Present.ABSENT : Present.UNKNOWN;
				}
				byte[] found = setOrGet(key, value, timeToLiveInMillis);
				if (found != null) {
					return new Present(false, found);
				}
				return this.confirmed ? Present.ABSENT : confirm(key, value, timeToLiveInMillis);
			}
			catch (CommandNotExecutedException ex) {
				if (ex.reason() != CommandNotExecutedException.Reason.REFUSED) {
					throw ex;
				}
				noteOldServer(ex);
				return Present.UNKNOWN;
			}
			catch (UnsupportedOperationException ex) {
				doWithoutGet("is used by a client that cannot, as Redisson's for Spring Data Redis before 3.5");
				return Present.UNKNOWN;
			}
		});
	}

	/**
	 * The first value that was set must be found: a server that always replies nothing
	 * would grant every claim. Without a reply, it stays set.
	 */
	private Present confirm(byte[] key, byte[] value, long timeToLiveInMillis) {
		try {
			if (Arrays.equals(setOrGet(key, value, timeToLiveInMillis), value)) {
				this.confirmed = true;
				return Present.ABSENT;
			}
		}
		catch (CommandNotExecutedException ex) {
			if (ex.reason() != CommandNotExecutedException.Reason.REFUSED) {
				throw new IllegalStateException(ex.getMessage(), ex);
			}
			return Present.UNKNOWN;
		}
		doWithoutGet("does not return a value that was set before");
		return Present.UNKNOWN;
	}

	private void noteOldServer(CommandNotExecutedException refusal) {
		if (this.setsOrGets && reason(refusal).contains("syntax error")) {
			doWithoutGet("refuses this, as versions before 7 do");
		}
	}

	private void doWithoutGet(String reason) {
		this.setsOrGets = false;
		logger.info("SET is sent without GET to " + this.redis + ", which " + reason
				+ ": a repeat of a submission costs two calls instead of one");
	}

	private byte @Nullable [] setOrGet(byte[] key, byte[] value, long timeToLiveInMillis) {
		return guard(key).call(() -> this.commands.setOrGet(key, value, timeToLiveInMillis));
	}

	private boolean set(byte[] key, byte[] value, long timeToLiveInMillis) {
		return guard(key).call(() -> this.commands.setIfAbsent(key, value, timeToLiveInMillis));
	}

	/** Sends the script itself only if Redis does not know it, as after a restart. */
	List<Object> run(LuaScript script, String what, @Nullable OperationKey operation, byte[] key, Object... arguments) {
		UnresponsiveRedisGuard guard = guard(key);
		return call(what, operation, () -> guard.call(() -> run(script, new ScriptKeys(key, null), bytes(arguments))));
	}

	@Nullable KeyPage scan(@Nullable Object position, byte[] pattern) {
		return call("search for keys", null, () -> this.commands.scan(position, pattern));
	}

	/** Retried later: does not wait for a server that has just left a call unanswered. */
	List<Object> runUnlessSuspected(LuaScript script, String what, OperationKey operation, byte[] key,
			Object... arguments) {
		return runUnlessSuspected(script, what, operation, new ScriptKeys(key, null), arguments);
	}

	List<Object> runUnlessSuspected(LuaScript script, String what, OperationKey operation, ScriptKeys keys,
			Object... arguments) {
		UnresponsiveRedisGuard guard = guard(keys.key());
		return call(what, operation, () -> guard.callUnlessSuspected(() -> run(script, keys, bytes(arguments))));
	}

	/** Texts and numbers are ASCII. */
	private static byte[][] bytes(Object... arguments) {
		byte[][] all = new byte[arguments.length][];
		for (int i = 0; i < all.length; i++) {
			all[i] = (arguments[i] instanceof byte[] bytes) ? bytes
					: arguments[i].toString().getBytes(StandardCharsets.US_ASCII);
		}
		return all;
	}

	boolean setsAhead() {
		return this.commands.setsAhead();
	}

	private UnresponsiveRedisGuard guard(byte[] key) {
		return this.guards.computeIfAbsent(this.commands.serverOf(key),
				(server) -> new UnresponsiveRedisGuard(this.timeout));
	}

	private List<Object> run(LuaScript script, ScriptKeys keys, byte[][] arguments) {
		try {
			return Objects.requireNonNull(this.commands.evalSha(script, keys, arguments), NO_REPLY);
		}
		catch (RuntimeException ex) {
			if (!reason(ex).startsWith("NOSCRIPT")) {
				throw ex;
			}
			return Objects.requireNonNull(this.commands.eval(script, keys, arguments), NO_REPLY);
		}
	}

	/** Any exception of a client or its pool means: not executed, or not confirmed. */
	private <T extends @Nullable Object> T call(String what, @Nullable OperationKey operation, Supplier<T> call) {
		try {
			return call.get();
		}
		catch (CommandNotExecutedException ex) {
			throw notExecuted(what, operation, ex);
		}
		catch (RuntimeException ex) {
			throw unavailable(what, operation, ex);
		}
	}

	private static String reason(Throwable failure) {
		return String.valueOf(NestedExceptionUtils.getMostSpecificCause(failure).getMessage());
	}

	@Override
	public String toString() {
		return this.redis;
	}

	@Override
	public void close() {
		this.commands.close();
	}

	private StoreUnavailableException unavailable(String what, @Nullable OperationKey operation,
			RuntimeException failure) {
		return new StoreUnavailableException(
				this.redis + " did not answer " + asked(what, operation) + " (" + reason(failure)
						+ "); it may or may not have taken effect. Check the connection (spring.data.redis.*)",
				failure);
	}

	private StoreUnavailableException notExecuted(String what, @Nullable OperationKey operation,
			CommandNotExecutedException failure) {
		String asked = asked(what, operation);
		if (failure.reason() == CommandNotExecutedException.Reason.REFUSED
				&& NOT_NOW.matcher(reason(failure)).lookingAt()) {
			return new StoreUnavailableException(this.redis + " refused " + asked + " (" + reason(failure)
					+ "), which took effect only if the client had sent it before, over a connection that broke. "
					+ "Wait until the Redis of spring.data.redis.* works again", failure);
		}
		return StoreUnavailableException.withoutEffect(switch (failure.reason()) {
			case NOT_SENT -> this.redis + " was not asked for " + asked + ": " + failure.getMessage()
					+ ". Check the connection (spring.data.redis.*)";
			case NOT_CONNECTED -> "There is no connection to " + this.redis + " for " + asked + " (" + reason(failure)
					+ "). Check spring.data.redis.* and whether Redis runs";
			case REFUSED -> this.redis + " refused " + asked + " (" + reason(failure) + "), which took no effect. "
					+ "Check whether the Redis of spring.data.redis.* accepts writes (memory, role, replicas, permissions "
					+ "of its user: ACL LOG)";
		}, failure);
	}

	/** Redis has executed the command before, whose reply was lost. */
	StoreUnavailableException refusedRepeat(String what, OperationKey operation, byte[] error) {
		return new StoreUnavailableException(this.redis + " lost the reply to " + asked(what, operation)
				+ ", which took effect, and refused its repetition (" + new String(error, StandardCharsets.UTF_8) + ")",
				null);
	}

	private static String asked(String what, @Nullable OperationKey operation) {
		return "the " + what + ((operation != null) ? " of key " + operation : "");
	}

	/** The value that a key has, unless it was absent, and is set now, or is unknown. */
	@SuppressWarnings("ArrayRecordComponent")
	record Present(boolean absent, byte @Nullable [] value) {

		private static final Present ABSENT = new Present(true, null);

		private static final Present UNKNOWN = new Present(false, null);

	}

}
