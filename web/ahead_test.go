package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"lockstep/engine/course"
	"lockstep/engine/explore"
	"lockstep/web/limit"
	"lockstep/web/live"
	"lockstep/web/present"
	"lockstep/web/search"
)

// raceRun plays the race of the sources in a run of the site, up to its last actions.
func raceRun(s *site) {
	s.Helper()
	for _, line := range []string{
		"spawn C3 del-setnx timeout=10s", "step C3", "crash C3", "tick 12s", "spawn C1 C2 del-setnx timeout=10s",
		"step C1 2", "step C2 2", "step C1 2",
	} {
		s.act(aRun, line)
	}
}

// looks asks what can still happen.
func (s *site) looks(query string) present.Ahead {
	s.Helper()
	a := s.get(aRun + "/ahead?" + query)
	a.wants(s.T, http.StatusOK)
	var found present.Ahead
	if err := json.Unmarshal([]byte(a.body), &found); err != nil {
		s.Fatalf("%s: %v in %s", query, err, a.body)
	}
	return found
}

// The lookahead answers for each property, at the end of a run and at each position before it.
func TestLookaheadAnswersAtEveryPosition(t *testing.T) {
	s := newSite(t, Options{})
	raceRun(s) // its text has spawn C1 and spawn C2, so eight lines are nine actions
	for _, c := range []struct {
		query, verdict string
		actions        string
	}{
		{"at=9", "violated", "step C2, step C2"},
		{"", "violated", "step C2, step C2"},
		{"at=9&property=mutual-exclusion", "violated", "step C2, step C2"},
		{"at=9&property=foreign-delete", "violated", "step C2"},
		{"at=8&property=stuck", "holds", ""},
		{"at=3", "violated", "tick 12s, spawn C1 del-setnx timeout=10s, step C1, step C1, spawn C2 del-setnx timeout=10s, step C2, step C2, step C2, step C2, step C1, step C1"},
	} {
		for range 2 { // searched, and remembered
			found := s.looks(c.query)
			if got := strings.Join(found.Actions, ", "); string(found.Verdict) != c.verdict || got != c.actions || found.Length != len(found.Actions) {
				t.Errorf("%s: %s after %d actions: %s\nwant %s after %s", c.query, found.Verdict, found.Length, got, c.verdict, c.actions)
			}
		}
	}
	if bounds := s.looks("lang=en").Bounds; !strings.HasPrefix(bounds, "3 clients, 2 ticks of 1, 10 or 12 s, ") {
		t.Errorf("the bounds are %s", bounds)
	}
	if bounds := s.looks("lang=zh").Bounds; !strings.HasPrefix(bounds, "3 个客户端、") {
		t.Errorf("the bounds are %s", bounds)
	}
	if found := s.looks("at=10"); found.Verdict != explore.Stopped {
		t.Errorf("beyond the end of the run: %+v", found)
	}
	s.act(aRun, "step C2")
	s.act(aRun, "step C2")
	if found := s.looks(""); found.Verdict != explore.Violated || found.Length != 0 || found.Says != "" {
		t.Errorf("where it is violated already: %+v", found)
	}
}

