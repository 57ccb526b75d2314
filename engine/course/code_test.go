package course_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"lockstep/engine/testtools"
)

// A printed is the lock that the page prints in a language, and how its processes start.
type printed struct {
	language string
	command  func(t *testing.T, dir string) []string // without the arguments that all contenders have
}

// inLanguages returns the printed locks that this machine can run. Jedis is in no package of Debian: nobody runs
// Lock.java here, and the page says so.
var inLanguages = []printed{
	{language: "go", command: func(t *testing.T, dir string) []string {
		tool := testtools.Find(t, "go")
		copied(t, "redis-lock/code/lock.go.txt", filepath.Join(dir, "lock", "lock.go"))
		copied(t, "testdata/code/contend.go.txt", filepath.Join(dir, "main.go"))
		const fixtures = "../../web/real/process/fixtures" // their module has go-redis, too
		module, err := os.ReadFile(filepath.Join(fixtures, "go.mod"))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, "go.mod"), strings.Replace(string(module), "module lockstep/web/real/process/fixtures", "module contend", 1))
		copied(t, filepath.Join(fixtures, "go.sum"), filepath.Join(dir, "go.sum"))
		build := exec.Command(tool, "build", "-o", "contend", ".")
		build.Dir = dir
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("go build: %v\n%s", err, out)
		}
		return []string{filepath.Join(dir, "contend")}
	}},
	{language: "python", command: func(t *testing.T, dir string) []string {
		copied(t, "redis-lock/code/lock.py", filepath.Join(dir, "lock.py"))
		copied(t, "testdata/code/contend.py", filepath.Join(dir, "contend.py"))
		return []string{testtools.Python(t, "redis"), filepath.Join(dir, "contend.py")}
	}},
	{language: "node", command: func(t *testing.T, dir string) []string {
		copied(t, "redis-lock/code/lock.mjs", filepath.Join(dir, "lock.mjs"))
		copied(t, "testdata/code/contend.mjs", filepath.Join(dir, "contend.mjs"))
		return []string{testtools.Find(t, "node"), filepath.Join(dir, "contend.mjs"), testtools.NodePackage(t, "../../.ci", "redis")}
	}},
}

// Two processes with one lock, on a real server: no update is lost, whoever is killed or paused.
func TestThePrintedLocksHold(t *testing.T) {
	testtools.Long(t, "five processes in each of three languages, and leases that end")
	for _, in := range inLanguages {
		t.Run(in.language, func(t *testing.T) {
			server := testtools.StartRedis(t)
			dir := t.TempDir()
			command := in.command(t, dir)
			start := func(ttl time.Duration) *contender {
				arguments := append(command[1:len(command):len(command)], server.Socket, strconv.FormatInt(ttl.Milliseconds(), 10))
				return newContender(t, exec.Command(command[0], arguments...))
			}
			value := asker(t, server)

			// Each adds to a counter that only the lock protects.
			const rounds = 40
			one, two := start(10*time.Second), start(10*time.Second)
			one.send("work %d %s", rounds, dir)
			two.send("work %d %s", rounds, dir)
			one.hears("worked")
			two.hears("worked")
			if counter, err := os.ReadFile(filepath.Join(dir, "counter")); err != nil || string(counter) != strconv.Itoa(2*rounds) {
				t.Fatalf("the counter is %q after %d rounds (%v)", counter, 2*rounds, err)
			}

			// A holder is killed: the other gets in when its lease is over, with a higher number.
			killed, other := start(3*time.Second), start(10*time.Second)
			first := killed.acquires()
			if err := killed.process.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			if second := other.acquires(); second <= first {
				t.Errorf("the numbers are %d, then %d", first, second)
			}
			other.send("release")
			other.hears("released")
			if left := value("GET {foo}:lock"); left != "$-1" {
				t.Errorf("after the release the key holds %s", left)
			}

			// A living holder is renewed: twice its time to live grows. On a busy machine it may sleep for eight seconds.
			holder := start(12 * time.Second)
			holder.acquires()
			for renewed, last := 0, 0; renewed < 2; {
				now, err := strconv.Atoi(strings.TrimPrefix(value("PTTL {foo}:lock"), ":"))
				if err != nil || now < 0 {
					t.Fatalf("PTTL replies %d (%v) while the holder lives", now, err)
				}
				if now > last && last > 0 {
					renewed++
				}
				last = now
				time.Sleep(time.Millisecond)
			}

			// A holder pauses past its lease: its late release deletes nothing, and its work can know.
			signal(t, holder, syscall.SIGSTOP)
			other.acquires()
			held := value("GET {foo}:lock")
			signal(t, holder, syscall.SIGCONT)
			if lost := holder.ask("lost"); lost != "true" {
				t.Errorf("asked whether its lease is over, the holder says %s", lost)
			}
			holder.send("release")
			holder.hears("released")
			if now := value("GET {foo}:lock"); now != held || now == "$-1" {
				t.Errorf("the late release turned %s into %s", held, now)
			}
		})
	}
}

func copied(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	write(t, to, string(text))
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func signal(t *testing.T, c *contender, s syscall.Signal) {
	t.Helper()
	if err := c.process.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}

// asker returns a function that sends a command to a server, and returns its reply.
func asker(t *testing.T, server *testtools.Redis) func(command string) string {
	conn := server.Dial()
	replies := bufio.NewReader(conn)
	return func(command string) string {
		t.Helper()
		fmt.Fprintf(conn, "%s\r\n", command)
		line, err := replies.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "$") && line != "$-1" {
			line, _ = replies.ReadString('\n')
		}
		return strings.TrimSpace(line)
	}
}

// A contender is a process with a client of the lock.
type contender struct {
	t       *testing.T
	process *exec.Cmd
	in      io.Writer
	out     *bufio.Scanner
}

func newContender(t *testing.T, process *exec.Cmd) *contender {
	t.Helper()
	in, err := process.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	process.Stderr = os.Stderr
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = process.Process.Kill()
		_ = process.Wait()
	})
	return &contender{t, process, in, bufio.NewScanner(out)}
}

func (c *contender) send(format string, arguments ...any) {
	c.t.Helper()
	if _, err := fmt.Fprintf(c.in, format+"\n", arguments...); err != nil {
		c.t.Fatal(err)
	}
}

func (c *contender) hears(want string) {
	c.t.Helper()
	if !c.out.Scan() || c.out.Text() != want {
		c.t.Fatalf("the process says %q, not %q", c.out.Text(), want)
	}
}

func (c *contender) ask(command string) string {
	c.t.Helper()
	c.send("%s", command)
	if !c.out.Scan() {
		c.t.Fatalf("the process has ended: no answer to %s", command)
	}
	return c.out.Text()
}

// acquires asks until the process has the lock, and returns its number.
func (c *contender) acquires() int {
	c.t.Helper()
	for {
		answer := c.ask("acquire")
		if number, ok := strings.CutPrefix(answer, "acquired "); ok {
			n, err := strconv.Atoi(number)
			if err != nil {
				c.t.Fatal(err)
			}
			return n
		}
		if answer != "taken" {
			c.t.Fatalf("the process says %q", answer)
		}
		time.Sleep(5 * time.Millisecond)
	}
}
