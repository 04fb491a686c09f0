package io.idempotent.lock.quorum;

/**
 * The atomic steps of a lock on one server, in Lua. A lock is a string, its owner, that
 * expires with the lease. Its counter, the highest token that this server has accepted,
 * expires a day after the last grant.
 */
final class QuorumScripts {

	/**
	 * Takes the lock if it is free. Returns 1, the counter and the time in units of 16
	 * microseconds; or 0, how many milliseconds the lock stays taken, and its owner. A
	 * key without a time to live is no lock, and neither is one of another type, which
	 * GET refuses.
	 */
	static final String TAKE = """
			local owner = redis.call('get', KEYS[1])
			if owner then
				local left = redis.call('pttl', KEYS[1])
				if left < 0 then
					return redis.error_reply('ERR the key ' .. KEYS[1] .. ' is no lock, since it has no time to live')
				end
				return {0, left, owner}
			end
			redis.call('set', KEYS[1], ARGV[1], 'px', ARGV[2])
			local clock = redis.call('time')
			return {1, tonumber(redis.call('get', KEYS[2])) or 0, math.floor((clock[1] * 1000000 + clock[2]) / 16)}
			""";

	/**
	 * Raises the counter to the token, if the lock still belongs to the owner. A token
	 * that the counter has reached is refused. So is every token from 2^53 on, which Lua
	 * cannot tell from the next one.
	 */
	static final String RAISE = """
			local token = tonumber(ARGV[2])
			if redis.call('get', KEYS[1]) ~= ARGV[1] or (tonumber(redis.call('get', KEYS[2])) or 0) >= token then
				return 0
			end
			redis.call('set', KEYS[2], ARGV[2], 'px', 86400000)
			return 1
			""";

	/** Returns 1 if the lease was restarted, 0 for another owner, or -1 if it is free. */
	static final String RENEW = """
			local owner = redis.call('get', KEYS[1])
			if owner == ARGV[1] then
				return redis.call('pexpire', KEYS[1], ARGV[2])
			end
			return owner and 0 or -1
			""";

	/** Takes a free lock for the owner of a majority, and raises the counter. */
	static final String JOIN = """
			if redis.call('exists', KEYS[1]) == 1 then
				return 0
			end
			redis.call('set', KEYS[1], ARGV[1], 'px', ARGV[2])
			if (tonumber(redis.call('get', KEYS[2])) or 0) < tonumber(ARGV[3]) then
				redis.call('set', KEYS[2], ARGV[3], 'px', 86400000)
			end
			return 1
			""";

	/** Returns the owner or an empty text, the milliseconds left, and the counter. */
	static final String INSPECT = """
			return {redis.call('get', KEYS[1]) or '', redis.call('pttl', KEYS[1]), tonumber(redis.call('get', KEYS[2])) or 0}
			""";

	/**
	 * Releases the lock. A lock that stays taken for a while gets another owner, so that
	 * a late renewal cannot extend it. Publishes the release on the channel in the third
	 * argument, unless that is empty.
	 */
	static final String RELEASE = """
			if redis.call('get', KEYS[1]) ~= ARGV[1] then
				return 0
			end
			if tonumber(ARGV[2]) > 0 then
				redis.call('set', KEYS[1], ARGV[1] .. ':kept', 'px', ARGV[2])
			else
				redis.call('del', KEYS[1])
			end
			if ARGV[3] ~= '' then
				redis.call('publish', ARGV[3], '0')
			end
			return 1
			""";

	private QuorumScripts() {
	}

}
