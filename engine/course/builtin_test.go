package course_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.yaml.in/yaml/v3"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/course"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
	"lockstep/engine/testtools"
)

// The built-in course has every part of a lesson, in both languages.
func TestBuiltinIsWhole(t *testing.T) {
	c := course.Builtin()
	if !slices.Equal(c.Languages, lang.All) {
		t.Fatalf("the course is in %v", c.Languages)
	}
	if len(c.Lessons) < 14 || len(c.Incidents) != 7 {
		t.Errorf("%d lessons and %d incidents", len(c.Lessons), len(c.Incidents))
	}
	for _, l := range c.All() {
		said := map[string]lang.Text{"title": l.Title, "goal": l.Goal, "lead": l.Lead}
		for _, ch := range l.Challenges {
			said["heading of "+ch.Name], said["text of "+ch.Name], said["what is said when it is solved: "+ch.Name] = ch.Heading, ch.Text, ch.Solved
		}
		predictions := 0
		for _, m := range l.Moments {
			said["heading of "+m.Name], said["text of "+m.Name] = m.Heading, m.Text
			right := 0
			for _, a := range m.Answers {
				said[m.Name+": "+a.Name], said[m.Name+": after "+a.Name] = a.Text, a.After
				if a.Right {
					right++
				}
			}
			if len(m.Answers) == 0 {
				continue
			}
			if predictions++; right != 1 || len(m.Answers) > 4 {
				t.Errorf("%s: %d of the %d answers at %s are right", l.Name, right, len(m.Answers), m.Name)
			}
		}
		if slices.Contains(c.Incidents, l) {
			if l.Link == "" || len(l.Challenges) == 0 {
				t.Errorf("the incident %s has the link %q and %d challenges", l.Name, l.Link, len(l.Challenges))
			}
		} else {
			said["way on"] = l.On
			if len(l.Moments) < 4 || predictions == 0 || len(l.Challenges) == 0 {
				t.Errorf("%s has %d moments, %d predictions and %d challenges", l.Name, len(l.Moments), predictions, len(l.Challenges))
			} else if last := l.Moments[len(l.Moments)-1]; last.Name != "showed" || last.At != len(l.Scenario.Actions()) {
				t.Errorf("%s ends with the moment %s, after %d of %d actions", l.Name, last.Name, last.At, len(l.Scenario.Actions()))
			}
		}
		for what, words := range said {
			for _, in := range lang.All {
				switch {
				case !words.Has(in) && in != c.Languages[0]:
					testtools.Untranslated(t, "%s: no text in %v: %s", l.Name, in, what)
				case strings.TrimSpace(words.In(in)) == "":
					t.Errorf("%s: no text in %v: %s", l.Name, in, what)
				}
			}
		}
	}
}

// The author of the built-in course is warned of no fault in teaching, and of no missing translation.
func TestBuiltinHasNoWarnings(t *testing.T) {
	for _, w := range course.Builtin().Warnings {
		if w.Untranslated {
			testtools.Untranslated(t, "%v", w)
		} else {
			t.Error(w)
		}
	}
}

