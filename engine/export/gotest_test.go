package export

import (
	"fmt"
	"go/format"
	"go/parser"
	"go/token"
	"lockstep/engine/testtools"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
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

// Every run becomes a Go test that passes against a real redis-server twice in a row: it cleans up what it finds. A reply that
// differs from the run's fails the test. All tests go into one package to be built once, and share their common code.
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
	add("wrong", strings.Replace(text, `args{"GET", "mykey"}, "Hello"}`, `args{"GET", "mykey"}, "World"}`, 1), "TestWrong")
	tests := filepath.Join(dir, "tests")
	build := exec.Command("go", append([]string{"test", "-c", "-o", tests}, files...)...)
	build.Dir = "../../web/process/fixtures" // their module has go-redis, which the tests import
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
	if passed := strings.Count(out, "--- PASS: TestRun"); err != nil || passed != 2*len(runs) {
		t.Errorf("%d of %d passed: %v\n%s", passed, 2*len(runs), err, out)
	}
	if out, err := run("-test.run=TestWrong"); err == nil || !strings.Contains(out, `C9 [GET mykey]: "Hello", not "World"`) {
		t.Errorf("%v\n%s", err, out)
	}
}
