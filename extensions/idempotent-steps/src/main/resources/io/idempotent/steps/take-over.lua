-- Makes an attempt the owner of an operation. Returns all fields, or nothing if it has begun with another content.
-- KEYS[1] the operation; ARGV owner, fingerprint, operation, node, time to live in milliseconds, and the
-- fingerprint of an operation of which nothing is compared beside its key
local fingerprint = redis.call('HGET', KEYS[1], 'fingerprint')
if fingerprint and fingerprint ~= ARGV[2] and fingerprint ~= ARGV[6] and ARGV[2] ~= ARGV[6] then
	return {}
end
redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'fingerprint', ARGV[2], 'operation', ARGV[3], 'node', ARGV[4])
redis.call('HINCRBY', KEYS[1], 'attempts', 1)
redis.call('PEXPIRE', KEYS[1], ARGV[5])
return redis.call('HGETALL', KEYS[1])