// The test confirms a lesson's claims about its scenario and its predictions
// without this package. It reads the front matter as YAML, and the engine alone
// plays the scenario, to its end, and up to the moment after each prediction.
// There the engine meets all expectations of the right answer, and misses one
// of each wrong answer. In at least a third of the lessons' predictions, nothing is
// violated by what comes next: it ends harmlessly.
func TestBuiltinIsWhatTheEngineDoes(t *testing.T) {
	predictions, harmless := 0, 0
	for _, l := range course.Builtin().All() {
		text, err := os.ReadFile("redis-lock/" + l.Name + ".en.md")
		if err != nil {
			t.Fatal(err)
		}
		var front struct {
			Scenario    string
			Predictions map[string]map[string]any
		}
		if err := yaml.Unmarshal([]byte(strings.Split(string(text), "\n---\n")[0]), &front); err != nil {
			t.Fatalf("%s: %v", l.Name, err)
		}
		played := func(scenario string) *engine.Trace {
			s, err := engine.Parse(l.Name, scenario, func(file string) (string, error) {
				text, err := os.ReadFile("redis-lock/" + file)
				return string(text), err
			})
			if err != nil {
				t.Fatal(err)
			}
			trace, err := s.Play(l.Name, check.All()...)
			if err != nil {
				t.Fatal(err)
			}
			return trace
		}
		// unmet returns the engine's complaints about a scenario.
		unmet := func(scenario string) []*engine.Problem { return played(scenario).Unmet }
		violations := func(scenario string) (n int) {
			for _, e := range played(scenario).Run.World().Events() {
				if e.Kind == engine.Violated {
					n++
				}
			}
			return n
		}
		for _, why := range unmet(front.Scenario) {
			t.Error(why)
		}
		asked := 0
		for i, m := range l.Moments {
			if len(m.Answers) == 0 {
				continue
			}
			asked++
			until, _, _ := strings.Cut(front.Scenario, "# @"+l.Moments[i+1].Name+"\n")
			if before, _, _ := strings.Cut(front.Scenario, "# @"+m.Name+"\n"); !slices.Contains(course.Builtin().Incidents, l) {
				if predictions++; violations(before) == violations(until) {
					harmless++
				}
			}
			for _, a := range m.Answers {
				scenario := until
				switch expectations := front.Predictions[m.Name][a.Name].(type) {
				case string:
					scenario += expectations + "\n"
				case []any:
					for _, line := range expectations {
						scenario += line.(string) + "\n"
					}
				default:
					t.Errorf("%s: at %s there is no answer %s", l.Name, m.Name, a.Name)
				}
				if problems := unmet(scenario); a.Right != (len(problems) == 0) {
					t.Errorf("%s: at %s the course marks the answer %s as right: %v, but the engine says %v", l.Name, m.Name, a.Name, a.Right, problems)
				}
			}
		}
		if asked != len(front.Predictions) {
			t.Errorf("%s has %d predictions, and asks %d", l.Name, len(front.Predictions), asked)
		}
	}
	t.Logf("%d of %d predictions end harmlessly", harmless, predictions)
	if 3*harmless < predictions {
		t.Error("less than a third of the predictions end harmlessly")
	}
}

