package process

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"lockstep/engine/lang"
	"lockstep/engine/learn"
	"lockstep/engine/redis"
	"lockstep/engine/testtools"
)

// starts starts a program as the client C1.
func starts(t *testing.T, options Options, command ...string) *Process {
	t.Helper()
	testtools.Find(t, command[0])
	if options.Patience == 0 {
		options.Patience = within
	}
	p, err := Start(command, "C1", options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	return p
}

// shell starts a script of bash whose function say sends a line to its Redis and prints the first line of the reply.
func shell(t *testing.T, script string) *Process {
	t.Helper()
	return starts(t, Options{}, "bash", "-c", `
		connect() { exec 3<>/dev/tcp/$REDIS_HOST/$REDIS_PORT; }
		say() { printf '%s\r\n' "$*" >&3; read -r reply <&3; reply=${reply%$'\r'}; }
		`+script)
}

func endsWith(t *testing.T, p *Process, code int, said string) {
	t.Helper()
	if a := p.Next(); !a.Ended || a.Code != code || a.Said != said {
		t.Fatalf("the process %s %q, and says %q\nwant %d, %q", outcome(a.Fault, a.Ended, a.Code), a.Command, a.Said, code, said)
	}
}

// A shell script is a client: what it does depends on the replies.
func TestShell(t *testing.T) {
	for reply, rest := range map[redis.Reply]string{":1\r\n": "DEL lock", ":0\r\n": ""} {
		p := shell(t, `connect; say SETNX lock $LOCKSTEP_CLIENT
			if [ "$reply" = :1 ]; then say DEL lock; exit; fi
			echo "busy: $reply" >&2; exit 3`)
		comes(t, p, "SETNX lock C1")
		p.Answer(reply)
		if rest == "" {
			endsWith(t, p, 3, "busy: :0\n")
			continue
		}
		comes(t, p, rest)
		p.Answer(":1\r\n")
		endsWith(t, p, 0, "")
	}
}

// A program finds its Redis in the environment and in its arguments.
func TestProgramFindsItsRedis(t *testing.T) {
	t.Setenv("REDIS_URL", "redis://production:6379")
	p := starts(t, Options{Environment: []string{"OWN=1"}, Dir: "/"}, "sh", "-c",
		`echo "$REDIS_URL $REDIS_HOST $REDIS_PORT $PORT $LOCKSTEP_CLIENT $OWN $PWD $*" >&2; cat >&2`, "sh", "--redis={url}", "{port}")
	_, port, _ := strings.Cut(p.Address(), ":")
	endsWith(t, p, 0, fmt.Sprintf("redis://127.0.0.1:%[1]s 127.0.0.1 %[1]s %[1]s C1 1 / --redis=redis://127.0.0.1:%[1]s %[1]s\n", port))
}

// redis-cli is a program like any other.
func TestRedisCLI(t *testing.T) {
	p := starts(t, Options{}, "redis-cli", "-u", "{url}", "-3", "SET", "k", "v", "NX")
	comes(t, p, "SET k v NX")
	p.Answer("$-1\r\n")
	endsWith(t, p, 0, "")
}

// The lock of redis-py: its script is not known at first, which never reaches the door.
func TestRedisPy(t *testing.T) {
	python := testtools.Python(t, "redis")
	p := starts(t, Options{}, python, "-c", `
import os, redis
lock = redis.Redis.from_url(os.environ["REDIS_URL"]).lock("k", timeout=10)
if lock.acquire(blocking=False):
    lock.release()
`)
	a := p.Next()
	if len(a.Command) != 6 || a.Command[0] != "SET" || a.Command[1] != "k" {
		t.Fatalf("%q", a.Command)
	}
	token := a.Command[2]
	p.Answer("+OK\r\n")
	a = p.Next()
	if len(a.Command) != 5 || a.Command[0] != "EVAL" || !strings.Contains(a.Command[1], "redis.call('del', KEYS[1])") || a.Command[3] != "k" || a.Command[4] != token {
		t.Fatalf("%q", a.Command)
	}
	p.Answer(":1\r\n")
	endsWith(t, p, 0, "")
}

func TestCannotStart(t *testing.T) {
	for _, row := range []struct {
		command []string
		says    string
	}{
		{[]string{"no-such-program"}, "cannot start no-such-program: "},
		{[]string{"/"}, "cannot start /: "},
		{[]string{"./doc.go"}, "cannot start ./doc.go: "},
		{nil, "there is no program to start"},
		{[]string{""}, "there is no program to start"},
	} {
		p, err := Launch(row.command, Options{})("C1", 0, 0)
		var sentence *StartError
		if p != nil || !errors.As(err, &sentence) || !strings.HasPrefix(err.Error(), row.says) || sentence.Chinese == "" {
			t.Errorf("%q: %v, %v", row.command, p, err)
		}
	}
	if _, err := Launch([]string{"true"}, Options{Dir: "/no/such/directory"})("C1", 0, 0); err == nil {
		t.Error("it starts in no directory")
	}
	var _ learn.Launcher = Launch(nil, Options{})
}

// Programs that misbehave end with one sentence or an exit code.
func TestProgramsThatMisbehave(t *testing.T) {
	t.Run("exits at once", func(t *testing.T) { endsWith(t, shell(t, `echo bye >&2; exit 9`), 9, "bye\n") })
	t.Run("kills itself", func(t *testing.T) { endsWith(t, shell(t, `kill -9 $$`), -1, "") })
	t.Run("closes everything", func(t *testing.T) { endsWith(t, shell(t, `exec <&- >&- 2>&-; exit 4`), 4, "") })
	t.Run("reads a file", func(t *testing.T) { endsWith(t, shell(t, `read -r line < /etc/passwd; exit 5`), 5, "") })
	t.Run("sends and exits", func(t *testing.T) {
		p := shell(t, `connect; printf 'DEL k\r\n' >&3; exit 6`)
		a := p.Next()
		for a.Command != nil {
			a = p.Next()
		}
		if !a.Ended || a.Code != 6 || !p.Stale() {
			t.Errorf("%s, stale: %v", outcome(a.Fault, a.Ended, a.Code), p.Stale())
		}
	})
	t.Run("never sends", func(t *testing.T) {
		p := starts(t, Options{Patience: 100 * time.Millisecond}, "sleep", "1000")
		fails(t, p, neverConnects(100*time.Millisecond, p.Address()))
		gone(t, p.child.cmd.Process.Pid)
	})
	t.Run("waits for input", func(t *testing.T) { endsWith(t, shell(t, `cat; exit 2`), 2, "") })
	t.Run("speaks HTTP", func(t *testing.T) {
		fails(t, shell(t, `connect; say GET / HTTP/1.1; echo "$reply" >&2`), speaksHTTP())
	})
	t.Run("sends what Lockstep does not take", func(t *testing.T) {
		for _, command := range []string{"WATCH", "SUBSCRIBE", "BLPOP", "FCALL"} {
			a := shell(t, `connect; say `+command+` k 0`).Next()
			if a.Fault == nil || !strings.HasPrefix(a.Fault.English, "it sends "+command+", which Lockstep does not take: it has ") || a.Fault.Chinese == "" {
				t.Errorf("%s: %s", command, outcome(a.Fault, a.Ended, a.Code))
			}
		}
	})
	t.Run("floods", func(t *testing.T) {
		fails(t, untilFault(shell(t, `connect; while :; do printf 'SET k v\r\n'; done >&3`)), tooManyPipelined())
	})
	t.Run("several threads", func(t *testing.T) {
		fails(t, untilFault(shell(t, `for i in 1 2 3; do (connect; say SETNX lock $i) & done; wait`)), severalThreads(2))
	})
	t.Run("writes 100 MB", func(t *testing.T) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		p := shell(t, `head -c 100000000 /dev/zero | tr '\0' x >&2; head -c 100000000 /dev/zero; printf '\nlast %s\nwords\n' "$(printf '%02000d' 0)" >&2`)
		endsWith(t, p, 0, "last "+strings.Repeat("0", 2000)+"\nwords\n")
		runtime.ReadMemStats(&after)
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 2<<20 {
			t.Errorf("%d bytes are allocated", grown)
		}
	})
	t.Run("says no text", func(t *testing.T) {
		endsWith(t, shell(t, `printf 'a\xffb' >&2`), 0, "a\uFFFDb")
		long := shell(t, `head -c 5000 /dev/zero | tr '\0' x >&2`)
		endsWith(t, long, 0, strings.Repeat("x", maxSaid))
	})
}

