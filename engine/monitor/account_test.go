package monitor_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/lang"
	"lockstep/engine/monitor"
)

// accounted returns the account of a log.
func accounted(t *testing.T, log string) *monitor.Account {
	t.Helper()
	a, err := monitor.Investigate(strings.NewReader(log))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Each log in testdata/cases has a report beside it, which a person has read and found right.
//
//	go test ./engine/monitor -run Reports -rewrite
func TestReports(t *testing.T) {
	logs, err := filepath.Glob("testdata/cases/*.*")
	if err != nil || len(logs) < 7 {
		t.Fatalf("logs: %v, %v", logs, err)
	}
	for _, file := range logs {
		if strings.HasSuffix(file, ".report") {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			log, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			a := accounted(t, string(log))
			if err := a.WriteText(&got, lang.English); err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(file + ".report")
			if *rewrite {
				err = os.WriteFile(file+".report", got.Bytes(), 0o666)
			} else if err == nil && got.String() != string(want) {
				t.Errorf("run with -rewrite and read the diff; got\n%s", got.String())
			}
			if err != nil {
				t.Fatal(err)
			}
			var machine, page bytes.Buffer
			if err := a.WriteJSON(&machine, lang.Chinese); err != nil || !json.Valid(machine.Bytes()) {
				t.Errorf("%v: %s", err, machine.String())
			}
			if err := a.WriteHTML(&page, lang.Chinese); err != nil || strings.Count(page.String(), "<svg") != strings.Count(page.String(), "</svg>") {
				t.Errorf("%v: %s", err, page.String())
			}
		})
	}
}

// A file that is no log is named for what it is.
func TestOtherFilesAreNamed(t *testing.T) {
	for text, want := range map[string][2]string{
		"":                  {"the log is empty", "日志是空的"},
		"hello secret\n":    {"line 1: this is not what MONITOR prints", "第 1 行：这不是 MONITOR 的输出"},
		"REDIS0011\xfa\x09": {"this is a snapshot of Redis (RDB), and no log of commands", "这是 Redis 的快照（RDB），不是命令日志"},
		"\x1f\x8b\x08":      {"packed by gzip: unpack it with gunzip", "gunzip 解压"},
		"\xd4\xc3\xb2\xa1":  {"network packets (pcap)", "抓包"},
		"# Imported from a MONITOR log. Commands: 6\ndo C1 GET k\n": {"which was imported already: lockstep run takes it", "已经导入好的场景"},
	} {
		_, err := monitor.Investigate(strings.NewReader(text))
		refusal := (*engine.Refusal)(nil)
		if !errors.As(err, &refusal) || !strings.Contains(refusal.Sentence(lang.English), want[0]) || !strings.Contains(refusal.Sentence(lang.Chinese), want[1]) || strings.Contains(refusal.Sentence(lang.English), "secret") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A log that is cut does not show that a lock was used right: the account says so, and gives no figures.
func TestACutLogIsNotJudged(t *testing.T) {
	log := line(0, "a:1", `"set" "lock" "t1" "nx" "px" "5000"`) + line(5_200_000, "b:1", `"set" "lock" "t2" "nx" "px" "5000"`) +
		line(6_400_000, "a:1", `"del" "lock"`) + line(6_600_000, "c:1", `"set" "lock" "t3" "nx" "px" "5000"`)
	var b bytes.Buffer
	if err := accounted(t, log).WriteText(&b, lang.English); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); !strings.Contains(got, "\nNot judged: lock. The log does not show that anybody releases it as its holder.") || !strings.Contains(got, "lock  0   3            3      ?        ?") {
		t.Error(got)
	}
}

// After an error of redis-cli, commands may be missing. Nobody is accused by what was known before.
func TestAnInterruptedLogAccusesNobody(t *testing.T) {
	before := line(0, "a:1", `"set" "lock" "t0" "nx" "px" "300"`) + line(1e5, "a:1", `"del" "lock"`) + line(2e5, "a:1", `"set" "lock" "t1" "nx" "px" "300"`)
	after := line(7e5, "b:1", `"set" "lock" "t2" "nx" "px" "300"`) + line(8e5, "a:1", `"del" "lock"`)
	if found := accounted(t, before+after).Found; found != 2 {
		t.Errorf("found: %d", found)
	}
	a := accounted(t, before+"Error: Server closed the connection\nOK\n"+after)
	var b bytes.Buffer
	if err := a.WriteText(&b, lang.English); err != nil || a.Found != 0 || !strings.Contains(b.String(), "MONITOR was interrupted at line 4: commands may be missing there.") {
		t.Errorf("%v\n%s", err, b.String())
	}
}

// The page draws each finding by itself, and the connections of what was found before the others, which it counts.
func TestThePageDrawsThePartiesFirst(t *testing.T) {
	var log strings.Builder
	for i := range int64(30) {
		from := fmt.Sprintf("10.0.0.%d:1", i+10)
		log.WriteString(line(i*1e6, from, fmt.Sprintf(`"set" "lock" "t%d" "nx" "px" "300"`, i)) + line(i*1e6+1e5, from, `"del" "lock"`))
	}
	log.WriteString(line(40e6, "10.0.0.1:1", `"set" "lock" "one" "nx" "px" "300"`) + line(40.4e6, "10.0.0.2:1", `"set" "lock" "two" "nx" "px" "300"`) + line(40.5e6, "10.0.0.1:1", `"del" "lock"`))
	var page bytes.Buffer
	if err := accounted(t, log.String()).WriteHTML(&page, lang.English); err != nil {
		t.Fatal(err)
	}
	whole := page.String()
	_, chart, _ := strings.Cut(whole, "<h2>lock</h2>")
	if first, _, _ := strings.Cut(chart, "10.0.0.10:1"); !strings.Contains(first, ">10.0.0.1:1<") || !strings.Contains(first, ">10.0.0.2:1<") {
		t.Error("the parties are not first")
	}
	if n := strings.Count(whole, "role=\"img\""); n != 3 || !strings.Contains(chart, "Connections that are not drawn: 8.") || !strings.Contains(chart, "both inside for 100ms") {
		t.Errorf("%d charts\n%s", n, chart)
	}
}
