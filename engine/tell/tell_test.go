package tell_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
	"lockstep/engine/program"
	"lockstep/engine/tell"
)

var rewrite = flag.Bool("rewrite", false, "write the stories again")

const stories = "testdata/stories.txt"

// Each way in which the course's locks break is told in both languages. The file has a question and its story; where a line names no
// bound there are 3 clients, 6 ticks of 1 s and leases of 2 s.
func TestStories(t *testing.T) {
	text, err := os.ReadFile(stories)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for block := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n\n") {
		asked, _, _ := strings.Cut(block, "\n")
		told := asked
		for _, l := range lang.All {
			told += "\n" + tell.Plain(story(t, asked, l), l)
		}
		if told != block && !*rewrite {
			t.Errorf("%s\nwanted\n%s", told, block)
		}
		fmt.Fprint(&b, told, "\n\n")
	}
	if *rewrite {
		if err := os.WriteFile(stories, []byte(strings.TrimSuffix(b.String(), "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// The race of the SETNX page has a holder that crashed. No shortest counterexample needs one.
func TestTheRaceOfTheSourcesIsTold(t *testing.T) {
	scenario, err := engine.Parse("race", "program del-setnx timeout=10s\nspawn C3\nstep C3\ncrash C3\ntick 12s\nspawn C1 C2\n"+
		strings.Repeat("step C1\n", 2)+strings.Repeat("step C2\n", 2)+strings.Repeat("step C1\n", 2)+strings.Repeat("step C2\n", 2), nil)
	if err != nil {
		t.Fatal(err)
	}
	trace, err := scenario.Play("race", check.All()...)
	if err != nil {
		t.Fatal(err)
	}
	events := trace.Run.World().Events()
	violated := slices.IndexFunc(events, func(e engine.Event) bool {
		return e.Kind == engine.Violated && e.Violation.Property == "mutual-exclusion"
	}) + 1
	for l, want := range map[lang.Language]string{
		lang.English: "C3 crashed with the lock. C3's lease ran out, and C1 took the lock. C2 had seen the old lock, too: its DEL now removed C1's lock, and C2 went in beside C1.",
		lang.Chinese: "C3 拿着锁崩溃了。C3 的租约到期，C1 拿到了锁。C2 之前看到的也是旧锁，它的 DEL 这时删掉的却是 C1 的锁，C2 也进了临界区，和 C1 同时在里面。",
	} {
		if got := tell.Plain(tell.Story(events, violated, l), l); got != want {
			t.Errorf("%s\nwant\n%s", got, want)
		}
	}
}

// story answers a question and tells its counterexample.
func story(t *testing.T, asked string, l lang.Language) []tell.Sentence {
	t.Helper()
	events, violated := violation(t, question(t, asked))
	if violated == 0 {
		t.Fatalf("%s: no violation", asked)
	}
	all := tell.Story(events, violated, l)
	for i, s := range all {
		if said := s.String(); strings.Contains(said, "%!") || strings.ContainsAny(said, "\x02\x03\x1f") || s.Seq > violated || i > 0 && s.Seq < all[i-1].Seq {
			t.Errorf("%s: %d %q", asked, s.Seq, said)
		}
	}
	return all
}

// violation returns the events of a question's shortest counterexample, and the number of its violation; 0: there is none.
func violation(t *testing.T, q explore.Question) (events []engine.Event, violated int) {
	t.Helper()
	a, err := q.Search(explore.Budget{States: 200_000}, explore.Runtime{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Counterexamples) == 0 {
		return nil, 0
	}
	trace, err := a.Counterexamples[0].Scenario.Play("counterexample", check.All()...)
	if err != nil {
		t.Fatal(err)
	}
	events = trace.Run.World().Events()
	for _, e := range events {
		if e.Kind == engine.Violated && e.Violation.Property == q.Property {
			return events, e.Seq
		}
	}
	return nil, 0
}

// question reads a line such as "getset mutual-exclusion ticks=5".
func question(t *testing.T, asked string) explore.Question {
	t.Helper()
	fields := strings.Fields(asked)
	p, ok := program.Builtin(fields[0])
	if !ok {
		t.Fatalf("%s: no such program", asked)
	}
	q := explore.Question{Program: p, Property: fields[1], Clients: 3, Ticks: 6, Timeout: 2000, Delays: explore.Any}
	for _, bound := range fields[2:] {
		name, value, _ := strings.Cut(bound, "=")
		n, _ := strconv.Atoi(value)
		numbers := map[string]*int{"clients": &q.Clients, "ticks": &q.Ticks, "crashes": &q.Crashes, "delays": &q.Delays, "losses": &q.Losses, "nodes": &q.Nodes,
			"node-crashes": &q.NodeCrashes, "restart-delay": &q.RestartDelay, "failovers": &q.Failovers}
		switch to := numbers[name]; name {
		case "replies":
			q.Replies = true
		case "symmetry":
			q.Symmetry = true
		case "lose":
			q.Lose = true
		case "tick":
			q.Tick, _ = engine.ParseDuration(value)
		case "timeout":
			q.Timeout, _ = engine.ParseDuration(value)
		case "within":
			q.Within, _ = engine.ParseDuration(value)
		case "skew":
			client, by, _ := strings.Cut(value, "=")
			skew, _ := engine.ParseDuration(by)
			q.Skew = map[string]engine.Time{client: skew}
		default:
			if to == nil {
				t.Fatalf("%s: unknown bound %s", asked, bound)
			}
			*to = n
		}
	}
	return q
}
