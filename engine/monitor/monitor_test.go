package monitor_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/lang"
	"lockstep/engine/monitor"
)

var rewrite = flag.Bool("rewrite", false, "write the scenarios in testdata again")

// imported returns the scenario of a log as text, without the numbers of its lines, and what lockstep run prints for it.
func imported(t *testing.T, in io.Reader, o monitor.Options, language lang.Language) (text, events string) {
	t.Helper()
	log, err := monitor.Read(in, o)
	if err != nil {
		t.Fatal(err)
	}
	text, events = ran(t, log, language)
	return numbers.ReplaceAllString(text, "$1"), events
}

var numbers = regexp.MustCompile(`(?m) +# line \d+$| +# 第 \d+ 行$|(# |: )(?:line \d+; |第 \d+ 行；)`)

// play runs a scenario under all properties. The caller closes its world.
func play(t testing.TB, text string) *engine.Trace {
	t.Helper()
	scenario, err := engine.Parse("imported", text, nil)
	if err != nil {
		t.Fatalf("the scenario does not parse: %v\n%.2000s", err, text)
	}
	trace, err := scenario.Play("imported", check.All()...)
	if err != nil {
		t.Fatalf("the scenario does not run: %v\n%.2000s", err, text)
	}
	return trace
}

// ran returns a log's scenario as text, and what lockstep run prints for it.
func ran(t *testing.T, log *monitor.Log, language lang.Language) (text, events string) {
	t.Helper()
	text = log.Scenario(language).String()
	if len(text) > engine.MaxText {
		t.Errorf("the scenario has %d bytes", len(text))
	}
	trace := play(t, text)
	defer trace.Run.World().Close()
	var b bytes.Buffer
	if err := trace.WriteText(&b, language); err != nil {
		t.Fatal(err)
	}
	return text, b.String()
}

// Each log in testdata is what redis-cli MONITOR printed before a real redis-server 7.0.15, or what lockstep record wrote
// before it (own-release, own-scripts), and gives a scenario and its events. late-del is an incident: C1 overstays its TTL, its DEL removes the lock of C2, and C2's the lock of C3.
//
//	go test ./engine/monitor -run Logs -rewrite
func TestLogs(t *testing.T) {
	logs, err := filepath.Glob("testdata/*.log")
	if err != nil || len(logs) < 6 {
		t.Fatalf("logs: %v, %v", logs, err)
	}
	for _, file := range logs {
		for _, form := range []struct {
			name string
			o    monitor.Options
			in   lang.Language
		}{{".lock", monitor.Options{}, lang.English}, {".redacted.lock", monitor.Options{Redact: true}, lang.Chinese}} {
			name := strings.TrimSuffix(file, ".log") + form.name
			t.Run(filepath.Base(name), func(t *testing.T) {
				log, _, err := monitor.Cut(func() (io.ReadCloser, error) { return os.Open(file) }, monitor.Window{Options: form.o})
				if err != nil {
					t.Fatal(err)
				}
				text, events := ran(t, log, form.in)
				got := text + "\n" + "# lockstep run prints:\n" + comment(events)
				want, err := os.ReadFile(name)
				if *rewrite {
					err = os.WriteFile(name, []byte(got), 0o666)
				} else if err == nil && got != string(want) {
					t.Errorf("run with -rewrite and read the diff; got\n%s", got)
				}
				if err != nil {
					t.Fatal(err)
				}
				if strings.Contains(got, "hunter2") || form.o.Redact && strings.Contains(got, "orders") {
					t.Errorf("a secret is told:\n%s", got)
				}
			})
		}
	}
}

func comment(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString("#>" + line)
	}
	return b.String()
}

// line returns a line as MONITOR prints it, at a time in µs after the log began.
func line(after int64, from, command string) string {
	at := 1_795_513_835_000_000 + after
	return fmt.Sprintf("%d.%06d [0 %s] %s\n", at/1e6, at%1e6, from, command)
}

func TestViolationsOfTheIncident(t *testing.T) {
	log, err := os.Open("testdata/late-del.log")
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	_, events := imported(t, log, monitor.Options{}, lang.English)
	for _, want := range []string{
		"C1 and C2 are both in the critical section. Cause: lock:orders has reached its expiry",
		"C1 has deleted C2's lock. Cause: Redis executes #3, DEL lock:orders from C1",
		"C2 and C3 are both in the critical section, and both believe that they hold the lock. Cause: Redis executes #3, DEL lock:orders from C1",
		"C2 has deleted C3's lock.",
	} {
		if !strings.Contains(events, want) {
			t.Errorf("%q does not occur in\n%s", want, events)
		}
	}
}

