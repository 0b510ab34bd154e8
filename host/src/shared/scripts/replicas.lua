-- The replicas that are there. ARGV: prefix, and the time in milliseconds after which one that gave no sign is gone.
-- Returns names and sealed reports in turn; a report is empty where there is none.
local all = {}
local since = whole(milliseconds() - tonumber(ARGV[2]))
for _, name in ipairs(redis.call('ZRANGEBYSCORE', P .. 'n', since, '+inf', 'LIMIT', 0, 1000)) do
  all[#all + 1] = name
  all[#all + 1] = redis.call('HGET', P .. 'q', name) or ''
end
return all
