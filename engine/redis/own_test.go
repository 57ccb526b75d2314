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

// A script executes the commands of the allow-list on the keys that it names: the copy of a node has no other keys, and
// keeps nothing but strings and hashes.
func TestAScriptTouchesTheKeysThatItNames(t *testing.T) {
	s := New(1_000_000)
	defer s.Close()
	for _, test := range []struct{ lua, want string }{
		{"return redis.call('set', KEYS[1], 'v')", "OK"},
		{"return redis.call('get', KEYS[1])", `"v"`},
		{"return redis.call('get', 'other')", "key that it does not name: other"},
		{"return redis.call('mset', KEYS[1], 1, 'other', 2)", "key that it does not name: other"},
		{"return redis.call('lpush', KEYS[1], 1)", "not allowed from script here: lpush"},
		{"return redis.call('flushall')", "not allowed from script here: flushall"},
		{"return redis.call('multi')", "not allowed from script here: multi"},
		{"return redis.call('eval', 'return 1', 0)", "not allowed from script here: eval"},
		{"return redis.call()", "(error)"},
		{"return redis.call('del')", "wrong number of arguments"},
		{"local r = redis.pcall('get', 'other') return r.err ~= nil", "(integer) 1"},
		{"return redis.call('publish', 'anywhere', 'm')", "(integer) 0"},
		{"return redis.call('hincrby', KEYS[2], 'owner', 2)", "(integer) 2"},
		{"return redis.call('set', KEYS[1], 'w', 'ifeq', 'v')", "OK"},
		{"return redis.call('set', KEYS[1], 'x', 'ifeq', 'v')", "(nil)"},
		{"return redis.call('set', KEYS[2], 'x', 'ifeq', 'v')", "WRONGTYPE"},
		{"return redis.call('getex', KEYS[1], 'px', 50)", `"w"`},
		{"return redis.call('set', KEYS[1], 'x', 'pxat', 1)", "OK"},
		{"return redis.call('getex', KEYS[1], 'px', 50)", "(nil)"},
		{"return redis.call('exists', KEYS[1])", "(integer) 0"},
	} {
		command, refusal := CheckOwn([]string{"EVAL", test.lua, "2", "k", "h"}, Scripts{}.With(test.lua))
		if refusal != nil {
			t.Fatal(refusal)
		}
		if got := s.Do(command...).String(); !strings.Contains(got, test.want) {
			t.Errorf("%s: %s, not %s", test.lua, got, test.want)
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
