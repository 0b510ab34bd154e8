-- Counts a request of a client in a sliding window, by the clock of the server. KEYS: the client's requests, as a list of
-- "time:requests", and their number. ARGV: prefix, quota, window and width of a bucket in milliseconds.
-- Returns 1 where the request is let in, the requests in the window, and the milliseconds until the oldest leave it.
local log, sum = KEYS[1], KEYS[2]
local quota, window, width = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local now = milliseconds()
local total = tonumber(redis.call('GET', sum) or '0')
local oldest = now
while true do
  local first = redis.call('LINDEX', log, 0)
  if not first then
    total = 0
    break
  end
  local at, requests = string.match(first, '^(%d+):(%d+)$')
  if tonumber(at) + window > now then
    oldest = tonumber(at)
    break
  end
  redis.call('LPOP', log)
  total = total - tonumber(requests)
end
local admitted = total < quota
if admitted then
  total = total + 1
  local last = redis.call('LINDEX', log, -1)
  local at, requests
  if last then
    at, requests = string.match(last, '^(%d+):(%d+)$')
  end
  -- A clock that was set back must not make a bucket of what is apart.
  if at and math.floor(tonumber(at) / width) == math.floor(now / width) then
    redis.call('LSET', log, -1, whole(now) .. ':' .. whole(tonumber(requests) + 1))
  else
    redis.call('RPUSH', log, whole(now) .. ':1')
  end
end
redis.call('SET', sum, whole(total), 'PX', window + 1000)
redis.call('PEXPIRE', log, window + 1000)
return { admitted and 1 or 0, total, oldest + window - now }