// The ticks of a scenario add up to the time of the log, to the millisecond.
func TestTimeDoesNotDrift(t *testing.T) {
	var log strings.Builder
	for i := range int64(500) {
		log.WriteString(line(i*1_733, "127.0.0.1:1", `"get" "k"`)) // 1.733 ms each
	}
	text, _ := imported(t, strings.NewReader(log.String()), monitor.Options{}, lang.English)
	scenario, _ := engine.Parse("s", text, nil)
	sum := engine.Time(0)
	for _, a := range scenario.Actions() {
		sum += a.Time
	}
	if want := engine.Time(499 * 1_733 / 1000); sum != want {
		t.Errorf("%d ms pass, not %d", sum, want)
	}
}

// Read leaves out all that a scenario cannot hold, and the scenario says so.
func TestLeftOut(t *testing.T) {
	many := ""
	for i := range 20 {
		many += line(int64(i), fmt.Sprintf("127.0.0.1:%d", i), `"get" "k"`)
	}
	for _, test := range []struct {
		name, log, english, chinese string
	}{
		{"lanes", many, "Left out: commands of further connections (4). A run has at most 16 lanes.", "略去：其余连接的 4 条命令。一次运行至多有 16 条泳道。"},
		{"a database", line(0, "a:1", `"get" "k"`) + strings.Replace(line(1, "a:1", `"get" "k"`), "[0", "[3", 1), "Left out: commands of other databases (1).", "略去：其他数据库的 1 条命令。"},
		{"commands", line(0, "a:1", `"get" "k"`) + line(1, "a:1", `"lpush" "h" "v"`), "Left out: commands that a scenario cannot have (1): LPUSH 1.", "略去：场景里不能有的 1 条命令：LPUSH 1。"},
		{"a name that is none", line(0, "a:1", `"get" "k"`) + line(1, "a:1", `"my password 1" "x"`), "(1): … 1.", "1 条命令：… 1。"},
		{"a long line", line(0, "a:1", `"get" "k"`) + line(1, "a:1", `"set" "k" "`+strings.Repeat("x", 70_000)+`"`), "Left out: lines that are too long (1). A line has at most 64 KB.", "略去：超过 64 KB 的 1 行。"},
		{"a line that is cut", line(0, "a:1", `"get" "k"`) + `1795513835.0001 [0 a`, "The last line of the log is not complete, and left out.", "日志的最后一行不完整，已略去。"},
		{"a clock that goes back", line(5e6, "a:1", `"get" "k"`) + line(0, "a:1", `"get" "k"`), "The clock of the log goes back (1), first at line 2", "日志的时钟倒退了 1 次，最早在第 2 行"},
		{"a long gap", line(0, "a:1", `"get" "k"`) + line(200_000e6, "a:1", `"get" "k"`), "Gaps of more than a day are cut to a day (1), the first before line 2.", "有 1 处间隔超过一天，都截为一天，最早在第 2 行之前。"},
		{"a line of another file", line(0, "a:1", `"get" "k"`) + "secret\n" + line(1, "a:1", `"get" "k"`), "Left out: lines that are no command (1): line 2.", "略去：不是命令的 1 行：第 2 行。"},
		{"two records on one line", strings.TrimSpace(line(0, "a:1", `"get" "k"`)) + line(1, "a:1", `"get" "k"`), "Two commands on one line, read as two (1): line 1.", "一行里有两条命令，按两条读入（1 处）：第 1 行。"},
		{"markers", line(0, "a:1", `"publish" "lockstep" "leave"`) + line(1, "a:1", `"get" "k"`), "Left out: markers that fit nowhere, because their client is inside already or is not inside (1).", "略去：无处可用的 1 个标记"},
		{"binary", line(0, "a:1", `"set" "k" "\xff\x00"`), "Arguments that are binary or very long have names: binary1, binary2 …", "二进制的和很长的参数改用名字：binary1、binary2……"},
		{"a script without a trace", line(0, "a:1", `"get" "k"`) + line(1, "a:1", `"eval" "return 1" "0"`), "(1): EVAL 1.", "1 条命令：EVAL 1。"},
		{"no lock", line(0, "a:1", `"get" "k"`), "Nobody asks for a lock with NX, and the log has no markers", "没有客户端用 NX 获取锁"},
	} {
		for language, want := range map[lang.Language]string{lang.English: test.english, lang.Chinese: test.chinese} {
			if text, _ := imported(t, strings.NewReader(test.log), monitor.Options{}, language); !strings.Contains(text, want) {
				t.Errorf("%s: %q does not occur in\n%.1500s", test.name, want, text)
			}
		}
	}
}

