package redis

import (
	"testing"
)

// A script takes a lock if it makes a key where there is none, and leaves it to somebody else. Its reply to the first says that
// the lock is granted.
func TestAScriptIsTried(t *testing.T) {
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
		{"a key that the command does not name", "return redis.call('setnx', 'lock:' .. ARGV[1], ARGV[2])", []string{"0", "a", "t"}, "lock:a", []Reply{":1\r\n"}, []Reply{":0\r\n"}},
		{"a moment at which the key expires", "local r = redis.call('set', KEYS[1], ARGV[1], 'NX', 'PXAT', ARGV[2]) redis.call('get', KEYS[1]) return r", []string{"1", "k", "t", "2000000"}, "k", []Reply{"+OK\r\n"}, []Reply{"$-1\r\n"}},
		{"a counter", "return redis.call('incr', KEYS[1])", []string{"1", "k"}, "", nil, []Reply{":1\r\n"}},
		{"a write that anybody may do", "return redis.call('set', KEYS[1], ARGV[1])", []string{"1", "k", "t"}, "", nil, []Reply{"+OK\r\n"}},
		{"a release", "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0", []string{"1", "k", "t"}, "", nil, []Reply{":1\r\n", ":0\r\n"}},
		{"a script that cannot be executed here", "redis.call('zadd', KEYS[1], 1, ARGV[1]) return 1", []string{"1", "k", "t"}, "", nil, []Reply{":1\r\n"}},
	} {
		trial := Try(append([]string{"EVAL", test.lua}, test.words...))
		if trial.Key != test.key {
			t.Errorf("%s: %q, not %q", test.name, trial.Key, test.key)
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
