-- Gives the claim up: as unknown, or back to where it came from.
local id, unknown, channel, key = ARGV[1], ARGV[2] == 'UNKNOWN', ARGV[3], ARGV[4]

local record, refusal = read()
if refusal then
	return refusal
end
if not holds(record, id) or record.givenUp then
	return { LOST }
end
if unknown then
	if record.state == CLAIMED then
		redis.call('SETRANGE', KEYS[1], LEASE_END_OFFSET, struct.pack('>I8', 0))
	end
else
	local tokenLife = record.tokenEnd - clock()
	if tokenLife > 0 then
		redis.call('SET', KEYS[1], struct.pack('>BBBI4', VERSION, ISSUED, 0, record.attempt), 'PX', tokenLife)
	else
		redis.call('DEL', KEYS[1])
	end
end
wake(record, channel, key)
return { HELD }
