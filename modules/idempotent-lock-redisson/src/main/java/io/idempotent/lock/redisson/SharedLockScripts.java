package io.idempotent.lock.redisson;

/**
 * The atomic steps of readers, in Lua. Readers are in a sorted set, each with the end of
 * its own lease by the clock of the server. The hash of the lock, which contains its
 * owner while a writer holds it, then has one field for all readers, and expires with the
 * last lease. So readers look like another writer to a writer, and to Redisson's own
 * locks.
 *
 * <p>
 * Nobody starves: no reader is admitted while writers wait, except those whose turn it
 * is. When a writer releases the lock, it is the turn of the waiting readers: they are
 * added to the readers for a second, within which they request their grants.
 */
final class SharedLockScripts {

	/** The field of the lock that stands for its readers. */
	static final String READERS = "readers";

	static final String NOW = """
			local clock = redis.call('time')
			local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
			""";

	/**
	 * Reserves the lock for the waiting readers, after a writer has left it. Sets
	 * {@code admitted} to the number of them. In a release and a downgrade the third key
	 * is that of the readers, the fourth that of the waiting ones.
	 */
	static final String ADMIT_WAITING = """
			local admitted = 0
			if redis.call('exists', KEYS[4]) == 1 then
				local time = redis.call('time')
				local since = time[1] * 1000 + math.floor(time[2] / 1000)
				local waiting = redis.call('zrangebyscore', KEYS[4], since, '+inf')
				redis.call('del', KEYS[3], KEYS[4])
				for _, reader in ipairs(waiting) do
					redis.call('zadd', KEYS[3], since + 1000, reader)
				end
				admitted = #waiting
				if admitted > 0 then
					redis.call('hset', KEYS[1], 'readers', 1)
					redis.call('pexpire', KEYS[1], 1000)
					redis.call('pexpire', KEYS[3], 1000)
				end
			end
			""";

	/**
	 * Returns a positive number for a grant, or zero and how long to wait at most before
	 * the next attempt.
	 */
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
				return {0, writer and writer - now or redis.call('pttl', KEYS[1])}
			end
			redis.call('zrem', KEYS[3], ARGV[1])
			redis.call('zadd', KEYS[2], now + ARGV[2], ARGV[1])
			redis.call('hset', KEYS[1], 'readers', 1)
			local left = redis.call('zrange', KEYS[2], -1, -1, 'withscores')[2] - now
			redis.call('pexpire', KEYS[1], left)
			redis.call('pexpire', KEYS[2], left)
			return {1, 0}
			""";

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

	static final String RELEASE = LEAVE + """
			if last then
				redis.call(ARGV[3], KEYS[2], '0')
			end
			""" + RESULT;

	/** Wakes the first writer in the queue of a fair lock. */
	static final String RELEASE_BEFORE_QUEUE = LEAVE + LockScripts.LIVING_HEAD + """
			if last then
				redis.call(ARGV[3], head and KEYS[2] .. ':' .. head or KEYS[2], '0')
			end
			""" + RESULT;

	/**
	 * Replaces the grant of the writer in the fourth argument by that of a reader, and
	 * admits the readers that wait.
	 */
	static final String DOWNGRADE = """
			if redis.call('hexists', KEYS[1], ARGV[4]) == 0 then
				return {0, 0}
			end
			redis.call('del', KEYS[1], KEYS[3])
			""" + ADMIT_WAITING + NOW + """
			redis.call('hset', KEYS[1], 'readers', 1)
			redis.call('zadd', KEYS[3], now + ARGV[2], ARGV[1])
			local left = redis.call('zrange', KEYS[3], -1, -1, 'withscores')[2] - now
			redis.call('pexpire', KEYS[1], left)
			redis.call('pexpire', KEYS[3], left)
			if admitted > 0 then
				redis.call(ARGV[3], KEYS[2], '0')
			end
			return {1, 0}
			""";

	private SharedLockScripts() {
	}

}
