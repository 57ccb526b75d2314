package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/engine/lang"
	"lockstep/engine/testtools"
	"lockstep/views"
	"lockstep/web/door"
	"lockstep/web/limit"
	"lockstep/web/live"
	"lockstep/web/present"
	"lockstep/web/runpages"
	"lockstep/web/store"
)

// A visit is a site in a reader's language.
type visit struct {
	*site
	l lang.Language
}

func (v visit) post(path string, pairs ...string) answer {
	v.Helper()
	return v.send("POST", path+"?lang="+string(v.l), fields(pairs...))
}

func (v visit) look(path string) answer {
	v.Helper()
	return v.get(path + "?lang=" + string(v.l))
}

// Each row is a bound: a request that exceeds it, the refusal in both languages, and the most work that the server
// does before it refuses, in units of 10 ns. Other visitors are not affected.
func TestAStrangersCostIsBounded(t *testing.T) {
	long := strings.Repeat("do A1 GET lock.foo\n", 1249) // 4,997 events
	const (
		tooLong    = "Line 5001, column 1: the scenario has more than 5000 lines, not counting its programs|第 5001 行第 1 列：场景文本除程序之外超过 5000 行"
		impossible = http.StatusUnprocessableEntity
	)
	text := func(scenario string) func(v visit) answer {
		return func(v visit) answer { return v.post("/runs", "scenario", scenario) }
	}
	oneRoomMore := func(v visit) answer {
		teacher := v.person()
		_, run := teacher.opens()
		teacher.watches(run, "page").want("hello")
		v.idles()
		other, _ := v.person().opens()
		return v.look(other)
	}
	for _, c := range []struct {
		bound  string
		o      Options
		status int
		says   string // a name of the catalogue, or the sentence in both languages
		work   int64  // at most, of the request that is refused
		exceed func(v visit) answer
	}{
		{"events of a text", Options{}, impossible, "Line 9, column 1: this action makes more events than fits: a run has at most 5000 in all|第 9 行第 1 列：这个动作产生的事件超过了这次运行的容量：一次运行总共至多 5000 个事件",
			2_000_000, text(testtools.Flip + "spawn C1 flip\ntick 24h\n")},
		{"events of a run", Options{}, impossible, "This action makes more events than fits: a run has at most 5000 in all. Go back and act there to open a branch, or start a new run.|这个动作产生的事件超过了这次运行的容量：一次运行总共至多 5000 个事件。可以回到前面，在那里操作，另开一个分支；也可以新建运行。",
			4_000_000, func(v visit) answer { return v.post(v.runOf(long)+"/actions", "action", "do A1 GET lock.foo") }},
		{"work of an action", Options{}, impossible, "this action takes more than 20000000 units of work, the limit for one action: do less at once|这个动作的计算量超过了单个动作的上限（20000000 个单位）：请一次少做一些",
			engine.MaxActionWork + 5_000_000, func(v visit) answer {
				return v.post(v.runOf(testtools.Ponder+"spawn C1 C2 C3 C4 C5 C6 C7 C8 ponder\n")+"/actions", "action", "tick 1h")
			}},
		{"words of a line", Options{}, impossible, "Line 1, column 2005: the line has more than 1000 words|第 1 行第 2005 列：这一行超过 1000 个词", 4_000_000, text("do A1 DEL" + strings.Repeat(" k", 100_000))},
		{"actions of a text", Options{}, impossible, tooLong, 4_000_000, text(strings.Repeat("tick 1s\n", 30_000))},
		{"a link that is looked at", Options{}, impossible, tooLong, 4_000_000, func(v visit) answer { return v.post("/p", "scenario", strings.Repeat("tick 1s\n", 30_000)) }},
		{"a network's share of the store", Options{Store: store.Memory(store.Options{MaxBytes: 64 << 10})}, http.StatusTooManyRequests, "error.store-share", 2_000_000, text(long[:19*1000])},
		{"runs in memory", Options{Limits: door.Limits{Runs: 1200 << 10}}, http.StatusTooManyRequests, "error.memory", 500_000, func(v visit) answer {
			v.watch(v.runOf(long[:19*300]) + "/live").want("hello")
			v.idles()
			return v.look(v.runOf(long[:19*200]))
		}},
		{"runs that are watched", Options{MaxRuns: 1}, http.StatusServiceUnavailable, "error.full", 500_000, func(v visit) answer {
			for i := range 5 { // an unused address takes no place
				v.watch(fmt.Sprintf("/t/unbegun00%d/live", i)).want("hello")
			}
			v.watch(aRun + "/live").want("hello")
			v.act(aRun, "spawn C1 naive")
			v.get("/t/bbbbbbbbbb").wants(v.T, http.StatusOK)
			return v.post("/t/bbbbbbbbbb/actions", "action", "spawn C1 naive")
		}},
		{"runs that are begun", Options{Limits: door.Limits{Makings: 4}}, http.StatusTooManyRequests, "error.many", 10_000, func(v visit) answer {
			v.runOf("tick 1s\n")
			v.runOf("tick 1s\n")
			return v.post("/runs", "scenario", "tick 1s\n")
		}},
		{"viewers of a run", Options{MaxViewers: 1}, http.StatusServiceUnavailable, "error.crowded", 10_000, func(v visit) answer {
			v.watch(aRun + "/live").want("hello")
			return v.look(aRun + "/live")
		}},
		{"answers that nobody takes", Options{Limits: door.Limits{Answers: 20 << 10}}, http.StatusServiceUnavailable, "error.bytes", 3_000_000,
			func(v visit) answer { return v.look(v.runOf(long[:19*100])) }}, // one answer is more than the bound
		{"forms that are not complete", Options{Limits: door.Limits{Reading: 40 << 10}}, http.StatusServiceUnavailable, "error.reading", 10_000, text("# " + strings.Repeat("x", 100<<10))},
		{"seats of a network without names", Options{Limits: door.Limits{Seats: 8}}, http.StatusTooManyRequests, "error.many", 10_000, func(v visit) answer {
			room, _ := v.person().opens()
			return v.refuses(2, 1.25, func() answer { return v.post(room + "/seats") })
		}},
		{"seats of a person", Options{}, http.StatusTooManyRequests, "error.many", 10_000, func(v visit) answer {
			room, _ := v.person().opens()
			cookie := v.get("/").Cookies()[0].String()
			return v.refuses(6, 0.2, func() answer {
				return v.send("POST", room+"/seats?lang="+string(v.l), fields(), "Cookie", cookie)
			})
		}},
		{"entries of a person", Options{Limits: door.Limits{Entries: 1}}, http.StatusTooManyRequests, "error.fast", 10_000, func(v visit) answer {
			room, _ := v.person().opens()
			ann := v.joins(room)
			return v.refuses(10, 1, func() answer {
				return ann.send("POST", room+"/do?lang="+string(v.l), fields("verb", "vote", "choice", "0"))
			})
		}},
		{"actions of a person", Options{Limits: door.Limits{Actions: 1}}, http.StatusTooManyRequests, "error.fast", 1_000_000, func(v visit) answer {
			cookie := v.get("/").Cookies()[0].String()
			return v.refuses(10, 1, func() answer {
				return v.send("POST", aRun+"/actions?lang="+string(v.l), fields("action", "tick 1s"), "Cookie", cookie)
			})
		}},
		{"rooms of a network", Options{Limits: door.Limits{Rooms: 1}}, http.StatusServiceUnavailable, "room.full-site", 10_000, oneRoomMore},
		{"rooms of a server", Options{MaxRooms: 1}, http.StatusServiceUnavailable, "room.full-site", 10_000, oneRoomMore},
	} {
		t.Run(c.bound, func(t *testing.T) {
			for i, l := range everyLanguage {
				s := newSite(t, c.o)
				var work atomic.Int64 // of the last request
				s.server.Work.Ended = func(a *limit.Asker) {
					if !strings.HasPrefix(a.Person(), "room ") { // a room draws for its viewers in its own name, whenever it comes to it
						work.Store(a.Spent())
					}
				}
				says := views.Say(l, c.says)
				if in := strings.Split(c.says, "|"); len(in) > 1 {
					says = in[i]
				}
				c.exceed(visit{s, l}).wants(t, c.status, says)
				s.idles()
				if work.Load() > c.work {
					t.Errorf("it is refused after %d units of work, want at most %d", work.Load(), c.work)
				}
				t.Logf("%s in %s: %d", c.bound, l, work.Load())
			}
		})
	}
}

