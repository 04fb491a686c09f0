-- Lets the lease start again; the record outlives it.
local id, lease = ARGV[1], tonumber(ARGV[2])

local record, refusal = read()
if refusal then
	return refusal
end
if not holds(record, id) or record.givenUp then
	return { LOST }
end
if record.state == CLAIMED then
	redis.call('SETRANGE', KEYS[1], LEASE_END_OFFSET, struct.pack('>I8', clock() + lease))
	redis.call('PEXPIRE', KEYS[1], math.max(lease, record.retention))
end
return { HELD }