// A log that cannot be read gives one sentence in each language, with the line's number, and quotes nothing.
func TestMistakes(t *testing.T) {
	for _, test := range []struct{ name, log, english, chinese string }{
		{"nothing", "", "the log is empty", "日志是空的"},
		{"another file", "hello secret\n", "line 1: this is not what MONITOR prints", "第 1 行：这不是 MONITOR 的输出"},
		{"a quote that does not end", line(0, "a:1", `"get" "secret`), "line 1: this is not", "第 1 行：这不是"},
		{"JSON", `{"secret":1}` + "\n", "line 1: this is not a line of a recording by lockstep record", "第 1 行：这不是 lockstep record 录制的内容"},
		{"a later format", `{"recording":2,"began":1}` + "\n", "line 1: this recording has a format", "第 1 行：当前版本不认识"},
		{"MONITOR in a recording", `{"recording":1,"began":1}` + "\n" + line(0, "a:1", `"get" "secret"`), "Left out: lines that are no command (1): line 2.", "略去：不是命令的 1 行：第 2 行。"},
		{"OK alone", "OK\n", "the log has no command that a scenario can hold", "日志里没有场景可以容纳的命令"},
		{"nothing that a scenario has", "OK\n" + line(0, "a:1", `"lpush" "secret" "v"`), "the log has no command that a scenario can hold. Left out: commands that a scenario cannot have (1): LPUSH 1.", "略去：场景里不能有的 1 条命令：LPUSH 1。"},
	} {
		_, err := monitor.Read(strings.NewReader(test.log), monitor.Options{})
		refusal := (*engine.Refusal)(nil)
		if !errors.As(err, &refusal) {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		for language, want := range map[lang.Language]string{lang.English: test.english, lang.Chinese: test.chinese} {
			if got := refusal.Sentence(language); !strings.Contains(got, want) || strings.Contains(got, "secret") {
				t.Errorf("%s: %s, not %s", test.name, got, want)
			}
		}
	}
}

// A log that is longer than a run ends at a bound, whichever comes first, and the scenario says where.
func TestCutAtTheBound(t *testing.T) {
	for _, command := range []string{`"get" "k"`, `"set" "k" "` + strings.Repeat("x", 500) + `"`, `"publish" "lockstep" "enter"`} {
		var log strings.Builder
		for i := range int64(10_000) {
			log.WriteString(line(i*10_000, fmt.Sprintf("a:%d", i%3), command))
		}
		log.WriteString(line(1e12, "a:1", `"get" "k"`))
		text, events := imported(t, strings.NewReader(log.String()), monitor.Options{}, lang.English)
		if !strings.Contains(text, "the log is cut before line") {
			t.Errorf("%.30s: nothing is cut\n%.1500s", command, text)
		}
		t.Logf("%.30s: %d lines of a scenario, %d bytes, %d events", command, strings.Count(text, "\n"), len(text), strings.Count(events, "\n"))
	}
}

// --key keeps what is about a key, so that the lock is not lost among all other commands.
func TestOneKey(t *testing.T) {
	var log strings.Builder
	for i := range int64(20_000) {
		log.WriteString(line(i*100, fmt.Sprintf("a:%d", i%40), fmt.Sprintf(`"set" "cache:%d" "v"`, i)))
	}
	log.WriteString(line(21e5, "b:1", `"set" "lock" "t" "nx" "px" "10000"`) + line(22e5, "b:1", `"eval" "return redis.call('del',KEYS[1])" "1" "lock"`) + line(22e5, "lua", `"del" "lock"`))
	text, _ := imported(t, strings.NewReader(log.String()), monitor.Options{Keys: []string{"lock"}}, lang.English)
	if want := "do C1 SET lock t nx px 10000\nenter C1                 # a guess: it was granted lock\ntick 100ms\nleave C1\ndo C1 DEL lock           # line 20003, by the script of line 20002\n"; !strings.HasSuffix(text, want) {
		t.Errorf("got\n%s\nwant at its end\n%s", text, want)
	}
}

// A deadline is on the clock of the run.
func TestDeadlines(t *testing.T) {
	log := line(0, "a:1", `"set" "k" "v" "exat" "1795513845"`) + line(1e6, "a:1", `"expireat" "k" "1795513846"`) + line(1e6, "a:1", `"pexpireat" "k" "1795513846500"`)
	text, events := imported(t, strings.NewReader(log), monitor.Options{}, lang.English)
	for _, want := range []string{"do C1 SET k v PXAT 1010000\n", "do C1 PEXPIREAT k 1011000\n", "do C1 PEXPIREAT k 1011500\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q does not occur in\n%s", want, text)
		}
	}
	if !strings.Contains(events, "k now expires at 09:50:46.500") {
		t.Error(events)
	}
}

