package monitor_test

import (
	"io"
	"strings"
	"testing"

	"lockstep/engine/lang"
	"lockstep/engine/monitor"
)

// The header of a scenario says when it began and who is in which lane. Where the log's clock jumps, later times would be wrong: then a
// comment alone tells the beginning.
func TestHeaderOfAScenario(t *testing.T) {
	steady := line(0, "10.0.0.7:40990", `"client" "setname" "worker-3"`) + line(1e6, "10.0.0.7:40990", `"set" "lock" "a" "nx" "px" "900"`) + line(15e5+999, "10.0.0.8:1", `"set" "lock" "b" "nx" "px" "900"`)
	const day = int64(86_400e6)
	for _, test := range []struct {
		name, log   string
		redact      bool
		in          lang.Language
		has, hasNot string
	}{
		{"a finding", steady + line(17e5, "10.0.0.7:40990", `"del" "lock"`), false, lang.English, "began 2026-11-24T09:50:36.000Z\nlabel C1 10.0.0.7:40990 worker-3\nlabel C2 10.0.0.8:1\n# Imported", "second 1000"},
		{"redacted", steady + line(17e5, "10.0.0.7:40990", `"del" "lock"`), true, lang.Chinese, "began 2026-11-24T09:50:36.000Z\nlabel C1 connection1 name1\nlabel C2 connection2\n# 导入", "10.0.0"},
		{"markers", line(0, "a:1", `"publish" "lockstep" "enter"`) + line(0, "b:2", `"get" "k"`), false, lang.English, "label C1 a:1\nlabel C2 b:2\n# Imported", "second 1000"},
		{"redacted markers", line(0, "a:1", `"publish" "lockstep" "enter"`) + line(0, "b:2", `"get" "k"`), true, lang.English, "label C1 connection1\nlabel C2 connection2\n# Imported", "a:1"},
		{"a clock that goes back", line(1e6, "a:1", `"get" "k"`) + line(5e5, "a:1", `"get" "k"`), false, lang.English, "# The run begins at second 1000, which is 2026-11-24T09:50:36.000Z on the log's clock.\n", "began"},
		{"a gap of more than a day", line(0, "a:1", `"get" "k"`) + line(2*day, "a:1", `"get" "k"`), false, lang.Chinese, "# 运行从第 1000 秒开始，即日志时钟的 2026-11-24T09:50:35.000Z。\n", "began"},
	} {
		open := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(test.log)), nil }
		log, _, err := monitor.Cut(open, monitor.Window{Options: monitor.Options{Redact: test.redact}})
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		text, _ := ran(t, log, test.in)
		if !strings.Contains(text, test.has) || strings.Contains(text, test.hasNot) {
			t.Errorf("%s: want %q, and no %q in\n%s", test.name, test.has, test.hasNot, text)
		}
	}
}