// idles waits until each request has ended, and its work is known.
func (s *site) idles() {
	s.Helper()
	until(s.T, "no request is open", func() bool { return s.server.Guard.AtOnce.Held() == 0 })
}

// refuses asks until there were too many requests: so many at once, and more while they take their time.
func (s *site) refuses(atOnce int, perSecond float64, request func() answer) answer {
	s.Helper()
	began := time.Now()
	for n := 0; ; n++ {
		a := request()
		most := float64(atOnce) + perSecond*time.Since(began).Seconds()
		switch refused := a.StatusCode == http.StatusTooManyRequests; {
		case refused && n < atOnce:
			s.Errorf("request %d is refused, and %d may come at once", n+1, atOnce)
			return a
		case refused || float64(n) > most:
			return a
		}
	}
}

// The same bounds hold on a socket: the server refuses the request, and the socket goes on.
func TestASocketsCostIsBounded(t *testing.T) {
	s := newSite(t, Options{Limits: door.Limits{Actions: 1}})
	run := s.runOf(testtools.Ponder + "spawn C1 C2 C3 C4 C5 C6 C7 C8 ponder\n")
	p := s.person()
	p.send("GET", "/", nil)
	v := p.watches(run, "page")
	v.want("hello")
	at := 8
	if m := v.ask(acts(at, "tick 1h")); m.Type != "error" || !strings.Contains(m.Text, "20000000 units of work") {
		t.Errorf("an action that takes too long is answered with %+v", m)
	}
	if m := v.ask(acts(at, "tick 1m")); m.Type != "events" { // it waits for a turn, and is done
		t.Fatalf("one that takes long is answered with %+v", m)
	}
	for i, m := 1, (told{}); m.Type != "error"; i++ {
		if m = v.ask(acts(at+i, "note x")); m.Type == "error" && m.Code != "limit" || i > 300 {
			t.Fatalf("the %dth action in a moment is answered with %+v", i, m)
		}
	}
	if m := v.ask(message{"type": "look", "at": 8}); m.Type != "view" {
		t.Errorf("afterwards a look is answered with %+v", m)
	}
}