// untilFault passes over what is at the door before a fault comes.
func untilFault(p *Process) *Process {
	for p.Next().Command != nil {
	}
	return p
}

// Everything that a program starts ends with it, even in a session of its own and without a parent.
func TestNothingIsLeft(t *testing.T) {
	onLinux(t)
	testtools.Find(t, "setsid")
	notes := func(t *testing.T) string { return filepath.Join(t.TempDir(), "pids") }
	// Each script starts processes that write their numbers into $1 and go on.
	for name, row := range map[string]string{
		"a child":               `sh -c 'echo $$ >> $0; exec sleep 1000' "$1" & `,
		"a session of its own":  `setsid sh -c 'echo $$ >> $0; exec sleep 1000' "$1" & `,
		"a daemon":              `(setsid sh -c 'cd /; exec <&- >&- 2>&-; (echo x; exec sh -c "echo \$\$ >> $0; exec sleep 1000") & exit' "$1" &) ; `,
		"no environment":        `env -i sh -c 'echo $$ >> $0; exec sleep 1000' "$1" & `,
		"ignores its end":       `sh -c 'trap "" TERM INT HUP; echo $$ >> $0; while :; do sleep 1; done' "$1" & `,
		"no environment or sid": `env -i setsid sh -c 'echo $$ >> $0; exec sleep 1000' "$1" & `,
		"several":               `for i in 1 2 3 4 5; do setsid sh -c 'echo $$ >> $0; exec sleep 1000' "$1" & done; `,
	} {
		t.Run(name, func(t *testing.T) {
			file := notes(t)
			p := starts(t, Options{}, "bash", "-c", row+`
				n=1; case "$0" in several) n=5;; esac
				while [ "$(wc -l < "$1" 2>/dev/null || echo 0)" -lt $n ]; do :; done
				exec 3<>/dev/tcp/127.0.0.1/$PORT; printf 'GET k\r\n' >&3; read -r reply <&3`, name, file)
			comes(t, p, "GET k")
			p.Kill()
			pids, err := os.ReadFile(file)
			if err != nil || len(pids) == 0 {
				t.Fatal("the test has started nothing: ", err)
			}
			for pid := range strings.Lines(string(pids)) {
				n, err := strconv.Atoi(strings.TrimSpace(pid))
				if err != nil {
					t.Fatal(err)
				}
				gone(t, n)
			}
			gone(t, p.child.cmd.Process.Pid)
		})
	}
}

