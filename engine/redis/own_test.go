package redis

import (
	"strings"
	"testing"
)

// Check takes no script that a program brings. CheckOwn takes those that it is told, by text and by SHA-1, and no other.
func TestOwnScripts(t *testing.T) {
	const other = "return redis.call('get', KEYS[1])"
	for _, test := range []struct {
		command []string
		want    string // empty: accepted
	}{
		{[]string{"EVAL", redissonLock, "1", "k", "30000", "owner"}, ""},
		{[]string{"EVALSHA", shaOf(redissonLock), "1", "k", "30000", "owner"}, ""},
		{[]string{"evalsha", strings.ToUpper(shaOf(redissonLock)), "1", "k", "30000", "owner"}, ""},
		{[]string{"MULTI", Quote([]string{"EVAL", redissonLock, "1", "k", "30000", "owner"}), "EXEC"}, ""},
		{[]string{"EVAL", redissonLock, "0"}, ""},
		{[]string{"EVAL", redissonLock, "2", "k"}, `"2" is not the number of the script's keys here`},
		{[]string{"EVAL", redissonLock, "-1"}, `"-1" is not the number`},
		{[]string{"EVAL", redissonLock, "01", "k"}, `"01" is not the number`},
		{[]string{"EVAL", redissonLock, "1", strings.Repeat("k", 513)}, "argument 3 of EVAL has 513 bytes, more than 512"},
		{[]string{"EVAL", shaOf(redissonLock), "1", "k"}, "EVAL runs only these scripts"},
		{[]string{"EVAL", other, "1", "k"}, "EVAL runs only these scripts"},
		{[]string{"EVALSHA", shaOf(other), "1", "k"}, "EVALSHA runs only these scripts"},
		{[]string{"EVALSHA", redissonLock, "1", "k"}, "EVALSHA runs only these scripts"},
	} {
		got, refusal := CheckOwn(test.command, ownScripts)
		if (refusal == nil) != (test.want == "") || refusal != nil && !strings.HasPrefix(refusal.English, test.want) {
			t.Errorf("%s: %v", Label(test.command), refusal)
		}
		if refusal == nil && test.command[0] != "MULTI" && (got[0] != "EVAL" && got[0] != "eval" || got[1] != redissonLock) {
			t.Errorf("%q", got)
		}
		if _, refusal := Check(test.command); refusal == nil {
			t.Errorf("Check takes %s", Label(test.command))
		}
	}
	if n := (Scripts{}).With(strings.Repeat("-", MaxScript+1)).Len(); n != 0 {
		t.Error("a script of more than MaxScript bytes is taken")
	}
	if first := (Scripts{}).With("return 1"); first.With("return 2").Len() != 2 || first.With("return 1").Len() != 1 || first.Len() != 1 {
		t.Error("With changes the scripts that it is asked of, or counts one twice")
	}
}