// The table holds the explorer's answer to every challenge: the program, the
// property, and the number of states within the bounds in the lesson's file. A
// challenge to fix a program has two lines for a property: the program, and a
// fixed one.
//
// The numbers follow from the rules and not from the search: package explore
// confirms such numbers by running every schedule.
var proofs = []proof{
	{"one-winner/two-commands", "look-then-set", "overlap", violated, 3, 23},
	{"one-winner/two-winners", "naive", "overlap", holds, 0, 1_965},
	{"leave-or-wait/finally", "release-in-finally", "overlap", violated, 2, 15},
	{"leave-or-wait/patience", "naive-timeout", "overlap", holds, 0, 1_784},
	{"leave-or-wait/patience", "naive-timeout", "stuck", holds, 0, 1_784},
	{"crash/nobody-crashes", "naive", "stuck", holds, 0, 485},
	{"crash/lock-out", "naive", "stuck", violated, 3, 72},
	{"lease/short", "without-one", "stuck", violated, 3, 9},
	{"lease/with-one", "timestamp", "stuck", holds, 0, 62},
	{"race/second", "del-setnx", "mutual-exclusion", violated, 3, 14},
	{"race/break", "del-setnx", "mutual-exclusion", violated, 8, 77},
	{"race/mend", "del-setnx", "mutual-exclusion", violated, 16, 11_233},
	{"race/mend", "del-setnx", "stuck", holds, 0, 16_963},
	{"race/mend", "delete-what-was-read", "mutual-exclusion", holds, 0, 15_890},
	{"race/mend", "delete-what-was-read", "stuck", holds, 0, 15_890},
	{"getset/unread", "getset-unread", "mutual-exclusion", violated, 3, 14},
	{"getset/whole", "getset", "mutual-exclusion", holds, 0, 13_441},
	{"equal-second/team", "expired-after", "mutual-exclusion", violated, 4, 40},
	{"equal-second/mend", "getset-literal-equal", "mutual-exclusion", holds, 0, 8_875},
	{"equal-second/mend", "getset-literal-equal", "stuck", violated, 8, 1_609},
	{"equal-second/mend", "older-than", "mutual-exclusion", holds, 0, 8_957},
	{"equal-second/mend", "older-than", "stuck", holds, 0, 8_957},
	{"losing-getset/guess", "getset-nil-free", "mutual-exclusion", violated, 3, 14},
	{"losing-getset/late", "getset-compare-delete", "mutual-exclusion", violated, 6, 93},
	{"losing-getset/swap", "takeover-cas", "mutual-exclusion", holds, 0, 60_818},
	{"losing-getset/swap", "takeover-cas", "lease-drift", holds, 0, 60_818},
	{"unlock/slow", "getset", "mutual-exclusion", violated, 3, 42},
	{"unlock/calm", "getset", "mutual-exclusion", holds, 0, 1_935},
	{"unlock/calm", "getset", "foreign-delete", holds, 0, 1_935},
	{"unlock/mend", "getset", "mutual-exclusion", violated, 14, 50_724},
	{"unlock/mend", "getset", "foreign-delete", violated, 12, 34_488},
	{"unlock/mend", "getset", "stuck", holds, 0, 63_633},
	{"unlock/mend", "delete-what-is-mine", "mutual-exclusion", holds, 0, 43_332},
	{"unlock/mend", "delete-what-is-mine", "foreign-delete", holds, 0, 43_332},
	{"unlock/mend", "delete-what-is-mine", "stuck", holds, 0, 43_332},
	{"java/robbed", "java", "foreign-delete", violated, 3, 10},
	{"java/mend", "java", "mutual-exclusion", violated, 9, 2_190},
	{"java/mend", "java", "stuck", holds, 0, 18_560},
	{"java/mend", "java-mended", "mutual-exclusion", holds, 0, 11_329},
	{"java/mend", "java-mended", "stuck", holds, 0, 11_329},
	{"clocks/four", "getset", "mutual-exclusion", violated, 3, 10},
	{"clocks/back", "set-px", "mutual-exclusion", violated, 4, 45},
	{"clocks/three", "getset", "mutual-exclusion", holds, 0, 24},
	{"one-command/crash", "setnx-expire", "stuck", violated, 2, 23},
	{"one-command/thread", "thread-id", "foreign-delete", violated, 5, 62},
	{"one-command/reply", "set-px-late-lease", "mutual-exclusion", violated, 6, 181},
	{"one-command/all", "set-px", "mutual-exclusion", holds, 0, 54_574},
	{"one-command/all", "set-px", "foreign-delete", holds, 0, 54_574},
	{"one-command/all", "set-px", "stuck", holds, 0, 54_574},
	{"pause/never", "timestamp", "overlap", holds, 0, 3_429},
	{"pause/no-delay", "set-px", "overlap", violated, 3, 19},
	{"renewal/near", "set-px-renew-blind", "mutual-exclusion", violated, 4, 64},
	{"renewal/trust", "set-px-watchdog", "mutual-exclusion", holds, 0, 28_305},
	{"renewal/mend", "set-px-renew-blind", "mutual-exclusion", violated, 8, 1_245},
	{"renewal/mend", "renew-its-own", "mutual-exclusion", holds, 0, 8_170},
	{"fencing/two-steps", "set-px-fencing-incr", "stale-write", violated, 3, 19},
	{"fencing/forgets", "set-px-fencing", "stale-write", violated, 5, 152},
	{"fencing/at-the-read", "set-px-fencing-read", "lost-update", holds, 0, 3_583},
	{"fencing/at-the-read", "set-px-fencing-read", "stale-write", holds, 0, 3_583},
	{"commit/near", "unlock-then-commit", "lost-update", violated, 3, 7},
	{"commit/expired", "commit-then-unlock", "lost-update", violated, 4, 30},
	{"commit/mend", "unlock-then-commit", "lost-update", violated, 12, 1_401},
	{"commit/mend", "commit-then-unlock", "lost-update", holds, 0, 1_254},
	{"lost-reply/shut-out", "naive", "stuck", violated, 2, 18},
	{"lost-reply/delete-twice", "delete-again", "foreign-delete", violated, 4, 45},
	{"lost-reply/compare-twice", "compare-again", "foreign-delete", holds, 0, 13_844},
	{"lost-reply/mend", "delete-again", "stuck", violated, 4, 36},
	{"lost-reply/mend", "delete-again", "foreign-delete", violated, 10, 438},
	{"lost-reply/mend", "lost-reply-mended", "stuck", holds, 0, 1_448},
	{"lost-reply/mend", "lost-reply-mended", "foreign-delete", holds, 0, 1_448},
	{"forgot/failover", "set-px", "mutual-exclusion", violated, 2, 15},
	{"forgot/lose", "set-px", "mutual-exclusion", violated, 4, 136},
	{"forgot/keep", "set-px", "mutual-exclusion", holds, 0, 1_860},
	{"forgot/efficiency", "set-px", "stuck", holds, 0, 4_450},
	{"five-servers/near", "redlock", "mutual-exclusion", violated, 4, 164},
	{"five-servers/forget", "redlock", "mutual-exclusion", violated, 7, 2_312},
	{"five-servers/stay-away", "redlock", "mutual-exclusion", holds, 0, 11_682},
	{"your-own-lock/late", "redis-py-del", "foreign-delete", violated, 4, 18},
	{"your-own-lock/library", "redis-py-lock", "foreign-delete", holds, 0, 656}, // not in the table
	{"your-own-lock/library", "redis-py-lock", "stuck", holds, 0, 656},          // not in the table
	{"redis-mutex-6/overwrite", "redis-mutex-6", "lease-drift", violated, 3, 13},
	{"redis-mutex-6/patched", "redis-mutex-6-patched", "lease-drift", holds, 0, 345},
	{"yiiredis-18/together", "yiiredis-18", "mutual-exclusion", violated, 4, 15},
	{"yiiredis-18/patched", "yiiredis-18-patched", "mutual-exclusion", violated, 5, 80},
	{"sim-6864/hasty", "sim-6864-hasty", "foreign-delete", violated, 4, 118},
	{"sim-6864/own", "sim-6864-mended", "foreign-delete", holds, 0, 6_001},
	{"sim-6864/own", "sim-6864-mended", "mutual-exclusion", holds, 0, 6_001},
	{"sim-6864/shared", "sim-6864-shared", "foreign-delete", violated, 4, 118},
	{"servicestack-215/drift", "servicestack-215", "lease-drift", violated, 3, 28},
	{"servicestack-215/mend", "servicestack-215", "lease-drift", violated, 13, 20_398},
	{"servicestack-215/mend", "servicestack-215", "stuck", holds, 0, 35_177},
	{"servicestack-215/mend", "servicestack-215-mended", "lease-drift", holds, 0, 31_226},
	{"servicestack-215/mend", "servicestack-215-mended", "stuck", holds, 0, 31_226},
	{"redisson-7272/inside", "set-px-watchdog", "stuck", holds, 0, 6_256},
	{"archimedes-1046/late", "archimedes-1046", "mutual-exclusion", violated, 5, 161},
	{"archimedes-1046/mend", "archimedes-1046", "mutual-exclusion", violated, 10, 3_218},
	{"archimedes-1046/mend", "archimedes-1046", "stuck", holds, 0, 27_705},
	{"archimedes-1046/mend", "archimedes-1046-mended", "mutual-exclusion", holds, 0, 5_020},
	{"archimedes-1046/mend", "archimedes-1046-mended", "stuck", holds, 0, 5_020},
	{"sent-again/own-key", "go-redis-setnx", "stuck", violated, 2, 20},
	{"sent-again/twice", "ioredis-setnx", "foreign-delete", violated, 4, 58}, // not in the table
	{"sent-again/own-value", "own-value", "stuck", holds, 0, 3_786},          // not in the table
	{"sent-again/own-value", "own-value", "foreign-delete", holds, 0, 3_786}, // not in the table
}

