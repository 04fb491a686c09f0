-- Claims the operation, or replies what stands in the way.
local owner, fingerprint, lease, retention = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4]
local onlyIssued, takesOver, burns, listens =
	ARGV[5] == 'ISSUED', ARGV[6] == 'TAKE_OVER', ARGV[7] == 'BURNT', ARGV[8] == 'true'
local GRANTED, IN_PROGRESS, DONE, UNKNOWN, KEY_REUSED, NOT_ISSUED = 1, 2, 3, 4, 5, 6

local record, refusal = read()
if refusal then
	return refusal
end
local now = clock()

local function grant(attempt, tookOver, tokenEnd)
	local flags = (record and record.listening and LISTENING or 0) + (tookOver and TOOK_OVER or 0)
	redis.call('SET', KEYS[1],
		struct.pack('>BBBI4', VERSION, burns and BURNT or CLAIMED, flags, attempt) .. owner .. fingerprint
			.. struct.pack('>I8I8I8', burns and 0 or now + lease, tokenEnd, tonumber(retention)),
		'PX', retention)
	return { GRANTED, attempt, tookOver and 1 or 0 }
end

if not record then
	return onlyIssued and { NOT_ISSUED } or grant(1, false, 0)
end
if record.state == ISSUED then
	return grant(record.attempt + 1, false, now + redis.call('PTTL', KEYS[1]))
end
if record.fingerprint ~= fingerprint then
	return { KEY_REUSED }
end
if record.state == COMPLETED or record.state == TOMBSTONE then
	return { DONE, redis.call('PTTL', KEYS[1]), record.value }
end
if record.owner == owner and not record.givenUp then
	return grant(record.attempt, record.tookOver, record.tokenEnd)
end
if record.state == BURNT then
	return { DONE, redis.call('PTTL', KEYS[1]), record.value }
end
if record.leaseEnd > now then
	if listens and not record.listening then
		redis.call('SETRANGE', KEYS[1], FLAGS_OFFSET, string.char(LISTENING + (record.tookOver and TOOK_OVER or 0)))
	end
	return { IN_PROGRESS, record.leaseEnd - now }
end
return takesOver and grant(record.attempt + 1, true, record.tokenEnd) or { UNKNOWN }
