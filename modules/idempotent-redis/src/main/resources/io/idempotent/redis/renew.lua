-- Lets the lease and the retention of a claim start again; the retention becomes no shorter than the lease. A burnt
-- claim, which has no lease, stays as it is. Given are attempt and owner, and the lease.
-- #include record.lua

local lease = tonumber(ARGV[2])
local record, refusal = read(redis.pcall('GET', KEYS[1]))
if refusal then
	return refusal
end
if not holds(record, ARGV[1]) or record.givenUp then
	return LOST
end
if record.state == CLAIMED then
	local retention = math.max(lease, record.retention)
	local tokenLife = record.tokenLife
	if tokenLife > 0 then
		tokenLife = math.max(0, tokenLife - age(record, redis.call('PTTL', KEYS[1])))
	end
	local times = struct.pack('>I8I8I8', lease, retention, tokenLife)
	if lease ~= record.lease or retention ~= record.retention then
		redis.call('SETRANGE', KEYS[1], LEASE_OFFSET, times)
	elseif tokenLife ~= record.tokenLife then
		-- A full Redis refuses this, and accepts what follows: if released, the token then lives longer by this renewal.
		redis.pcall('SETRANGE', KEYS[1], LEASE_OFFSET, times)
	end
	redis.call('PEXPIRE', KEYS[1], retention)
end
return HELD