const (
	holds    = explore.Holds
	violated = explore.Violated
)

// A proof is a line of the table.
type proof struct {
	challenge string
	program   string
	property  string
	verdict   explore.Verdict
	length    int // in actions, of a shortest counterexample
	states    int64
}

func (p proof) String() string {
	verdict := map[explore.Verdict]string{holds: "holds", violated: "violated"}[p.verdict]
	return fmt.Sprintf("\t{%q, %q, %q, %s, %d, %s},", p.challenge, p.program, p.property, verdict, p.length, thousands(p.states))
}

func thousands(n int64) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s_%03d", thousands(n/1000), n%1000)
}

// parallel runs work on all processors.
func parallel(n int, work func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { work(i) })
	}
	all.Wait()
}

// Check finds no mistake. Each answer of the explorer is the table's. The judge sees each shortest counterexample,
// played by hand, break the lock in that many actions.
func TestBuiltinChallenges(t *testing.T) {
	c := sound(t)
	names := map[*course.Challenge]string{}
	for _, l := range c.All() {
		for _, ch := range l.Challenges {
			names[ch] = l.Name + "/" + ch.Name
		}
	}
	var found []proof
	mistakes := course.CheckReporting(c, explore.Runtime{Go: parallel, Workers: runtime.GOMAXPROCS(0)}, func(ch *course.Challenge, q explore.Question, a *explore.Answer) {
		p := proof{names[ch], ch.Program().Name, q.Property, a.Verdict, 0, a.States}
		if q.From == nil {
			p.program = q.Program.Name
		}
		for _, way := range a.Counterexamples {
			p.length = way.Length
			run := ch.Begin()
			for _, action := range way.Actions {
				if _, err := run.Do(action); err != nil {
					t.Fatalf("%s: %v", p.challenge, err)
				}
			}
			// A path to one violation may also violate another property of the
			// challenge.
			if s := ch.Judge(run); !s.Broken || s.Foul != nil || s.Actions > way.Length || s.Actions < way.Length && len(ch.Properties) == 1 {
				t.Errorf("%s: a shortest counterexample has %d actions; the judge: %+v", p.challenge, way.Length, s)
			}
		}
		found = append(found, p)
	})
	for _, m := range mistakes {
		t.Error(m)
	}
	if !slices.Equal(found, proofs) {
		var lines strings.Builder
		for _, p := range found {
			fmt.Fprint(&lines, p)
			if !slices.Contains(proofs, p) {
				fmt.Fprint(&lines, " // not in the table")
			}
			fmt.Fprintln(&lines)
		}
		t.Fatalf("the search found another table:\n%s", lines.String())
	}
	// Each challenge claims the same as its lines.
	for ch, name := range names {
		shortest, fixed := 0, true
		for _, p := range proofs {
			switch {
			case p.challenge != name:
			case ch.Fix != nil && p.program == ch.Fix.Name:
				fixed = fixed && p.verdict == holds
			case p.verdict == violated && (shortest == 0 || p.length < shortest):
				shortest = p.length
			}
		}
		if ch.Fix == nil && shortest != ch.Par || ch.Fix != nil && (shortest == 0 || !fixed) {
			t.Errorf("%s says par %d; the table says %d, and fixed: %v", name, ch.Par, shortest, fixed)
		}
	}
}

