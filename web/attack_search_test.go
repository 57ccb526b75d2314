package web

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"lockstep/engine/explore"
	"lockstep/engine/testtools"
	"lockstep/web/door"
	"lockstep/web/search"
)

// spender is a program that makes a schedule expensive, in memory and in time.
var spender = "def acquire(c):\n    for i in range(15):\n        c.set(\"k\" + str(i), c.name + \"" + strings.Repeat("x", 400) + "\" + str(c.incr(\"n\")))\n        c.get(\"k\" + str(i))\n    return c.setnx(\"l\", 1)\n" +
	"def release(c, lease):\n    c.delete(\"l\")\n"

func inquiryOf(t *testing.T, kind, query string) string {
	t.Helper()
	text, err := json.Marshal(map[string]string{"type": kind, "query": query, "source": spender})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// All searches together have a bound, and each part of a search has one.
func TestSearchesAreBoundedTogether(t *testing.T) {
	for atOnce, each := range map[int]int64{0: 64 << 20, 1: 64 << 20, 2: 64 << 20, 4: 32 << 20, 16: 8 << 20} {
		e := search.New(atOnce, 0, 0)
		if e.Memory != each || e.Memory*int64(max(atOnce, 2)) > 128<<20 || e.Work != 6_000_000_000 || e.Time != time.Minute {
			t.Errorf("%d at once: %d MB, %d units, %s", atOnce, e.Memory>>20, e.Work, e.Time)
		}
	}
}

// All parts of a request draw on one budget: the search, the random schedules, and every question of a challenge.
func TestOneRequestHasOneBudget(t *testing.T) {
	s := newSite(t, Options{})
	var asked []explore.Budget
	s.server.explorer.Work = 1_000_000
	s.server.explorer.Search = func(_ explore.Question, b explore.Budget, _ explore.Runtime, _ int) (*explore.Answer, error) {
		asked = append(asked, b)
		return &explore.Answer{Verdict: explore.Holds, Figures: explore.Figures{Work: 300_000}}, nil
	}
	s.server.explorer.Sample = func(_ explore.Question, n int64, _ uint64, b explore.Budget, _ explore.Runtime) (explore.Sample, error) {
		asked = append(asked, b)
		if b.Work < 300_000 {
			return explore.Sample{Verdict: explore.Spent, Bound: explore.OfWork, Work: b.Work + 5}, nil
		}
		return explore.Sample{Schedules: n, Work: 300_000}, nil
	}
	of := func(work ...int64) {
		t.Helper()
		var given []int64
		for _, b := range asked {
			if given = append(given, b.Work); b.Memory != 64<<20 {
				t.Errorf("a part may use %d bytes", b.Memory)
			}
		}
		if !slices.Equal(given, work) {
			t.Errorf("the parts may use %d units, want %d", given, work)
		}
		asked = nil
	}
	s.asks("/explore?run=luck&ticks=5").wants(t, http.StatusOK, "0 of 2,000 random schedules violated mutual-exclusion.", "It ended early: the work that one search may do here ran out.")
	of(1_000_000, 700_000, 400_000, 100_000)
	questions := make([]explore.Question, 5)
	for i := range questions {
		questions[i].Ticks = i
	}
	if _, err := s.server.explorer.Ask(s.server.Work.Asker(t.Context(), "a", "a").Context(), questions); err != nil {
		t.Fatal(err)
	}
	of(1_000_000, 700_000, 400_000, 100_000, 1) // which is none
}

// A search that reaches a bound names it in the reader's language.
func TestExploreSaysWhichBound(t *testing.T) {
	for bound, says := range map[explore.Bound][2]string{
		explore.OfWork:       {"the work that one search may do here ran out", "一次穷举在这里允许的计算量已用完"},
		explore.OfMemory:     {"the budget of 64 MB of memory ran out", "64 MB 的内存预算已用完"},
		explore.OfAction:     {"one action took too much work", "有一个动作的计算量过大"},
		explore.OfComponents: {"the numbers for different clients, values and replies ran out", "不同的客户端、值和回复太多，编号已用完"},
	} {
		s := newSite(t, Options{})
		s.server.explorer.Search = func(explore.Question, explore.Budget, explore.Runtime, int) (*explore.Answer, error) {
			return &explore.Answer{Verdict: explore.Spent, Bound: bound}, nil
		}
		s.asks("/explore?run=search").wants(t, http.StatusOK, "Not decided: "+says[0]+" after 0 states")
		s.asks("/explore?run=search&lang=zh").wants(t, http.StatusOK, "尚无定论："+says[1]+"，")
	}
}

// Random schedules of a stranger's program stay within the memory of a search. They end soon after their visitor has
// left.
func TestRandomSchedulesEndWithTheirVisitor(t *testing.T) {
	s := newSite(t, Options{MaxSearches: 1})
	e := s.server.explorer
	e.Memory = 8 << 20
	v := s.explores("/explore/live", inquiryOf(t, "luck", "own=1&program=naive&property=overlap&clients=5&ticks=30"))
	for {
		m := v.until("luck")
		if m.Over && strings.Contains(m.HTML, "It ended early: the budget of 8.0\u00a0MB of memory ran out.") {
			break
		} else if m.Over {
			t.Fatalf("told %+v", m)
		}
	}
	e.Memory = 1 << 30
	gone := make(chan time.Time, 1)
	luck := e.Sample
	e.Sample = func(q explore.Question, n int64, seed uint64, b explore.Budget, h explore.Runtime) (explore.Sample, error) {
		gone <- time.Now()
		return luck(q, n, seed, b, h)
	}
	v = s.explores("/explore/live", inquiryOf(t, "luck", "own=1&program=naive&property=overlap&clients=5&ticks=30"))
	<-gone
	v.conn.Close()
	ctx, leave := context.WithTimeout(t.Context(), testtools.Patience)
	defer leave()
	turn, err := e.Join(ctx, "another", "another")
	if err == nil {
		err = turn.Wait(func(int) {})
	}
	if err != nil {
		t.Errorf("the search goes on although its visitor has left: %v", err)
	} else {
		turn.End(nil)
	}
}

// A search that its visitor stops shows its findings so far.
func TestAStoppedSearchShowsWhatItFound(t *testing.T) {
	s := newSite(t, Options{})
	search := s.server.explorer.Search
	found := make(chan bool)
	s.server.explorer.Search = func(q explore.Question, b explore.Budget, h explore.Runtime, causes int) (*explore.Answer, error) {
		progress, told := h.Progress, false
		h.Progress = func(f explore.Figures) bool {
			if f.Depth > 17 && !told { // the first violation takes 16 actions
				told = true
				found <- true
				for progress(f) {
					time.Sleep(time.Millisecond) // until it has been heard
				}
				return false
			}
			return progress(f)
		}
		return search(q, b, h, causes)
	}
	v := s.explores("/explore/live", `{"type":"search","query":"program=del-setnx&clients=3&ticks=8&causes=1&delays=0"}`)
	<-found
	v.say(`{"type":"stop"}`)
	if m := v.answer(); len(m.Counterexamples) == 0 || !strings.Contains(m.HTML, "The search for other causes is not finished: it was stopped.") {
		t.Errorf("told %s: %s", m.Verdict, m.Text)
	}
}

// A visitor without a name ends nobody's search, and gets a name however many came before.
func TestAVisitorWithoutANameEndsNoSearch(t *testing.T) {
	s := newSite(t, Options{Limits: unhurried})
	e := s.server.explorer
	first, err := e.Join(t.Context(), "n", "n")
	if err != nil {
		t.Fatal(err)
	}
	defer first.End(nil)
	second, err := e.Join(t.Context(), "n", "n")
	if err != nil {
		t.Fatal(err)
	}
	defer second.End(nil)
	if err := first.Err(); err != nil {
		t.Errorf("a search is replaced by that of somebody else: %v", err)
	}
	for range 1_000 {
		s.server.Guard.Names.Allow("127.0.0.1")
	}
	if cookies := s.get("/help").Cookies(); len(cookies) != 1 || cookies[0].Name != door.VisitorCookie {
		t.Errorf("after a thousand names there is %v", cookies)
	}
}

// Every page of the explorer answers 503 if its queue is full.
func TestAFullQueueIsBusyEverywhere(t *testing.T) {
	s := newSite(t, Options{MaxSearches: 1, MaxWaiting: 1})
	s.server.explorer.Search = endless
	run := s.begin("race/break", nil)
	for _, name := range []string{"ann", "bob"} {
		turn, err := s.server.explorer.Join(t.Context(), "elsewhere "+name, name)
		if err != nil {
			t.Fatal(err)
		}
		defer turn.End(nil)
	}
	s.asks("/explore?run=search").wants(t, http.StatusServiceUnavailable, "queue is full")
	s.send("POST", run+"/claims", url.Values{}).wants(t, http.StatusServiceUnavailable, "queue is full")
}
