package io.idempotent.lock.redis;

/**
 * The atomic steps of a lock, in Lua, on the keys of Redisson's own locks: a hash of
 * owners that expires with the lease, a token counter, and for fair locks a list of
 * waiting owners with a sorted set of the times at which their places expire. Arguments
 * that are times are in milliseconds.
 */
final class LockScripts {

	/**
	 * Counts the token of a grant. It is at least the server's time in units of 16
	 * microseconds, so it grows even after the counter was lost, and the counter may
	 * expire. Lua represents numbers of this size exactly. A token that is not higher
	 * than the last one, which SET returns, is replaced. Redis before 6.2 refuses SET
	 * with GET.
	 */
	// KEYS: lock, token.
	private static final String COUNT = """
			local clock = redis.call('time')
			local token = math.floor((clock[1] * 1000000 + clock[2]) / 16)
			local last = redis.pcall('set', KEYS[2], token, 'px', '86400000', 'get')
			if last and (type(last) == 'table' or (tonumber(last) or token) >= token) then
				last = type(last) == 'table' and redis.call('get', KEYS[2]) or last
				token = math.max(token, (tonumber(last) or 0) + 1)
				redis.call('set', KEYS[2], token, 'px', '86400000')
			end
			""";

	// KEYS: lock. ARGV: owner, lease.
	private static final String GRANT = """
			redis.call('hset', KEYS[1], ARGV[1], '1')
			redis.call('pexpire', KEYS[1], ARGV[2])
			return token
			""";

	/**
	 * Ends a take by the present owner, since the reply to its last one was lost: it has
	 * the same token, if that is still there. The lease is renewed, so that {@code WAIT}
	 * waits for the replicas on a new connection too.
	 */
	// KEYS: lock, token. ARGV: owner, lease.
	private static final String RETURN_OWN = """
			local granted = own and tonumber(redis.call('get', KEYS[2]) or '')
			if granted then
				redis.call('pexpire', KEYS[1], ARGV[2])
				return granted
			end
			""";

	/**
	 * Returns the token of a grant; or, below one, -2 minus how long the lock stays
	 * taken, since the reply of a number costs Redis less than that of two. A waiting
	 * owner announces itself to readers. HLEN instead of EXISTS makes the server refuse a
	 * key of another type.
	 */
	// KEYS: lock, token, waiting writers.
	// ARGV: owner, lease, how long its wait counts or 0, whether it has announced itself.
	static final String TAKE = """
			local held = redis.call('hlen', KEYS[1]) > 0
			local own = held and redis.call('hexists', KEYS[1], ARGV[1]) == 1
			if held and not own then
				if tonumber(ARGV[3]) > 0 then
					local time = redis.call('time')
					redis.call('zadd', KEYS[3], time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[3], ARGV[1])
					redis.call('pexpire', KEYS[3], ARGV[3])
				end
				return -2 - redis.call('pttl', KEYS[1])
			end
			if tonumber(ARGV[4]) > 0 then
				redis.call('zrem', KEYS[3], ARGV[1])
			end
			""" + RETURN_OWN + COUNT + GRANT;

	/**
	 * Replaces the grant of the owner in the third argument by another one, in one step,
	 * unless readers wait, whose turn it is. Publishes nothing, since the lock does not
	 * become free. The present owner keeps it if the server has no memory for the token.
	 */
	// KEYS: lock, token, waiting readers. ARGV: owner, lease, present owner.
	static final String HAND_OFF = """
			if redis.call('hexists', KEYS[1], ARGV[3]) == 0 or redis.call('exists', KEYS[3]) == 1 then
				return 0
			end
			""" + COUNT + """
			redis.call('del', KEYS[1])
			""" + GRANT;

	// KEYS: lock. ARGV: owner, lease.
	static final String RENEW = """
			if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then
				return 0
			end
			return redis.call('pexpire', KEYS[1], ARGV[2])
			""";