// No run is shorter than par: the test plays and judges every sequence with
// fewer actions, including those that the explorer does not know. The table
// counts the ones without a foul.
func TestNothingIsShorterThanPar(t *testing.T) {
	plays := map[string]int{
		"one-winner/two-commands": 83,
		"leave-or-wait/finally":   12,
		"crash/lock-out":          203,
		"lease/short":             47,
		"clocks/four":             49,
		"clocks/back":             513,
		"one-command/crash":       11,
		"yiiredis-18/together":    361,
		"sim-6864/hasty":          1_303,
		"sim-6864/shared":         1_303,
		"lost-reply/delete-twice": 947,
		"forgot/lose":             878,
	}
	for name, want := range plays {
		ch := challenge(sound(t), name)
		if played := playAll(t, ch, ch.Begin(), ch.Par-1); played != want {
			t.Errorf("%s: %d runs count, not %d", name, played, want)
		}
	}
}

// Where par is too great to try everything, random actions are no faster
// either, and never break a lock that holds.
func TestRandomRunsDoNotBeatPar(t *testing.T) {
	testtools.Long(t, "TestNothingIsShorterThanPar proves the same")
	random := rand.New(rand.NewPCG(1, 2))
	broken := 0
	for _, l := range course.Builtin().All() {
		for _, ch := range l.Challenges {
			if ch.Fix != nil {
				continue
			}
			for range 2 {
				var s course.Standing
				run := ch.Begin()
				for foul := 0; foul < 30 && s.Actions < 20 && !s.Broken; {
					all := thinkable(run)
					a := all[random.IntN(len(all))]
					if run.World().Can(a) != nil {
						continue
					}
					next := after(ch, run.Actions(), a)
					if judged := ch.Judge(next); judged.Foul == nil {
						run, s = next, judged
					} else {
						foul++
					}
				}
				if s.Broken {
					broken++
				}
				if s.Broken && (ch.Par == 0 || s.Actions < ch.Par) {
					t.Errorf("%s/%s: broken in %d actions, where par is %d:\n%s", l.Name, ch.Name, s.Actions, ch.Par, run.Scenario())
				}
			}
		}
	}
	if broken == 0 {
		t.Error("no run breaks a lock: the test shows nothing")
	}
}

