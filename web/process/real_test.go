package process_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/engine/explore"
	"lockstep/engine/learn"
	"lockstep/engine/redis"
	"lockstep/engine/testtools"
	"lockstep/web/process"
)

// A fixture is a program in ./fixtures, with the verdicts that lockstep test gives it.
type fixture struct {
	name    string
	command func(t testing.TB) []string

	overlap string // two clients, one tick as long as the lease
	stuck   string // two clients, one cut connection
	foreign string // three clients, one tick as long as the lease, one crash
}

// The verdicts, each with the length of the shortest counterexample. README.md beside the fixtures says what is wrong with each.
const (
	holds       = "holds"
	notFunction = "not-a-function-of-its-replies"
)

var fixtures = []fixture{
	{"naive, redis-py", python("naive.py"), holds, "violated 3", holds},
	{"SET PX and DEL, redis-py", python("set_px_del.py"), "violated 5", holds, "violated 7"},
	{"SET PX and a script, redis-py", python("set_px_compare.py"), "violated 5", holds, holds},
	{"Lock of redis-py", python("redis_lock.py"), "violated 5", holds, holds},
	{"SET PX and DEL with markers", python("markers.py"), "violated 5", holds, "violated 7"},
	{"twice SET PX and DEL", python("worker_loop.py"), "violated 5", holds, "violated 7"},
	{"DEL and SETNX", python("del_setnx.py"), notFunction, notFunction, notFunction},
	{"GETSET", python("getset.py"), notFunction, notFunction, notFunction},
	{"naive, go-redis", built("goredis"), holds, "violated 3", holds},
	{"own value with markers, go-redis", built("ownvalue"), "violated 5", holds, holds},
	{"redsync", built("redsync"), "violated 5", holds, holds},
	{"SET PX and a script, ioredis", node("ioredis", "ioredis.mjs"), "violated 5", holds, holds},
	{"naive, ioredis", node("ioredis", "ioredis_naive.mjs"), holds, "violated 3", holds},
	{"SET PX and a script, node-redis", node("redis", "node_redis.mjs"), "violated 5", holds, holds},
	{"node-redlock", node("redlock", "redlock.mjs"), "violated 5", holds, holds},
	{"SET PX and DEL, redis-cli", shell("naive.sh"), "violated 5", holds, "violated 7"},
	{"SET PX and a script, redis-rb", script("ruby", "redis_rb.rb", "-rredis"), "violated 5", holds, holds},
	{"naive, redis-rb", script("ruby", "redis_rb_naive.rb", "-rredis"), holds, "violated 3", holds},
	{"SET PX and a script, Redis.pm", script("perl", "redis_perl.pl", "-MRedis"), "violated 5", holds, holds},
	{"SET PX and a script, phpredis", php("phpredis.php"), "violated 5", holds, holds},
	{"SET PX and DEL, Predis", php("predis.php"), "violated 5", holds, "violated 7"},
	{"Symfony Lock", php("symfony_lock.php"), notFunction, notFunction, notFunction},
}

func in(name string) string { return filepath.Join("fixtures", name) }

func python(name string) func(testing.TB) []string {
	return func(t testing.TB) []string { return []string{testtools.Python(t, "redis"), in(name)} }
}

func node(library, name string) func(testing.TB) []string {
	return func(t testing.TB) []string {
		testtools.NodePackage(t, "../../.ci", library)
		return []string{testtools.Find(t, "node"), in(name)}
	}
}

func built(name string) func(testing.TB) []string {
	return func(t testing.TB) []string {
		path := filepath.Join(t.TempDir(), name)
		if out, err := exec.Command("go", "build", "-o", path, "./"+in(name)).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return []string{path}
	}
}

func shell(name string) func(testing.TB) []string {
	return func(t testing.TB) []string {
		testtools.Find(t, "redis-cli")
		return []string{testtools.Find(t, "sh"), in(filepath.Join("shell", name))}
	}
}

// script returns a program whose interpreter has a library, which it loads with the flag.
func script(interpreter, name, library string) func(testing.TB) []string {
	return func(t testing.TB) []string {
		path := testtools.Find(t, interpreter)
		if exec.Command(path, library, "-e", "1").Run() != nil {
			testtools.Absent(t, interpreter+" "+library+" is not installed")
		}
		return []string{path, in(name)}
	}
}

func php(name string) func(testing.TB) []string {
	return func(t testing.TB) []string {
		path := testtools.Find(t, "php")
		if exec.Command(path, "-r", `exit(class_exists("Redis") && (@include "Predis/autoload.php") && (@include "Symfony/Component/Lock/autoload.php") ? 0 : 1);`).Run() != nil {
			testtools.Absent(t, "php-redis, php-predis or php-symfony-lock is not installed")
		}
		return []string{path, in(name)}
	}
}

// hands runs pieces on goroutines.
var hands = explore.Runtime{Workers: 2, Go: func(n int, work func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { work(i) })
	}
	all.Wait()
}}

