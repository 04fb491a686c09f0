-- The operations whose outcome was seen to be unknown, by the time when that was: a set that is bounded. Given is ADD,
-- a time, a key, the most entries, and the longest time to live; REMOVE and keys; or LIST and how many.
if ARGV[1] == 'LIST' then
	return redis.call('ZREVRANGE', KEYS[1], 0, ARGV[2] - 1)
end
if ARGV[1] == 'REMOVE' then
	return { redis.call('ZREM', KEYS[1], unpack(ARGV, 2)) }
end
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[3])
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -1 - ARGV[4])
return { redis.call('PEXPIRE', KEYS[1], ARGV[5]) }
