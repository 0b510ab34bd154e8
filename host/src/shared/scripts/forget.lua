-- Forgets a value, and leaves word of it for all replicas. ARGV: prefix, id, time in milliseconds that word stays, and
-- sealed names of clients.
forget(ARGV[2])
for index = 4, #ARGV do
  redis.call('XADD', P .. 'f', 'MAXLEN', '~', 10000, '*', 'c', ARGV[index])
end
if #ARGV >= 4 then
  redis.call('PEXPIRE', P .. 'f', ARGV[3])
end
return 1
