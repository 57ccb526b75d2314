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

	overlap string // two clients, one tick
	stuck   string // two clients, one cut connection
	foreign string // three clients, one tick, one crash
}

// The verdicts, each with the length of the shortest counterexample. README.md beside the fixtures says what is wrong with each.
const (
	holds       = "holds"
	notFunction = "not-a-function-of-its-replies"
	noGuess     = "cannot-be-tested" // nobody can guess from its scripts when it is inside
)

var fixtures = []fixture{
	{"naive, redis-py", python("naive.py"), holds, "violated 3", holds},
	{"SET PX and DEL, redis-py", python("set_px_del.py"), "violated 5", holds, "violated 7"},
	{"SET PX and a script, redis-py", python("set_px_compare.py"), "violated 5", holds, holds},
	{"Lock of redis-py", python("redis_lock.py"), "violated 5", holds, holds},
	{"SET PX and DEL with markers", python("markers.py"), "violated 5", holds, "violated 7"},
	{"twice SET PX and DEL", python("worker_loop.py"), "violated 5", holds, "violated 7"},
	{"DEL and SETNX", python("del_setnx.py"), "violated 8", holds, "violated 7"},
	{"GETSET", python("getset.py"), "violated 7", holds, "violated 9"},
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
	{"Symfony Lock", php("symfony_lock.php"), noGuess, noGuess, noGuess},
}

// timed are the programs that look at their own clock, and have verdicts on one that stands still only, each with a tick past
// the expiry that it writes into its lock; 0: the lease will do.
var timed = map[string]engine.Time{"DEL and SETNX": 12_000, "GETSET": 12_000, "Symfony Lock": 0}

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

// learner returns a learner of a program, whose processes are on clocks of their own if they are to be.
func learner(t testing.TB, command []string, onClock bool) *learn.Learner {
	l := learn.NewLearner(strings.Join(command, " "), process.Launch(command, process.Options{Patience: time.Minute, Clock: onClock}))
	t.Cleanup(l.Close)
	return l
}

// verdict asks a question about a program, and returns the answer with the length of the counterexample.
func verdict(t testing.TB, l *learn.Learner, command []string, onClock bool, q explore.Question) (string, *learn.Result) {
	t.Helper()
	q.Delays = explore.Any
	r, err := (&learn.Test{Question: q, Name: learn.NameOf(command), Clock: onClock, AutoTick: q.Ticks > 0 && q.Tick == 0, Runtime: hands}).Run(l)
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict == learn.Violated {
		return fmt.Sprintf("%s %d", r.Verdict, r.Answer.Counterexamples[0].Length), r
	}
	return string(r.Verdict), r
}

// A question about a fixture, with the verdict on it.
type question struct {
	explore.Question
	verdict string
}

func (f fixture) questions() []question {
	tick := timed[f.name]
	return []question{
		{explore.Question{Property: "overlap", Clients: 2, Ticks: 1, Tick: tick}, f.overlap},
		{explore.Question{Property: "stuck", Clients: 2, Losses: 1}, f.stuck},
		{explore.Question{Property: "foreign-delete", Clients: 3, Ticks: 1, Tick: tick, Crashes: 1}, f.foreign},
	}
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
			_, reads := timed[f.name]
			for _, asked := range f.questions() {
				want := asked.verdict
				if reads {
					want = notFunction
				}
				if got, r := verdict(t, learner(t, command, false), command, false, asked.Question); got != want {
					t.Errorf("%s: %s, not %s\n%s", asked.Property, got, want, r.Sentence("en"))
				}
			}
		})
	}
}

// On clocks that stand still the programs have the same verdicts, and those that look at their own clock have some, too. A
// real redis-server in place of Lockstep's own changes none of them, and shows the same states.
func TestVerdictsOnTheClock(t *testing.T) {
	testtools.Long(t, "starts about 300 processes")
	if why := process.LacksClock(); why != nil {
		testtools.Absent(t, why.English)
	}
	server, err := process.StartServer(testtools.Find(t, "redis-server"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	for _, f := range fixtures {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			command := f.command(t)
			for _, asked := range f.questions() {
				l := learner(t, command, true)
				got, ours := verdict(t, l, command, true, asked.Question)
				if got != asked.verdict {
					t.Errorf("%s: %s, not %s\n%s", asked.Property, got, asked.verdict, ours.Sentence("en"))
				}
				asked.Redis = server.New
				real, theirs := verdict(t, l, command, true, asked.Question)
				if real != got || ours.Fault == nil && theirs.Answer.States != ours.Answer.States {
					t.Errorf("%s: %s with %d states, and on a real server %s with %d\n%s", asked.Property, got, ours.Answer.States, real, theirs.Answer.States, theirs.Sentence("en"))
				}
			}
			if err := server.Err(); err != nil {
				t.Error(err)
			}
		})
	}
}

// The same processes, in the same order, before a real redis-server: it gives each of them the reply that the world gave.
func TestARealServerRepliesTheSame(t *testing.T) {
	testtools.Long(t, "starts about 100 processes")
	for _, f := range fixtures {
		if _, reads := timed[f.name]; reads {
			continue // TestVerdictsOnTheClock
		}
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			command := f.command(t)
			l := learner(t, command, false)
			_, r := verdict(t, l, command, false, explore.Question{Property: "overlap", Clients: 2})
			real := &realServer{t: t, conn: testtools.StartRedis(t).Dial()}
			real.in = bufio.NewReader(real.conn)
			launch := process.Launch(command, process.Options{Patience: time.Minute})
			witness := func(name string, own int64) (learn.Process, error) {
				p, err := launch(name, own)
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
