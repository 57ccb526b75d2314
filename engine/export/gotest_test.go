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

	_ "github.com/redis/go-redis/v9" // the generated test imports it, so the module must have it
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

// Every run becomes a Go test that passes against a real redis-server twice in a row: it cleans up what it finds. All
// tests go into one package to be built once, and share their common code.
func TestGoTestPasses(t *testing.T) {
	host, port := testtools.RedisAt(t)
	runs := transcripts(t)
	dir := t.TempDir()
	var files []string
	for i, name := range slices.Sorted(maps.Keys(runs)) {
		text := strings.Replace(written(t, "gotest", runs[name]), "func TestRun(", fmt.Sprintf("func TestRun%d(", i), 1)
		if before, rest, ok := strings.Cut(text, "type ("); ok && i > 0 {
			_, after, _ := strings.Cut(rest, "\n)\n")
			text = before + after
		}
		file := filepath.Join(dir, strings.ReplaceAll(name, "-", "_")+"_run_test.go")
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	command := exec.Command("go", append([]string{"test", "-count=2", "-v"}, files...)...)
	command.Env = append(os.Environ(), "REDIS_ADDR="+net.JoinHostPort(host, port))
	out, err := command.CombinedOutput()
	if passed := strings.Count(string(out), "--- PASS: TestRun"); err != nil || passed != 2*len(runs) {
		t.Errorf("%d of %d passed: %v\n%s", passed, 2*len(runs), err, out)
	}
}

// A reply that differs from the run's fails the test.
func TestGoTestFails(t *testing.T) {
	host, port := testtools.RedisAt(t)
	text := written(t, "gotest", play(t, "", "do C9 SETNX mykey Hello\ndo C9 GET mykey\n"))
	wrong := strings.Replace(text, `args{"GET", "mykey"}, "Hello"}`, `args{"GET", "mykey"}, "World"}`, 1)
	file := filepath.Join(t.TempDir(), "run_test.go")
	if err := os.WriteFile(file, []byte(wrong), 0o666); err != nil {
		t.Fatal(err)
	}
	command := exec.Command("go", "test", "-count=1", file)
	command.Env = append(os.Environ(), "REDIS_ADDR="+net.JoinHostPort(host, port))
	if out, err := command.CombinedOutput(); err == nil || !strings.Contains(string(out), `C9 [GET mykey]: "Hello", not "World"`) {
		t.Errorf("%v\n%s", err, out)
	}
}
