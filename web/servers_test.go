package web

import (
	"fmt"
	"net/http"
	"net/url"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"lockstep/engine/testtools"
	"lockstep/web/class"
	"lockstep/web/door"
	"lockstep/web/room"
	"lockstep/web/store"
	"lockstep/web/store/redis"
)

// A redisServer writes every command to its disk, and reads them when it starts again.
type redisServer struct {
	*testing.T
	*testtools.Redis
}

func newRedis(t *testing.T, options ...string) *redisServer {
	t.Helper()
	r := &redisServer{t, testtools.StartRedis(t, slices.Concat(testtools.Durable, options)...)}
	r.until("redis-server answers", func() bool { return r.command("PING") == "PONG" })
	return r
}

// command returns the answer to a client that is none of our servers.
func (r *redisServer) command(words ...string) string {
	out, _ := exec.Command("redis-cli", append([]string{"-s", r.Socket}, words...)...).Output()
	return strings.TrimSpace(string(out))
}

func (r *redisServer) until(what string, holds func() bool) { until(r.T, what, holds) }

// store returns the view of one more server.
func (r *redisServer) store() store.Store {
	r.Helper()
	s, err := redis.Open("unix://"+r.Socket, store.Options{})
	if err != nil {
		r.Fatal(err)
	}
	return s
}

// unhurried are limits that a test does not reach.
var unhurried = door.Limits{Messages: 100_000, Requests: 1_000_000, Makings: 1_000_000}

// twoSites are two servers of one Redis.
func twoSites(t *testing.T, options ...string) (one, two *site, redis *redisServer) {
	t.Helper()
	redis = newRedis(t, options...)
	one = newSite(t, Options{Store: redis.store(), Limits: unhurried})
	two = newSite(t, Options{Store: redis.store(), Limits: unhurried})
	return one, two, redis
}

// at returns the same person at another server, with the same cookies.
func (p *person) at(s *site) *person { return &person{s, p.cookies} }

// until reads to the first message that fits.
func (v *socketViewer) until(what string, is func(told) bool) told {
	v.Helper()
	for range 10_000 {
		if m := v.next(); is(m) {
			return m
		}
	}
	v.Fatalf("no message says %s", what)
	return told{}
}

// answer reads on to the answer to a request.
func (v *socketViewer) answer(id string) told {
	v.Helper()
	return v.until("what became of "+id, func(m told) bool { return m.ID == id })
}

// A witness writes down all that a viewer is told of a run.
type witness struct {
	*socketViewer
	events  []string // as JSON
	actions int
	epoch   string
}

func (v *socketViewer) witness() *witness {
	v.Helper()
	w := &witness{socketViewer: v}
	w.hears("hello")
	return w
}

// hears reads to a message of a kind.
func (w *witness) hears(kind string) told {
	w.Helper()
	return w.until("is a message of type "+kind, func(m told) bool { return m.Type == kind })
}

func (w *witness) until(what string, is func(told) bool) told {
	w.Helper()
	return w.socketViewer.until(what, func(m told) bool {
		switch m.Type {
		case "hello":
			w.events, w.epoch, w.actions = append(w.events[:min(m.Since, len(w.events))], texts(m.Events)...), m.Epoch, len(m.Lines)
		case "events":
			w.events, w.actions = append(w.events, texts(m.Events)...), m.Actions
		}
		return is(m)
	})
}

// sees reads until the run has that many actions.
func (w *witness) sees(actions int) *witness {
	w.Helper()
	if w.actions < actions {
		w.until(fmt.Sprintf("that there are %d actions", actions), func(told) bool { return w.actions >= actions })
	}
	return w
}

// wantSame compares whole logs, event by event.
func wantSame(t *testing.T, all ...*witness) {
	t.Helper()
	for i, w := range all {
		if slices.Equal(w.events, all[0].events) {
			continue
		}
		for n := range min(len(w.events), len(all[0].events)) {
			if w.events[n] != all[0].events[n] {
				t.Fatalf("viewer %d sees as event %d\n%s\nand viewer 0\n%s", i, n+1, w.events[n], all[0].events[n])
			}
		}
		t.Fatalf("viewer %d sees %d events, and viewer 0 %d", i, len(w.events), len(all[0].events))
	}
}

