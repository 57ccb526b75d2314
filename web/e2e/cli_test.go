package e2e

import (
	"bufio"
	"bytes"
	"errors"
	"html"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/rogpeppe/go-internal/txtar"

	"lockstep/engine/cli"
	"lockstep/engine/testtools"
	"lockstep/web/real/clock"
)

// TestCommandLine plays the transcripts of testdata/*.txtar with the real binary.
func TestCommandLine(t *testing.T) {
	t.Parallel()
	binary := built(t)
	testscript.Run(t, testscript.Params{
		Dir:       "testdata",
		Condition: func(name string) (bool, error) { return name == "clock" && clock.Lacks() == nil, nil },
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", filepath.Dir(binary)+string(os.PathListSeparator)+env.Getenv("PATH"))
			return nil
		},
	})
}

// Each command, argument and flag of the manual says in Chinese what it is.
func TestTheManualSpeaksChinese(t *testing.T) {
	t.Parallel()
	out := try(exec.Command(built(t), "--language", "zh", "man").Output()).orFail(t)
	items := regexp.MustCompile(`(?m)^\.(?:TP\n\.B|SS) (.*)\n(?:\.PP\n)?(.*)$`).FindAllStringSubmatch(string(out), -1)
	for _, item := range items {
		if !regexp.MustCompile(`\p{Han}`).MatchString(item[2]) {
			testtools.Untranslated(t, "%s has the text %q: its tag zh is missing", item[1], item[2])
		}
	}
	if len(items) < 100 {
		t.Errorf("the manual has only %d items", len(items))
	}
}

// With --base-path in any spelling, the server prints its address, serves there, and
// nowhere else.
func TestServeBelowBasePath(t *testing.T) {
	t.Parallel()
	binary := built(t)
	for flag, base := range map[string]string{
		"":                            "/",
		"--base-path=/tools/lockstep": "/tools/lockstep/",
		"--base-path=tools/lockstep/": "/tools/lockstep/",
		"--base-path=/":               "/",
		"LOCKSTEP_BASE_PATH=/tools":   "/tools/",
	} {
		t.Run(flag, func(t *testing.T) {
			var environment []string
			flags := []string{}
			if strings.HasPrefix(flag, "--") {
				flags = append(flags, flag)
			} else if flag != "" {
				environment = append(os.Environ(), flag)
			}
			address, _ := serving(t, binary, environment, flags...)
			if !regexp.MustCompile(`^http://127\.0\.0\.1:\d+` + base + `$`).MatchString(address) {
				t.Fatalf("the server says that it is at %s, want an address that ends in %s", address, base)
			}
			page := get(t, address, http.StatusOK)
			for _, link := range regexp.MustCompile(`(?:src|href|action)="(/[^"]*)"`).FindAllStringSubmatch(page, -1) {
				if !strings.HasPrefix(link[1], base) {
					t.Errorf("the page leads to %s", link[1])
				}
			}
			site := strings.TrimSuffix(address, base)
			get(t, address+"new", http.StatusOK) // by way of a redirect
			get(t, address+"t/aaaaaaaaaa.txt", http.StatusOK)
			if base != "/" {
				get(t, site+strings.TrimSuffix(base, "/"), http.StatusOK)
				get(t, site+"/", http.StatusNotFound)
				get(t, site+"/new", http.StatusNotFound)
			}
		})
	}
}

