package export

import (
	"fmt"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lockstep/engine/testtools"
)

func TestGoTestIsFormatted(t *testing.T) {
	for name, trace := range transcripts(t) {
		text := written(t, "gotest", trace)
		if _, err := parser.ParseFile(token.NewFileSet(), name, text, parser.AllErrors); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if formatted, err := format.Source([]byte(text)); err != nil || string(formatted) != text {
			t.Errorf("%s: gofmt would change it (%v):\n%s", name, err, text)
		}
	}
}

// leased is a run with leases of 20 ms, which are seen, prolonged, kept in a transaction, and expire.
const leased = `do C1 SET lock.foo a NX PX 20
tick 10ms
do C1 EVAL compare-and-expire 1 lock.foo a 20
do C2 SET lock.foo b NX PX 20
tick 15ms
do C2 PTTL lock.foo
do C2 PEXPIRE lock.foo 30 GT
do C1 INCR n
do C2 MULTI "PEXPIRE n 40" "GET lock.foo" EXEC
tick 30ms
do C2 SET lock.foo b NX PX 20
do C1 GET n
`

// A key of the test has a life only within a transaction: real time decides nothing.
func TestGoTestKeepsNoLeaseBetweenCommands(t *testing.T) {
	_, rows, _ := strings.Cut(written(t, "gotest", play(t, "", leased)), "}{\n")
	rows, _, _ = strings.Cut(rows, "\t} {\n")
	const want = `
{"", args{"DEL", "lock.foo", "n"}, whatever{}, nil},
{"C1", args{"SET", "lock.foo", "a", "NX", "PX", "20"}, "OK", lives{"lock.foo": 0}},
// 10 ms pass: it is 1000.01.
{"C1", args{"EVAL", "if redis.call(\"get\", KEYS[1]) == ARGV[1] then return redis.call(\"pexpire\", KEYS[1], ARGV[2]) else return 0 end", "1", "lock.foo", "a", "20"}, int64(1), lives{"lock.foo": 10}},
{"C2", args{"SET", "lock.foo", "b", "NX", "PX", "20"}, nil, nil},
// 15 ms pass: it is 1000.025.
{"C2", args{"PTTL", "lock.foo"}, whatever{}, lives{"lock.foo": 5}},
{"C2", args{"PEXPIRE", "lock.foo", "30", "GT"}, int64(1), lives{"lock.foo": 5}},
{"C1", args{"INCR", "n"}, int64(1), nil},
{"C2", args{"MULTI"}, "OK", nil},
{"", args{"PEXPIRE", "lock.foo", "30"}, whatever{}, nil},
{"C2", args{"PEXPIRE", "n", "40"}, "QUEUED", nil},
{"C2", args{"GET", "lock.foo"}, "QUEUED", nil},
{"", args{"PERSIST", "lock.foo"}, whatever{}, nil},
{"", args{"PERSIST", "n"}, whatever{}, nil},
{"C2", args{"EXEC"}, []any{int64(1), int64(1), "a", int64(1), int64(1)}, nil},
// 30 ms pass: it is 1000.055.
// lock.foo has reached its expiry and is gone; it held a, written by C1.
{"", args{"DEL", "lock.foo"}, whatever{}, nil},
{"C2", args{"SET", "lock.foo", "b", "NX", "PX", "20"}, "OK", lives{"lock.foo": 0}},
{"C1", args{"GET", "n"}, "1", nil},
`
	if got := "\n" + strings.ReplaceAll(rows, "\t", ""); got != want {
		t.Errorf("the rows are%swant%s", got, want)
	}
}

// Every run becomes a Go test that passes against a real redis-server twice in a row: it cleans up what it finds. A reply that
// differs from the run's fails the test. A test that takes longer between its commands than the leases last passes, too. All tests go into one package to be built once, and share their common code.
func TestGoTestPassesAndFails(t *testing.T) {
	testtools.Long(t, "compiles what is exported")
	host, port := testtools.RedisAt(t)
	runs := transcripts(t)
	dir := t.TempDir()
	var files []string
	add := func(name, text, test string) {
		text = strings.Replace(text, "func TestRun(", "func "+test+"(", 1)
		if before, rest, ok := strings.Cut(text, "type ("); ok && len(files) > 0 {
			_, after, _ := strings.Cut(rest, "\n)\n")
			text = before + after
		}
		file := filepath.Join(dir, strings.ReplaceAll(name, "-", "_")+"_run_test.go")
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	for i, name := range slices.Sorted(maps.Keys(runs)) {
		add(name, written(t, "gotest", runs[name]), fmt.Sprintf("TestRun%d", i))
	}
	text := written(t, "gotest", play(t, "", "do C9 SETNX mykey Hello\ndo C9 GET mykey\n"))
	add("wrong", strings.Replace(text, `args{"GET", "mykey"}, "Hello", nil}`, `args{"GET", "mykey"}, "World", nil}`, 1), "TestWrong")
	slow := strings.Replace(written(t, "gotest", play(t, "", leased)), `	"testing"`, "\t\"testing\"\n\t\"time\"", 1)
	add("slow", strings.Replace(slow, "var sent", "time.Sleep(25 * time.Millisecond)\n\t\tvar sent", 1), "TestRunSlow")
	tests := filepath.Join(dir, "tests")
	build := exec.Command("go", append([]string{"test", "-c", "-o", tests}, files...)...)
	build.Dir = "../../web/real/process/fixtures" // their module has go-redis, which the tests import
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := func(options ...string) (string, error) {
		command := exec.Command(tests, options...)
		command.Env = append(os.Environ(), "REDIS_ADDR="+net.JoinHostPort(host, port))
		out, err := command.CombinedOutput()
		return string(out), err
	}
	out, err := run("-test.run=TestRun", "-test.count=2", "-test.v")
	if passed := strings.Count(out, "--- PASS: TestRun"); err != nil || passed != 2*len(runs)+2 {
		t.Errorf("%d of %d passed: %v\n%s", passed, 2*len(runs)+2, err, out)
	}
	if out, err := run("-test.run=TestWrong"); err == nil || !strings.Contains(out, `C9 [GET mykey]: "Hello", not "World"`) {
		t.Errorf("%v\n%s", err, out)
	}
}
