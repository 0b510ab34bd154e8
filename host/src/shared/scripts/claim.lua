-- Asks to bring a component, which one replica does at a time: all that know of it would bring it when the store comes back
-- empty. ARGV: prefix, the component's id and its pieces, the replica's name, time in milliseconds for which nobody else
-- brings it, bytes of the whole component, bytes that all components may have, time in milliseconds that one stays that is
-- not named, and that the accounts stay: P..'c' hash, id to bytes, and 1 where it is known to be damaged. P..'w:'..id: the replica that brings it.
-- Returns 1 where this replica is to bring it, 2 where it is there as a whole, 3 where another one brings it or, where there
-- is no room, 0; and the bytes of the other components.
local id, key, writer = ARGV[2], P .. 'c:' .. ARGV[2], P .. 'w:' .. ARGV[2]
if ARGV[10] == '0' and redis.call('HLEN', key) == tonumber(ARGV[3]) then
  -- One that is named stays as long as it did.
  if redis.call('PTTL', key) < tonumber(ARGV[8]) then
    redis.call('PEXPIRE', key, ARGV[8])
  end
  return { 2, 0 }
end
local other = redis.call('GET', writer)
if other and other ~= ARGV[4] then
  return { 3, 0 }
end
local held, all, gone = 0, redis.call('HGETALL', P .. 'c'), {}
for index = 1, #all, 2 do
  if all[index] ~= id then
    if redis.call('EXISTS', P .. 'c:' .. all[index]) == 1 or redis.call('EXISTS', P .. 'w:' .. all[index]) == 1 then
      held = held + tonumber(all[index + 1])
    else
      gone[#gone + 1] = all[index]
    end
  end
end
if held + tonumber(ARGV[6]) > tonumber(ARGV[7]) then
  return { 0, held }
end
redis.call('SET', writer, ARGV[4], 'PX', ARGV[5])
redis.call('HSET', P .. 'c', id, ARGV[6])
redis.call('PEXPIRE', P .. 'c', ARGV[9])
for _, other in ipairs(gone) do
  redis.call('HDEL', P .. 'c', other)
end
return { 1, held }
