package cli_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lockstep/engine/cli"
	"lockstep/engine/lang"
)

// nodesOf returns --node for logs in a directory of engine/monitor/testdata/nodes.
func nodesOf(names ...string) (all []string) {
	for i, name := range names {
		all = append(all, string(rune('A'+i))+"=../monitor/testdata/nodes/"+name)
	}
	return all
}

// What cannot be the logs of the nodes of one Redlock is refused, in both languages, before a log is opened.
func TestNodesAreRefused(t *testing.T) {
	for _, test := range []struct {
		form             cli.Import
		english, chinese string
	}{
		{cli.Import{}, "import needs a log, or the logs of several nodes", "import 需要一份日志，或多个节点的日志"},
		{cli.Import{File: "one.log", Node: []string{"A=a.log", "B=b.log"}}, "give either one log or --node for each node, not both: one.log", "不能两者都有：one.log"},
		{cli.Import{Node: []string{"A=a.log"}}, "a majority needs several nodes", "多数需要多个节点"},
		{cli.Import{Node: []string{"A=a.log", "B=b.log", "A=c.log"}}, "two nodes are called A", "有两个节点都叫 A"},
		{cli.Import{Node: []string{"A=a.log", "b.log"}}, "--node takes a name and a log, such as A=one.log: b.log", "--node 的写法是名字加日志，例如 A=one.log：b.log"},
		{cli.Import{Node: []string{"A=a.log", "B="}}, "--node takes a name and a log", "--node 的写法是名字加日志"},
		{cli.Import{Node: []string{"A=a.log", "<b>=b.log"}}, "--node takes a name and a log", "--node 的写法是名字加日志"},
		{cli.Import{Node: []string{"A=a.log", "B=-"}}, "not standard input: B=-", "不能是标准输入：B=-"},
		{cli.Import{Node: strings.Fields("a=1 b=2 c=3 d=4 e=5 f=6 g=7 h=8 i=9 j=10")}, "there are 10 nodes; a Redlock has at most 9 here", "节点有 10 个；这里的 Redlock 至多 9 个"},
		{cli.Import{Node: []string{"A=a.log", "B=b.log"}, Lines: "1:2"}, "with --node, --around chooses a time", "有 --node 时，请用 --around 选取时刻"},
		{cli.Import{Node: []string{"A=a.log", "B=b.log"}, Report: true, Around: "09:00"}, "--around chooses a scenario; a report takes --key and --db", "报告请用 --key 和 --db"},
	} {
		for _, in := range []lang.Language{lang.English, lang.Chinese} {
			want := test.english
			if in == lang.Chinese {
				want = test.chinese
			}
			h, out := host("")
			h.Language = in
			form := test.form
			if err := form.Run(h); err == nil || !strings.Contains(err.Error(), want) || cli.ExitCode(err) != cli.ExitMalformed || out.Len() > 0 {
				t.Errorf("%+v: %v, not %q", test.form, err, want)
			}
		}
	}
}

// A report of several nodes ends with 1 where something was found, and names the node of each line.
func TestNodesReport(t *testing.T) {
	for _, form := range []cli.Import{{Report: true}, {JSON: true}, {HTML: true}, {Report: true, Redact: true}} {
		form.Node = nodesOf("restart-a.log", "restart-b.log", "restart-c.log")
		h, out := host("")
		if err := form.Run(h); cli.ExitCode(err) != cli.ExitUnmet || !strings.Contains(out.String(), "both had a majority of the 3 nodes") || !strings.Contains(out.String(), "Node B granted it to both: to the first at line") || form.Redact == strings.Contains(out.String(), "lock:order") {
			t.Errorf("%+v: %v\n%s", form, err, out)
		}
		form.Node = nodesOf("right-a.log", "right-b.log", "right-c.log")
		h, out = host("")
		if err := form.Run(h); err != nil || !strings.Contains(out.String(), "Node B: ") {
			t.Errorf("%+v: %v\n%s", form, err, out)
		}
		if form.JSON != strings.Contains(out.String(), `"found": 0`) || !form.JSON && !strings.Contains(out.String(), "Nothing was found that the logs prove.") {
			t.Errorf("%+v: %s", form, out)
		}
	}
	form := cli.Import{Report: true, Node: nodesOf("restart-a.log", "restart-b.log", "restart-c.log"), Key: []string{"other"}}
	h, out := host("")
	if err := form.Run(h); err != nil || !strings.Contains(out.String(), "Nobody asked a majority of the nodes for a lock among the keys and databases that you chose.") {
		t.Errorf("%v\n%s", err, out)
	}
}

// A log that cannot be read is named by its file, and one that is none by its node.
func TestNodesThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "good.log"), filepath.Join(dir, "bad.log")
	for file, text := range map[string]string{good: `1795513835.000000 [0 a:1] "set" "lock" "t" "nx" "px" "300"` + "\n", bad: "hello\n"} {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	h, _ := host("")
	if err := (&cli.Import{Report: true, Node: []string{"A=" + good, "B=" + bad}}).Run(h); err == nil || !strings.Contains(err.Error(), "node B: line 1: this is not what MONITOR prints") {
		t.Error(err)
	}
	if err := (&cli.Import{Report: true, Node: []string{"A=" + good, "B=" + filepath.Join(dir, "none.log")}}).Run(h); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// The scenario that import prints of several nodes is one that run takes, and run draws the overlap of the report.
func TestNodesImportAndRun(t *testing.T) {
	h, scenario := host("")
	if err := (&cli.Import{Node: nodesOf("restart-a.log", "restart-b.log", "restart-c.log"), Key: []string{"lock:order:1"}}).Run(h); err != nil {
		t.Fatal(err)
	}
	h, events := host(scenario.String())
	if err := (&cli.Run{File: "-"}).Run(h); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(events.String(), "C1 and C3 are both in the critical section. Cause: Redis 2 crashes; its data is lost.") || !strings.Contains(events.String(), "Redis 3 executes") {
		t.Error(events)
	}
}
