-- Stands before each script. A record is one string, numbers big-endian:
--
--   1 version | 2 state | 3 flags | 4-7 attempt                    all that an issued record has
--   8-23 owner | 24-55 fingerprint                                 all that a tombstone has
--   56-63 lease end | 64-71 token end | 72-79 retention            claimed and burnt
--   56-59 length of the answer | 60- answer                        completed
--
-- Times are milliseconds; ends are read off this server's clock, the only one that counts. A lease end of 0 says
-- that the owner gave the claim up as unknown, a token end of 0 that the key was never issued.

local VERSION = 1
local ISSUED, CLAIMED, COMPLETED, TOMBSTONE, BURNT = 1, 2, 3, 4, 5
local LISTENING, TOOK_OVER = 1, 2
local LENGTHS = { [ISSUED] = 7, [CLAIMED] = 79, [TOMBSTONE] = 55, [BURNT] = 79 }
local FLAGS_OFFSET, LEASE_END_OFFSET = 2, 55

local LOST, HELD, UNREADABLE = 0, 1, -1

local function clock()
	local time = redis.call('TIME')
	return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- Why a value is not a record, or nothing if it is one.
local function defect(value)
	local length = #value
	if length == 0 then
		return 'it is empty'
	end
	local version = string.byte(value, 1)
	if version ~= VERSION then
		return 'its format is version ' .. version .. ', known is version ' .. VERSION
	end
	local state = string.byte(value, 2)
	local expected = LENGTHS[state]
	if state == COMPLETED and length >= 59 then
		expected = 59 + struct.unpack('>I4', value, 56)
	end
	if expected == nil and state ~= COMPLETED then
		return 'its state is ' .. (state or 'missing') .. ', which is none'
	end
	if length ~= expected then
		return 'it has ' .. length .. ' bytes, which does not fit its state ' .. state
	end
	return nil
end

local function parse(value)
	local state, flags, attempt = struct.unpack('>BBI4', value, 2)
	local record = { value = value, state = state, attempt = attempt, listening = flags % 2 == LISTENING,
		tookOver = flags >= TOOK_OVER }
	if state ~= ISSUED then
		record.id = string.sub(value, 4, 23)
		record.owner = string.sub(value, 8, 23)
		record.fingerprint = string.sub(value, 24, 55)
	end
	if state == CLAIMED or state == BURNT then
		record.leaseEnd, record.tokenEnd, record.retention = struct.unpack('>I8I8I8', value, 56)
		record.givenUp = state == CLAIMED and record.leaseEnd == 0
	end
	return record
end

-- The record, or nothing if there is none; and, if it cannot be read, what to reply at once.
local function read()
	local value = redis.pcall('GET', KEYS[1])
	if not value then
		return nil, nil
	end
	if type(value) == 'table' then
		if not string.find(value.err, 'WRONGTYPE', 1, true) then
			return nil, value
		end
		return nil, { UNREADABLE, 'it is no string', redis.call('PTTL', KEYS[1]) }
	end
	local found = defect(value)
	if found then
		return nil, { UNREADABLE, found, redis.call('PTTL', KEYS[1]) }
	end
	return parse(value), nil
end

-- Whether the record is a claim by this attempt of this owner.
local function holds(record, id)
	return record ~= nil and (record.state == CLAIMED or record.state == BURNT) and record.id == id
end

-- A wake-up that Redis refuses must not undo what was written: those who wait look again by themselves.
local function wake(record, channel, key)
	if record and record.listening then
		redis.pcall('PUBLISH', channel, key)
	end
end
