package process

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// Scripts as locks have them, and pieces of Lua that Redis and others do not write alike, a line each. KEYS are two of n (10), s
// (a string with a lease), h (a hash) and none; ARGV is a token, 30000 and 7.
const luaLines = `
if redis.call("get",KEYS[1]) == ARGV[1] then return redis.call("del",KEYS[1]) else return 0 end
if redis.call('setnx', KEYS[1], ARGV[1]) == 1 then return redis.call('pexpire', KEYS[1], ARGV[2]) else return 0 end
if (redis.call('exists', KEYS[1]) == 0) then redis.call('hincrby', KEYS[1], ARGV[1], 1); redis.call('pexpire', KEYS[1], ARGV[2]); return nil; end; if (redis.call('hexists', KEYS[1], ARGV[1]) == 1) then redis.call('hincrby', KEYS[1], ARGV[1], 1); return nil; end; return redis.call('pttl', KEYS[1]);
if (redis.call('hexists', KEYS[1], ARGV[1]) == 0) then return nil; end; local counter = redis.call('hincrby', KEYS[1], ARGV[1], -1); if (counter > 0) then redis.call('pexpire', KEYS[1], ARGV[2]); return 0; else redis.call('del', KEYS[1]); redis.call('publish', KEYS[2], 0); return 1; end; return nil;
local t = redis.call('TIME') return t[1]
local t = redis.call('TIME') return t[1] * 1000 + math.floor(t[2] / 1000)
local t = redis.call('TIME') redis.call('set', KEYS[2], t[1] + 10) return redis.call('get', KEYS[2])
local t = redis.call('TIME') redis.call('set', KEYS[2], t[1] * 1000 + t[2] / 1000) return redis.call('get', KEYS[2])
local t = redis.call('TIME') return tostring(t[1] * 1000000 + t[2])
return redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])
return redis.call('set', KEYS[2], ARGV[1], 'NX', 'PX', ARGV[2] + 5)
return redis.call('set', KEYS[2], ARGV[1], 'NX', 'PX', ARGV[2] / 7)
return {redis.call('get', KEYS[1]), redis.call('pttl', KEYS[1]), redis.call('exists', KEYS[2])}
return {1, 'two', {3, false}, true, nil, 6}
return {ok = 'FINE'}
return {err = 'MINE says so'}
return redis.error_reply('MINE says so')
return redis.status_reply('FINE')
return {redis.status_reply('FINE'), redis.call('ping')}
return redis.pcall('incr', KEYS[1])
return redis.call('incr', KEYS[1])
local ok, e = pcall(redis.call, 'incr', KEYS[1]) if ok then return e end return {tostring(type(e)), 'failed'}
local r = redis.pcall('get', KEYS[1]) if type(r) == 'table' and r.err then return r.err end return r
local r = redis.pcall('hget', KEYS[1], 'f') if type(r) == 'table' then return r['err'] end return r
return redis.call('get', KEYS[1]) or 'nothing'
return type(redis.call('get', KEYS[1]))
return type(redis.call('hgetall', KEYS[1]))
return #redis.call('hgetall', 'h')
return redis.call('hgetall', 'h')
return tonumber(ARGV[3]) + 1
return ARGV[3] + 1
return ARGV[3] * 2 .. ''
return ARGV[3] / 2
return tostring(ARGV[3] / 2)
return ARGV[1] .. ':' .. KEYS[1]
return #ARGV .. '/' .. #KEYS
return string.format('%s-%d-%05.1f-%x', ARGV[1], 42, 3.14159, 255)
return string.sub(ARGV[1], 2, 4) .. string.upper(ARGV[1]) .. string.rep('ab', 3)
return ARGV[1]:len() + #KEYS[1]
return (string.gsub(ARGV[1], 'o', '0'))
return string.find(ARGV[1], 'k')
return {string.match('lock:42:owner', '(%a+):(%d+):(%a+)')}
local parts = {} for word in string.gmatch('a b c', '%a') do parts[#parts + 1] = word end return parts
return table.concat({'a', 'b', 'c'}, '-')
local t = {5, 2, 8} table.sort(t) return t
local t = {'a', 'b'} table.insert(t, 'c') table.remove(t, 1) return t
return select('#', unpack(ARGV))
return math.max(1, tonumber(ARGV[3]), 3) + math.abs(-4)
return 7 % 3 .. ',' .. -7 % 3 .. ',' .. 2 ^ 10
return 10 / 2
return 2 ^ 53
return 1e15
return 123456789012345
return tostring(123456789012345)
return 0.1 + 0.2
return -3.9
return 3.99
return tostring(nil) .. tostring(true)
return not nil
return false
return nil
return {}
return {false, 1}
return ''
return '\0\255'
return redis.sha1hex(ARGV[1])
return redis.sha1hex('')
redis.log(redis.LOG_NOTICE, 'said') return 1
return redis.call('exists', KEYS[1], KEYS[2], 'none', 'h')
return redis.call('del', KEYS[1], KEYS[2])
return redis.call('mget', 'n', 'none', 's')
return redis.call('ttl', KEYS[1])
return redis.call('type', KEYS[1])
return redis.call('type', KEYS[1]).ok
return redis.call('type', KEYS[1])['ok'] == 'none'
return redis.call('getset', KEYS[1], ARGV[1])
return redis.call('incrby', KEYS[1], ARGV[3])
return redis.call('incrby', 'n', ARGV[3] / 7)
return redis.call('decrby', 'n', 0.5)
return redis.call('append', KEYS[1], 'x')
return redis.call('zadd', KEYS[1], 1, 'a')
return redis.pcall('zadd', KEYS[1], 1, 'a')
return redis.call('no-such-command')
return redis.call('get')
return redis.pcall('get')
return redis.call()
return redis.call('get', nil)
return redis.call('get', {})
return redis.call('get', true)
return nosuch
x = 1 return x
local x = nosuch() return x
error('mine')
error({err = 'MINE says so'})
return nil .. 'a'
return {} + 1
return #5
return 1 +
goto done
local function f(n) if n == 0 then return 0 end return f(n - 1) end return f(100)
local s = 0 for i = 1, 100 do s = s + i end return s
local s = 0 for i, k in ipairs(KEYS) do s = s + redis.call('exists', k) end return s
local s = '' for k, v in pairs({a = 1, b = 2}) do s = s .. k end return s
local s = '' for i, k in pairs(KEYS) do s = s .. k end return s
local i = 0 while i < 3 do i = i + 1 end return i
local i = 0 repeat i = i + 1 until i == 3 return i
return KEYS[3]
return ARGV[9] or 'none'
return cjson.encode({1, 2})
return bit.band(5, 3)
return math.random(10)
return os.clock() < 10
return cmsgpack and 1 or 0
return redis.replicate_commands()
redis.setresp(3) return redis.call('hgetall', 'h')
return loadstring('return 1')()
return getmetatable('').__index == string
return _G.KEYS and 1 or 0
return type(redis) .. type(KEYS)
return string.byte('A') + tonumber('0x10') + tonumber('11', 2)
return tonumber('abc') == nil
return tonumber('1e3')
return tonumber(' 5 ')
return math.floor(-3.5) .. ',' .. math.ceil(3.2)
return string.reverse('abc') .. string.lower('ABC')
return ('x'):rep(3)
return 'a' < 'b' and 'A' < 'a'
return 10 == '10'
return 1 and 2 or 3
local a, b = 1 return b
return redis.call('HSET', KEYS[2], 'a', 1, 'b', 2)
return redis.call('hsetnx', 'h', ARGV[1], 1)
return redis.call('persist', KEYS[1])
return redis.call('expire', KEYS[1], ARGV[3])
return redis.call('pexpireat', KEYS[1], redis.call('time')[1] * 1000 + 5000)
return redis.call('set', KEYS[1], ARGV[1], 'XX', 'KEEPTTL')
return redis.call('set', KEYS[1], ARGV[1], 'GET')
return redis.call('getdel', KEYS[1])
return redis.call('publish', 'c', 'm')
return redis.call('echo', ARGV[1])
`

// Each script replies here what it replies in Redis, and leaves in the keys what Redis leaves, or there is no reply.
func TestLuaIsThatOfRedisOrNotExecuted(t *testing.T) {
	d := &differential{t: t, server: served(t), agree: map[string]int{}, refuse: map[string]int{}}
	chance := rand.New(rand.NewPCG(3, 5))
	scripts := 0
	for lua := range strings.Lines(luaLines) {
		if lua = strings.TrimSpace(lua); lua == "" {
			continue
		}
		scripts++
		names := []string{"n", "s", "h", "none"}
		for _, first := range names {
			second := names[chance.IntN(len(names))]
			d.same("EVAL", "script", [][]string{{"EVAL", lua, "2", first, second, "token", "30000", "7"}}, false)
		}
	}
	d.end()
	t.Logf("%d scripts: %d replies agree, %d are refused, %d are different", scripts, d.agree["script"], d.refuse["script"], d.differ)
	if d.agree["script"] < 3*d.refuse["script"] {
		t.Errorf("more is refused than has to be")
	}
}