// A script replies what it replies in Redis, or its server says why it cannot tell. It may touch keys that its command does not
// name, as on a server that is no cluster.
func TestAScriptRepliesAsInRedisOrNotAtAll(t *testing.T) {
	s := New(1_000_000)
	defer s.Close()
	for _, test := range []struct{ lua, reply, unable, touched string }{
		{"return redis.call('set', KEYS[1], 'v')", "OK", "", ""},
		{"return redis.call('get', KEYS[1])", `"v"`, "", ""},
		{"return redis.call('get', 'other')", "(nil)", "", "other"},
		{"return redis.call('mset', KEYS[1], 'v', 'other', 2)", "OK", "", "other"},
		{"return redis.call('get', 'oth' .. 'er')", `"2"`, "", "other"},
		{"return redis.call('zadd', KEYS[1], 1, 'a')", "", `its script calls "ZADD", which Lockstep does not execute`, ""},
		{"return redis.pcall('zadd', KEYS[1], 1, 'a') and 1", "", `its script calls "ZADD", which Lockstep does not execute`, ""},
		{"return redis.call('flushall')", "", `its script calls "FLUSHALL"`, ""},
		{"return redis.call('multi')", "", `its script calls "MULTI"`, ""},
		{"return redis.call('eval', 'return 1', 0)", "", `its script calls "EVAL"`, ""},
		{"for i = 1, 1001 do redis.call('get', KEYS[1]) end", "", "its script calls more than 1000 commands", ""},
		{"for i = 1, 65 do redis.call('get', 'k' .. i) end", "", "its script names more than 64 keys that its command does not name", "…"},
		{"return redis.call()", "", "its script fails, and Redis words the error in its own way: :1: Please specify", ""},
		{"return nosuch", "", "its script fails, and Redis words the error in its own way: :16: Script attempted to access nonexistent global variable 'nosuch'", ""},
		{"return nil +", "", "its script fails, and Redis words the error in its own way: <string> at EOF", ""},
		{"error('boom')", "", "its script fails, and Redis words the error in its own way: :1: boom", ""},
		{"return cjson.encode({a = 1, b = 2})", "", "its script uses cjson", ""},
		{"return math.random(9)", "", "its script uses math.random", ""},
		{"for k in pairs({a = 1, b = 2}) do return k end", "", "its script uses pairs", ""},
		{"for i, k in pairs(KEYS) do return k end", `"k"`, "", ""},
		{"return tostring(1 / 3)", "", `its script replies the number "0.3333333333333333"`, ""},
		{"return {1, 2 ^ 53 .. ''}", "", `its script replies the number "9007199254740992"`, ""},
		{"return redis.call('set', KEYS[1], 1 / 3)", "", `its script makes the number "0.3333333333333333"`, ""},
		{"return redis.call('set', KEYS[1], 0.25)", "", `its script makes the number "0.25"`, ""},
		{"return redis.call('set', KEYS[1], '0.25')", "OK", "", ""},
		{"return tonumber('1e3')", "", `its script is given the number "1e3"`, ""},
		{"return tostring(123456789012345)", "", `its script replies the number "123456789012345"`, ""},
		{"redis.setresp(3) return nil", "", "its script uses redis.setresp", ""},
		{"return redis.call('get', 'nothing')", "(nil)", "", "nothing"},
		{"return redis.call('set', KEYS[1], 'v')", "OK", "", ""},
		{"local r = redis.pcall('get') return r", "(error) ERR Wrong number of args calling Redis command from script", "", ""},
		{"return redis.call('del')", "(error) ERR Wrong number of args calling Redis command from script script: eba7b2522352c5aa7dced69eb2e861f8dbb304db, on @user_script:1.", "", ""},
		{"return 1 + \nredis.call('incr', KEYS[1])", "(error) ERR value is not an integer or out of range script: 3e6eb1ab88f9cfbf77ff048923d986210e8be0cb, on @user_script:2.", "", ""},
		{"return redis.pcall('incr', KEYS[1])", "(error) ERR value is not an integer or out of range", "", ""},
		{"return redis.error_reply('BUSY wait')", "(error) BUSY wait", "", ""},
		{"return redis.call('publish', 'anywhere', 'm')", "(integer) 0", "", ""},
		{"return redis.call('hincrby', KEYS[2], 'owner', 2)", "(integer) 2", "", ""},
		{"return redis.call('set', KEYS[1], 'w', 'ifeq', 'v')", "OK", "", ""},
		{"return redis.call('set', KEYS[1], 'x', 'ifeq', 'v')", "(nil)", "", ""},
		{"return redis.pcall('set', KEYS[2], 'x', 'ifeq', 'v')", "(error) WRONGTYPE Operation against a key holding the wrong kind of value", "", ""},
		{"return redis.call('getex', KEYS[1], 'px', 50)", `"w"`, "", ""},
		{"return redis.call('set', KEYS[1], 'x', 'pxat', 1)", "OK", "", ""},
		{"return redis.call('getex', KEYS[1], 'px', 50)", "(nil)", "", ""},
		{"return redis.call('exists', KEYS[1])", "(integer) 0", "", ""},
	} {
		command, refusal := CheckOwn([]string{"EVAL", test.lua, "2", "k", "h"}, Scripts{}.With(test.lua))
		if refusal != nil {
			t.Fatal(refusal)
		}
		got := s.Do(command...).String()
		why := s.Unable()
		switch {
		case test.unable != "" && (why == nil || !strings.HasPrefix(why.English, test.unable) || why.Chinese == ""):
			t.Errorf("%s: %s, because %v, not %s", test.lua, got, why, test.unable)
		case test.unable == "" && (why != nil || got != test.reply):
			t.Errorf("%s: %s, not %s; %v", test.lua, got, test.reply, why)
		case test.touched != "…" && strings.Join(s.Touched(), " ") != test.touched:
			t.Errorf("%s touches %q, not %s", test.lua, s.Touched(), test.touched)
		}
		if s.Do("GET", "k"); s.Unable() != nil || s.Touched() != nil {
			t.Errorf("%s: the next command is told the same", test.lua)
		}
	}
}

