package redis

import "testing"

// Redisson 3's scripts, of RedissonLock.java: tryLockInnerAsync, renewExpirationAsync and unlockInnerAsync.
const (
	redissonLock = `if ((redis.call('exists', KEYS[1]) == 0) or (redis.call('hexists', KEYS[1], ARGV[2]) == 1)) then redis.call('hincrby', KEYS[1], ARGV[2], 1); ` +
		`redis.call('pexpire', KEYS[1], ARGV[1]); return nil; end; return redis.call('pttl', KEYS[1]);`
	redissonRenew  = `if (redis.call('hexists', KEYS[1], ARGV[2]) == 1) then redis.call('pexpire', KEYS[1], ARGV[1]); return 1; end; return 0;`
	redissonUnlock = `if (redis.call('hexists', KEYS[1], ARGV[3]) == 0) then return nil;end; local counter = redis.call('hincrby', KEYS[1], ARGV[3], -1); ` +
		`if (counter > 0) then redis.call('pexpire', KEYS[1], ARGV[2]); return 0; else redis.call('del', KEYS[1]); redis.call('publish', KEYS[2], ARGV[1]); return 1; end; return nil;`
)

var ownScripts = Scripts{}.With(redissonLock).With(redissonRenew).With(redissonUnlock)

func checked(t *testing.T, line string) []string {
	t.Helper()
	words, refusal := Split(line)
	if refusal == nil {
		words, refusal = CheckOwn(words, ownScripts)
	}
	if refusal != nil {
		t.Fatalf("%s: %v", line, refusal)
	}
	return words
}

func TestAcquires(t *testing.T) {
	lock, renew, unlock := "EVALSHA "+shaOf(redissonLock)+" 1 k 30000 owner", "EVALSHA "+shaOf(redissonRenew)+" 1 k 30000 owner", "EVALSHA "+shaOf(redissonUnlock)+" 2 k channel 0 30000 owner"
	for _, test := range []struct {
		line  string
		reply Reply
		key   string // empty: it acquires nothing
	}{
		{"SETNX k v", ":1\r\n", "k"},
		{"setnx k v", ":0\r\n", ""},
		{"SETNX k", "-ERR wrong number\r\n", ""},
		{"MSETNX a 1 b 2", ":1\r\n", "a"},
		{"HSETNX k owner 1", ":1\r\n", "k"},
		{"HSETNX k owner 1", ":0\r\n", ""},
		{"SET k v NX PX 1000", "+OK\r\n", "k"},
		{"set k v px 1000 nx", "+OK\r\n", "k"},
		{"SET k v NX", "$-1\r\n", ""},
		{"SET k v NX GET", "$-1\r\n", "k"},
		{"SET k v NX GET", "$1\r\nw\r\n", ""},
		{"SET k v PX 1000", "+OK\r\n", ""},
		{"SET k NX", "+OK\r\n", ""},
		{"SET k", "-ERR wrong number\r\n", ""},
		{"GET k", "$1\r\nv\r\n", ""},
		{"PING", "+PONG\r\n", ""},
		{"EVAL set-and-fence 2 k fence v 1000", ":7\r\n", "k"},
		{"EVAL set-and-fence 2 k fence v 1000", "$-1\r\n", ""},
		{"EVAL node-redlock-acquire 2 a b v 1000", ":2\r\n", "a"},
		{"EVAL node-redlock-acquire 2 a b v 1000", ":0\r\n", ""},
		{"EVAL node-redlock-extend 2 a b v 1000", ":2\r\n", ""},
		{"EVAL redsync-extend-or-acquire 1 k v 1000", ":1\r\n", "k"},
		{"EVAL redsync-extend-or-acquire 1 k v 1000", ":0\r\n", ""},
		{"EVAL redsync-extend 1 k v 1000", ":1\r\n", ""},
		{"EVAL redis-py-release 1 k v", ":1\r\n", ""},
		{lock, "$-1\r\n", "k"},
		{lock, ":29000\r\n", ""},
		{renew, ":1\r\n", ""},
		{unlock, "$-1\r\n", ""},
		{unlock, ":1\r\n", ""},
		{`MULTI "SETNX k v" "PEXPIRE k 1000" EXEC`, "*2\r\n:1\r\n:1\r\n", "k"},
		{`MULTI "SETNX k v" "PEXPIRE k 1000" EXEC`, "*2\r\n:0\r\n:1\r\n", ""},
		{`MULTI "GET other" "SET k v NX GET" EXEC`, "*2\r\n$1\r\nv\r\n$-1\r\n", "k"},
		{`MULTI "SETNX k" EXEC`, "-EXECABORT Transaction discarded because of previous errors.\r\n", ""},
		{`MULTI EXEC`, "*0\r\n", ""},
	} {
		key, ok := Acquires(checked(t, test.line), test.reply)
		if key != test.key || ok != (test.key != "") {
			t.Errorf("%s, %s: %q, %v", test.line, test.reply, key, ok)
		}
	}
}

func TestReleases(t *testing.T) {
	for _, test := range []struct {
		line string
		want bool
	}{
		{"DEL k", true},
		{"del a k", true},
		{"DEL a", false},
		{"UNLINK k", true},
		{"DELEX k IFEQ v", true},
		{"DELIFEQ k v", true},
		{"GETDEL k", true},
		{"HDEL k owner", true},
		{"GET k", false},
		{"EXPIRE k 1", false},
		{"EVAL compare-and-delete 1 k v", true},
		{"EVAL compare-and-delete 1 other v", false},
		{"EVAL compare-and-set 1 k v w", false},
		{"EVAL redis-py-release 1 k v", true},
		{"EVAL redis-py-extend 1 k v 1000 0", false},
		{"EVAL redsync-release 1 k v", true},
		{"EVAL redsync-extend-or-acquire 1 k v 1000", false},
		{"EVAL node-redlock-release 2 a k v", true},
		{"EVAL node-redlock-acquire 2 a k v 1000", false},
		{"EVALSHA " + shaOf(redissonUnlock) + " 2 k channel 0 30000 owner", true},
		{"EVALSHA " + shaOf(redissonLock) + " 1 k 30000 owner", false},
		{`MULTI "GET k" "DEL k" EXEC`, true},
		{`MULTI "GET k" "DEL other" EXEC`, false},
		{`MULTI EXEC`, false},
		{"PING", false},
	} {
		if got := Releases(checked(t, test.line), "k"); got != test.want {
			t.Errorf("%s: %v", test.line, got)
		}
	}
}
