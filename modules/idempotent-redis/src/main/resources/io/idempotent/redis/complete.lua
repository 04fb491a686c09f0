-- Writes the outcome in the place of the owner's claim, or where there is no record any more. Given are the finished
-- record and its retention. See replace.lua for large ones.
local finished, retention = ARGV[1], ARGV[2]

local value = redis.pcall('GET', KEYS[1])
if not value then
	redis.call('SET', KEYS[1], finished, 'PX', retention)
	return 1
end
if type(value) == 'string' and #value >= 81 and #value == 81 + struct.unpack('>I2', value, #value - 1) then
	-- The owner's claim without flags: nobody listens for it, and it took no other one over.
	local version, state = string.byte(value, 1, 2)
	if version == 1 and (state == 2 or state == 5) and string.sub(value, 3, 55) == string.sub(finished, 3, 55) then
		redis.call('SET', KEYS[1], finished, 'PX', retention)
		return 1
	end
end

-- #include record.lua

local record, refusal = read(value)
if refusal then
	return refusal
end
local id = string.sub(finished, 4, 23)
if not holds(record, id) then
	local repeated = (record.state == COMPLETED or record.state == TOMBSTONE) and record.id == id
	return repeated and HELD or LOST
end
redis.call('SET', KEYS[1], finished, 'PX', retention)
wake(record)
return HELD
