-- Has desired versions and what they name stay. ARGV: prefix, time in milliseconds, and for each component its id and its
-- pieces. Returns for each of them 1 where it is there as a whole, else 0.
redis.call('PEXPIRE', P .. 'd', ARGV[2])
redis.call('PEXPIRE', P .. 'c', ARGV[2])
local complete = {}
for index = 3, #ARGV, 2 do
  local key = P .. 'c:' .. ARGV[index]
  local is_whole = redis.call('HLEN', key) == tonumber(ARGV[index + 1])
  if is_whole then
    redis.call('PEXPIRE', key, ARGV[2])
  end
  complete[#complete + 1] = is_whole and 1 or 0
end
return complete