// A program that goes into the background is told to stay, and what it has left is ended.
func TestDaemon(t *testing.T) {
	onLinux(t)
	testtools.Find(t, "setsid")
	p := shell(t, `(setsid sleep 1000 <&- >&- 2>&- &); exit 0`)
	a := p.Next()
	possible := []lang.Text{leavesBehind(1, "bash").Text, leavesBehind(1, "setsid").Text, leavesBehind(1, "sleep").Text} // one after the other
	if a.Fault == nil || !slices.Contains(possible, *a.Fault) {
		t.Fatalf("%s", outcome(a.Fault, a.Ended, a.Code))
	}
	if left := p.child.tree.members(true); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

// A program ends with Lockstep, also when that is killed.
func TestProgramEndsWithUs(t *testing.T) {
	onLinux(t)
	if os.Getenv("LOCKSTEP_CHILD") != "" {
		p, err := Start([]string{"sh", "-c", "echo $$; exec sleep 1000"}, "C1", Options{})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println("pid", p.child.cmd.Process.Pid)
		if self, err := os.FindProcess(os.Getpid()); err == nil {
			_ = self.Kill()
		}
		select {}
	}
	self := exec.Command(os.Args[0], "-test.run", "^TestProgramEndsWithUs$")
	self.Env = append(os.Environ(), "LOCKSTEP_CHILD=1")
	text, _ := self.Output()
	_, said, _ := strings.Cut(string(text), "pid ")
	pid, err := strconv.Atoi(strings.TrimSpace(said))
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	for until := time.Now().Add(within); ; runtime.Gosched() {
		if m, ok := status(pid); !ok || m.dead {
			return
		}
		if time.Now().After(until) {
			t.Fatal("the program runs on")
		}
	}
}
