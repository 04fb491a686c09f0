-- Reads a record, and changes nothing.
-- #include record.lua

local value = redis.pcall('GET', KEYS[1])
local record, refusal = read(value)
if refusal then
	return refusal
end
if not record then
	return 0
end
local left = redis.call('PTTL', KEYS[1])
local leaseLeft = 0
if record.state == CLAIMED and not record.givenUp then
	local passed, wrong = age(record, left)
	if wrong then
		return wrong
	end
	leaseLeft = math.max(0, record.lease - passed)
end
return { 1, left, leaseLeft, value }
