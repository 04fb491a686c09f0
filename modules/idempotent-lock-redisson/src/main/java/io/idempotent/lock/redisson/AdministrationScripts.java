package io.idempotent.lock.redisson;

/**
 * What operators ask of a lock, in Lua. The keys are those of {@link LockScripts}.
 */
final class AdministrationScripts {

	/**
	 * Returns texts: how many owners wait, the last token or nothing, whether readers
	 * hold the lock, and then for each holder its owner and how many milliseconds its
	 * lease has left, as many as the argument allows.
	 */
	static final String INSPECT = SharedLockScripts.NOW
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
	 * Takes the lock away from its holders, and wakes all that wait: readers, for whom it
	 * is reserved then, and otherwise the next in the queue and those without a place in
	 * it. Returns 1, 0 if the lock is free, or -1 if the key has no time to live, and so
	 * is no lock.
	 */
	static final String FORCE_RELEASE = """
			if redis.call('hlen', KEYS[1]) == 0 then
				return 0
			end
			if redis.call('pttl', KEYS[1]) < 0 then
				return -1
			end
			redis.call('del', KEYS[1], KEYS[3])
			""" + SharedLockScripts.ADMIT_WAITING + LockScripts.LIVING_HEAD + """
			redis.call(ARGV[3], KEYS[2], '0')
			if head and admitted == 0 then
				redis.call(ARGV[3], KEYS[2] .. ':' .. head, '0')
			end
			return 1
			""";

	private AdministrationScripts() {
	}

}
