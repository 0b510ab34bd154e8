-- What the other scripts share. One server runs each script alone and as a whole, so that nobody sees half of it. KEYS has one name
-- of those that begin with P, by which a cluster knows whether they are here.
--
-- Beside each value P..'v:'..id, sealed, the store keeps accounts, so that what one owner keeps does not push out what
-- others keep:
--   P..'i'  hash: id to "bytes owner"        P..'x'  sorted set: ids by their end in milliseconds
--   P..'h'  sorted set: owners by bytes      P..'o:'..owner  sorted set: the owner's ids by their end
--   P..'b'  bytes of all
-- Nothing of them is needed to read a value. Where the server drops one of them on its own, accounts are wrong until
-- the values are over, and no longer.
--
-- Beside them stand what the replicas are to serve, and what they say of themselves:
--   P..'d'  hash: places to desired versions, sealed     P..'c:'..id  hash: numbers to pieces of a component, sealed
--   P..'c'  hash: ids of components to their bytes       P..'n'  sorted set: replicas by their last sign of life
--   P..'w:'..id  the replica that brings a component
--   P..'q'  hash: replicas to their reports, sealed      P..'f'  stream: what was forgotten
--   P..'t:'..id  hash: what replicas have counted of a version that all of them try, sealed, and who decides
local P = ARGV[1]

local function milliseconds()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

local function whole(number)
  return string.format('%.0f', number)
end

-- Takes a value out of the accounts.
local function leave(id)
  local info = redis.call('HGET', P .. 'i', id)
  redis.call('ZREM', P .. 'x', id)
  if not info then
    return
  end
  local bytes, owner = string.match(info, '^(%d+) (.*)$')
  redis.call('HDEL', P .. 'i', id)
  redis.call('ZREM', P .. 'o:' .. owner, id)
  redis.call('DECRBY', P .. 'b', bytes)
  if tonumber(redis.call('ZINCRBY', P .. 'h', '-' .. bytes, owner)) <= 0 then
    redis.call('ZREM', P .. 'h', owner)
  end
end

-- Forgets a value.
local function forget(id)
  redis.call('DEL', P .. 'v:' .. id)
  leave(id)
end

-- Takes values whose time is over out of the accounts. The server has deleted them.
local function settle(now)
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', P .. 'x', '-inf', whole(now), 'LIMIT', 0, 128)) do
    leave(id)
  end
end

-- Forgets the oldest values of whoever holds most, until there is room for so many bytes more of this owner.
local function make_room(owner, bytes, budget)
  while tonumber(redis.call('GET', P .. 'b') or '0') + bytes > budget do
    local most = redis.call('ZREVRANGE', P .. 'h', 0, 0, 'WITHSCORES')
    if not most[1] then
      redis.call('DEL', P .. 'b')
      return
    end
    local giving = most[1]
    local own = redis.call('ZSCORE', P .. 'h', owner)
    -- With what it brings, nobody holds more than who asks.
    if own and tonumber(own) + bytes > tonumber(most[2]) then
      giving = owner
    end
    local oldest = redis.call('ZRANGE', P .. 'o:' .. giving, 0, 0)
    if oldest[1] then
      forget(oldest[1])
      redis.call('ZREM', P .. 'o:' .. giving, oldest[1])
    else
      local held = tonumber(redis.call('ZSCORE', P .. 'h', giving))
      redis.call('ZREM', P .. 'h', giving)
      redis.call('DECRBY', P .. 'b', whole(held))
    end
  end
end
