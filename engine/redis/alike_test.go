package redis_test

import (
	"strings"
	"testing"

	"lockstep/engine/redis"
)

// A script that is spelled otherwise than a named one is that one; a script that does anything else is none.
func TestScriptsThatAreAlike(t *testing.T) {
	for lua, want := range map[string]string{
		`if redis.call('get',KEYS[1]) == ARGV[1] then return redis.call('del',KEYS[1]) end return 0`:                                       "compare-and-delete",
		"-- give it back\nif redis.call(\"GET\", KEYS[1]) == ARGV[1] then\n  return redis.call(\"DEL\", KEYS[1])\nelse\n  return 0\nend\n": "compare-and-delete",
		"if redis.call('Get', KEYS[1])==ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]); else return 0; end;":                  "compare-and-expire",
		"local token = redis.call('get', KEYS[1]) if not token or token ~= ARGV[1] then return 0 end redis.call('del', KEYS[1]) return 1":  "redis-py-release",
		`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 1`:                                     "",
		`if redis.call("get", KEYS[1]) == ARGV[1] then redis.call("del", KEYS[1]) end return 0`:                                            "",
		`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.pcall("del", KEYS[1]) end return 0`:                                    "",
		`if redis.call("get", KEYS[1]) ~= ARGV[1] then return redis.call("del", KEYS[1]) else return 0 end`:                                "",
		`if redis.call("get", KEYS[1]) == ARGV[2] then return redis.call("del", KEYS[1]) else return 0 end`:                                "",
		`if redis.call("get", KEYS[1]) == argv[1] then return redis.call("del", KEYS[1]) else return 0 end`:                                "",
		`if redis.call("get", KEYS[1]) == ARGV[1] then if 1 then return redis.call("del", KEYS[1]) end end return 0`:                       "",
		"if redis.call(\"get\", KEYS[1]) == ARGV[1] then return redis.call(\"del\", KEYS[1]) --[[ else ]] end return 0":                    "",
		`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) else return 0 end redis.call("del", KEYS[2])`:     "",
		`return redis.call("del", KEYS[1])`: "",
		"":                                  "",
		strings.Repeat(" ", redis.MaxScript) + `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) else return 0 end`: "",
	} {
		text, ok := redis.Alike(lua)
		if got := redis.ScriptName(text); got != want || ok != (want != "") {
			t.Errorf("%s\nis like %q, want %q", lua, got, want)
		}
	}
}
