package io.idempotent.lock.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

import io.idempotent.lock.LockMode;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockHolder;
import io.idempotent.lock.engine.LockState;
import org.jspecify.annotations.Nullable;

/** Asks Redis who holds a lock, and takes it away, with one script each. */
record RedisLockInspector(Supplier<LockClient> client) {

	/** Ends the id of an owner that keeps the lock taken after its release. */
	private static final String KEPT = ":kept";

	/**
	 * Returns how many owners wait, the last token or nothing, whether readers hold the
	 * lock, and for each holder, up to the given number, its owner and the milliseconds
	 * of its lease. Keys: lock, token, readers, waiting readers, waiting writers, times
	 * of the queue.
	 */
	private static final String INSPECT = SharedLockScripts.NOW
			+ """
					local waiting = 0
					for i = 4, 6 do
						waiting = waiting + #redis.call('zrangebyscore', KEYS[i], '(' .. now, '+inf')
					end
					local reading = redis.call('hexists', KEYS[1], 'readers') == 1
					local reply = {tostring(waiting), redis.call('get', KEYS[2]) or '', reading and 'read' or 'write'}
					if reading then
						local readers = redis.call('zrangebyscore', KEYS[3], '(' .. now, '+inf', 'withscores', 'limit', 0, ARGV[1])
						for i = 1, #readers, 2 do
							table.insert(reply, readers[i])
							table.insert(reply, string.format('%.0f', readers[i + 1] - now))
						end
					else
						for _, owner in ipairs(redis.call('hkeys', KEYS[1])) do
							table.insert(reply, owner)
							table.insert(reply, tostring(redis.call('pttl', KEYS[1])))
						end
					end
					return reply
					""";

	/**
	 * Wakes all that wait: readers, for whom the lock is reserved then; otherwise the
	 * next in the queue and those without a place in it. Returns 1, 0 if the lock is
	 * free, or -1 if the key has no time to live, and so is no lock. Keys as in
	 * {@link LockScripts#RELEASE_IN_TURN}.
	 */
	private static final String FORCE_RELEASE = """
			if redis.call('hlen', KEYS[1]) == 0 then
				return 0
			end
			if redis.call('pttl', KEYS[1]) < 0 then
				return -1
			end
			redis.call('del', KEYS[1], KEYS[3])
			""" + LockScripts.ADMIT_WAITING + LockScripts.LIVING_HEAD + """
			redis.call(ARGV[3], KEYS[2], '0')
			if head and admitted == 0 then
				redis.call(ARGV[3], KEYS[2] .. ':' .. head, '0')
			end
			return 1
			""";

	/** The first holder in the reply. */
	private static final int HOLDERS = 3;

	LockState inspect(String name) {
		LockClient redis = this.client.get();
		List<String> reply = call(redis, "inspect", name,
				(keys) -> redis.transport()
					.texts(name, INSPECT, List.of(keys.lock(), keys.token(), keys.readers(), keys.waitingReaders(),
							keys.waitingWriters(), keys.timeouts()), String.valueOf(LockState.MAX_HOLDERS)));
		Long lastToken = reply.get(1).isEmpty() ? null : Long.valueOf(reply.get(1));
		LockMode mode = reply.get(2).equals("read") ? LockMode.READ : LockMode.WRITE;
		List<LockHolder> holders = new ArrayList<>();
		for (int i = HOLDERS; i < reply.size(); i += 2) {
			String owner = reply.get(i);
			Long token = (mode == LockMode.WRITE && hasToken(owner)) ? lastToken : null;
			holders.add(new LockHolder(owner, node(owner), redis.hasCreated(owner), mode, token,
					left(Long.parseLong(reply.get(i + 1)))));
		}
		return new LockState(holders, Integer.valueOf(reply.get(0)), lastToken);
	}

	/** False for Redisson's own lock. */
	private static boolean hasToken(String owner) {
		return owner.startsWith("-", owner.indexOf(':') + 1);
	}

	private static @Nullable String node(String owner) {
		String id = owner.endsWith(KEPT) ? owner.substring(0, owner.length() - KEPT.length()) : owner;
		int node = id.indexOf(':', id.indexOf(':') + 1) + 1;
		return (node > 0) ? id.substring(node) : null;
	}

	private static @Nullable Duration left(long millis) {
		return (millis >= 0) ? Duration.ofMillis(millis) : null;
	}

	boolean forceRelease(String name) {
		LockClient redis = this.client.get();
		long released = call(redis, "release", name,
				(keys) -> redis.publishCommand(keys)
					.thenCompose((publish) -> redis.transport()
						.number(name, FORCE_RELEASE, List.of(keys.lock(), keys.channel(), keys.readers(),
								keys.waitingReaders(), keys.queue(), keys.timeouts()), "", "", publish)));
		if (released < 0) {
			throw redis.foreignKey(name, null);
		}
		return released > 0;
	}

	private static <T> T call(LockClient redis, String what, String name,
			Function<LockKeys, CompletableFuture<T>> command) {
		try {
			return redis.call(() -> command.apply(redis.keys(name)), what + " the lock '" + name + "'");
		}
		catch (LockUnavailableException ex) {
			throw LockClient.isWrongType(ex) ? redis.foreignKey(name, ex) : ex;
		}
	}

}
