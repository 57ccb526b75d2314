package engine_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/lang"
	"lockstep/engine/testtools"
)

// "An unknown word, a client that does not exist, a step of a crashed client
// each give file:line:column: what is wrong, what was expected."
// own defines that many programs.
func own(programs int) string {
	var b strings.Builder
	for n := range programs {
		fmt.Fprintf(&b, "define p%d\n| def acquire(c): return True\n| def release(c, lease): pass\n\n", n+1)
	}
	return b.String()
}

func TestMalformedScenario(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"an unknown action", "program naive\nspawn C1\n  jump C1", `bad.lock:3:3: unknown action "jump"; expected spawn, step, deliver, receive, drop, crash, restart, pause, resume, skew, tick, redis crash, redis restart, redis failover, do, enter, leave, note or expect`},
		{"an unknown client", "program naive\nspawn C1\nstep C2", "bad.lock:3:6: there is no client C2"},
		{"a second client that is unknown", "program naive\nspawn C1\ncrash C1 C2", "bad.lock:3:10: there is no client C2"},
		{"a step of a crashed client", "program naive\nspawn C1\nstep C1\ncrash C1\nstep C1", "bad.lock:5:6: C1 is not running: it is crashed"},
		{"a step of a crashed client with a request in flight", "program naive\nspawn C1\ncrash C1\nstep C1", "bad.lock:4:6: C1 has crashed; its request in flight can only be delivered"},
		{"a step of a sleeper", "program naive\nspawn C1 C2\nstep C1\nstep C2\nstep C2", "bad.lock:5:6: C2 is asleep until 1001 and has nothing in flight"},
		{"a step of a paused client", "program naive\nspawn C1\npause C1\nstep C1", "bad.lock:4:6: C1 is paused"},
		{"no client", "step", "bad.lock:1:1: step needs a client: a capital letter, then up to 7 letters or digits, such as C1"},
		{"a word too many", "program naive\nspawn C1\nreceive C1 now", `bad.lock:3:12: unknown word "now" after receive`},
		{"an unknown program", "program nave\nspawn C1", "bad.lock:2:7: there is no program nave"},
		{"no program", "spawn C1", "bad.lock:1:7: C1 needs a program"},
		{"an unknown option", "program naive timout=10s", `bad.lock:1:15: unknown option "timout"; expected timeout, retry, acquire_timeout, skew or blocking`},
		{"nine programs of its own", own(9) + "spawn C1 p1", "bad.lock:36:1: a scenario has at most 8 programs of its own"},
		{"an option twice", "program naive retry=1s retry=2s", "bad.lock:1:24: retry stands here twice"},
		{"a length of time", "tick soon", `bad.lock:1:6: "soon" is not a length of time in whole milliseconds, such as 10s or 250ms`},
		{"less than a millisecond", "tick 10us", `bad.lock:1:6: "10us" is not a length of time in whole milliseconds, such as 10s or 250ms`},
		{"time backwards", "tick -1s", "bad.lock:1:1: a tick is longer than 0 and at most 86400s"},
		{"a count", "program naive\nspawn C1\nstep C1 0", `bad.lock:3:9: "0" is not a number of steps from 1 to 100`},
		{"FLUSHALL", "do C9 FLUSHALL", `bad.lock:1:1: "FLUSHALL" is not one of the commands allowed here: `},
		{"SUBSCRIBE", "do C9 SUBSCRIBE news", `bad.lock:1:1: "SUBSCRIBE" is not one of the commands allowed here: `},
		{"no command", "do C9", "bad.lock:1:1: the command is empty"},
		{"an empty command", `do C9 ""`, "bad.lock:1:1: the command is empty"},
		{"Lua of one's own", `do C9 EVAL "return 1" 0`, "bad.lock:1:1: EVAL runs only these scripts: compare-and-delete compare-and-expire compare-and-set set-and-fence"},
		{"a key of 1 MB in a text of 1 MB", "do C9 GET " + strings.Repeat("k", 1<<20), "bad.lock:1:1: the scenario has 1048586 bytes, more than 262144"},
		{"a key of 600 bytes", "do C9 GET " + strings.Repeat("k", 600), "bad.lock:1:1: argument 1 of GET has 600 bytes, more than 512"},
		{"quotes that do not end", `note "Hello`, "bad.lock:1:6: a closing double quote is missing, or an escape is unknown"},
		{"a header too late", "tick 1s\nprogram naive", "bad.lock:2:1: program must stand before the first action"},
		{"two headers", "program naive\nprogram getset", "bad.lock:2:1: there is a program line already"},
		{"a program in a file, where there are no files", "program mine.star", "bad.lock:1:9: a program in a file cannot be read here; write it into the scenario with define"},
		{"a mistake in a program of its own", "program mine\ndefine mine\n| def acquire(c):\n|     return c.flushall()\nspawn C1", "bad.lock:4:"},
		{"an unknown property", "expect no violation of-anything", `bad.lock:1:21: unknown property "of-anything"; expected one of [mutual-exclusion overlap foreign-delete lease-drift stuck unattended bounded-wait stale-write lost-update]`},
		{"an unknown state", "program naive\nspawn C1\nexpect C1 happy", `bad.lock:3:11: unknown word "happy"; expected holds, waits, asleep, inside, releasing, paused, done, crashed, failed`},
		{"an expectation that is none", "expect", "bad.lock:1:1: expected one of: expect violation"},
		{"not text", "note \xff", "bad.lock:1:1: the scenario is not UTF-8 text"},
	} {
		t.Run(test.name, func(t *testing.T) {
			scenario, err := engine.Parse("bad.lock", test.text, nil)
			if err == nil {
				_, err = scenario.Play("bad.lock", check.All()...)
			}
			if err == nil {
				t.Fatal("the scenario runs")
			}
			if !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("got  %s\nwant %s", err, test.want)
			}
			if problem := (*engine.Problem)(nil); !errors.As(err, &problem) {
				t.Errorf("%T is not a *Problem", err)
			}
		})
	}
}