// Four people press as fast as they can, two at each of two servers, and two people watch. Each press is done once or
// hears that somebody was faster. All six see the very same events in the same order.
func TestTwoServersShowOneOrder(t *testing.T) {
	const each, round = 30, 10 // who only watches may be late by all of a round
	one, two, _ := twoSites(t, "--appendfsync", "no")
	one.act(aRun, "spawn C1 naive")
	var viewers []*witness
	for _, s := range []*site{one, two, one, two, one, two} {
		viewers = append(viewers, s.watch(aRun+"/live").witness())
	}
	const pressers = 4
	total := 1 + pressers*each
	stale := make([]int, pressers)
	for most := round; most <= each; most += round {
		var all sync.WaitGroup
		for i, w := range viewers {
			all.Go(func() {
				for done := most - round; i < pressers && done < most; {
					id := fmt.Sprintf("%d-%d-%d", i, done, stale[i])
					w.say(fmt.Sprintf(`{"type":"act","id":%q,"at":%d,"action":"note \"%s\""}`, id, w.actions, id))
					m := w.until("what became of "+id, func(m told) bool { return m.ID == id })
					switch {
					case m.Type == "events":
						done++
					case m.Code == "stale" && strings.Contains(m.Text, "Showing step"):
						stale[i]++
					default:
						t.Errorf("a press is answered with %+v", m)
						return
					}
				}
				w.sees(1 + pressers*most)
			})
		}
		all.Wait()
	}
	wantSame(t, viewers...)
	t.Logf("%d presses were done; of each person so many came too late: %v", pressers*each, stale)

	text := one.get(aRun + ".txt").body
	if there := two.get(aRun + ".txt").body; there != text {
		t.Errorf("one server has\n%s\nand the other\n%s", text, there)
	}
	if lines := strings.Split(strings.TrimSpace(text), "\n"); len(lines) != total {
		t.Errorf("the run has %d actions, and %d were acknowledged", len(lines), total)
	}
	for i := range pressers {
		for n := range each {
			if done := strings.Count(text, fmt.Sprintf("note \"%d-%d-", i, n)); done != 1 {
				t.Errorf("press %d of person %d was done %d times", n, i, done)
			}
		}
	}
}

// Two people press Step at the same moment, each at a server of their own. One step is done, and the other person
// hears whose it was.
func TestOneOfTwoStepsIsDone(t *testing.T) {
	one, two, _ := twoSites(t, "--appendfsync", "no")
	won := map[string]int{}
	for i := range 20 {
		run := fmt.Sprintf("/t/race%06d", i)
		one.act(run, "spawn C1 C2 naive")
		ann, bob := one.watch(run+"/live").witness(), two.watch(run+"/live?lang=zh").witness()
		var both sync.WaitGroup
		answers := map[string]*told{"C1": {}, "C2": {}}
		for client, w := range map[string]*witness{"C1": ann, "C2": bob} {
			both.Go(func() {
				w.say(fmt.Sprintf(`{"type":"act","id":%q,"at":2,"action":"step %s"}`, client, client))
				*answers[client] = w.until("who was faster", func(m told) bool { return m.ID == client })
				w.sees(3)
			})
		}
		both.Wait()
		faster, text := "C1", "C1 已经先走一步。现在显示第 3 步。"
		if answers["C2"].Type == "events" {
			faster, text = "C2", "C2 already moved. Showing step 3."
		}
		slower := map[string]string{"C1": "C2", "C2": "C1"}[faster]
		if a := answers[faster]; a.Type != "events" || a.Actions != 3 {
			t.Errorf("%s has won, and is told %+v", faster, *a)
		}
		if a := answers[slower]; a.Code != "stale" || a.Text != text {
			t.Errorf("%s came too late, and is told %+v", slower, *a)
		}
		wantSame(t, ann, bob)
		won[faster]++
	}
	t.Logf("who was faster: %v", won)
}

