-- Moves a finished record from a key of its own to that of the owner's claim, so that no byte of the answer passes
-- through Lua, which would hash each one. Given are flags, attempt, owner and fingerprint, and the retention. What is not
-- moved is deleted, and complete.lua decides.
local MOVED, NOT_MOVED, REFUSED = 1, 2, 3
local reply = NOT_MOVED

local value = redis.pcall('GET', KEYS[1])
if type(value) == 'string' and #value >= 81 and #value == 81 + struct.unpack('>I2', value, #value - 1) then
	-- The owner's claim without flags: nobody listens for it, and it took no other one over.
	local version, state = string.byte(value, 1, 2)
	if version == 1 and (state == 2 or state == 5) and string.sub(value, 3, 55) == ARGV[1]
			and redis.call('PEXPIRE', KEYS[2], ARGV[2]) == 1 then
		if not redis.pcall('RENAME', KEYS[2], KEYS[1]).err then
			return MOVED
		end
		reply = REFUSED
	end
end
redis.call('DEL', KEYS[2])
return reply