	/**
	 * Reserves the lock for the waiting readers, after a writer has left it. Sets
	 * {@code admitted} to the number of them.
	 */
	// KEYS: lock, channel (unused), readers, waiting readers. ARGV: none.
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
	 * Releases the lock. A lock that stays taken for a while gets another owner, so that
	 * a late renewal cannot extend it. Waiting nodes are notified in this case too, since
	 * the lease has changed. An owner that only waited stops waiting.
	 */
	// KEYS: lock, channel, readers, waiting readers, waiting writers.
	// ARGV: owner, time to stay locked, publish command.
	static final String RELEASE = """
			if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then
				if redis.call('zrem', KEYS[5], ARGV[1]) == 1 and redis.call('exists', KEYS[4]) == 1 then
					redis.call(ARGV[3], KEYS[2], '0')
				end
				return 0
			end
			redis.call('del', KEYS[1])
			if tonumber(ARGV[2]) > 0 then
				redis.call('hset', KEYS[1], ARGV[1] .. ':kept', 1)
				redis.call('pexpire', KEYS[1], ARGV[2])
			else
			""" + ADMIT_WAITING + """
			end
			redis.call(ARGV[3], KEYS[2], '0')
			return 1
			""";

	/**
	 * Removes dead owners from the head of the queue, whose key is the fifth, with the
	 * times of the sixth, and sets {@code head} to the first living one.
	 */
	// KEYS: as for RELEASE_IN_TURN. ARGV: owner.
	static final String LIVING_HEAD = livingHead("KEYS[5]", "KEYS[6]");

	private static String livingHead(String queue, String timeouts) {
		return """
				local time = redis.call('time')
				local now = time[1] * 1000 + math.floor(time[2] / 1000)
				local head = redis.call('lindex', QUEUE, 0)
				while head and head ~= ARGV[1] and tonumber(redis.call('zscore', TIMEOUTS, head) or 0) <= now do
					redis.call('lpop', QUEUE)
					redis.call('zrem', TIMEOUTS, head)
					head = redis.call('lindex', QUEUE, 0)
				end
				""".replace("QUEUE", queue).replace("TIMEOUTS", timeouts);
	}

	/**
	 * Grants the lock to the head of the queue only, or again to its holder. Others get a
	 * place at its end on request, or keep their place.
	 */
	// KEYS: lock, token, queue, times.
	// ARGV: owner, lease, how long its place is kept or 0.
	static final String TAKE_IN_TURN = livingHead("KEYS[3]", "KEYS[4]") + """
			local held = redis.call('hlen', KEYS[1]) > 0
			local own = held and redis.call('hexists', KEYS[1], ARGV[1]) == 1
			if not own and (held or (head and head ~= ARGV[1])) then
				if tonumber(ARGV[3]) > 0 and redis.call('zadd', KEYS[4], now + ARGV[3], ARGV[1]) == 1 then
					redis.call('rpush', KEYS[3], ARGV[1])
				end
				return -2 - redis.call('pttl', KEYS[1])
			end
			""" + RETURN_OWN + COUNT + """
			if head == ARGV[1] then
				redis.call('lpop', KEYS[3])
				redis.call('zrem', KEYS[4], head)
			end
			""" + GRANT;

	/**
	 * Releases the lock, or removes the owner from the queue. Wakes waiting readers if it
	 * is their turn; otherwise the next in the queue; if the queue is empty, those that
	 * wait for the lock without fairness.
	 */
	// KEYS: lock, channel, readers, waiting readers, queue, times.
	// ARGV: owner, time to stay locked, publish command.
	static final String RELEASE_IN_TURN = """
			local held = redis.call('hexists', KEYS[1], ARGV[1])
			local turn = false
			if held == 1 then
				redis.call('del', KEYS[1])
				if tonumber(ARGV[2]) > 0 then
					redis.call('hset', KEYS[1], ARGV[1] .. ':kept', 1)
					redis.call('pexpire', KEYS[1], ARGV[2])
				else
			""" + ADMIT_WAITING + """
					turn = admitted > 0
				end
			end
			if redis.call('zrem', KEYS[6], ARGV[1]) == 1 then
				redis.call('lrem', KEYS[5], 0, ARGV[1])
			elseif held == 0 then
				return 0
			end
			""" + LIVING_HEAD + """
			if turn or (not head and redis.call('exists', KEYS[4]) == 1) then
				redis.call(ARGV[3], KEYS[2], '0')
			elseif held == 1 or redis.call('hlen', KEYS[1]) == 0 then
				redis.call(ARGV[3], head and KEYS[2] .. ':' .. head or KEYS[2], '0')
			end
			return held
			""";

	private LockScripts() {
	}

}
