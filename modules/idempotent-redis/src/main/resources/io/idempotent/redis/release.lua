-- Gives the claim up: as unknown, or back to where it came from. Given are attempt and owner, and which of both.
-- #include record.lua

local record, refusal = read(redis.pcall('GET', KEYS[1]))
if refusal then
	return refusal
end
if not holds(record, ARGV[1]) or record.givenUp then
	return LOST
end
if ARGV[2] == 'UNKNOWN' then
	if record.state == CLAIMED then
		redis.call('SETRANGE', KEYS[1], LEASE_OFFSET, struct.pack('>I8', 0))
	end
else
	local tokenLife = record.tokenLife
	if tokenLife > 0 then
		tokenLife = tokenLife - age(record, redis.call('PTTL', KEYS[1]))
	end
	if tokenLife > 0 then
		redis.call('SET', KEYS[1], struct.pack('>BBBI4', VERSION, ISSUED, 0, record.attempt), 'PX', tokenLife)
	else
		redis.call('DEL', KEYS[1])
	end
end
wake(record)
return HELD
