package monitor_test

import (
	"crypto/sha1"
	"fmt"
	"strings"
	"testing"

	"lockstep/engine/lang"
	"lockstep/engine/monitor"
)

// A release by EVALSHA is one call where the log has the script's text and Lockstep knows what it does. Where the text is not there, or is
// another one, what the script did stands in its place. An EVALSHA by which nothing follows has not run.
func TestAReleaseByEVALSHAIsOneCall(t *testing.T) {
	const release = `if redis.call('get',KEYS[1]) == ARGV[1] then return redis.call('del',KEYS[1]) end return 0`
	const other = `if redis.call('get',KEYS[1]) == ARGV[1] then redis.call('del',KEYS[1]) return 7 end return 0`
	sha := func(text string) string { return fmt.Sprintf("%x", sha1.Sum([]byte(text))) }
	log := func(text, learned string) string {
		return line(0, "b:1", `"ping"`) + learned + line(1e6, "a:1", `"set" "lock" "one" "nx" "px" "900"`) + line(2e6, "b:1", `"set" "lock" "two" "nx" "px" "900"`) +
			line(22e5, "a:1", `"evalsha" "`+sha(text)+`" "1" "lock" "one"`) + line(22e5, "lua", `"get" "lock"`) +
			line(23e5, "b:1", `"evalsha" "`+strings.ToUpper(sha(text))+`" "1" "lock" "two"`) + line(23e5, "lua", `"get" "lock"`) + line(23e5, "lua", `"del" "lock"`)
	}
	for _, test := range []struct{ name, log, has, hasNot string }{
		{"loaded before the part that the scenario has", log(release, line(5e5, "a:1", `"script" "load" "`+release+`"`)), "do C1 EVAL compare-and-delete 1 lock one # line 5\n", "DEL"},
		{"sent as EVAL before", log(release, line(5e5, "a:1", `"eval" "`+release+`" "1" "x" "y"`)+line(5e5, "lua", `"get" "x"`)), "do C2 EVAL compare-and-delete 1 lock two # line 8\n", "DEL"},
		{"its text is not there", log(release, ""), "do C2 GET lock           # line 7, by the script of line 6\ndo C2 DEL lock           # line 8, by the script of line 6\n", "EVAL"},
		{"it does something else", log(other, line(5e5, "a:1", `"script" "load" "`+other+`"`)), "do C2 DEL lock           # line 9, by the script of line 7\n", "EVAL"},
		{"it has not run", strings.Replace(log(release, line(5e5, "a:1", `"script" "load" "`+release+`"`)), line(22e5, "lua", `"get" "lock"`), "", 1), "EVAL compare-and-delete 1 lock two # line 6", "lock one # line 5"},
	} {
		scenario, _ := window(t, test.log, monitor.Window{})
		if !strings.Contains(scenario, test.has) || strings.Contains(scenario, test.hasNot) {
			t.Errorf("%s: want %q, and no %q in\n%s", test.name, test.has, test.hasNot, scenario)
		}
	}
	text, _ := imported(t, strings.NewReader(log(release, line(5e5, "a:1", `"script" "load" "`+release+`"`))), monitor.Options{Redact: true}, lang.Chinese)
	for _, want := range []string{"# 与 Lockstep 已知的脚本只有写法不同的调用有 2 次：用已知的脚本代替，作用相同。", "EVAL compare-and-delete 1 key1 value1"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}
