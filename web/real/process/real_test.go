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
	"lockstep/engine/program"
	"lockstep/engine/redis"
	"lockstep/engine/testtools"
	"lockstep/web/real/process"
)

// A fixture is a program in ./fixtures, with the verdicts that lockstep test gives it.
type fixture struct {
	name string
	file string

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
	{"naive, redis-py", "naive.py", holds, "violated 3", holds},
	{"SET PX and DEL, redis-py", "set_px_del.py", "violated 5", holds, "violated 7"},
	{"SET PX and a script, redis-py", "set_px_compare.py", "violated 5", holds, holds},
	{"Lock of redis-py", "redis_lock.py", "violated 5", holds, holds},
	{"SET PX and DEL with markers", "markers.py", "violated 5", holds, "violated 7"},
	{"twice SET PX and DEL", "worker_loop.py", "violated 5", holds, "violated 7"},
	{"DEL and SETNX", "del_setnx.py", "violated 8", holds, "violated 7"},
	{"GETSET", "getset.py", "violated 7", holds, "violated 9"},
	{"naive, go-redis", "goredis", holds, "violated 3", holds},
	{"own value with markers, go-redis", "ownvalue", "violated 5", holds, holds},
	{"redsync", "redsync", "violated 5", holds, holds},
	{"SET PX and a script, ioredis", "ioredis.mjs", "violated 5", holds, holds},
	{"naive, ioredis", "ioredis_naive.mjs", holds, "violated 3", holds},
	{"SET PX and a script, node-redis", "node_redis.mjs", "violated 5", holds, holds},
	{"node-redlock", "redlock.mjs", "violated 5", holds, holds},
	{"SET PX and DEL, redis-cli", "shell/naive.sh", "violated 5", holds, "violated 7"},
	{"SET PX and a script, redis-rb", "redis_rb.rb", "violated 5", holds, holds},
	{"naive, redis-rb", "redis_rb_naive.rb", holds, "violated 3", holds},
	{"SET PX and a script, Redis.pm", "redis_perl.pl", "violated 5", holds, holds},
	{"SET PX and a script, phpredis", "phpredis.php", "violated 5", holds, holds},
	{"SET PX and DEL, Predis", "predis.php", "violated 5", holds, "violated 7"},
	{"Symfony Lock", "symfony_lock.php", noGuess, noGuess, noGuess},
}

// timed are the programs that look at their own clock, and have verdicts on one that stands still only, each with a tick past
// the expiry that it writes into its lock; 0: the lease will do.
var timed = map[string]engine.Time{"del_setnx.py": 12_000, "getset.py": 12_000, "symfony_lock.php": 0}

// libraries are the packages that the programs in Node need.
var libraries = map[string]string{"ioredis.mjs": "ioredis", "ioredis_naive.mjs": "ioredis", "five.mjs": "ioredis", "node_redis.mjs": "redis", "redlock.mjs": "redlock"}

// command returns what starts a program of ./fixtures. Without its language or library it ends the test as testtools.Absent does.
func command(t testing.TB, file string) []string {
	t.Helper()
	path := filepath.Join("fixtures", file)
	has := func(interpreter string, loads ...string) []string {
		found := testtools.Find(t, interpreter)
		if exec.Command(found, loads...).Run() != nil {
			testtools.Absent(t, interpreter+" lacks a library of "+file)
		}
		return []string{found, path}
	}
	switch filepath.Ext(file) {
	case ".py":
		return []string{testtools.Python(t, "redis"), path}
	case ".mjs":
		testtools.NodePackage(t, "../../../.ci", libraries[file])
		return []string{testtools.Find(t, "node"), path}
	case ".sh":
		testtools.Find(t, "redis-cli")
		return []string{testtools.Find(t, "sh"), path}
	case ".rb":
		return has("ruby", "-rredis", "-e", "1")
	case ".pl":
		return has("perl", "-MRedis", "-e", "1")
	case ".php":
		return has("php", "-r", `exit(class_exists("Redis") && (@include "Predis/autoload.php") && (@include "Symfony/Component/Lock/autoload.php") ? 0 : 1);`)
	}
	program := filepath.Join(t.TempDir(), file)
	build := exec.Command(testtools.Find(t, "go"), "build", "-o", program, "./"+file)
	build.Dir = "fixtures" // a module of their own
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return []string{program}
}

// hands runs pieces on goroutines.
var hands = explore.Runtime{Workers: 2, Go: func(n int, work func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { work(i) })
	}
	all.Wait()
}}

// A asked is a program that the tests ask questions about: a real one, or its recording.
type asked struct {
	name    string // as lockstep test names it
	title   string
	launch  learn.Launcher
	onClock bool
}

// real returns a program of ./fixtures, whose processes are on clocks of their own if they are to be.
func real(t testing.TB, file string, onClock bool) asked {
	t.Helper()
	command := command(t, file)
	return asked{learn.NameOf(command), file, process.Launch(command, process.Options{Patience: time.Minute, Clock: onClock}), onClock}
}

func (a asked) learner(t testing.TB) *learn.Learner {
	l := learn.NewLearner(a.title, a.launch)
	t.Cleanup(l.Close)
	return l
}

