package engine_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/lang"
)

// incident comes from the log of a real Redis: the header says when it began, and who the clients are.
const incident = `began 2026-11-27T23:59:59.133Z
label C1 10.0.0.7:40990 worker-3
label C2 10.0.0.8:40991 "worker-#4"
do C1 SET lock a NX PX 800
tick 852ms
do C2 SET lock b NX PX 800
enter C2
tick 1s
`

// The header changes nothing but how times and clients are told.
func TestWallTimeAndLabels(t *testing.T) {
	scenario, err := engine.Parse("incident.lock", incident, nil)
	if err != nil {
		t.Fatal(err)
	}
	if scenario.String() != incident {
		t.Errorf("written again it is\n%s", scenario)
	}
	trace, err := scenario.Play("incident.lock")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		in   lang.Language
		want string
	}{
		{lang.English, `The run begins at 2026-11-27T23:59:59.133Z. Times are in UTC.
   1       23:59:59.133  C1       C1 (10.0.0.7:40990 worker-3) connects; it runs no program.
   2       23:59:59.133  C1       C1 sends SET lock a NX PX 800.
   3       23:59:59.133  redis    Redis executes #1, SET lock a NX PX 800 from C1: lock was free and is now a.
   4       23:59:59.133  redis    Redis answers C1: OK.
   5       23:59:59.133  C1       C1 receives OK for SET lock a NX PX 800.
   6       23:59:59.933  -        800 ms pass: it is 23:59:59.933.
   7       23:59:59.933  redis    lock has reached its expiry and is gone; it held a, written by C1.
   8       23:59:59.985  -        52 ms pass: it is 23:59:59.985.
   9       23:59:59.985  C2       C2 (10.0.0.8:40991 worker-#4) connects; it runs no program.
  10       23:59:59.985  C2       C2 sends SET lock b NX PX 800.
  11       23:59:59.985  redis    Redis executes #2, SET lock b NX PX 800 from C2: lock was free and is now b.
  12       23:59:59.985  redis    Redis answers C2: OK.
  13       23:59:59.985  C2       C2 receives OK for SET lock b NX PX 800.
  14       23:59:59.985  C2       C2 is in the critical section and believes that it holds the lock until 11-28 00:00:00.785.
  15 11-28 00:00:00.785  -        800 ms pass: it is 11-28 00:00:00.785.
  16 11-28 00:00:00.785  redis    lock has reached its expiry and is gone; it held b, written by C2.
  17 11-28 00:00:00.785  C2       C2 is still in the critical section, but by its own clock its lease has run out.
  18 11-28 00:00:00.985  -        200 ms pass: it is 11-28 00:00:00.985.
`},
		{lang.Chinese, `运行从 2026-11-27T23:59:59.133Z 开始。时刻均为 UTC。
   1       23:59:59.133  C1       C1（10.0.0.7:40990 worker-3）连接；它不运行程序。
`},
	} {
		var b bytes.Buffer
		if err := trace.WriteText(&b, test.in); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(b.String(), test.want) {
			t.Errorf("got\n%s\nwant\n%s", b.String(), test.want)
		}
	}
	events := trace.Run.World().Events()
	first, _ := json.Marshal(events[0])
	second, _ := json.Marshal(events[1])
	if !strings.Contains(string(first), `"label":"10.0.0.7:40990 worker-3"`) || !strings.Contains(string(first), `"began":1795823999133`) || strings.Contains(string(second), "began") {
		t.Errorf("%s\n%s", first, second)
	}
}

// A violation tells times as every other sentence of its run does.
func TestAWaitIsToldByTheWallClock(t *testing.T) {
	scenario, err := engine.Parse("wait.lock", `program set-px timeout=4s retry=10s within=5s
began 2026-11-27T21:54:07.133Z
spawn C1 C2
step C1 C2
tick 6s
`, nil)
	if err != nil {
		t.Fatal(err)
	}
	trace, err := scenario.Play("wait.lock", check.All()...)
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, v := range trace.Run.World().Violations() {
		told = append(told, v.English, v.Chinese)
	}
	want := []string{
		"C2 has waited for the lock since 21:54:07.133, for more than 5 s: it sleeps until 21:54:17.133",
		"C2 从 21:54:07.133 起一直在等锁，已超过 5 秒：它要休眠到 21:54:17.133",
	}
	if !slices.Equal(told, want) {
		t.Errorf("%q", told)
	}
}