// A balancer moves a viewer from one server to the other and back, while others act at both. The viewer gets every
// event once.
func TestAViewerMayChangeServers(t *testing.T) {
	const changes, presses = 20, 60
	one, two, _ := twoSites(t, "--appendfsync", "no")
	one.act(aRun, "spawn C1 naive")
	steady := one.watch(aRun + "/live").witness()
	var all sync.WaitGroup
	for i, s := range []*site{one, two} {
		w := s.watch(aRun + "/live").witness()
		all.Go(func() {
			for n := range presses {
				for again := 0; ; again++ {
					id := fmt.Sprintf("%d-%d-%d", i, n, again)
					w.say(fmt.Sprintf(`{"type":"act","id":%q,"at":%d,"action":"tick 1s"}`, id, w.actions))
					m := w.until("what became of "+id, func(m told) bool { return m.ID == id })
					if m.Type == "events" {
						break
					}
					if m.Code != "stale" {
						t.Errorf("a press is answered with %+v", m)
						return
					}
				}
			}
			w.sees(1 + 2*presses)
		})
	}
	var seen []string
	epoch, told := "", 0
	for i := range changes {
		s := []*site{one, two}[i%2]
		v := s.watch(fmt.Sprintf("%s/live?epoch=%s&since=%d", aRun, epoch, len(seen)))
		m := v.want("hello")
		if m.Since != len(seen) || epoch != "" && m.Epoch != epoch {
			t.Errorf("a viewer who has %d events of %q is told those after %d of %q", len(seen), epoch, m.Since, m.Epoch)
		}
		for epoch = m.Epoch; ; m = v.next() {
			news := texts(m.Events)
			seen, told = append(seen, news...), told+len(news)
			if m.Type == "events" || m.Actions > 2*presses {
				break // with one more action, or with all
			}
		}
		v.conn.Close()
	}
	all.Wait()
	last := two.watch(fmt.Sprintf("%s/live?epoch=%s&since=%d", aRun, epoch, len(seen))).want("hello")
	seen = append(seen, texts(last.Events)...)
	steady.sees(1 + 2*presses)
	if !slices.Equal(seen, steady.events) {
		t.Errorf("%d events were seen on the way, and there are %d:\n%s", len(seen), len(steady.events), strings.Join(seen, "\n"))
	}
}

// A branch and a rerun opened at one server are tabs on the pages of the other, and runs there.
func TestTabsAppearAtBothServers(t *testing.T) {
	one, two, _ := twoSites(t, "--appendfsync", "no")
	for _, line := range []string{"spawn C1 C2 naive", "step C1", "step C2"} {
		one.act(aRun, line)
	}
	here, there := one.watch(aRun+"/live").witness(), two.watch(aRun+"/live").witness()
	here.say(`{"type":"branch","id":"b","at":2,"action":"step C2"}`)
	branch := here.answer("b")
	there.until("that there is a branch", func(m told) bool { return strings.Contains(m.Panels["tabs"], "/t/"+branch.Run) })
	there.say(`{"type":"rerun","id":"r","at":4,"program":"getset"}`)
	rerun := there.answer("r")
	here.until("that there is a rerun", func(m told) bool { return strings.Contains(m.Panels["tabs"], "/t/"+rerun.Run) })
	for _, run := range []string{branch.Run, rerun.Run} {
		text := one.get("/t/" + run + ".txt").body
		if two.get("/t/"+run+".txt").body != text || !strings.Contains(text, "step C2") {
			t.Errorf("the run %s is at one server\n%s\nand at the other\n%s", run, text, two.get("/t/"+run+".txt").body)
		}
		two.get("/t/"+run).wants(t, http.StatusOK, branch.Run, rerun.Run)
		one.get("/t/"+run).wants(t, http.StatusOK, branch.Run, rerun.Run)
	}
}

