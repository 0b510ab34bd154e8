-- Makes room in a server that is full. ARGV: prefix, owner, bytes.
settle(milliseconds())
local held = tonumber(redis.call('GET', P .. 'b') or '0')
make_room(ARGV[2], tonumber(ARGV[3]), held)
return 1