// try tests a program, and returns its verdict with the length of the counterexample.
func try(t testing.TB, command []string, q explore.Question) (string, *learn.Learner, *learn.Result) {
	t.Helper()
	l := learn.NewLearner(strings.Join(command, " "), process.Launch(command, process.Options{Patience: time.Minute}))
	defer l.Close()
	q.Delays = explore.Any
	r, err := (&learn.Test{Question: q, Name: learn.NameOf(command), AutoTick: q.Ticks > 0, Runtime: hands}).Run(l)
	if err != nil {
		t.Fatal(err)
	}
	verdict := string(r.Verdict)
	if r.Verdict == learn.Violated {
		verdict = fmt.Sprintf("%s %d", verdict, r.Answer.Counterexamples[0].Length)
	}
	return verdict, l, r
}

// "test on: naive, SET PX + DEL, DEL + SETNX and GETSET (not a function of its replies), redis-py Lock, redsync,
// node-redlock 5, each with its verdict, and the lost reply that sticks go-redis, ioredis." Each counterexample has been
// replayed with all processes alive.
func TestVerdicts(t *testing.T) {
	testtools.Long(t, "starts about 300 processes")
	for _, f := range fixtures {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			command := f.command(t)
			for _, asked := range []struct {
				q    explore.Question
				want string
			}{
				{explore.Question{Property: "overlap", Clients: 2, Ticks: 1}, f.overlap},
				{explore.Question{Property: "stuck", Clients: 2, Losses: 1}, f.stuck},
				{explore.Question{Property: "foreign-delete", Clients: 3, Ticks: 1, Crashes: 1}, f.foreign},
			} {
				verdict, _, r := try(t, command, asked.q)
				if verdict != asked.want {
					t.Errorf("%s: %s, not %s\n%s", asked.q.Property, verdict, asked.want, r.Sentence("en"))
				}
			}
		})
	}
}

// The same processes, in the same order, before a real redis-server: it gives each of them the reply that the world gave.
func TestARealServerRepliesTheSame(t *testing.T) {
	testtools.Long(t, "starts about 100 processes")
	for _, f := range fixtures {
		if f.stuck == notFunction {
			continue
		}
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			command := f.command(t)
			_, l, r := try(t, command, explore.Question{Property: "overlap", Clients: 2})
			real := &realServer{t: t, conn: testtools.StartRedis(t).Dial()}
			real.in = bufio.NewReader(real.conn)
			launch := process.Launch(command, process.Options{Patience: time.Minute})
			witness := func(name string) (learn.Process, error) {
				p, err := launch(name)
				return &witness{p, real}, err
			}
			if err := l.Replay(witness, r.Question.Header(), turns(t, r.Question.Header())); err != nil {
				t.Error(err)
			}
			if real.asked < 5 {
				t.Errorf("the real server was asked only %d times", real.asked)
			}
		})
	}
}

// turns lets C1 take the lock and C2 ask for it meanwhile. Both go on by turns as far as they come without waiting, and C3
// after them.
func turns(t *testing.T, header engine.Header) []engine.Action {
	w := engine.New(header)
	defer w.Close()
	var actions []engine.Action
	do := func(a engine.Action) {
		if _, err := w.Apply(a); err != nil {
			t.Fatal(err)
		}
		actions = append(actions, a)
	}
	do(engine.Action{Verb: engine.VerbSpawn, Client: "C1"})
	do(engine.Action{Verb: engine.VerbStep, Client: "C1"})
	do(engine.Action{Verb: engine.VerbSpawn, Client: "C2"})
	for _, group := range [][]string{{"C2", "C1"}, {"C3"}} {
		if w.Client(group[0]) == nil {
			do(engine.Action{Verb: engine.VerbSpawn, Client: group[0]})
		}
		for moved := true; moved; {
			moved = false
			for _, name := range group {
				if step := (engine.Action{Verb: engine.VerbStep, Client: name}); w.Can(step) == nil {
					do(step)
					moved = true
				}
			}
		}
	}
	return actions
}

// A witness is a process whose commands a real server executes, too.
type witness struct {
	learn.Process
	real *realServer
}

func (w *witness) Answer(reply redis.Reply) {
	command := w.Next().Command
	if command[0] == "PUBLISH" { // a marker is answered in the front
		w.Process.Answer(reply)
		return
	}
	got := w.real.do(command)
	if got != reply {
		w.real.t.Errorf("%s: the real server replies %s, the world %s", redis.Label(command), got, reply)
	}
	w.Process.Answer(got)
}

type realServer struct {
	t     *testing.T
	conn  net.Conn
	in    *bufio.Reader
	asked int
}

func (s *realServer) do(command []string) redis.Reply {
	s.asked++
	if _, err := io.WriteString(s.conn, redis.Encode(command)); err != nil {
		s.t.Fatal(err)
	}
	return redis.Reply(s.read())
}

func (s *realServer) read() string {
	line, err := s.in.ReadString('\n')
	if err != nil {
		s.t.Fatal(err)
	}
	n, _ := strconv.Atoi(strings.TrimSpace(line[1:]))
	switch {
	case line[0] == '$' && n >= 0:
		body := make([]byte, n+2)
		if _, err := io.ReadFull(s.in, body); err != nil {
			s.t.Fatal(err)
		}
		return line + string(body)
	case line[0] == '*':
		for range max(0, n) {
			line += s.read()
		}
	}
	return line
}
