-- A replica's sign of life. ARGV: prefix, the replica's name, time in milliseconds after which one that gave none is gone,
-- and the last word that it has heard. Returns the number of replicas, and the words since: their ids and contents.
local now = milliseconds()
redis.pcall('ZADD', P .. 'n', whole(now), ARGV[2])
redis.call('ZREMRANGEBYSCORE', P .. 'n', '-inf', whole(now - tonumber(ARGV[3])))
redis.call('PEXPIRE', P .. 'n', 60000)
local words = {}
for _, entry in ipairs(redis.call('XRANGE', P .. 'f', '(' .. ARGV[4], '+', 'COUNT', 256)) do
  words[#words + 1] = entry[1]
  words[#words + 1] = entry[2][2]
end
return { redis.call('ZCARD', P .. 'n'), words }
