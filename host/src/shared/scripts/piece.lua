-- Keeps a piece of a component. ARGV: prefix, the component's id, the piece's number, the sealed piece, bytes of the whole
-- component, bytes that all components may have, time in milliseconds that one stays that is not named, and that the
-- accounts stay: P..'c' hash, id to bytes. Returns 1 or, where there is no room, 0; and the bytes of the other components.
local id, key = ARGV[2], P .. 'c:' .. ARGV[2]
local held = 0
if ARGV[3] == '0' then
  local all, gone = redis.call('HGETALL', P .. 'c'), {}
  for index = 1, #all, 2 do
    if all[index] ~= id then
      if redis.call('EXISTS', P .. 'c:' .. all[index]) == 1 then
        held = held + tonumber(all[index + 1])
      else
        gone[#gone + 1] = all[index]
      end
    end
  end
  if held + tonumber(ARGV[5]) > tonumber(ARGV[6]) then
    return { 0, held }
  end
  redis.call('HSET', P .. 'c', id, ARGV[5])
  redis.call('PEXPIRE', P .. 'c', ARGV[8])
  for _, other in ipairs(gone) do
    redis.call('HDEL', P .. 'c', other)
  end
end
redis.call('HSET', key, ARGV[3], ARGV[4])
-- One that is named stays as long as it did.
if redis.call('PTTL', key) < tonumber(ARGV[7]) then
  redis.call('PEXPIRE', key, ARGV[7])
end
return { 1, held }