// A label has at most 64 characters of any script, and each client one.
func TestBoundsOnLabels(t *testing.T) {
	clients := make([]string, engine.MaxClients)
	for i := range clients {
		clients[i] = fmt.Sprintf("label C%d %s\n", i+1, strings.Repeat("锁", engine.MaxLabel))
	}
	full := strings.Join(clients, "")
	scenario, err := engine.Parse("full.lock", full, nil)
	if err != nil || scenario.String() != strings.ReplaceAll(strings.ReplaceAll(full, " 锁", ` "锁`), "锁\n", "锁\"\n") {
		t.Fatalf("%v\n%s", err, scenario)
	}
	for _, test := range []struct{ text, english, chinese string }{
		{full + "label D1 x", "a scenario has at most 16 labels", "场景文本至多有 16 个标签"},
		{"label C1 " + strings.Repeat("x", 65), "1:10: a label has 1 to 64 characters; this one has 65", "标签有 1 到 64 个字符；这一个有 65 个"},
		{`label C1 ""`, "1:10: a label has 1 to 64 characters; this one has 0", "标签有 1 到 64 个字符；这一个有 0 个"},
		{`label C1 "\x1b[31m"`, "1:10: a label has printable characters only", "标签只能有可打印的字符"},
		{`label C1 "\u202e"`, "1:10: a label has printable characters only", "标签只能有可打印的字符"},
		{`label C1 "\xff"`, "1:10: a label has printable characters only", "标签只能有可打印的字符"},
		{"label C1 x\nlabel C1 y", "2:7: C1 has a label already", "C1 已经有标签了"},
		{"label C1", "1:1: label needs a client and who it is, such as label C1 10.0.0.7:40990 worker-3", "label 后面应是客户端和它的身份，如 label C1 10.0.0.7:40990 worker-3"},
		{"label 10.0.0.7:1 x", "1:1: label needs a client and who it is", "label 后面应是客户端和它的身份"},
		{"tick 1s\nlabel C1 x", "2:1: label must stand before the first action", "label 要写在第一个动作之前"},
		{"began", "1:1: began needs a time, such as 2026-11-27T21:54:07.133Z", "began 后面应是一个时刻，如 2026-11-27T21:54:07.133Z"},
		{"began 2026-11-27T21:54:07Z\nbegan 2026-11-27T21:54:07Z", "2:1: there is a began line already", "已经有 began 行了"},
		{"began 21:54:07", `1:7: "21:54:07" is not a wall time in whole milliseconds after 1970, such as 2026-11-27T21:54:07.133Z`, `"21:54:07" 不是 1970 年之后、以整毫秒计的时刻，如 2026-11-27T21:54:07.133Z`},
		{"began 2026-11-27T21:54:07.1335Z", "is not a wall time in whole milliseconds after 1970", "以整毫秒计的时刻"},
		{"began 1969-11-27T21:54:07Z", "is not a wall time in whole milliseconds after 1970", "以整毫秒计的时刻"},
	} {
		_, err := engine.Parse("bad.lock", test.text, nil)
		problem, ok := err.(*engine.Problem)
		if !ok || !strings.Contains(problem.Error(), test.english) || !strings.Contains(problem.Sentence(lang.Chinese), test.chinese) {
			t.Errorf("%s\ngot  %v\nwant %s, %s", test.text, err, test.english, test.chinese)
		}
	}
}

// A wall time may be written in any zone; it is kept in UTC. What a log says of a client is made a label.
func TestWallTimeAndLabelsAreMadeCanonical(t *testing.T) {
	scenario, err := engine.Parse("zone.lock", "label C1   worker 3\nbegan 2026-11-28T05:54:07+08:00\n", nil)
	if want := "began 2026-11-27T21:54:07.000Z\nlabel C1 worker 3\n"; err != nil || scenario.String() != want {
		t.Errorf("%v\n%s", err, scenario)
	}
	for text, want := range map[string]string{
		"10.0.0.7:1 a\nb\x1b\u202e\xff ": "10.0.0.7:1 a b???",
		strings.Repeat("x", 65):          strings.Repeat("x", 63) + "…",
		strings.Repeat("x", 64):          strings.Repeat("x", 64),
	} {
		if got := engine.LabelOf(text); got != want {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}
