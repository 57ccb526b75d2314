package redis

import (
	"strings"
	"testing"
)

// A script takes a lock if it makes a key where there is none, and leaves it to somebody else. Its reply to the first says that
// the lock is granted.
func TestAScriptIsTried(t *testing.T) {
	const (
		places = "for i = 1, #KEYS do if not redis.call('get', KEYS[i]) then redis.call('set', KEYS[i], ARGV[1], 'EX', 10) return ARGV[2] .. i end end return false"
		upTo   = "if tonumber(redis.call('get', KEYS[1]) or '0') < tonumber(ARGV[1]) then redis.call('incr', KEYS[1]) return 1 end return 0"
	)
	for _, test := range []struct {
		name, lua string
		words     []string // its keys and values
		key       string
		granted   []Reply
		refused   []Reply
	}{
		{"redlock 4", "-- Return 0 if an entry already exists.\nfor i, key in ipairs(KEYS) do if redis.call('exists', key) == 1 then return 0 end end\nfor i, key in ipairs(KEYS) do redis.call('set', key, ARGV[1], 'PX', ARGV[2]) end\nreturn #KEYS",
			[]string{"1", "lock.foo", "token", "10000"}, "lock.foo", []Reply{":1\r\n"}, []Reply{":0\r\n", "$-1\r\n"}},
		{"redlock-rb: extending takes a free lock", "if redis.call('exists', KEYS[1]) == 0 or redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2]) end return false",
			[]string{"1", "lock.foo", "token", "10000"}, "lock.foo", []Reply{"+OK\r\n"}, []Reply{"$-1\r\n"}},
		{"Redisson", redissonLock, []string{"1", "k", "30000", "A"}, "k", []Reply{"$-1\r\n"}, []Reply{":30000\r\n", ":1\r\n"}},
		{"a fencing token", "if redis.call('setnx', KEYS[1], ARGV[1]) == 1 then return redis.call('incr', KEYS[1] .. ':fence') end return false",
			[]string{"1", "k", "t"}, "k", []Reply{":1\r\n", ":7\r\n"}, []Reply{"$-1\r\n"}},
		{"a number that grows, or 0", "if redis.call('setnx', KEYS[1], ARGV[1]) == 1 then redis.call('pexpire', KEYS[1], 10000) return redis.call('incr', KEYS[2]) end return 0", []string{"2", "k", "fence", "t"}, "k", []Reply{":1\r\n", ":2\r\n", ":7\r\n"}, []Reply{":0\r\n", "$-1\r\n"}},
		{"a number that grows and whether, or how long the lock lasts", "if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', 10000) then return {1, redis.call('incr', KEYS[2])} end return {0, redis.call('pttl', KEYS[1])}", []string{"2", "k", "fence", "t"}, "k", []Reply{"*2\r\n:1\r\n:1\r\n", "*2\r\n:1\r\n:2\r\n"}, []Reply{"*2\r\n:0\r\n:10000\r\n", "*2\r\n:0\r\n:7500\r\n", "*0\r\n"}},
		{"a number that grows, or how long the lock lasts: nobody can tell", "if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', 10000) then return redis.call('incr', KEYS[2]) end return redis.call('pttl', KEYS[1])", []string{"2", "k", "fence", "t"}, "k", []Reply{":1\r\n", ":2\r\n"}, []Reply{":10000\r\n", ":7500\r\n"}},
		{"1, or how long the lock lasts", "if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', 10000) then return 1 end return redis.call('pttl', KEYS[1])", []string{"1", "k", "t"}, "k", []Reply{":1\r\n"}, []Reply{":10000\r\n", ":7500\r\n", ":2\r\n"}},
		{"a key that the command does not name", "return redis.call('setnx', 'lock:' .. ARGV[1], ARGV[2])", []string{"0", "a", "t"}, "lock:a", []Reply{":1\r\n"}, []Reply{":0\r\n"}},
		{"a moment at which the key expires", "local r = redis.call('set', KEYS[1], ARGV[1], 'NX', 'PXAT', ARGV[2]) redis.call('get', KEYS[1]) return r", []string{"1", "k", "t", "2000000"}, "k", []Reply{"+OK\r\n"}, []Reply{"$-1\r\n"}},
		{"one place", places, []string{"1", "p1", "token", "job"}, "p1", []Reply{"$4\r\njob1\r\n"}, []Reply{"$-1\r\n"}},
		{"two places: a semaphore", places, []string{"2", "p1", "p2", "token", "job"}, "", nil, []Reply{"$4\r\njob1\r\n"}},
		{"who holds it", "local v = redis.call('get', KEYS[1]) if v then return v end redis.call('set', KEYS[1], ARGV[1]) return ARGV[1]", []string{"1", "k", "$1"}, "k", []Reply{"$2\r\n$1\r\n"}, []Reply{"$3\r\n$a1\r\n", "$-1\r\n"}},
		{"whether, and who holds it", "local v = redis.call('get', KEYS[1]) if v then return {0, v} end redis.call('set', KEYS[1], ARGV[1]) return {1, ARGV[1]}", []string{"1", "k", "$1"}, "k", []Reply{"*2\r\n:1\r\n$2\r\n$1\r\n"}, []Reply{"*2\r\n:0\r\n$3\r\n$a1\r\n"}},
		{"a counter up to 1", upTo, []string{"1", "k", "1"}, "k", []Reply{":1\r\n"}, []Reply{":0\r\n"}},
		{"a counter up to 2: a semaphore", upTo, []string{"1", "k", "2"}, "", nil, []Reply{":1\r\n"}},
		{"a number as token, and a bound beside it", "if redis.call('hlen', KEYS[1]) < tonumber(ARGV[2]) then redis.call('hset', KEYS[1], ARGV[1], 'x2') return 1 end return 0", []string{"1", "k", "t2", "2"}, "", nil, []Reply{":1\r\n"}},
		{"a number as token", "return redis.call('setnx', KEYS[1], ARGV[1])", []string{"1", "k", "4711"}, "k", []Reply{":1\r\n"}, []Reply{":0\r\n"}},
		{"a member of a sorted set that is new", "redis.call('zadd', KEYS[1], 'NX', 1, ARGV[1]) return 1", []string{"1", "k", "t"}, "", nil, []Reply{":1\r\n"}},
		{"a counter", "return redis.call('incr', KEYS[1])", []string{"1", "k"}, "", nil, []Reply{":1\r\n"}},
		{"a write that anybody may do", "return redis.call('set', KEYS[1], ARGV[1])", []string{"1", "k", "t"}, "", nil, []Reply{"+OK\r\n"}},
		{"a release", "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0", []string{"1", "k", "t"}, "", nil, []Reply{":1\r\n", ":0\r\n"}},
		{"a script that cannot be executed here", "redis.call('zadd', KEYS[1], 1, ARGV[1]) return 1", []string{"1", "k", "t"}, "", nil, []Reply{":1\r\n"}},
	} {
		trial := Try(nil, append([]string{"EVAL", test.lua}, test.words...))
		if trial.Key != test.key {
			t.Errorf("%s: %q, not %q", test.name, trial.Key, test.key)
		}
		if shared := strings.HasSuffix(test.name, "a semaphore"); shared && !trial.Shared {
			t.Errorf("%s: it keeps others out", test.name)
		}
		for _, r := range test.granted {
			if !trial.Granted(r) {
				t.Errorf("%s: %s grants nothing", test.name, r)
			}
		}
		for _, r := range test.refused {
			if trial.Granted(r) {
				t.Errorf("%s: %s grants the lock", test.name, r)
			}
		}
	}
}

