-- A replica's sign of life. ARGV: prefix, the replica's name, time in milliseconds after which one that gave none is gone,
-- the last word that it has heard, its sealed report, empty for none, and the most words that it hears at once. Returns the
-- number of replicas, the words since: their ids and contents, and the desired versions: their places and sealed values.
local now = milliseconds()
redis.pcall('ZADD', P .. 'n', whole(now), ARGV[2])
local before = whole(now - tonumber(ARGV[3]))
for _, gone in ipairs(redis.call('ZRANGEBYSCORE', P .. 'n', '-inf', before)) do
  redis.call('HDEL', P .. 'q', gone)
end
redis.call('ZREMRANGEBYSCORE', P .. 'n', '-inf', before)
redis.call('PEXPIRE', P .. 'n', 60000)
if ARGV[5] ~= '' then
  redis.pcall('HSET', P .. 'q', ARGV[2], ARGV[5])
  redis.call('PEXPIRE', P .. 'q', 60000)
end
local words = {}
for _, entry in ipairs(redis.call('XRANGE', P .. 'f', '(' .. ARGV[4], '+', 'COUNT', ARGV[6])) do
  words[#words + 1] = entry[1]
  words[#words + 1] = entry[2][2]
end
return { redis.call('ZCARD', P .. 'n'), words, redis.call('HGETALL', P .. 'd') }
