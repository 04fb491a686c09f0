-- Writes a step for the owner. Returns 1, or 0 if another attempt is the owner or the step has another state.
-- KEYS[1] the operation; ARGV owner, field, the state that is expected or nothing, the new value
if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[1] then
	return 0
end
local present = redis.call('HGET', KEYS[1], ARGV[2])
if ARGV[3] ~= (present and string.sub(present, 1, 1) or '') then
	return 0
end
redis.call('HSET', KEYS[1], ARGV[2], ARGV[4])
return 1