// Three hints of growing help lead to the next action: what and how far, whose doing, and where. Without a way there is none.
func TestHintsGrow(t *testing.T) {
	s := newSite(t, Options{})
	raceRun(s)
	for query, want := range map[string]string{
		"lang=en":                     "From here, two clients can hold the lock in 2 actions.|The harm comes from C2's DEL.|The next action happens on the lane of C2.",
		"lang=zh":                     "从这里起，只要 2 个动作，就可能有两个客户端同时持有锁。|问题出在 C2 的 DEL。|下一个动作在 C2 的泳道上。",
		"lang=en&at=3":                "From here, two clients can hold the lock in 11 actions.|The harm comes from C1's DEL.|Next, time passes.",
		"lang=en&at=8&property=stuck": "",
	} {
		if got := strings.Join(s.looks(query).Hints, "|"); got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
}

// The answer is a sentence in the reader's language. It names the bounds if the lookahead found nothing.
func TestLookaheadAnswersInTheReadersLanguage(t *testing.T) {
	s := newSite(t, Options{})
	raceRun(s)
	for query, want := range map[string]string{
		"lang=en":                         "From here, two clients can hold the lock in 2 actions.",
		"lang=zh":                         "从这里起，只要 2 个动作，就可能有两个客户端同时持有锁。",
		"lang=en&property=foreign-delete": "From here, a client can delete another's lock in 1 action.",
		"lang=en&at=6&property=stuck":     "From here, nothing gets the lock stuck for good within these bounds: 3 clients, 2 ticks of 1, 10 or 12 s, no crash and requests delayed without limit.",
		"lang=zh&at=6&property=stuck":     "从这里起，在这些范围内不会死锁：3 个客户端、时钟推进 2 次（每次 1、10 或 12 秒）、没有崩溃、请求延迟不限。",
	} {
		if got := s.looks(query).Says; got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
}

// The meter says in a few words how many actions a violation is away, how many the run took, or that within the bounds nothing
// leads there. A search that ends early knows the actions that it has tried all of. Nothing says never.
func TestTheMeterCountsActions(t *testing.T) {
	s := newSite(t, Options{})
	raceRun(s)
	said := func(query string) string {
		a := s.looks(query)
		return strings.Join(a.Meter[:], "|")
	}
	says := func(want map[string]string) {
		t.Helper()
		for query, meter := range want {
			if got := said(query); got != meter {
				t.Errorf("%s: the meter says %q, want %q", query, got, meter)
			}
		}
	}
	says(map[string]string{
		"lang=en&at=9":                         "|2| actions from two holders",
		"lang=zh&at=9":                         "最快 |2| 个动作就会出现两个持有者",
		"lang=en&at=9&property=stuck":          "From here, never a deadlock within these bounds||",
		"lang=zh&at=9&property=stuck":          "从这里开始，搜索范围内不会出现死锁||",
		"lang=en&at=9&property=foreign-delete": "|1| action from a foreign delete",
	})
	s.act(aRun, "step C2")
	s.act(aRun, "step C2")
	s.act(aRun, "tick 1s")
	says(map[string]string{
		"lang=en&at=10":                "|1| action from two holders",
		"lang=en&at=11":                "Broken in |11|", // counted to the first violation, and not to the last action
		"lang=en&at=12":                "Broken in |11|",
		"lang=zh&at=12":                "第 |11| 个动作出了事",
		"lang=en&at=12&property=stuck": "From here, never a deadlock within these bounds||",
		"lang=zh&at=12&property=stuck": "从这里开始，搜索范围内不会出现死锁||",
	})

	s.server.lookouts.Budget.States = 20
	says(map[string]string{
		"lang=en&at=5": "From here, never two holders within these bounds||",
		"lang=zh&at=5": "从这里开始，搜索范围内不会出现两个持有者||",
	})
	s.server.lookouts.Budget.States = 1
	says(map[string]string{
		"lang=en&at=4": "Undecided: the quick search used up its budget.||",
		"lang=zh&at=4": "尚无定论：快速搜索的预算已用完。||",
	})
}

// After "Spawn two clients" a newcomer was told that ticks of 12 s break nothing. The search has the ticks that the page
// offers, and those that the reader has used, and names them.
func TestTheMeterTicksAsTheReaderDoes(t *testing.T) {
	s := newSite(t, Options{})
	s.act(aRun, "spawn C1 C2 del-setnx")
	found := s.looks("lang=en")
	if found.Verdict != explore.Violated || found.Length != 13 || found.Meter[1] != "13" || strings.Contains(found.Bounds, "12 s,") != strings.Contains(found.Bounds, "1, 10 or 12 s,") {
		t.Errorf("two new clients are told %+v", found)
	}
	s.act(aRun, "tick 3s")
	if bounds := s.looks("lang=en").Bounds; !strings.HasPrefix(bounds, "3 clients, 2 ticks of 1, 3, 10 or 12 s, ") {
		t.Errorf("after a tick of 3 s the bounds are %s", bounds)
	}
}

// In a lesson the meter is silent while a question is open, on the way to its outcome, and on the card before it if a
// violation decides it. It speaks elsewhere, and where the reader has left the lesson's path.
func TestTheMeterKeepsALessonsSecrets(t *testing.T) {
	for _, l := range course.Builtin().Lessons {
		if l.Scenario == nil {
			continue
		}
		actions := l.Scenario.Actions()
		for n := range len(actions) + 1 {
			if m, _ := l.Asked(actions[:n]); m != nil && !l.Spoils(actions[:n]) {
				t.Errorf("%s: the meter speaks while the question of %q is open", l.Name, m.Name)
			}
		}
	}
	race := course.Builtin().Lesson("race")
	late, gone := race.Moment("late"), race.Moment("gone")
	s := newSite(t, Options{})
	run := s.send("POST", "/courses/redis-lock/race", url.Values{"moment": {"showed"}}).Header.Get("Location")
	verdict := func(run string, at int) explore.Verdict {
		var found present.Ahead
		if err := json.Unmarshal([]byte(s.get(fmt.Sprintf("%s/ahead?at=%d", run, at)).body), &found); err != nil {
			t.Fatal(err)
		}
		if found.Verdict == search.Hidden && (found.Length > 0 || len(found.Actions) > 0 || found.Says != "" || found.Meter != [3]string{}) {
			t.Errorf("at %d it says nothing, and yet %+v", at, found)
		}
		return found.Verdict
	}
	for _, at := range []int{late.At, gone.At - 1, gone.At} {
		if got := verdict(run, at); got != search.Hidden {
			t.Errorf("at %d of the race: %s", at, got)
		}
	}
	if got := verdict(run, 1); got == search.Hidden {
		t.Error("the first card of the race is silent, though its question comes later")
	}
	s.act(run, "crash C1")
	if got := verdict(run, len(race.Scenario.Actions())+1); got == search.Hidden {
		t.Error("a run that has left the lesson's path is silent")
	}
}

// The lookahead answers in a run with no client, with one, and with typed commands alone.
func TestLookaheadAnswersShortRuns(t *testing.T) {
	s := newSite(t, Options{})
	s.get(aRun).wants(t, http.StatusOK, `id="ahead" hidden`) // without scripts nobody requests it
	for _, line := range []string{"", "do A1 SET k 1", "spawn C1 naive", "redis crash", "pause C1"} {
		if line != "" {
			s.act(aRun, line)
		}
		if found := s.looks(""); found.Verdict != explore.Holds || found.Bounds == "" {
			t.Errorf("after %q: %+v", line, found)
		}
	}
	if s.get("/t/bbbbbbbbbb/ahead").wants(t, http.StatusOK, `"holds"`); s.kept("/t/bbbbbbbbbb") {
		t.Error("a look ahead creates a run")
	}
}

// A bad position or property is refused in the reader's language.
func TestLookaheadRefusesBadQuestions(t *testing.T) {
	s := newSite(t, Options{})
	raceRun(s)
	for query, texts := range map[string][2]string{
		"at=-1":           {"not valid", "不是"},
		"at=one":          {"not valid", "不是"},
		"property=safety": {`there is no property \"safety\"`, `没有性质`},
	} {
		s.get(aRun+"/ahead?lang=en&"+query).wants(t, http.StatusUnprocessableEntity, `"type":"error"`, texts[0])
		s.get(aRun+"/ahead?lang=zh&"+query).wants(t, http.StatusUnprocessableEntity, `"type":"error"`, texts[1])
	}
}

// A lookahead that has spent its budget gives no verdict.
func TestASpentBudgetIsNoVerdict(t *testing.T) {
	s := newSite(t, Options{})
	s.server.lookouts.Budget.States = 20
	raceRun(s)
	if found := s.looks("at=5"); found.Verdict != explore.Spent || found.Length != 0 {
		t.Errorf("with a budget of 20 states: %+v", found)
	}
}

// A lookahead runs while somebody wants its answer. It ends when the reader leaves, or when the run goes on from its
// position. Actions at the end of the run do not disturb a lookahead in the past.
func TestALookaheadEndsWithItsReader(t *testing.T) {
	s := newSite(t, Options{})
	raceRun(s)
	run, done, err := s.server.Rooms.Runs.Use(context.Background(), strings.TrimPrefix(aRun, "/t/"))
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	for _, c := range []struct {
		at        int
		interrupt func(leave func())
		want      explore.Verdict
	}{
		{5, func(leave func()) { leave() }, explore.Stopped},
		{5, func(func()) { s.act(aRun, "tick 1s") }, explore.Violated},
		{10, func(func()) { s.act(aRun, "tick 1s") }, explore.Stopped},
		{11, func(func()) {}, explore.Violated},
	} {
		ctx, leave := context.WithCancel(t.Context())
		questions := 0
		found, err := s.server.lookouts.Look(s.server.Work.Asker(interrupted{ctx, func() {
			if questions++; questions == 3 { // the search has begun
				c.interrupt(leave)
			}
		}}, "n", "n").Context(), run, search.Lookahead{At: c.at, Property: "mutual-exclusion"})
		leave()
		if err != nil || found.Verdict != c.want || questions < 3 {
			t.Errorf("at %d: %s (%v), asked %d times; want %s", c.at, found.Verdict, err, questions, c.want)
		}
		for i := range live.LookaheadsKept { // the run forgets the answer
			run.Foresee(search.Lookahead{At: -1 - i}, search.Foresight{})
		}
	}
}

// interrupted is a context that reports how often it is asked.
type interrupted struct {
	context.Context
	asked func()
}

func (i interrupted) Err() error {
	i.asked()
	return i.Context.Err()
}

// A lookahead waits while as many run as may. A reader who leaves meanwhile gets no answer, nor does anybody from a
// server that ends.
func TestALookaheadWaitsForItsTurn(t *testing.T) {
	s := newSite(t, Options{})
	raceRun(s)
	o := s.server.lookouts
	asker := func(ctx context.Context) *limit.Asker {
		a := s.server.Work.Asker(ctx, "n", "n")
		t.Cleanup(a.Done)
		return a
	}
	free, err := o.Places.Enter(asker(t.Context()).Context()) // a network has one at a time
	if err != nil {
		t.Fatal(err)
	}
	run, done, err := s.server.Rooms.Runs.Look(context.Background(), strings.TrimPrefix(aRun, "/t/"))
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	what := search.Lookahead{At: 9, Property: "mutual-exclusion"}
	left, leave := context.WithCancel(t.Context())
	leave()
	if found, err := o.Look(asker(left).Context(), run, what); err != nil || found.Verdict != explore.Stopped {
		t.Errorf("a reader who has left is told %+v (%v)", found, err)
	}
	answers := make(chan string)
	for range 3 {
		go func() {
			a := asker(t.Context())
			found, err := o.Look(a.Context(), run, what)
			a.Done()
			answers <- fmt.Sprint(found.Verdict, found.Actions, err)
		}()
	}
	select {
	case got := <-answers:
		t.Errorf("a waiting reader is told %s", got)
	case <-time.After(50 * time.Millisecond):
	}
	free()
	for range 3 {
		if got := <-answers; got != "violated[step C2 step C2] <nil>" {
			t.Errorf("a reader who has waited is told %s", got)
		}
	}
	o.Close()
	if found, err := o.Look(asker(t.Context()).Context(), run, search.Lookahead{At: 8, Property: "mutual-exclusion"}); err != nil || found.Verdict != explore.Stopped {
		t.Errorf("a server that has ended answers %+v (%v)", found, err)
	}
}
