-- Takes a job that nobody holds any more. ARGV: prefix, and time in milliseconds for which nobody else takes it.
-- Returns the id of its record, or nothing of one.
local now = milliseconds()
for _, id in ipairs(redis.call('ZRANGEBYSCORE', P .. 'l', '-inf', whole(now), 'LIMIT', 0, 64)) do
  if redis.call('EXISTS', P .. 'v:' .. id) == 1 then
    redis.call('ZADD', P .. 'l', whole(now + tonumber(ARGV[2])), id)
    return id
  end
  redis.call('ZREM', P .. 'l', id)
end
return ''