// An expectation is judged at its place, and tells the actual value.
func TestUnmetExpectations(t *testing.T) {
	scenario, err := engine.Parse("unmet.lock", strings.Join([]string{
		"program naive",
		"spawn C1 C2",
		"expect C1 inside",
		"step C1",
		"expect C1 inside",
		"expect reply C1 0",
		"expect key lock.foo C2",
		"expect violation mutual-exclusion C1 C2",
		"crash C1",
		"expect no violation",
		"expect violation stuck C1",
		"expect C9 done",
		"expect violation overlap",
	}, "\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	trace, err := scenario.Play("unmet.lock", check.All()...)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, unmet := range trace.Unmet {
		got = append(got, unmet.Error())
	}
	want := []string{
		"unmet.lock:3:1: expect C1 inside: C1 is waits, not inside",
		`unmet.lock:6:1: expect reply C1 0: C1 received "1" last, not "0"`,
		"unmet.lock:7:1: expect key lock.foo C2: lock.foo holds C1, not C2",
		"unmet.lock:8:18: expect violation mutual-exclusion C1 C2: there is no violation of mutual-exclusion",
		"unmet.lock:10:1: expect no violation: there is a violation of stuck by C2, at action 4",
		"unmet.lock:11:18: expect violation stuck C1: there is no such violation, only: stuck C2",
		"unmet.lock:12:1: expect C9 done: there is no client C9",
		"unmet.lock:13:18: expect violation overlap: there is no violation of overlap, only: stuck C2",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// The engine refuses a command in both languages, at parsing and at execution.
func TestRefusedCommandsInBothLanguages(t *testing.T) {
	w := engine.New(engine.Header{})
	defer w.Close()
	for line, want := range map[string]string{
		"do CLI FLUSHALL":                        `"FLUSHALL" 不在这里允许的命令之中`,
		`do CLI ""`:                              "命令是空的",
		"do CLI EVAL other 0":                    "EVAL 只运行这些脚本",
		"do CLI DEL" + strings.Repeat(" k", 16):  `"DEL" 有 17 个参数，超过了 16 个`,
		"do CLI GET " + strings.Repeat("k", 513): "GET 的第 1 个参数有 513 字节，超过了 512 字节",
	} {
		_, read := engine.ParseAction(line)
		words := strings.Fields(strings.ReplaceAll(line, `""`, ""))[2:]
		for _, err := range []error{read, w.Can(engine.Action{Verb: engine.VerbDo, Client: "CLI", Command: words})} {
			var refusal *engine.Refusal
			if !errors.As(err, &refusal) || !strings.HasPrefix(refusal.Sentence(lang.Chinese), want) {
				t.Errorf("%.40s: %v, not %s", line, err, want)
			}
		}
	}
}

// A problem in a scenario has a sentence in both languages.
func TestProblemsInChinese(t *testing.T) {
	for text, want := range map[string]string{
		"frobnicate C1":        "没有 \"frobnicate\" 这个动作；可用的有 spawn",
		"step":                 "step 后面应是客户端",
		"step C1 2 3":          "step 后面的 \"3\" 无法识别",
		"note":                 "note 后面应是一句用双引号括起来的话",
		"do C1 FLUSHALL":       "\"FLUSHALL\" 不在这里允许的命令之中",
		"spawn C1 naive a=b":   "没有 \"a\" 这个选项",
		"expect C1 sleepy":     "\"sleepy\" 无法识别；这里应是 ",
		"define mine\n| oops":  "程序 mine：文件顶层只能有函数和常量",
		"program mine.star":    "这里不能读取文件中的程序",
		"step C1":              "没有客户端 C1",
		"expect violation odd": "未知的性质 \"odd\"",
	} {
		scenario, err := engine.Parse("scenario", text+"\n", nil)
		if err == nil {
			_, err = scenario.Play("scenario", check.All()...)
		}
		refusal := (*engine.Refusal)(nil)
		if !errors.As(err, &refusal) || !strings.HasPrefix(refusal.Sentence(lang.Chinese), want) {
			t.Errorf("%q: %v, want in Chinese %s", text, err, want)
		}
		if refusal != nil && strings.Contains(refusal.Sentence(lang.Chinese)+refusal.Error(), "%!") {
			t.Errorf("%q: %s", text, refusal.Sentence(lang.Chinese))
		}
	}
}

// Parsing takes time in proportion to the text, however it is cut into words and lines, and the sentence about a
// mistake does not grow with it.
func TestReadingIsBounded(t *testing.T) {
	for _, test := range []struct{ name, text, english, chinese string }{
		{"a thousand words", "step" + strings.Repeat(" C1", engine.MaxWords-1), "", ""},
		{"one word more", "step" + strings.Repeat(" C1", engine.MaxWords),
			"bad.lock:1:3003: the line has more than 1000 words", "bad.lock:1:3003: 这一行超过 1000 个词"},
		{"a line of words", strings.Repeat("A ", engine.MaxText/2),
			"bad.lock:1:2001: the line has more than 1000 words", "bad.lock:1:2001: 这一行超过 1000 个词"},
		{"a line of words behind a word of two bytes", "é " + strings.Repeat("A ", engine.MaxText/2-2),
			"bad.lock:1:2001: the line has more than 1000 words", "bad.lock:1:2001: 这一行超过 1000 个词"},
		{"a line of quotes", strings.Repeat("\"\" ", engine.MaxText/3),
			"bad.lock:1:3001: the line has more than 1000 words", "bad.lock:1:3001: 这一行超过 1000 个词"},
		{"five thousand actions", strings.Repeat("step"+strings.Repeat(" C1", 500)+"\n", 10), "", ""},
		{"one action more, among others of its line", "tick 1s\n" + strings.Repeat("step"+strings.Repeat(" C1", 500)+"\n", 10),
			"bad.lock:11:1503: the scenario has more than 5000 actions", "bad.lock:11:1503: 场景文本超过 5000 个动作"},
		{"one action more, by itself", strings.Repeat("step"+strings.Repeat(" C1", 500)+"\n", 10) + "tick 1s\n",
			"bad.lock:11:1: the scenario has more than 5000 actions", "bad.lock:11:1: 场景文本超过 5000 个动作"},
		{"a word as long as the text", strings.Repeat("锁", engine.MaxText/3),
			`bad.lock:1:1: unknown action "` + strings.Repeat("锁", 66) + `…"; expected spawn`, `bad.lock:1:1: 没有 "` + strings.Repeat("锁", 66) + `…" 这个动作`},
	} {
		t.Run(test.name, func(t *testing.T) {
			began := time.Now()
			_, err := engine.Parse("bad.lock", test.text, nil)
			if took := time.Since(began); took > testtools.Patience { // it takes milliseconds; a parser that looked for each word from the beginning of its line took minutes
				t.Errorf("parsing takes %v", took)
			}
			problem := (*engine.Problem)(nil)
			if test.english == "" {
				if err != nil {
					t.Errorf("Parse refuses it: %v", err)
				}
				return
			}
			if !errors.As(err, &problem) {
				t.Fatalf("Parse takes it: %v", err)
			}
			for language, want := range map[lang.Language]string{lang.English: test.english, lang.Chinese: test.chinese} {
				if said := problem.Sentence(language); !strings.HasPrefix(said, want) || len(said) > 1000 {
					t.Errorf("got  %.300s\nwant %s", said, want)
				}
			}
		})
	}
}

// Each word with which a line may begin is known there, and a refusal names all that are actions.
func TestLineBeginnings(t *testing.T) {
	_, refused := engine.Parse("x", "fly C1", nil)
	heads := 0
	for _, word := range engine.LineBeginnings() {
		if _, err := engine.Parse("x", word, nil); err != nil && strings.Contains(err.Error(), "unknown action") {
			t.Errorf("%s: %v", word, err)
		}
		if !strings.Contains(refused.Error(), word) {
			heads++
		}
	}
	if heads != 5 {
		t.Errorf("%v: %d words are not named there, want the five of a header", refused, heads)
	}
}
