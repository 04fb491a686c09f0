-- Writes the outcome in the place of the owner's claim, or where there is no record any more.
local id, finished, retention, channel, key = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

local record, refusal = read()
if refusal then
	return refusal
end
if record and not holds(record, id) then
	local repeated = (record.state == COMPLETED or record.state == TOMBSTONE) and record.id == id
	return { repeated and HELD or LOST }
end
redis.call('SET', KEYS[1], finished, 'PX', retention)
wake(record, channel, key)
return { HELD }
