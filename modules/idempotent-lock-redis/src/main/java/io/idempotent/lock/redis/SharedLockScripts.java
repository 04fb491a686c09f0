package io.idempotent.lock.redis;

/**
 * The atomic steps of readers, in Lua. Readers are in a sorted set by the ends of their
 * leases, by the clock of the server. The hash of the lock then has the field
 * {@code readers} for all of them, and expires with the last lease: so to a writer, and
 * to Redisson's own locks, readers look like another writer.
 *
 * <p>
 * Nobody starves: no reader is admitted while writers wait, except those whose turn it
 * is. When a writer releases the lock, it is the turn of the waiting readers: they are
 * added to the readers for a second, within which they request their grants.
 */
final class SharedLockScripts {

	static final String NOW = """
			local clock = redis.call('time')
			local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
			""";

	/** Returns one, or -2 minus the longest wait until the next attempt. */
	// KEYS: lock, readers, waiting readers, waiting writers or times of the queue.
	// ARGV: owner, lease, how long its wait counts or 0.
	static final String TAKE = NOW + """
			local reading = redis.call('hexists', KEYS[1], 'readers') == 1
			if reading then
				redis.call('zremrangebyscore', KEYS[2], '-inf', now)
			else
				redis.call('del', KEYS[2])
			end
			local free = reading or redis.call('hlen', KEYS[1]) == 0
			local writer = nil
			if free and not redis.call('zscore', KEYS[2], ARGV[1]) then
				redis.call('zremrangebyscore', KEYS[4], '-inf', now)
				writer = redis.call('zrange', KEYS[4], 0, 0, 'withscores')[2]
			end
			if not free or writer then
				if tonumber(ARGV[3]) > 0 then
					redis.call('zadd', KEYS[3], now + ARGV[3], ARGV[1])
					redis.call('pexpire', KEYS[3], ARGV[3])
				end
				return -2 - (writer and writer - now or redis.call('pttl', KEYS[1]))
			end
			redis.call('zrem', KEYS[3], ARGV[1])
			redis.call('zadd', KEYS[2], now + ARGV[2], ARGV[1])
			redis.call('hset', KEYS[1], 'readers', 1)
			local left = redis.call('zrange', KEYS[2], -1, -1, 'withscores')[2] - now
			redis.call('pexpire', KEYS[1], left)
			redis.call('pexpire', KEYS[2], left)
			return 1
			""";

	// KEYS: lock, readers. ARGV: owner, lease.
	static final String RENEW = NOW + """
			local lease = redis.call('zscore', KEYS[2], ARGV[1])
			if not lease or tonumber(lease) <= now or redis.call('hexists', KEYS[1], 'readers') == 0 then
				return 0
			end
			redis.call('zadd', KEYS[2], now + ARGV[2], ARGV[1])
			local left = redis.call('zrange', KEYS[2], -1, -1, 'withscores')[2] - now
			redis.call('pexpire', KEYS[1], left)
			redis.call('pexpire', KEYS[2], left)
			return 1
			""";

	/**
	 * Releases one reader. The fields of a reader that keeps the lock taken for a while
	 * are those of another owner, so that a late renewal cannot extend it.
	 */
	// KEYS: lock, channel (unused), readers, waiting readers.
	// ARGV: owner, time to stay locked.
	private static final String LEAVE = NOW + """
			local lease = redis.call('zscore', KEYS[3], ARGV[1])
			local reading = redis.call('hexists', KEYS[1], 'readers') == 1
			local held = reading and lease and tonumber(lease) > now
			redis.call('zrem', KEYS[3], ARGV[1])
			redis.call('zrem', KEYS[4], ARGV[1])
			if held and tonumber(ARGV[2]) > 0 then
				redis.call('zadd', KEYS[3], now + ARGV[2], ARGV[1] .. ':kept')
			end
			local last = false
			if reading then
				redis.call('zremrangebyscore', KEYS[3], '-inf', now)
				local ends = redis.call('zrange', KEYS[3], -1, -1, 'withscores')[2]
				if ends then
					redis.call('pexpire', KEYS[1], ends - now)
					redis.call('pexpire', KEYS[3], ends - now)
				else
					redis.call('del', KEYS[1])
					last = true
				end
			end
			""";

	private static final String RESULT = """
			return held and 1 or 0
			""";

	// KEYS: lock, channel, readers, waiting readers.
	// ARGV: owner, time to stay locked, publish command.
	static final String RELEASE = LEAVE + """
			if last then
				redis.call(ARGV[3], KEYS[2], '0')
			end
			""" + RESULT;

	/** Wakes the first writer in the queue of a fair lock. */
	// KEYS: lock, channel, readers, waiting readers, queue, times.
	// ARGV: owner, time to stay locked, publish command.
	static final String RELEASE_BEFORE_QUEUE = LEAVE + LockScripts.LIVING_HEAD + """
			if last then
				redis.call(ARGV[3], head and KEYS[2] .. ':' .. head or KEYS[2], '0')
			end
			""" + RESULT;

	private SharedLockScripts() {
	}

}
