-- Sets a value. ARGV: prefix, id, owner, sealed value, time to live in milliseconds, budget in bytes, bytes that the
-- value counts for, time in milliseconds for which values are kept, and where it must still be as it was read: its first
-- bytes, which are new with each change and empty for none. Returns 1, 0 where it has changed since, or -1 where the server is full.
local id, owner, bytes = ARGV[2], ARGV[3], tonumber(ARGV[7])
if ARGV[9] and redis.call('GETRANGE', P .. 'v:' .. id, 0, 11) ~= ARGV[9] then
  return 0
end
-- First of all that is written: a server that is full refuses this, and then nothing has changed.
local set = redis.pcall('SET', P .. 'v:' .. id, ARGV[4], 'PX', ARGV[5])
if set.err then
  if string.find(set.err, 'OOM', 1, true) then
    return -1
  end
  return redis.error_reply(set.err)
end
local now = milliseconds()
leave(id)
settle(now)
make_room(owner, bytes, tonumber(ARGV[6]))
local stays = whole(tonumber(ARGV[8]) * 2)
local last = whole(now + tonumber(ARGV[5]))
redis.call('HSET', P .. 'i', id, ARGV[7] .. ' ' .. owner)
redis.call('ZADD', P .. 'x', last, id)
redis.call('ZADD', P .. 'o:' .. owner, last, id)
redis.call('ZINCRBY', P .. 'h', ARGV[7], owner)
redis.call('INCRBY', P .. 'b', ARGV[7])
for _, key in ipairs({ 'i', 'x', 'o:' .. owner, 'h', 'b' }) do
  redis.call('PEXPIRE', P .. key, stays)
end
return 1