// What gives a lock back need not delete its key: afterwards somebody else gets the lock.
func TestWhatFreesALock(t *testing.T) {
	const (
		upToOne = "if tonumber(redis.call('get', KEYS[1]) or '0') < 1 then redis.call('incr', KEYS[1]) return 1 end return 0"
		free    = "if (redis.call('get', KEYS[1]) or 'free') == 'free' then redis.call('set', KEYS[1], ARGV[1]) return 1 end return 0"
		flag    = "if redis.call('hget', KEYS[1], 'owner') then return 0 end redis.call('hset', KEYS[1], 'owner', ARGV[1]) return 1"
	)
	for _, test := range []struct {
		took, command string
		frees         bool
	}{
		{`EVAL "` + upToOne + `" 1 k`, "DECR k", true},
		{`EVAL "` + upToOne + `" 1 k`, "INCR k", false},
		{`EVAL "` + upToOne + `" 1 k`, "SET k 0", true},
		{`EVAL "` + free + `" 1 k t`, "SET k free", true},
		{`EVAL "` + free + `" 1 k t`, "SET k busy", false},
		{`EVAL "` + flag + `" 1 k t`, "HSET k owner u", false},
		{`EVAL "` + flag + `" 1 k t`, "EVAL \"return redis.call('hdel', KEYS[1], 'owner')\" 1 k", true},
		{"SET k t NX PX 10000", "SET k t PX 10000", false},
		{"SET k t NX PX 10000", "SET k done", false},
		{"SET k t NX PX 10000", "GETDEL k", true},
		{"SET k t NX PX 10000", "PEXPIRE k 10000", false},
		{"SET k t NX PX 10000", "PEXPIRE k 0", true},
		{"SET k t NX PX 10000", "DEL other", false},
		{"SETNX k t", "MULTI \"DEL k\" EXEC", true},
		{"GET k", "DEL k", false}, // it takes nothing
		{"SET k t NX", "EXPIREAT k 1", true},
		{"SET k t NX", "EXPIREAT k 1000", true}, // now
		{"SET k t NX", "EXPIREAT k 1001", false},
		{"SET k t NX EXAT 1010", "EXPIREAT k 1", true},
		{"SET k t NX EXAT 999", "PEXPIRE k 0", true}, // it was taken before
		{`EVAL "` + free + `" 1 k t`, "EXPIREAT k 1", true},
	} {
		took, _ := Split(test.took)
		command, _ := Split(test.command)
		frees, timed := Frees(nil, 1_000_000, took, command)
		if frees != test.frees {
			t.Errorf("%s after %s: %v", test.command, test.took, frees)
		}
		if names := strings.Contains(test.took+test.command, "EXAT") || strings.Contains(test.command, "EXPIREAT"); timed != names {
			t.Errorf("%s after %s depends on the time: %v", test.command, test.took, timed)
		}
	}
}
