-- What scripts know of records. A record is one string, numbers big-endian:
--
--   1 version | 2 state | 3 flags | 4-7 attempt                    all that an issued record has
--   8-23 owner | 24-55 fingerprint                                 all that a tombstone has
--   56-63 lease | 64-71 retention | 72-79 life of the token        claimed and burnt; 0 if the key was not issued
--   56-59 length of the answer | 60- answer                        completed
--   origin | length of the origin, 2 bytes                         the end of all but an issued record
--
-- Times are milliseconds. Those of a claim count from when its key got its time to live, which is the retention: what
-- is gone of that is the age of the claim, by this server's clock, the only one that counts. A lease of 0 says that
-- the owner gave the claim up as unknown.
--
-- A claim whose key got another time to live from somebody else (PERSIST, EXPIRE, RESTORE) may have an age that no claim
-- can have, below 0 or above its retention: such a claim never counts as lapsed.
--
-- The origin of a claim is for operators and traces, and no script reads it.
--
-- Defining this costs Redis several times what a claim does: claim.lua and complete.lua insert it after the code for
-- their common cases.

local VERSION = 1
local ISSUED, CLAIMED, COMPLETED, TOMBSTONE, BURNT = 1, 2, 3, 4, 5
local LISTENING, TOOK_OVER = 1, 2
local FLAGS_OFFSET, LEASE_OFFSET = 2, 55

local LOST, HELD, UNREADABLE = 0, 1, -1

local function fits(state, value)
	local length = #value
	if state == ISSUED then
		return length == 7
	end
	if length < (state == COMPLETED and 61 or 57) then
		return false
	end
	local rest = length - 57 - struct.unpack('>I2', value, length - 1)
	if state == COMPLETED then
		return rest == 4 + struct.unpack('>I4', value, 56)
	end
	return rest == (state == TOMBSTONE and 0 or 24)
end

-- Why a value is not a record, or nothing if it is one.
local function defect(value)
	if #value == 0 then
		return 'it is empty'
	end
	local version, state = string.byte(value, 1, 2)
	if version ~= VERSION then
		return 'its format is version ' .. version .. ', known is version ' .. VERSION
	end
	if not state or state < ISSUED or state > BURNT then
		return 'its state is ' .. (state or 'missing') .. ', which is none'
	end
	if not fits(state, value) then
		return 'it has ' .. #value .. ' bytes, which does not fit its state ' .. state
	end
	return nil
end

local function parse(value)
	local state, flags, attempt = struct.unpack('>BBI4', value, 2)
	local record = { state = state, attempt = attempt, listening = flags % 2 == LISTENING, tookOver = flags >= TOOK_OVER }
	if state ~= ISSUED then
		record.id = string.sub(value, 4, 23)
		record.owner = string.sub(value, 8, 23)
		record.fingerprint = string.sub(value, 24, 55)
	end
	if state == CLAIMED or state == BURNT then
		record.lease, record.retention, record.tokenLife = struct.unpack('>I8I8I8', value, 56)
		record.origin = string.sub(value, 80)
		record.givenUp = state == CLAIMED and record.lease == 0
	end
	return record
end

-- The record, or nothing if there is none; and, if it cannot be read, what to reply at once.
local function read(value)
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

-- The age of a claim; and, if it is none that a claim can have, what to reply at once to others than its owner.
local function age(record, left)
	if left >= 0 and left <= record.retention then
		return record.retention - left, nil
	end
	return 0, { UNREADABLE, 'its key has a time to live of ' .. string.format('%.0f', left)
		.. ' ms, but was written with one of ' .. string.format('%.0f', record.retention)
		.. ' ms, so that it is not known whether its claim has lapsed', left }
end

-- Whether the record is a claim by this attempt of this owner.
local function holds(record, id)
	return record ~= nil and (record.state == CLAIMED or record.state == BURNT) and record.id == id
end

-- Tells those who listen, on the channel and by the key that go with this one. A wake-up that Redis refuses must not
-- undo what was written: those who wait look again by themselves.
local function wake(record)
	if record.listening then
		redis.pcall('PUBLISH', string.sub(KEYS[1], 1, -44) .. 'wake', string.sub(KEYS[1], -43))
	end
end