// stream gives a log of many lines without holding it.
type stream struct {
	text string
	left int
	rest string
}

func (s *stream) Read(p []byte) (int, error) {
	if s.rest == "" {
		if s.left == 0 {
			return 0, io.EOF
		}
		s.left--
		s.rest = s.text
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

// A log of any length takes the memory of what a scenario holds.
func TestMemoryIsBounded(t *testing.T) {
	lines := ""
	for i := range int64(1000) {
		lines += line(i, "a:1", fmt.Sprintf(`"lpush" "user:%d" "name" "%s"`, i, strings.Repeat("x", 60)))
	}
	const megabytes = 100
	in := &stream{text: lines, left: megabytes << 20 / len(lines), rest: line(0, "a:1", `"get" "k"`)}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	log, err := monitor.Read(in, monitor.Options{Redact: true})
	if err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if kept := int64(after.HeapAlloc) - int64(before.HeapAlloc); kept > 4<<20 || log.Lines < 1000*in.left {
		t.Errorf("%d lines keep %d bytes", log.Lines, kept)
	}
	if refused := log.Refused["LPUSH"]; refused != log.Lines-1 {
		t.Errorf("%d of %d lines are counted", refused, log.Lines)
	}
}

func BenchmarkRead(b *testing.B) {
	text := line(0, "a:1", `"lpush" "user:1" "name" "`+strings.Repeat("x", 60)+`"`)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	in := &stream{text: text, left: b.N, rest: line(0, "a:1", `"get" "k"`)}
	if _, err := monitor.Read(in, monitor.Options{}); err != nil {
		b.Fatal(err)
	}
}

// Any bytes are a log that is refused, or one whose scenario runs.
func FuzzRead(f *testing.F) {
	logs, _ := filepath.Glob("testdata/*.log")
	for _, file := range logs {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text), false)
		f.Add(string(text), true)
	}
	f.Add(`{"recording":1,"began":1795513835000}
{"conn":1,"event":"open","at":5}
{"conn":1,"sent":10,"replied":20,"command":"SET k \"\\xff\" NX","reply":"+OK"}
{"conn":1,"sent":30,"replied":40,"command":"MULTI","reply":"+OK"}
{"conn":1,"sent":30,"replied":40,"command":"DEL k","reply":"+QUEUED"}
{"conn":1,"sent":50,"replied":60,"command":"EXEC","reply":"*1\r\n:1"}
{"conn":1,"event":"close","at":70}
`, true)
	f.Fuzz(func(t *testing.T, text string, redact bool) {
		log, err := monitor.Read(strings.NewReader(text), monitor.Options{Redact: redact})
		if err != nil {
			return
		}
		for _, language := range lang.All {
			play(t, log.Scenario(language).String()).Run.World().Close()
		}
	})
}