// A visitor who hangs up ends the work of their request.
func TestHangingUpEndsTheWork(t *testing.T) {
	kept := store.Memory(store.Options{})
	s := newSite(t, Options{Store: kept})
	tireless := "define t\n| def acquire(c):\n|     x = 0\n|     for i in range(12):\n|         for j in range(16):\n|             x = x + c.now()\n|     c.setnx(\"k\", 1)\n|     return None\n| def release(c, lease):\n|     pass\n"
	asks := func(ticks int) url.Values {
		return url.Values{"scenario": {tireless + "spawn C1 C2 C3 C4 C5 C6 C7 C8 C9 C10 C11 C12 C13 C14 C15 C16 t\n" + strings.Repeat("tick 1s\nstep C1\n", ticks)}}
	}
	ctx, leave := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer leave()
	r, err := http.NewRequestWithContext(ctx, "POST", s.url+"/runs", strings.NewReader(asks(18).Encode()))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if a, err := s.client.Do(r); !errors.Is(err, context.DeadlineExceeded) {
		body, _ := io.ReadAll(a.Body)
		t.Fatalf("it was answered with %s %.200s, %v", a.Status, body, err)
	}
	began := time.Now()
	until(t, "the request has ended", func() bool { return s.server.Guard.AtOnce.Held() == 0 })
	if names, err := kept.Names(t.Context()); len(names) > 0 || err != nil {
		t.Errorf("it has gone on to its end: it made the run %v, %v", names, err)
	}
	t.Logf("it ended %s later", time.Since(began).Round(time.Millisecond))
}

// A page is charged for the log it begins with, beside its HTML, and for each drawing if it is too long.
func TestDrawingAPageIsCharged(t *testing.T) {
	s := newSite(t, Options{})
	path := s.runOf(strings.Repeat("do A1 GET lock.foo\n", 1200))
	r := s.server.Rooms.Runs.Of(strings.TrimPrefix(path, "/t/"))
	if r == nil {
		var done func()
		var err error
		if r, done, err = s.server.Rooms.Runs.Use(context.Background(), strings.TrimPrefix(path, "/t/")); err != nil {
			t.Fatal(err)
		}
		defer done()
	}
	a := s.server.Work.Asker(t.Context(), "n", "p")
	page, err := r.Page(a.Context(), live.Anywhere, present.Rows{}, s.server.Site(lang.English))
	if size := page.Data.Log.(*present.Piece).Size; err != nil || size < 100<<10 || a.Spent() < live.Drawing(int64(size)) {
		t.Errorf("a page that begins with %d bytes of its log is %d units of work (%v)", size, a.Spent(), err)
	}
	before := a.Spent()
	for range 2 {
		page.Events = append(page.Events, page.Events...)
	}
	page.Events = append(page.Events, page.Events...)
	if present.Markup(runpages.InPageSize(a.Context(), page)); a.Spent()-before < live.Drawing(present.PageSize) {
		t.Errorf("drawing a page again is %d units of work", a.Spent()-before)
	}
}
