package io.idempotent.lock.redisson;

/**
 * What Redis does with a lock in one step. The keys and their content are Redisson's: a
 * hash of owners that lives as long as the lease, a counter for tokens, and for fair
 * locks a list of waiting owners with a sorted set that says until when each is believed
 * to be alive.
 */
final class LockScripts {

	/**
	 * Grants: the token is at least the server's time in microseconds, so that it grows
	 * even after the counter was lost, and the counter need not be kept for ever. Numbers
	 * of that size are still whole ones in Lua.
	 */
	private static final String GRANT = """
			local clock = redis.call('time')
			local token = math.max((tonumber(redis.call('get', KEYS[2])) or 0) + 1, clock[1] * 1000000 + clock[2])
			redis.call('set', KEYS[2], string.format('%.0f', token), 'px', 86400000)
			redis.call('hset', KEYS[1], ARGV[1], 1)
			redis.call('pexpire', KEYS[1], ARGV[2])
			return {token, 0}
			""";

	/**
	 * Answers with the token of a grant, or with zero and how long the lock stays taken.
	 * Counting the owners instead of asking whether the key exists makes the server
	 * refuse a key that holds something else.
	 */
	static final String TAKE = """
			if redis.call('hlen', KEYS[1]) > 0 then
				return {0, redis.call('pttl', KEYS[1])}
			end
			""" + GRANT;

	/**
	 * Ends the grant of the third argument and begins another, with nothing in between.
	 * Who waits elsewhere is told nothing, since there is nothing to be had.
	 */
	static final String PASS_ON = """
			if redis.call('hexists', KEYS[1], ARGV[3]) == 0 then
				return {0, 0}
			end
			redis.call('del', KEYS[1])
			""" + GRANT;

	static final String RENEW = """
			if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then
				return 0
			end
			return redis.call('pexpire', KEYS[1], ARGV[2])
			""";

	/**
	 * A lock that stays taken has another owner from then on, so that a renewal that
	 * comes late cannot prolong it. Who waits is told all the same, since the lease is
	 * another one now.
	 */
	static final String RELEASE = """
			if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then
				return 0
			end
			redis.call('del', KEYS[1])
			if tonumber(ARGV[2]) > 0 then
				redis.call('hset', KEYS[1], ARGV[1] .. ':kept', 1)
				redis.call('pexpire', KEYS[1], ARGV[2])
			end
			redis.call(ARGV[3], KEYS[2], '0')
			return 1
			""";

	private static final String LIVING_HEAD = """
			local time = redis.call('time')
			local now = time[1] * 1000 + math.floor(time[2] / 1000)
			local head = redis.call('lindex', KEYS[3], 0)
			while head and head ~= ARGV[1] and tonumber(redis.call('zscore', KEYS[4], head) or 0) <= now do
				redis.call('lpop', KEYS[3])
				redis.call('zrem', KEYS[4], head)
				head = redis.call('lindex', KEYS[3], 0)
			end
			""";

	/**
	 * Grants to the head of the queue only. Who asks for a place gets one at its end, or
	 * keeps the one it has.
	 */
	static final String TAKE_IN_TURN = LIVING_HEAD + """
			if redis.call('hlen', KEYS[1]) > 0 or (head and head ~= ARGV[1]) then
				if tonumber(ARGV[3]) > 0 and redis.call('zadd', KEYS[4], now + ARGV[3], ARGV[1]) == 1 then
					redis.call('rpush', KEYS[3], ARGV[1])
				end
				return {0, redis.call('pttl', KEYS[1])}
			end
			if head then
				redis.call('lpop', KEYS[3])
				redis.call('zrem', KEYS[4], head)
			end
			""" + GRANT;

	/**
	 * Gives back whatever the owner has, lock or place, and wakes the next in the queue;
	 * without a queue, those who wait for the lock without being fair.
	 */
	static final String RELEASE_IN_TURN = """
			local held = redis.call('hexists', KEYS[1], ARGV[1])
			if held == 1 then
				redis.call('del', KEYS[1])
				if tonumber(ARGV[2]) > 0 then
					redis.call('hset', KEYS[1], ARGV[1] .. ':kept', 1)
					redis.call('pexpire', KEYS[1], ARGV[2])
				end
			end
			if redis.call('zrem', KEYS[4], ARGV[1]) == 1 then
				redis.call('lrem', KEYS[3], 0, ARGV[1])
			elseif held == 0 then
				return 0
			end
			""" + LIVING_HEAD + """
			if held == 1 or redis.call('hlen', KEYS[1]) == 0 then
				redis.call(ARGV[3], head and KEYS[2] .. ':' .. head or KEYS[2], '0')
			end
			return held
			""";

	private LockScripts() {
	}

}