// Two commands that were under way at the same time are in the order that their replies demand. One that was sent later
// keeps its place, and so does one of the same connection: Redis executes what a pipeline brings in its order.
func TestOrderOfARace(t *testing.T) {
	for _, test := range []struct {
		conn, sent int
		want       string
	}{
		{2, 5, "do C2 SET lock a NX PX 9000\nenter C2                 # a guess: it was granted lock\ndo C1 SET lock b NX PX 9000\n"},
		{2, 25, "do C1 SET lock b NX PX 9000 # recorded: (nil)\n"},
		{1, 5, "do C1 SET lock b NX PX 9000 # recorded: (nil)\n"},
	} {
		text, _ := imported(t, strings.NewReader(fmt.Sprintf(`{"recording":1,"began":1795513835000}
{"conn":1,"sent":5,"replied":20,"command":"SET lock b NX PX 9000","reply":"$-1"}
{"conn":%d,"sent":%d,"replied":1000030,"command":"SET lock a NX PX 9000","reply":"+OK"}
`, test.conn, test.sent)), monitor.Options{}, lang.English)
		if !strings.Contains(text, test.want) {
			t.Errorf("sent by %d at %d: %s\nwant\n%s", test.conn, test.sent, text, test.want)
		}
	}
}

// recorded returns a recording of one command a second, each with its reply, all of them from one connection.
func recorded(commands ...[2]string) string {
	var b strings.Builder
	b.WriteString(`{"recording":1,"began":1795513835000}` + "\n")
	for i, c := range commands {
		record := monitor.Record{Conn: 1, Sent: int64(i)*1e9 + 1, Replied: int64(i)*1e9 + 2, Command: c[0], Reply: c[1]}
		text, _ := json.Marshal(record)
		b.Write(append(text, '\n'))
	}
	return b.String()
}

// A command stands in the place of a script only where the script's text and its reply tell what it did.
func TestScriptsThatAreNotHere(t *testing.T) {
	eval := func(lua string, rest string) string { return monitor.Quote([]string{"EVAL", lua}) + " " + rest }
	for _, test := range []struct{ name, command, reply, want string }{
		{"a release", eval(`if redis.call("get",KEYS[1])==ARGV[1] then return redis.call("del",KEYS[1]) end`, "1 k a"), ":1", "do C1 DEL k              # recorded: EVAL of a script that is not here -> 1"},
		{"one that released nothing", eval(`if redis.call("get",KEYS[1])==ARGV[1] then return redis.call("del",KEYS[1]) end return 0`, "1 k a"), ":0", "# C1: recorded: EVAL of a script that is not here -> 0"},
		{"a count of 1, which may be left", eval(`local n=redis.call("hincrby",KEYS[1],ARGV[1],-1) if n==0 then redis.call("del",KEYS[1]) end return n`, "1 k a"), ":1", "# C1: recorded: EVAL"},
		{"a takeover", eval(`redis.call("del",KEYS[1]) redis.call("set",KEYS[1],ARGV[1]) return 1`, "1 k a"), ":1", "# C1: recorded: EVAL"},
		{"a field of several", eval(`return redis.call("hdel",KEYS[1],ARGV[1])`, "1 k a"), ":1", "# C1: recorded: EVAL"},
		{"another key", eval(`return redis.call("del",KEYS[2])`, "2 k other"), ":1", "# C1: recorded: EVAL"},
		{"a grant", eval(`return redis.call("set",KEYS[1],ARGV[2],"NX","PX",ARGV[1])`, "1 free 500 900"), "+OK", "do C1 SET free 900 NX PX 500 # recorded: EVAL of a script that is not here -> OK"},
		{"a grant in seconds", eval(`if redis.call("setnx",KEYS[1],ARGV[1])==1 then redis.call("expire",KEYS[1],30) return 1 end return 0`, "1 free a"), ":1", "do C1 SET free a NX EX 30 #"},
		{"a lease that is no plain one", eval(`local t,l=ARGV[1],ARGV[2] return redis.call("set",KEYS[1],t,"NX","PX",l)`, "1 free 500 900"), "+OK", "do C1 SET free 500 NX    #"},
		{"a grant that was none", eval(`return redis.call("set",KEYS[1],ARGV[1],"NX")`, "1 k b"), "$-1", "# C1: recorded: EVAL of a script that is not here -> nil"},
		{"a renewal", eval(`if redis.call("get",KEYS[1])==ARGV[1] then return redis.call("pexpire",KEYS[1],ARGV[2]) end return 0`, "1 k a 700"), ":1", "do C1 PEXPIRE k 700      #"},
		{"a text that nobody knows", "EVALSHA 0123456789012345678901234567890123456789 1 k a", ":1", "# C1: recorded: EVALSHA of a script that is not here -> 1"},
		{"a function", "FCALL release 1 k a", ":1", "# C1: recorded: FCALL of a script that is not here -> 1"},
		{"a number of keys that is none", eval(`return redis.call("del",KEYS[1])`, "7 k a"), "-ERR Number of keys", "Left out: scripts that are not here (1)."},
	} {
		text, _ := imported(t, strings.NewReader(recorded([2]string{"SET k a", "+OK"}, [2]string{test.command, test.reply})), monitor.Options{}, lang.English)
		if !strings.Contains(text, test.want) || strings.Contains(text, "Possible reasons") {
			t.Errorf("%s: %q does not occur in\n%s", test.name, test.want, text)
		}
	}
}

