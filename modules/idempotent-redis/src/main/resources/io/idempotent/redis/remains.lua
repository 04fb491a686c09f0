-- How long the record of an attempt remains, or 0 if there is another one. Given are attempt and owner.
local id = redis.pcall('GETRANGE', KEYS[1], 3, 22)
if type(id) == 'table' then
	-- Without this permission, all of the record passes through Lua.
	id = string.sub(redis.call('GET', KEYS[1]) or '', 4, 23)
end
return id == ARGV[1] and redis.call('PTTL', KEYS[1]) or 0