// In a class on two servers every newcomer gets a seat of their own, every vote counts, and the driver is the same
// everywhere.
func TestAClassSpansTwoServers(t *testing.T) {
	const people = 24
	one, two, _ := twoSites(t, "--appendfsync", "no")
	sites := []*site{one, two}
	teacher := one.person()
	path, run := teacher.opens("spawn C1 C2 naive", "step C1")

	pupils := make([]*person, people)
	phones := make([]*socketViewer, people)
	seats := make([]int, people)
	var all sync.WaitGroup
	each := func(do func(i int)) {
		for i := range people {
			all.Go(func() { do(i) })
		}
		all.Wait()
	}
	each(func(i int) {
		pupils[i] = sites[i%2].joins(path)
		phones[i] = pupils[i].watches(run, "phone")
		seats[i] = phones[i].until("which seat it is", func(m told) bool { return m.Type == "seat" }).Seat
	})
	for seat := 1; seat <= people; seat++ {
		if !slices.Contains(seats, seat) {
			t.Fatalf("the seats of %d people are %v", people, seats)
		}
	}

	// Both know everybody present, at either server.
	for _, s := range sites {
		h := s.roomOf(path)
		until(t, "everybody is there", func() bool {
			return h.Here() == people
		})
	}

	// Every vote counts, at either server.
	teacher.does(path, "ask", "kind", "predict", "client", "C2").wants(t, http.StatusSeeOther)
	each(func(i int) {
		phones[i].say(fmt.Sprintf(`{"type":"room","id":"vote-%d","with":{"verb":"vote","choice":"%d"}}`, i, seats[i]%2))
		if m := phones[i].answer(fmt.Sprintf("vote-%d", i)); m.Type != "done" {
			t.Errorf("the vote of seat %d is answered with %+v", seats[i], m)
		}
	})
	teacher.at(two).does(path, "reveal").wants(t, http.StatusSeeOther)
	for _, s := range sites {
		h := s.roomOf(path)
		var counts [][]int
		until(t, "the counts are revealed", func() bool {
			counts = class.Ask(h, func(r *room.Room) [][]int { return r.Poll().Counts() })
			return counts != nil
		})
		if !slices.Equal(counts[0], []int{people / 2, people / 2, 0}) { // nobody is unsure
			t.Errorf("of %d votes are counted %v", people, counts)
		}
	}

	// Both have the same driver, as soon as the news arrives.
	drives := func(seat int) {
		for _, s := range sites {
			until(t, fmt.Sprintf("seat %d drives", seat), func() bool { return askRoom(s, path, (*room.Room).Driver) == seat })
		}
	}
	for i := range 4 {
		driver := pupils[i]
		teacher.at(sites[(i+1)%2]).does(path, "drive", "seat", fmt.Sprint(seats[i])).wants(t, http.StatusSeeOther)
		drives(seats[i])
		for _, s := range sites {
			driver.at(s).send("POST", run+"/actions", url.Values{"action": {"tick 1s"}}).wants(t, http.StatusSeeOther)
			teacher.at(s).send("POST", run+"/actions", url.Values{"action": {"tick 1s"}}).wants(t, http.StatusUnprocessableEntity)
			pupils[people-1].at(s).send("POST", run+"/actions", url.Values{"action": {"tick 1s"}}).wants(t, http.StatusUnprocessableEntity)
		}
		driver.does(path, "drive", "seat", "0").wants(t, http.StatusSeeOther)
		drives(0)
		for _, s := range sites {
			driver.at(s).send("POST", run+"/actions", url.Values{"action": {"tick 1s"}}).wants(t, http.StatusUnprocessableEntity)
			teacher.at(s).send("POST", run+"/actions", url.Values{"action": {"tick 1s"}}).wants(t, http.StatusSeeOther)
		}
	}

	// A visitor who leaves one server is gone for the other too.
	for i := range people {
		if i%2 == 0 {
			phones[i].conn.Close()
		}
	}
	h := two.roomOf(path)
	until(t, "only those of the second server are there", func() bool {
		return h.Here() == people/2
	})
}
