-- suite.lua - what the language promises, checked on a build of lua5.4 (Debian's package has no tests)
-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
--
-- Weight is on what a compiler pass could break: loops with all kinds of exits, errors (longjmp) thrown
-- out of them, coroutines that leave them half done, and the garbage collector under them.

local passed, failed = 0, 0
local function check(name, got, want)
  if got == want then
    passed = passed + 1
  else
    failed = failed + 1
    print("FAILED " .. name .. ": got " .. tostring(got) .. ", want " .. tostring(want))
  end
end

-- Arithmetic.
check("integer division", -7 // 2, -4)
check("modulo", -7 % 3, 2)
check("float modulo", 5.5 % -2, -0.5)
check("wrap", math.maxinteger + 1, math.mininteger)
check("shift", 1 << 63, math.mininteger)
check("compare", math.maxinteger < math.maxinteger + 0.0, true)
check("tostring", tostring(1e15), "1e+15")
check("hex float", tonumber("0x1p4"), 16.0)
check("bad number", tonumber("1e"), nil)
check("base", tonumber("zz", 36), 1295)
check("nan", 0 / 0 ~= 0 / 0, true)
check("fmod", math.fmod(-6, 4), -2)
check("ult", math.ult(1, -1), true)

-- Loops: bounds, steps, exits.
local n = 0
for i = math.maxinteger - 2, math.maxinteger do n = n + 1 end
check("no overflow", n, 3)
n = 0
for i = 10, 1, -3 do n = n + i end
check("step down", n, 22)
n = 0
for i = 0, 1, 0.1 do n = n + 1 end
check("float steps", n, 11)
n = 0
for i = 1, 3 do
  for j = 1, 3 do
    if j == 2 then goto continue end
    if i == 3 then goto done end
    n = n + 1
    ::continue::
  end
end
::done::
check("goto", n, 4)
local function find(list, x)
  for i, v in ipairs(list) do if v == x then return i end end
end
check("return from loop", find({ 5, 6, 7 }, 6), 2)
n = 0
repeat local stop = n >= 5; n = n + 1 until stop
check("repeat sees locals", n, 6)
check("zero step", pcall(load("for i = 1, 2, 0 do end")), false)

-- Errors leave loops of C and of Lua by longjmp, again and again.
local caught = 0
for i = 1, 20000 do
  local ok, message = pcall(function()
    for k = 1, 10 do
      table.sort({ 3, 1, 2, k }, function(a, b)
        if k == 5 then error("stop " .. i, 0) end
        return a < b
      end)
    end
  end)
  if not ok and message == "stop " .. i then caught = caught + 1 end
end
check("error out of sort", caught, 20000)
caught = 0
for i = 1, 5000 do
  local ok = pcall(string.gsub, ("x"):rep(50), "x", function() error({}) end)
  if not ok then caught = caught + 1 end
end
check("error out of gsub", caught, 5000)
check("stack overflow", (select(2, pcall(function() local function f() return 1 + f() end return f() end)):find("stack overflow")) ~= nil, true)
check("error in error handler", select(1, xpcall(error, function() error("again") end)), false)
local closed = ""
do
  local ok = pcall(function()
    local a <close> = setmetatable({}, { __close = function() closed = closed .. "a" end })
    local b <close> = setmetatable({}, { __close = function() closed = closed .. "b" end })
    for _ in pairs({ 1 }) do error("x") end
  end)
  check("close on error", (ok and "ok" or "error") .. closed, "errorba")
end

-- Coroutines.
local function numbers(k) return coroutine.wrap(function() for i = 1, k do coroutine.yield(i) end end) end
n = 0
for i = 1, 2000 do
  local next = numbers(100)
  for _ = 1, i % 100 do n = n + next() end -- most are left half done
end
check("abandoned coroutines", n, 3333000)
local co = coroutine.create(function(a)
  local ok, value = pcall(function() for i = 1, 3 do a = a + coroutine.yield(a) end error("end", 0) end)
  return value
end)
local results = {}
for i = 1, 5 do results[i] = tostring(select(2, coroutine.resume(co, i))) end
check("yield across pcall", table.concat(results, ","), "1,3,6,end,cannot resume dead coroutine")
check("closed", coroutine.close(coroutine.create(print)), true)
check("sort cannot yield", pcall(coroutine.wrap(function() table.sort({ 1, 2, 3 }, coroutine.yield) end)), false)

-- Strings and patterns.
check("gsub", ("hello world"):gsub("o", "0", 1), "hell0 world")
check("captures", ("key = value"):match("^(%w+)%s*=%s*(%w+)$"), "key")
check("balanced", ("f(a(b)c)d"):match("%b()"), "(a(b)c)")
check("frontier", ("THE (quick) fox"):find("%f[%a]%a+%f[%A]"), 1)
check("position", ("abc"):find("b()"), 2)
check("empty match", ("abc"):gsub("%w*", "x"), "x")
check("too complex", pcall(string.find, ("a"):rep(300000), (".-"):rep(300000) .. "b"), false)
check("malformed", pcall(string.find, "a", "[a"), false)
check("format", ("%5.2f|%-5s|%05d|%x|%q"):format(3.14159, "ab", 42, 255, "a\n"), " 3.14|ab   |00042|ff|\"a\\\n\"")
check("pack", ("<i4z"):pack(-2, "hi"), "\xfe\xff\xff\xffhi\0")
check("unpack", (("<i4z"):unpack("\xfe\xff\xff\xffhi\0")), -2)
check("rep", #("ab"):rep(1000, ","), 2999)
check("utf8", utf8.len("häß€"), 4)
check("utf8 codes", select("#", utf8.codepoint("añb", 1, -1)), 3)
check("long string", #table.concat({ ("x"):rep(100000), ("y"):rep(100000) }), 200000)
check("byte", table.concat({ ("abc"):byte(1, -1) }, " "), "97 98 99")

-- Tables.
local t = {}
for i = 1, 1000 do t[i] = i end
for i = 1, 1000, 2 do t[i] = nil end
n = 0
for _, v in pairs(t) do n = n + v end
check("sparse", n, 250500)
for i = 1, 3 do table.insert(t, 1, i) end
check("insert", t[1], 3)
check("move", table.concat(table.move({ 1, 2, 3 }, 1, 3, 2), ","), "1,1,2,3")
check("unpack", select("#", table.unpack({}, 1, 200)), 200)
check("next after clear", (function() local s = { a = 1, b = 2, c = 3 } for k in pairs(s) do s[k] = nil end return next(s) end)(), nil)
check("invalid order", pcall(table.sort, { 3, 2, 1, 4, 5, 9, 7, 8, 6, 0 }, function() return true end), false)
check("metamethods", setmetatable({}, { __index = function(_, k) return k .. "!" end }).x, "x!")
check("length", #setmetatable({}, { __len = function() return 42 end }), 42)
check("concat", setmetatable({}, { __concat = function(_, b) return "c" .. b end }) .. "d", "cd")

-- The collector: weak tables, finalizers, generational mode, and objects made inside loops.
local weak = setmetatable({}, { __mode = "k" })
for i = 1, 1000 do weak[{}] = i end
collectgarbage()
check("weak", next(weak), nil)
local finalized = 0
for i = 1, 1000 do setmetatable({}, { __gc = function() finalized = finalized + 1 end }) end
collectgarbage()
check("finalizers", finalized, 1000)
for _, mode in ipairs({ "generational", "incremental" }) do
  collectgarbage(mode)
  local list
  for i = 1, 200000 do list = { list = i % 1000 ~= 0 and list or nil, i } end
  local depth, node = 0, list
  while node do depth, node = depth + 1, node.list end
  check(mode, depth, 1)
end

-- The compiler and its output.
local dumped = string.dump(function(x) local s = 0 for i = 1, x do s = s + i end return s end, true)
check("dump", load(dumped, "d", "b")(100), 5050)
check("syntax error", select(2, load("x = = 1", "=c")), "c:1: unexpected symbol near '='")
local many = {}
for i = 1, 5000 do many[i] = "v[" .. i .. "] = " .. i .. " * 2" end
many = "local v = {} " .. table.concat(many, "\n") .. " return v"
check("big function", load(many)()[5000], 10000)
check("environment", load("x = 1 return x", "e", "t", {})(), 1)
check("varargs", select(-1, (function(...) return ... end)(1, nil, 3)), 3)
check("integer keys", ({ [1.0] = "a" })[1], "a")
check("traceback", debug.traceback("m", 1):match("^m\nstack traceback:") ~= nil, true)
n = 0
debug.sethook(function() n = n + 1 end, "", 100)
for i = 1, 10000 do local _ = i * i end
debug.sethook()
check("hook", n > 100, true)

-- Files.
local name = os.tmpname()
do
  local file <close> = assert(io.open(name, "w"))
  for i = 1, 1000 do file:write(i, " ", i * 1.5, "\n") end
end
n = 0
for a, b in io.lines(name, "n", "n") do n = n + a + b end
check("numbers from file", n, 1251250.0)
n = 0
for line in io.lines(name) do n = n + #line end
check("lines", n, 8155)
os.remove(name)
check("no file", select(2, io.open(name)):match("No such file") ~= nil, true)
check("popen", io.popen("echo out; exit 3"):read("a"), "out\n")
check("exit status", select(3, os.execute("exit 3")), 3)

print(passed .. " passed, " .. failed .. " failed")
os.exit(failed == 0, true)
