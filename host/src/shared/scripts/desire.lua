-- Replaces a desired version. ARGV: prefix, place, sealed value, the first bytes of what must still be there (empty for
-- none), time in milliseconds that it and what it names stay, the number of components that it names, for each of them its
-- id and its pieces, and the ids of components that are no longer named.
-- Returns 1, 0 where it has changed since, or -1 where a component is not there as a whole.
local place, stays, kept = ARGV[2], ARGV[5], tonumber(ARGV[6])
local before = redis.call('HGET', P .. 'd', place) or ''
if string.sub(before, 1, 12) ~= ARGV[4] then
  return 0
end
local last = 5 + 2 * kept
for index = 7, last, 2 do
  if redis.call('HLEN', P .. 'c:' .. ARGV[index]) ~= tonumber(ARGV[index + 1]) then
    return -1
  end
end
redis.call('HSET', P .. 'd', place, ARGV[3])
redis.call('PEXPIRE', P .. 'd', stays)
for index = 7, last, 2 do
  redis.call('PEXPIRE', P .. 'c:' .. ARGV[index], stays)
end
for index = last + 2, #ARGV do
  redis.call('UNLINK', P .. 'c:' .. ARGV[index])
  redis.call('HDEL', P .. 'c', ARGV[index])
end
return 1
