-- Keeps a piece of a component. ARGV: prefix, the component's id, the piece's number, the sealed piece, time in milliseconds
-- that a component stays that is not named, the replica's name, and time in milliseconds for which nobody else brings the
-- component, 0 after the last piece.
local key, writer = P .. 'c:' .. ARGV[2], P .. 'w:' .. ARGV[2]
redis.call('HSET', key, ARGV[3], ARGV[4])
-- One that is named stays as long as it did.
if redis.call('PTTL', key) < tonumber(ARGV[5]) then
  redis.call('PEXPIRE', key, ARGV[5])
end
local whose = redis.call('GET', writer)
if whose == ARGV[6] then
  if ARGV[7] == '0' then
    redis.call('DEL', writer)
  else
    redis.call('PEXPIRE', writer, ARGV[7])
  end
end
return 1