// Where a reply differs from the recorded one, import says what it left out itself.
func TestReasons(t *testing.T) {
	acquire := [2]string{"SET k a NX", "+OK"}
	for _, test := range []struct {
		between          [][2]string
		english, chinese string
	}{
		{nil, "Possible reasons: the recording began in the middle, or lacks a command.", "可能的原因：录制是从中途开始的，或者缺少某条命令。"},
		{[][2]string{{"EVALSHA 0123456789012345678901234567890123456789 1 k a", ":1"}, {"LPUSH l 1", ":1"}}, "Possible reasons: import left out commands (2, see below); the recording began in the middle, or lacks a command.", "可能的原因：导入时略去了 2 条命令（见下文）；录制是从中途开始的，或者缺少某条命令。"},
		{[][2]string{{`EVAL "return redis.call('pexpire',KEYS[1],ARGV[1])" 1 k 5000`, ":1"}}, "Possible reasons: import wrote commands in place of scripts (1); the recording", "可能的原因：导入时用命令代替了脚本（1 次）；录制"},
	} {
		log := recorded(slices.Concat([][2]string{acquire}, test.between, [][2]string{acquire})...)
		for language, want := range map[lang.Language]string{lang.English: test.english, lang.Chinese: test.chinese} {
			if text, _ := imported(t, strings.NewReader(log), monitor.Options{}, language); !strings.Contains(text, want) {
				t.Errorf("%q does not occur in\n%s", want, text)
			}
		}
	}
}

// A library's script that a scenario runs is known by its SHA-1.
func TestEvalSHAOfALibrary(t *testing.T) {
	text, _ := imported(t, strings.NewReader(recorded([2]string{"SET k a", "+OK"}, [2]string{"EVALSHA c3f8721cbb97f72bc19e972846bd7aaf91901658 1 k a", ":1"})), monitor.Options{}, lang.English)
	if !strings.Contains(text, "do C1 EVAL redis-py-release 1 k a\n") {
		t.Error(text)
	}
}

// Time that passes while nothing is written is one tick, with what follows.
func TestOneTick(t *testing.T) {
	log := `{"recording":1,"began":1795513835000}
{"conn":1,"sent":1,"replied":2,"command":"SET k a","reply":"+OK"}
{"conn":1,"event":"close","at":5000002}
{"conn":2,"sent":821000000,"replied":821000002,"command":"GET k","reply":"$1\r\na"}
`
	if text, _ := imported(t, strings.NewReader(log), monitor.Options{}, lang.English); !strings.Contains(text, "do C1 SET k a\ntick 821ms\ndo C2 GET k\n") {
		t.Error(text)
	}
}

// Where no command names the key that is asked for, the sentence names it.
func TestNoCommandNamesTheKey(t *testing.T) {
	for log, want := range map[string][2]string{
		line(0, "a:1", `"get" "k"`):                                     {"no command of the log names the key nokey", "日志里没有哪条命令用到键 nokey"},
		line(0, "a:1", `"get" "k"`) + line(0, "a:1", `"lpush" "l" "v"`): {"no command of the log that a scenario can hold names the key nokey. Left out: commands that a scenario cannot have (1): LPUSH 1.", "场景可以容纳的命令中没有哪条用到键 nokey。略去：场景里不能有的 1 条命令：LPUSH 1。"},
	} {
		_, err := monitor.Read(strings.NewReader(log), monitor.Options{Keys: []string{"nokey"}})
		refusal := (*engine.Refusal)(nil)
		if !errors.As(err, &refusal) || refusal.Sentence(lang.English) != want[0] || refusal.Sentence(lang.Chinese) != want[1] {
			t.Errorf("%v, not %s", err, want)
		}
	}
}
