-- Ends a claim in the place of its owner. Given are attempt and owner of the claim that was seen, RELEASE or CONFIRM,
-- whether to do so even while its lease lasts (1 or 0), and the owner of the tombstone of a CONFIRM.
-- #include record.lua

local CHANGED, SETTLED, ALIVE = 0, 1, 2

local record, refusal = read(redis.pcall('GET', KEYS[1]))
if refusal then
	return refusal
end
if not holds(record, ARGV[1]) or record.state ~= CLAIMED then
	return CHANGED
end
local left = redis.call('PTTL', KEYS[1])
local passed, wrong = age(record, left)
if ARGV[3] ~= '1' and not record.givenUp then
	if wrong then
		return wrong
	end
	if record.lease > passed then
		return ALIVE
	end
end
if ARGV[2] == 'CONFIRM' then
	redis.call('SET', KEYS[1],
		struct.pack('>BBBI4', VERSION, TOMBSTONE, 0, record.attempt) .. ARGV[4] .. record.fingerprint .. record.origin,
		'PX', record.retention)
else
	redis.call('SET', KEYS[1], struct.pack('>BBBI4', VERSION, ISSUED, 0, record.attempt), 'PX',
		left > 0 and left or record.retention)
end
wake(record)
return SETTLED