// Redisson's lock, twice by its owner, from outside, and given back.
func TestRedissonsLock(t *testing.T) {
	s := New(1_000_000)
	defer s.Close()
	for _, step := range []struct{ line, want string }{
		{"EVALSHA " + shaOf(redissonLock) + " 1 k 30000 A", "(nil)"},
		{"EVALSHA " + shaOf(redissonLock) + " 1 k 30000 A", "(nil)"},
		{"EVALSHA " + shaOf(redissonLock) + " 1 k 30000 B", "(integer) 30000"},
		{"HGETALL k", `["A", "2"]`},
		{"EVALSHA " + shaOf(redissonUnlock) + " 2 k channel 0 30000 B", "(nil)"},
		{"EVALSHA " + shaOf(redissonUnlock) + " 2 k channel 0 30000 A", "(integer) 0"},
		{"EVALSHA " + shaOf(redissonRenew) + " 1 k 9000 A", "(integer) 1"},
		{"PTTL k", "(integer) 9000"},
		{"EVALSHA " + shaOf(redissonUnlock) + " 2 k channel 0 30000 A", "(integer) 1"},
		{"EXISTS k", "(integer) 0"},
	} {
		if got := s.Do(checked(t, step.line)...).String(); got != step.want {
			t.Errorf("%s: %s, not %s", step.line, got, step.want)
		}
	}
}

// A script whose text is not here runs on no node, also where miniredis knows it from another run.
func TestNoNodeRunsAScriptByItsSHA(t *testing.T) {
	s := New(1_000_000)
	defer s.Close()
	s.Do("EVAL", redissonLock, "1", "k", "30000", "owner")
	any := func(string) bool { return true }
	for _, command := range [][]string{
		{"evalsha", strings.ToUpper(shaOf(redissonLock)), "1", "k", "30000", "other"},
		{"MULTI", "EVALSHA " + shaOf(redissonLock) + " 1 k 30000 other", "EXEC"},
	} {
		checked, refusal := CheckRecorded(command, Scripts{}, any)
		if refusal != nil || !Textless(checked) || !RunsOwn(checked) || len(Keys(checked)) != 1 || len(SHAs(checked)) != 1 {
			t.Fatalf("%q: %v", checked, refusal)
		}
		if got := s.Do(checked...).String(); !strings.Contains(got, "NOSCRIPT") {
			t.Errorf("%q: %s", checked, got)
		}
		if own, refusal := CheckRecorded(command, ownScripts, any); refusal != nil || Textless(own) || !RunsOwn(own) {
			t.Errorf("%q: %v", own, refusal)
		}
		for _, known := range []func(string) bool{nil, func(string) bool { return false }} {
			if _, refusal := CheckRecorded(command, Scripts{}, known); refusal == nil {
				t.Errorf("%q is accepted", command)
			}
		}
	}
	for _, command := range [][]string{{"EVALSHA", "dd0a", "0"}, {"EVALSHA", strings.Repeat("g", 40), "0"}, {"EVAL", shaOf(redissonLock), "0"}} {
		if _, refusal := CheckRecorded(command, Scripts{}, any); refusal == nil {
			t.Errorf("%q is accepted", command)
		}
	}
}

// Timed tells the commands whose outcome depends on the time of day from those that only let time pass.
func TestTimed(t *testing.T) {
	s := New(1_000_000)
	defer s.Close()
	for lua, want := range map[string]bool{
		"return redis.call('time')":                               true,
		"return redis.call('set', KEYS[1], 'v', 'pxat', 1001000)": true,
		"return redis.call('expireat', KEYS[1], 1001)":            true,
		"return redis.call('set', KEYS[1], 'v', 'px', 1000)":      false,
		"return redis.call('pttl', KEYS[1])":                      false,
	} {
		if s.Do("EVAL", lua, "1", "k"); s.Timed() != want || s.Timed() {
			t.Errorf("%s: not %v", lua, want)
		}
	}
}

func TestWellFormed(t *testing.T) {
	for raw, want := range map[string]bool{
		"+OK\r\n": true, "+\r\n": true, "-ERR a, b\r\n": true, ":-1\r\n": true, "$-1\r\n": true, "*-1\r\n": true, "$0\r\n\r\n": true,
		"*2\r\n*0\r\n$2\r\n\r\n\r\n": true, "": false, "OK": false, "+OK": false, ":\r\n": false, ":x\r\n": false, "$1\r\nab\r\n": false,
		"$-2\r\n": false, "$9223372036854775807\r\n\r\n": false, "*1\r\n": false, "*1000000000\r\n:1\r\n": false, ":1\r\n:1\r\n": false,
		strings.Repeat("*1\r\n", 32) + ":1\r\n": true, strings.Repeat("*1\r\n", 33) + ":1\r\n": false, "!1\r\n": false, "\r\n": false,
	} {
		if WellFormed(raw) != want {
			t.Errorf("%q: not %v", raw, want)
		}
	}
}
