-- Forgets values without word of it. ARGV: prefix, and ids.
for index = 2, #ARGV do
  forget(ARGV[index])
end
return 1
