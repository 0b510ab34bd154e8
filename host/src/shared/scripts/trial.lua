-- A replica's numbers of a trial of all replicas, and its question whether it decides about it. ARGV: prefix, the trial's id,
-- the replica's name, its numbers, sealed, time in milliseconds for which one replica decides, and that the numbers stay.
-- Returns 1 where this replica decides and else 0, milliseconds since the trial began, and where it decides the requests of
-- the candidate at the last look, and all numbers: replicas and sealed numbers in turn.
-- P..'t:'..id  hash: replicas to their numbers; began, leader, till and looked.
local key, replica = P .. 't:' .. ARGV[2], ARGV[3]
local now = milliseconds()
redis.call('HSET', key, 'r:' .. replica, ARGV[4])
redis.call('HSETNX', key, 'began', whole(now))
redis.call('PEXPIRE', key, ARGV[6])
local since = now - tonumber(redis.call('HGET', key, 'began'))
local till = tonumber(redis.call('HGET', key, 'till') or '0')
if till > now and redis.call('HGET', key, 'leader') ~= replica then
  return { 0, since, 0, {} }
end
redis.call('HSET', key, 'leader', replica, 'till', whole(now + tonumber(ARGV[5])))
local all, numbers = redis.call('HGETALL', key), {}
for index = 1, #all, 2 do
  if string.sub(all[index], 1, 2) == 'r:' then
    numbers[#numbers + 1] = string.sub(all[index], 3)
    numbers[#numbers + 1] = all[index + 1]
  end
end
return { 1, since, tonumber(redis.call('HGET', key, 'looked') or '0'), numbers }