// The lookahead gives the right distance: each action on a shortest path brings
// the violation one action nearer.
func TestLookahead(t *testing.T) {
	for _, l := range course.Builtin().All() {
		for _, ch := range l.Challenges {
			if ch.Par == 0 {
				continue
			}
			left := func(run *engine.Run) *explore.Answer {
				a, err := ch.Lookahead(run, ch.Properties[0]).Search(course.Budget, explore.Runtime{}, 1)
				if err != nil {
					t.Fatalf("%s/%s: %v", l.Name, ch.Name, err)
				}
				return a
			}
			run := ch.Begin()
			for i, a := range left(run).Counterexamples[0].Actions[:ch.Par-1] { // after the last one it may be over
				if _, err := run.Do(a); err != nil {
					t.Fatal(err)
				}
				if a := left(run); a.Verdict != violated || a.Counterexamples[0].Length != ch.Par-i-1 {
					t.Errorf("%s/%s: after %d of %d actions: %s, %v", l.Name, ch.Name, i+1, ch.Par, a.Verdict, a.Counterexamples)
				}
			}
		}
	}
}

// challenge returns the one with a name: race/break.
func challenge(c *course.Course, name string) *course.Challenge {
	lesson, challenge, _ := strings.Cut(name, "/")
	return c.Lesson(lesson).Challenge(challenge)
}

// sound returns the built-in course. It ends a test of a course that a change of the engine has made untrue.
func sound(t *testing.T) *course.Course {
	t.Helper()
	c := course.Builtin()
	for _, m := range c.Mistakes {
		t.Error(m)
	}
	if t.Failed() {
		t.FailNow()
	}
	return c
}

// playAll judges every run that continues another by up to n actions without a foul, and counts them.
func playAll(t *testing.T, ch *course.Challenge, from *engine.Run, actions int) (played int) {
	t.Helper()
	for _, a := range thinkable(from) {
		if from.World().Can(a) != nil {
			continue
		}
		run := after(ch, from.Actions(), a)
		switch s := ch.Judge(run); {
		case s.Foul != nil:
		case s.Broken && (ch.Par == 0 || s.Actions < ch.Par):
			t.Errorf("broken in %d actions, where par is %d:\n%s", s.Actions, ch.Par, run.Scenario())
		default:
			if played++; actions > 1 {
				played += playAll(t, ch, run, actions-1)
			}
		}
		run.World().Close()
	}
	return played
}

// after returns a run with one action more. It judges only the challenge's
// properties.
func after(ch *course.Challenge, actions []engine.Action, a engine.Action) *engine.Run {
	var properties []engine.Property
	for _, name := range ch.Properties {
		p, _ := check.Named(name)
		properties = append(properties, p.Property)
	}
	run := engine.NewRun(ch.Start.Header, properties...)
	for _, a := range append(slices.Clip(actions), a) {
		if _, err := run.Do(a); err != nil {
			panic(err) // it was possible
		}
	}
	return run
}

// thinkable returns the actions that somebody may think of.
func thinkable(run *engine.Run) []engine.Action {
	w := run.World()
	next := 1
	for w.Client(fmt.Sprintf("C%d", next)) != nil {
		next++
	}
	text := fmt.Sprintf("tick 100ms|tick 1s|tick 2s|spawn C%d|spawn X|spawn C%d set-px|spawn C%d skew=4s|do C9 DEL lock.foo|note \"now\"", next, next, next)
	for _, c := range w.Clients() {
		for _, action := range []string{"step %s", "step %s 2", "deliver %s", "receive %s", "drop %s", "crash %s", "restart %s", "pause %s", "resume %s", "skew %s 4s"} {
			text += "|" + fmt.Sprintf(action, c.Name)
		}
	}
	for n := range w.Nodes() {
		for _, action := range []string{"redis crash %d keep", "redis crash %d lose", "redis restart %d", "redis failover %d"} {
			text += "|" + fmt.Sprintf(action, n+1)
		}
	}
	var all []engine.Action
	for line := range strings.SplitSeq(text, "|") {
		a, err := engine.ParseAction(line)
		if err != nil {
			panic(err) // these lines are constant
		}
		all = append(all, a)
	}
	return all
}

// The express path takes an hour: seven lessons, each with its first challenge.
func TestTheExpressPathTakesAnHour(t *testing.T) {
	for _, in := range lang.All {
		minutes := 0
		for _, l := range course.Builtin().Express {
			minutes += l.Hurried(in)
		}
		if n := len(course.Builtin().Express); n != 7 || minutes > 60 {
			t.Errorf("%s: %d lessons take %d minutes", in, n, minutes)
		}
	}
}
