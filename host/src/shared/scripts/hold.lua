-- Holds a job for the replica that works on it. ARGV: prefix, the record's id, its owner, the first bytes that the record must
-- still have, time in milliseconds for which it is held, and where a job begins the most that one owner may have at work.
-- Returns 1, 0 where the record is another one, or -1 where the owner has as many. P..'l' sorted set: ids of records by
-- the end of their time; P..'a:'..owner: the owner's.
local id, own = ARGV[2], P .. 'a:' .. ARGV[3]
if redis.call('GETRANGE', P .. 'v:' .. id, 0, 11) ~= ARGV[4] then
  return 0
end
local now = milliseconds()
if ARGV[6] then
  redis.call('ZREMRANGEBYSCORE', own, '-inf', whole(now))
  if redis.call('ZCARD', own) >= tonumber(ARGV[6]) then
    return -1
  end
end
local last = whole(now + tonumber(ARGV[5]))
redis.call('ZADD', P .. 'l', last, id)
redis.call('ZADD', own, last, id)
redis.call('PEXPIRE', own, ARGV[5])
redis.call('PEXPIRE', P .. 'l', 7200000)
return 1
