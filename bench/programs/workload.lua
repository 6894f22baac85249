-- workload.lua - tables, strings, closures, sorting and patterns, a few seconds in all
-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
--
-- No random(), no order of pairs() and no address reaches the output, so every run prints the same.

local state = 42
local function random(n) -- 1..n
  state = (state * 1103515245 + 12345) % 2147483648
  return state // 256 % n + 1
end

local function checksum(text, sum)
  sum = sum or 7
  for i = 1, #text do
    sum = (sum * 31 + text:byte(i)) % 4294967296
  end
  return sum
end

-- Arrays: the sieve, then a matrix product.
local function sieve(n)
  local composite, count = {}, 0
  for i = 2, n do
    if not composite[i] then
      count = count + 1
      for j = i * i, n, i do composite[j] = true end
    end
  end
  return count
end
print("primes", sieve(2000000))

local function matrix(n)
  local m = {}
  for i = 1, n do
    local row = {}
    for j = 1, n do row[j] = random(1000) / 8 end
    m[i] = row
  end
  return m
end
local function multiply(a, b)
  local n, c = #a, {}
  for i = 1, n do
    local row, ai = {}, a[i]
    for j = 1, n do
      local sum = 0.0
      for k = 1, n do sum = sum + ai[k] * b[k][j] end
      row[j] = sum
    end
    c[i] = row
  end
  return c
end
do
  local c = multiply(matrix(160), matrix(160))
  print("matrix", string.format("%.3f", c[17][91]), string.format("%.3f", c[160][1]))
end

-- Hash tables: words made up, counted, sorted by count.
local words = {}
for i = 1, 300000 do
  local length, letters = random(5) + 1, {}
  for k = 1, length do letters[k] = string.char(97 + (random(26) * random(26) - 1) // 26) end
  words[i] = table.concat(letters)
end
local counts, names = {}, {}
for _, word in ipairs(words) do
  local n = counts[word]
  if not n then names[#names + 1] = word end
  counts[word] = (n or 0) + 1
end
table.sort(names, function(a, b)
  if counts[a] ~= counts[b] then return counts[a] > counts[b] end
  return a < b
end)
for i = 1, 5 do print("word", names[i], counts[names[i]]) end
print("words", #names, checksum(table.concat(names, " ")))

-- Patterns and substitution over a text.
local lines = {}
for i = 1, 40000 do
  lines[i] = string.format("%s=%d; %s: [%08x] %s %5.2f", words[i], random(100000), words[i + 7], random(1 << 30),
    words[i * 3], random(9999) / 100)
end
local text = table.concat(lines, "\n")
local keys, total, hex = 0, 0, 0
for key, value in text:gmatch("(%a+)=(%d+);") do
  keys, total = keys + #key, total + tonumber(value)
end
for digits in text:gmatch("%[(%x+)%]") do hex = (hex + tonumber(digits, 16)) % 1000003 end
local changed, n = text:gsub("(%a+): ", function(word) return word:upper() .. " -> " end)
print("patterns", keys, total, hex, n, checksum(changed))
print("found", select(2, text:gsub("%f[%d]%d+%.5", "")), (text:find("ba=", 1, true)), text:reverse():sub(1, 5))

-- Objects, closures and coroutines.
local Account = {}
Account.__index = Account
function Account.new(owner) return setmetatable({ owner = owner, balance = 0, log = {} }, Account) end
function Account:add(amount)
  self.balance = self.balance + amount
  self.log[#self.log + 1] = amount
end
local accounts = {}
for i = 1, 1000 do accounts[i] = Account.new("owner " .. i) end
for _ = 1, 1500000 do accounts[random(1000)]:add(random(200) - 100) end
local rich = 0
for _, account in ipairs(accounts) do rich = math.max(rich, account.balance) end
print("accounts", rich, #accounts[500].log)

local function counter()
  local n = 0
  return function(step)
    n = n + step
    return n
  end
end
local counters = {}
for i = 1, 100 do counters[i] = counter() end
local last = 0
for i = 1, 2000000 do last = counters[i % 100 + 1](i % 7) end
print("closures", last)

local function permutations(list, n)
  n = n or #list
  if n <= 1 then
    coroutine.yield(list)
  else
    for i = 1, n do
      list[n], list[i] = list[i], list[n]
      permutations(list, n - 1)
      list[n], list[i] = list[i], list[n]
    end
  end
end
local seen, sum = 0, 0
for list in coroutine.wrap(function() permutations({ 1, 2, 3, 4, 5, 6, 7, 8, 9 }) end) do
  seen = seen + 1
  sum = (sum * 10 + list[1] * list[9]) % 1000003
end
print("permutations", seen, sum)

-- Sorting numbers and a garbage-heavy binary tree.
local numbers = {}
for i = 1, 300000 do numbers[i] = random(1 << 31) end
table.sort(numbers)
print("sorted", numbers[1], numbers[150000], numbers[300000])

local function tree(depth) return depth > 0 and { tree(depth - 1), tree(depth - 1) } or {} end
local function nodes(t) return t[1] and 1 + nodes(t[1]) + nodes(t[2]) or 1 end
local all = 0
for _ = 1, 12 do all = all + nodes(tree(15)) end
print("trees", all)
