-- Claims the operation, or replies what stands in the way. Given are the record that a first claim writes, its
-- retention, and letters: I for issued keys alone, T to take a lapsed claim over, L to listen. The offsets are those of
-- the layout in record.lua: attempt 4, owner 8, fingerprint 24, lease 56, life of the token 72, origin 80.
local first, retention, letters = ARGV[1], ARGV[2], ARGV[3]
local FIRST, GRANTED, IN_PROGRESS, DONE, UNKNOWN, KEY_REUSED, NOT_ISSUED, HELD_AND_REFUSED = 0, 1, 2, 3, 4, 5, 6, 7

local function write(record)
	redis.call('SET', KEYS[1], record, 'PX', retention)
end

local value = redis.pcall('GET', KEYS[1])
if not value then
	if string.find(letters, 'I', 1, true) then
		return NOT_ISSUED
	end
	write(first)
	return FIRST
end
if value == '\1\1\0\0\0\0\0' then
	-- Issued, and never claimed.
	write(string.sub(first, 1, 71) .. struct.pack('>I8', math.max(0, redis.call('PTTL', KEYS[1]))) .. string.sub(first, 80))
	return FIRST
end

-- #include record.lua

local record, refusal = read(value)
if refusal then
	return refusal
end
local left = redis.call('PTTL', KEYS[1])

local function done()
	return { DONE, left, value }
end

local function grant(attempt, tookOver, tokenLife)
	local flags = (record.listening and LISTENING or 0) + (tookOver and TOOK_OVER or 0)
	write(string.sub(first, 1, 2) .. struct.pack('>BI4', flags, attempt) .. string.sub(first, 8, 71)
		.. struct.pack('>I8', math.max(0, tokenLife)) .. string.sub(first, 80))
	return { GRANTED, attempt, tookOver and 1 or 0 }
end

if record.state == ISSUED then
	return grant(record.attempt + 1, false, left)
end
if record.fingerprint ~= string.sub(first, 24, 55) then
	return { KEY_REUSED, record.fingerprint }
end
if record.state == COMPLETED or record.state == TOMBSTONE then
	return done()
end
local claimAge, wrong = age(record, left)
if record.owner == string.sub(first, 8, 23) and not record.givenUp then
	-- This claim was executed before, and its reply was lost. A refusal to write, for instance by a full Redis, does not
	-- undo it.
	local granted, reply = pcall(grant, record.attempt, record.tookOver, record.tokenLife - claimAge)
	return granted and reply or { HELD_AND_REFUSED, type(reply) == 'table' and reply.err or reply }
end
if record.state == BURNT then
	return done()
end
if wrong and not record.givenUp then
	return wrong
end
if record.lease > claimAge then
	if string.find(letters, 'L', 1, true) and not record.listening then
		-- Without it the submission is not woken, and looks again by itself.
		redis.pcall('SETRANGE', KEYS[1], FLAGS_OFFSET, string.char(LISTENING + (record.tookOver and TOOK_OVER or 0)))
	end
	return { IN_PROGRESS, record.lease - claimAge }
end
return string.find(letters, 'T', 1, true) and grant(record.attempt + 1, true, record.tokenLife - claimAge) or UNKNOWN
