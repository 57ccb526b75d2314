package explore_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/explore"
	"lockstep/engine/testtools"
)

// TestSPIN asks SPIN the explorer's questions. The models in promela/ are
// written by hand and in another language, and repeat the effects that the
// explorer computes by running the programs on miniredis: a mistake would have
// to be made twice to stay unseen.
func TestSPIN(t *testing.T) {
	testtools.Long(t, "gcc compiles a search for each question")
	testtools.Find(t, "spin") // one skipped test rather than twelve
	all := []explore.Question{
		{Clients: 2, Ticks: 8, Crashes: 2, Delays: explore.Any, Timeout: 2000},
		{Clients: 3, Ticks: 4, Crashes: 1, Delays: 0, Timeout: 2000},
		{Clients: 3, Ticks: 4, Crashes: 0, Delays: explore.Any, Timeout: 2000},
		{Clients: 4, Ticks: 3, Crashes: 0, Delays: 1, Timeout: 1000},
	}
	for _, bounds := range all[:testtools.InCircle(1, 1, len(all))] {
		for _, name := range []string{"del-setnx", "getset", "set-px"} {
			q := bounds
			q.Program = builtin(t, name)
			t.Run(title(&q), func(t *testing.T) {
				m := compile(t, &q, "-O0", "-DPROPERTY", "-DBFS") // compiling takes longer than searching

				counted, counts := m.search(t, "-A"), search(t, q) // -A: without regard to assertions
				t.Logf("%d states, %d transitions, %d levels", counted.states, counted.transitions, counted.depth)
				if counts.States != counted.states || counts.Transitions != counted.transitions || counts.Depth != counted.depth {
					t.Errorf("the explorer finds %d states, %d transitions and %d levels, SPIN %d, %d and %d",
						counts.States, counts.Transitions, counts.Depth, counted.states, counted.transitions, counted.depth)
				}

				q.Property = "mutual-exclusion"
				answer, violated := search(t, q), m.search(t).violated
				if violated != (answer.Verdict == explore.Violated) {
					t.Fatalf("the explorer says %s, SPIN says violated: %t", answer.Verdict, violated)
				}
				if !violated {
					return
				}
				actions := m.trail(t)
				t.Logf("violated after %d actions", len(actions))
				if length := answer.Counterexamples[0].Length; length != len(actions) {
					t.Errorf("the explorer's shortest counterexample has %d actions, SPIN's %d", length, len(actions))
				}
				violates(t, &q, actions)
			})
		}
	}
}

// violates plays SPIN's actions to a violation in the engine: the last action,
// and no earlier one, must lead to it there as well.
func violates(t *testing.T, q *explore.Question, actions []string) {
	run := engine.NewRun(engine.Header{Program: q.Program.Name, Options: engine.Options{Timeout: q.Timeout}}, check.MutualExclusion.Property)
	defer run.World().Close()
	for i, line := range actions {
		action, err := engine.ParseAction(line)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := run.Do(action); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if violated := len(run.World().Violations()) > 0; violated != (i == len(actions)-1) {
			t.Fatalf("after action %d of %d the engine says violated: %t\n%s", i+1, len(actions), violated, strings.Join(actions, "\n"))
		}
	}
}

func title(q *explore.Question) string {
	delays := "any"
	if q.Delays != explore.Any {
		delays = strconv.Itoa(q.Delays)
	}
	return fmt.Sprintf("%s/clients=%d,ticks=%d,crashes=%d,delays=%s", q.Program.Name, q.Clients, q.Ticks, q.Crashes, delays)
}

// A model is a question in Promela, compiled into a search of its own (pan).
type model struct {
	directory string
	text      string   // the name of its file
	options   []string // -D…, of spin and of pan
}

// compile has SPIN write the search for a question and the C compiler build it.
// The options (-D…) are those of the model and of pan.
//
// Partial order reduction is off, because the test counts every interleaving.
// SPIN's removal of variables that are only written (-o2) is off, too: they are
// part of the state.
func compile(t testing.TB, q *explore.Question, optimization string, options ...string) *model {
	t.Helper()
	spin, gcc := testtools.Find(t, "spin"), testtools.Find(t, "gcc")
	m := &model{directory: t.TempDir(), text: q.Program.Name + ".pml", options: append(options,
		fmt.Sprintf("-DCLIENTS=%d", q.Clients), fmt.Sprintf("-DTICKS=%d", q.Ticks), fmt.Sprintf("-DCRASHES=%d", q.Crashes),
		fmt.Sprintf("-DDELAYS=%d", q.Delays), fmt.Sprintf("-DTIMEOUT=%d", q.Timeout/1000))}
	if err := os.CopyFS(m.directory, os.DirFS("promela")); err != nil {
		t.Fatal(err)
	}
	m.do(t, spin, slices.Concat([]string{"-o2", "-a"}, m.options, []string{m.text})...)
	m.do(t, gcc, slices.Concat([]string{optimization, "-w", "-DSAFETY", "-DNOREDUCE", "-o", "pan", "pan.c"}, m.options)...)
	return m
}

// do runs a command beside the model and returns what it wrote.
func (m *model) do(t testing.TB, name string, arguments ...string) string {
	t.Helper()
	command := exec.Command(name, arguments...)
	command.Dir = m.directory
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", command, err, out)
	}
	return string(out)
}

// A finding is a search's report on itself.
type finding struct {
	states, transitions int64
	depth               int
	violated            bool
	seconds             float64
	memory              float64 // bytes
}

// search runs pan with those options. It fails the test where the search was
// cut short.
func (m *model) search(t testing.TB, options ...string) finding {
	t.Helper()
	out := m.do(t, filepath.Join(m.directory, "pan"), append([]string{"-n"}, options...)...)
	number := func(pattern string) float64 {
		found := regexp.MustCompile(strings.Replace(pattern, "#", `([0-9.e+]+)`, 1)).FindStringSubmatch(out)
		if found == nil {
			t.Fatalf("pan reports no %q:\n%s", pattern, out)
		}
		n, err := strconv.ParseFloat(found[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	f := finding{
		states: int64(number(`# states, stored`)),
		// SPIN counts the start as a transition.
		transitions: int64(number(`# transitions \(= stored\+matched\)`)) - 1,
		depth:       int(number(`depth reached #`)),
		violated:    strings.Contains(out, "assertion violated"),
		seconds:     number(`# seconds`),
		memory:      number(`#\s+total actual memory usage`) * 1024 * 1024,
	}
	if strings.Contains(out, "Search not completed") != f.violated || strings.Contains(out, "max search depth") {
		t.Fatalf("pan did not search everything:\n%s", out)
	}
	return f
}

// trail returns the actions up to the violation that the last search found, an
// action a line.
func (m *model) trail(t testing.TB) []string {
	t.Helper()
	var actions []string
	for line := range strings.Lines(m.do(t, testtools.Find(t, "spin"), slices.Concat([]string{"-t"}, m.options, []string{m.text})...)) {
		if action, ok := strings.CutPrefix(strings.TrimSpace(line), "> "); ok {
			actions = append(actions, action)
		}
	}
	if len(actions) == 0 {
		t.Fatal("the trail of a violation has no actions")
	}
	return actions
}