// verdict asks a question about a program, and returns the answer with the length of the counterexample.
func (a asked) verdict(t testing.TB, l *learn.Learner, q explore.Question) (string, *learn.Result) {
	t.Helper()
	q.Delays = explore.Any
	r, err := (&learn.Test{Question: q, Name: a.name, Clock: a.onClock, AutoTick: q.Ticks > 0 && q.Tick == 0, Runtime: hands}).Run(l)
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
	tick := timed[f.file]
	return []question{
		{explore.Question{Property: "overlap", Clients: 2, Ticks: 1, Tick: tick}, f.overlap},
		{explore.Question{Property: "stuck", Clients: 2, Losses: 1}, f.stuck},
		{explore.Question{Property: "foreign-delete", Clients: 3, Ticks: 1, Tick: tick, Crashes: 1}, f.foreign},
	}
}

// keeps holds what a learner has learned of a real program to the fixture's recording.
func (f fixture) keeps(t *testing.T, l *learn.Learner, onClock bool) {
	t.Helper()
	kept := f.recorded(t).of[onClock]
	if kept == nil {
		return
	}
	parse := func(text string) *program.Program { // without what it says at its end, which has times and paths
		p, err := program.Parse("fixture", lastWords.ReplaceAllString(text, "$1$2"))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	if does := f.told(l.Recording(), onClock); !parse(kept.text).Extends(parse(does)) {
		t.Errorf("%s does\n%s\nand was recorded as\n%s", f.file, does, kept.text)
	}
}

// first are the fixtures that a submission runs, one a language: those with the richest verdicts. node-redlock alone would take nearly as
// long as all of these.
var first = map[string]bool{
	"getset.py": true, "redsync": true, "ioredis_naive.mjs": true, "shell/naive.sh": true, "redis_rb.rb": true, "redis_perl.pl": true, "predis.php": true,
}

// "test on: naive, SET PX + DEL, DEL + SETNX and GETSET (not a function of its replies), redis-py Lock, redsync,
// node-redlock 5, each with its verdict, and the lost reply that sticks go-redis, ioredis." Each counterexample has been
// replayed with all processes alive.
func TestVerdicts(t *testing.T) {
	for _, f := range fixtures {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			_, reads := timed[f.file]
			if f.file == "set_px_del.py" || f.file == "shell/naive.sh" || f.file == "getset.py" {
				testtools.Long(t, "starts processes of Python and a shell")
			} else {
				testtools.Exhaustive(t, "starts about 300 processes")
			}
			a := real(t, f.file, false)
			for n, asked := range f.questions() {
				want := asked.verdict
				if reads {
					want = notFunction
				}
				l := a.learner(t)
				got, r := a.verdict(t, l, asked.Question)
				if got != want {
					t.Errorf("%s: %s, not %s\n%s", asked.Property, got, want, r.Sentence("en"))
				}
				if !reads {
					f.keeps(t, l, false)
					f.answers(t, n, answer(asked.Question, got, r), false)
				}
			}
		})
	}
}

// answers holds an answer to the recording's.
func (f fixture) answers(t *testing.T, n int, got string, onClock bool) {
	t.Helper()
	if want := f.recorded(t).of[onClock].answers[n]; got != want {
		t.Errorf("%s, and its recording: %s", got, want)
	}
}

// On clocks that stand still the programs have the same verdicts, and those that look at their own clock have some, too. A
// real redis-server in place of Lockstep's own changes none of them, and shows the same states.
func TestVerdictsOnTheClock(t *testing.T) {
	testtools.Long(t, "starts about 50 processes in seven languages")
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
			if !first[f.file] {
				testtools.Exhaustive(t, "another fixture of its language stands for it")
			}
			a := real(t, f.file, true)
			for n, asked := range f.questions() {
				l := a.learner(t)
				ask := func(t *testing.T, q explore.Question) {
					got, r := a.verdict(t, l, q)
					if got != asked.verdict {
						t.Errorf("%s, not %s\n%s", got, asked.verdict, r.Sentence("en"))
					}
					f.answers(t, n, answer(q, got, r), true)
					if r.Fault == nil { // a real one may execute what Lockstep's refuses to
						f.keeps(t, l, true)
					}
				}
				t.Run(asked.Property+", Lockstep's Redis", func(t *testing.T) {
					testtools.Exhaustive(t, "the recording has what it does there")
					ask(t, asked.Question)
				})
				t.Run(asked.Property+", a real one", func(t *testing.T) {
					asked.Redis = server.New
					ask(t, asked.Question)
				})
			}
			if err := server.Err(); err != nil {
				t.Error(err)
			}
		})
	}
}

// The same processes, in the same order, before a real redis-server: it gives each of them the reply that the world gave.
func TestARealServerRepliesTheSame(t *testing.T) {
	for _, f := range fixtures {
		if _, reads := timed[f.file]; reads {
			continue // TestVerdictsOnTheClock
		}
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			if f.file == "redis_perl.pl" {
				testtools.Long(t, "starts processes of Perl and a real server")
			} else {
				testtools.Exhaustive(t, "starts about 100 processes")
			}
			a := real(t, f.file, false)
			l := a.learner(t)
			_, r := a.verdict(t, l, explore.Question{Property: "overlap", Clients: 2})
			server := &realServer{t: t, conn: testtools.StartRedis(t).Dial()}
			server.in = bufio.NewReader(server.conn)
			witness := func(name string, own, apart int64) (learn.Process, error) {
				p, err := a.launch(name, own, apart)
				return &witness{p, server}, err
			}
			if err := l.Replay(witness, r.Question.Header(), turns(t, r.Question.Header())); err != nil {
				t.Error(err)
			}
			if server.asked < 5 {
				t.Errorf("the real server was asked only %d times", server.asked)
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
		if _, err := w.Apply(a, engine.MaxActionWork); err != nil {
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