// With --course for each course of engine/course/testdata/mistakes, the server names
// each mistake once on standard error, with directory, file and line, and on the page
// of the course. It serves the rest of each course in both languages.
func TestServeNamesTheMistakesOfCourses(t *testing.T) {
	t.Parallel()
	type broken struct{ dir, english, chinese string }
	courses := map[string]broken{}
	flags := []string{}
	archives, err := filepath.Glob("../../engine/course/testdata/mistakes/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives", err)
	}
	dir := t.TempDir()
	every := testtools.InCircle(10, 10, 1)
	for i, file := range archives {
		if i%every != 0 {
			continue // engine/course holds each mistake
		}
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		archive := try(txtar.ParseFile(file)).orFail(t)
		c := broken{dir: filepath.Join(dir, name)}
		must(t, os.CopyFS(c.dir, os.DirFS("../../engine/course/testdata/right")))
		for _, over := range archive.Files {
			path := filepath.Join(c.dir, over.Name)
			switch {
			case over.Name == "want":
				c.english, c.chinese, _ = strings.Cut(strings.TrimSpace(string(over.Data)), "\n")
			case string(over.Data) == "gone\n":
				err = os.Remove(path)
			default:
				err = os.WriteFile(path, over.Data, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if _, err := os.Stat(filepath.Join(c.dir, "course.yaml")); err != nil {
			continue // the server refuses what is no course: testdata/serve.txtar
		}
		courses[name] = c
		flags = append(flags, "--course", c.dir)
	}
	address, said := serving(t, built(t), nil, flags...)
	told := said()
	served := 0
	for name, c := range courses {
		page := get(t, address+"courses/"+name, http.StatusOK)
		if !strings.Contains(page, `class="mistakes"`) {
			// Only lockstep check uses the explorer.
			if strings.Contains(told, filepath.Join(dir, name)+"/") {
				t.Errorf("%s: what is said when the server begins is not on the page", name)
			}
			continue
		}
		served++
		if line := filepath.Join(dir, name, c.english) + "\n"; strings.Count(told, line) != 1 {
			t.Errorf("the server does not say once: %s", line)
		}
		for language, mistake := range map[string]string{"en": c.english, "zh": c.chinese} {
			if page := get(t, address+"courses/"+name+"?lang="+language, http.StatusOK); !strings.Contains(page, html.EscapeString(mistake)) {
				t.Errorf("the page of %s does not say %s", name, mistake)
			}
			if strings.Contains(page, "/courses/"+name+"/first") {
				for _, path := range []string{"/first", "/first/handout?answers=1", "/wild", "/wild/mend"} {
					if path == "/first" || strings.HasPrefix(path, "/first/") || strings.Contains(page, "/courses/"+name+"/wild\"") {
						get(t, address+"courses/"+name+path, http.StatusOK)
					}
				}
			}
		}
	}
	if served < 100/every {
		t.Errorf("only %d courses have mistakes", served)
	}
	same(t, strings.TrimPrefix(said(), told), "", "while it serves, the server says")
}

// serving starts a server that ends with the test, and returns its address and its
// standard error.
func serving(t *testing.T, binary string, environment []string, flags ...string) (address string, said func() string) {
	t.Helper()
	server := started(t, binary, environment, flags...)
	t.Cleanup(func() { server.ends(os.Interrupt) })
	return server.address, server.said
}

// A process is a running server.
type process struct {
	*testing.T
	*exec.Cmd
	address string
	said    func() string // on standard error
}

func started(t *testing.T, binary string, environment []string, flags ...string) *process {
	t.Helper()
	server := exec.Command(binary, append([]string{"serve", "--address=127.0.0.1:0"}, flags...)...)
	server.Env = environment
	complaints := try(os.Create(filepath.Join(t.TempDir(), "stderr"))).orFail(t)
	defer complaints.Close() // which the server has, too
	server.Stderr = complaints
	out := try(server.StdoutPipe()).orFail(t)
	must(t, server.Start())
	t.Cleanup(func() { // if the test has not ended it; then it writes nothing more
		_ = server.Process.Kill()
		_ = server.Wait()
	})
	said := func() string {
		text, err := os.ReadFile(complaints.Name())
		if err != nil {
			t.Error(err)
		}
		return string(text)
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if address, ok := strings.CutPrefix(lines.Text(), "Lockstep is at "); ok {
			return &process{t, server, address, said}
		}
	}
	t.Fatalf("the server does not say where it is:\n%s", said())
	return nil
}

// ends signals the server to end, and fails the test unless it exits with 0.
func (p *process) ends(by os.Signal) {
	p.Helper()
	if err := p.Process.Signal(by); err != nil {
		p.Error(err)
	}
	if err := p.Wait(); err != nil {
		p.Errorf("when it is told to end the server says %v", err)
	}
}

// get returns the body of an address, and checks its status.
func get(t *testing.T, address string, status int) string {
	t.Helper()
	r := try(http.Get(address)).orFail(t)
	defer r.Body.Close()
	body := try(io.ReadAll(r.Body)).orFail(t)
	if r.StatusCode != status {
		t.Errorf("%s is answered with %s, want %d", address, r.Status, status)
	}
	return string(body)
}

// A script reads the exit code, and a person the one line beside it.
func TestExitCodes(t *testing.T) {
	t.Parallel()
	binary, dir := built(t), t.TempDir()
	for name, text := range map[string]string{"met.lock": "spawn C1 naive\nstep C1\nexpect C1 holds\n", "unmet.lock": "spawn C1 naive\nexpect C1 holds\n", "wrong.lock": "spawn C1 C1\n"} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	for _, c := range []struct {
		command string
		code    int
		says    string
		lines   int // on the standard error
	}{
		{"run met.lock", 0, "", 0},
		{"run unmet.lock", cli.ExitUnmet, "unmet.lock:2:1: expect C1 holds", 1},
		{"run wrong.lock", cli.ExitMalformed, "wrong.lock:1:", 1},
		{"run none.lock", cli.ExitMalformed, "there is no file none.lock", 1},
		{"run", cli.ExitMalformed, "missing: <file>", 1},
		{"dance", cli.ExitMalformed, "there is no command dance\nThe commands are serve, ", 2},
	} {
		run := exec.Command(binary, strings.Fields(c.command)...)
		var said bytes.Buffer
		run.Dir, run.Stderr = dir, &said
		if err := run.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
			t.Fatal(err)
		}
		if code := run.ProcessState.ExitCode(); code != c.code || !strings.Contains(said.String(), c.says) || strings.Count(said.String(), "\n") != c.lines {
			t.Errorf("lockstep %s ends with %d, want %d, and says\n%s", c.command, code, c.code, &said)
		}
	}
}
