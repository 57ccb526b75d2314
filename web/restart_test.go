package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"lockstep/web/class"
	"lockstep/web/room"
	"lockstep/web/store"
)

// press acts at the end of the viewer's log until the store is back, and returns the answer.
func (w *witness) press(id, line string) told {
	w.Helper()
	var m told
	until(w.T, "the store is back", func() bool {
		w.say(fmt.Sprintf(`{"type":"act","id":%q,"at":%d,"action":%q}`, id, w.actions, line))
		m = w.until("what became of "+id, func(m told) bool { return m.ID == id })
		return m.Code != "store"
	})
	return m
}

// Redis is killed in mid-class and started again. Every acknowledged action is there. Every request meanwhile was
// refused in a sentence and not done. No socket is lost. Then everything goes on by itself, including the news that
// one of two servers had not heard yet.
func TestAClassOutlivesARestartOfRedis(t *testing.T) {
	one, two, redis := twoSites(t)
	teacher := one.person()
	path, run := teacher.opens("spawn C1 C2 naive")
	_, driver := one.joins(path), two.joins(path)
	teacher.does(path, "lanes", "size", "1").wants(t, http.StatusSeeOther)
	here, there := teacher.watches(run, "page").witness(), driver.watches(run, "page").witness()
	votes, asked := teacher.opens("spawn C1 C2 naive") // another room: while one predicts, its run stands still
	ann, bob := one.joins(votes), two.joins(votes)
	teacher.does(votes, "ask", "kind", "predict", "client", "C1").wants(t, http.StatusSeeOther)
	annPhone, bobPhone := ann.watches(asked, "phone"), bob.watches(asked, "phone")
	vote := func(phone *socketViewer, id string, choice int) told {
		phone.say(fmt.Sprintf(`{"type":"room","id":%q,"with":{"verb":"vote","choice":"%d"}}`, id, choice))
		return phone.answer(id)
	}
	if m := vote(annPhone, "ann", 1); m.Type != "done" {
		t.Fatalf("a vote is answered with %+v", m)
	}
	if m := here.press("a", "step C1"); m.Type != "events" {
		t.Fatalf("a step is answered with %+v", m)
	}
	there.sees(3)

	// The second server loses its connection, and so does not hear of an action that
	// the first one is still acknowledged.
	redis.command("CLIENT", "KILL", "TYPE", "pubsub")
	if m := here.press("unheard", `note "unheard"`); m.Type != "events" {
		t.Fatalf("an action is answered with %+v", m)
	}
	redis.Kill()

	sentence := "The server cannot save your action: its store does not respond. Try again in a moment."
	for name, w := range map[string]*witness{"here": here, "there": there} {
		lost := func() told {
			w.say(fmt.Sprintf(`{"type":"act","id":"%s-lost","at":%d,"action":"step C2"}`, name, w.actions))
			return w.until("the refusal", func(m told) bool { return m.ID == name+"-lost" })
		}
		m := lost()
		for m.Code == "stale" { // it had connected again before Redis was killed
			w.sees(4)
			m = lost()
		}
		if m.Code != "store" || m.Text != sentence {
			t.Errorf("without the store an action is answered with %+v", m)
		}
	}
	if m := vote(bobPhone, "bob-lost", 0); m.Code != "store" || m.Text != sentence {
		t.Errorf("without the store a vote is answered with %+v", m)
	}
	for _, s := range []*site{one, two} {
		s.get("/healthz").wants(t, http.StatusServiceUnavailable)
		teacher.at(s).send("POST", run+"/actions", url.Values{"action": {"step C2"}}).wants(t, http.StatusServiceUnavailable, sentence)
		s.send("POST", path+"/seats", url.Values{}).wants(t, http.StatusServiceUnavailable, sentence)
	}

	redis.Start()
	there.sees(4) // it connects again, and hears what it missed
	wantSame(t, here, there)
	if m := here.press("on", "step C2"); m.Type != "events" || m.Actions != 5 {
		t.Errorf("afterwards an action is answered with %+v", m)
	}
	there.sees(5)
	if m := there.press("bob", "crash C2"); m.Type != "events" || m.Actions != 6 {
		t.Errorf("afterwards the other server answers %+v", m)
	}
	here.sees(6)
	wantSame(t, here, there)
	var m told
	until(t, "votes are taken again", func() bool { m = vote(bobPhone, "bob-again", 0); return m.Code != "store" })
	if m.Type != "done" {
		t.Errorf("afterwards a vote is answered with %+v", m)
	}

	for _, s := range []*site{one, two} {
		if text := s.get(run + ".txt").body; text != "spawn C1 naive\nspawn C2 naive\nstep C1\nnote \"unheard\"\nstep C2\ncrash C2\n" {
			t.Errorf("the run is %q", text)
		}
		h := s.roomOf(votes)
		until(t, "there are two votes", func() bool {
			return class.Ask(h, func(r *room.Room) int { return r.View(room.Who{}).Poll.Cast }) == 2
		})
		if seats := class.Ask(h, (*room.Room).Seats); seats != 2 {
			t.Errorf("there are %d seats", seats)
		}
		for seat, want := range map[int][]int{1: {1}, 2: {0}} {
			if cast := class.Ask(h, func(r *room.Room) []int { return r.You(seat).Cast }); !slices.Equal(cast, want) {
				t.Errorf("seat %d has voted %v, want %v", seat, cast, want)
			}
		}
	}
}

// A Redis that writes nothing to the disk is killed and started again, empty. The two servers that know the logs add
// them again, and a third reads them.
func TestServersRefillAForgetfulRedis(t *testing.T) {
	one, two, redis := twoSites(t, "--appendonly", "no")
	teacher := one.person()
	path, run := teacher.opens("spawn C1 C2 naive")
	ann, bob := one.joins(path), two.joins(path)
	teacher.does(path, "lanes", "size", "1").wants(t, http.StatusSeeOther)
	here, there := teacher.watches(run, "page").witness(), teacher.at(two).watches(run, "page").witness()
	for i := range 20 {
		here.press(fmt.Sprint("tick-", i), "tick 1s")
	}
	there.sees(22)
	redis.Kill()
	if files, err := os.ReadDir(redis.Dir); err != nil || len(files) != 1 { // the socket
		t.Fatalf("Redis has written %v (%v)", files, err)
	}
	redis.Start()
	var both sync.WaitGroup
	for name, w := range map[string]*witness{"here": here, "there": there} {
		both.Go(func() {
			for i := range 5 {
				for again, m := 0, (told{Code: "stale"}); m.Code == "stale"; again++ {
					if m = w.press(fmt.Sprintf("%s-%d-%d", name, i, again), fmt.Sprintf("note \"%s %d\"", name, i)); m.Code != "" && m.Code != "stale" {
						t.Errorf("a press is answered with %+v", m)
						return
					}
				}
			}
			w.sees(32)
		})
	}
	both.Wait()
	wantSame(t, here, there)
	code := strings.TrimPrefix(path, "/r/")
	until(t, "the room is kept again", func() bool {
		return redis.command("XLEN", "lockstep:r/"+code) == fmt.Sprint(askRoom(one, path, (*room.Room).Len))
	})

	third := newSite(t, Options{Store: redis.store()})
	wantSame(t, here, third.watch(run+"/live").witness())
	for i, p := range []*person{ann, bob} {
		phone := p.at(third).watches(run, "phone")
		if m := phone.until("whose seat it is", func(m told) bool { return m.Type == "seat" }); m.Seat != i+1 || m.Lane != fmt.Sprint("C", i+1) {
			t.Errorf("person %d comes back as %+v", i+1, m)
		}
	}
	teacher.at(third).send("POST", run+"/actions", url.Values{"action": {"tick 1s"}}).wants(t, http.StatusSeeOther)
}

// A request is done, but its answer is lost. The client sends it again to another server, and to one that has
// restarted. Neither acts again, and each gives the first answer.
func TestARequestSentAgainElsewhereIsDoneOnce(t *testing.T) {
	kept := store.Memory(store.Options{})
	one := newSite(t, Options{Store: kept})
	teacher := one.person()
	path, run := teacher.opens("spawn C1 C2 C3 C4 naive", "step C1")
	ann := one.joins(path)
	page, phone := teacher.watches(run, "page").witness(), ann.watches(run, "phone")
	fresh := one.watch("/t/freshfresh/live").witness()
	forgotten := one.watch("/t/forgottena/live").witness()
	type asked struct {
		by      *person // nil: anybody
		run     string
		message string
		first   told
	}
	var all []*asked
	ask := func(by *person, v *socketViewer, run, message string) told {
		t.Helper()
		var q struct{ ID string }
		if err := json.Unmarshal([]byte(message), &q); err != nil {
			t.Fatal(err)
		}
		v.say(message)
		a := v.answer(q.ID)
		if a.Type == "error" {
			t.Fatalf("%s is answered with %+v", message, a)
		}
		all = append(all, &asked{by, run, message, a})
		return a
	}
	ask(teacher, page.socketViewer, run, `{"type":"act","id":"act","at":5,"action":"step C2"}`)
	ask(teacher, page.socketViewer, run, `{"type":"schedule","id":"schedule","at":6}`)
	ask(teacher, page.socketViewer, run, `{"type":"room","id":"lanes","with":{"verb":"lanes","size":"1"}}`)
	ask(ann, phone, run, `{"type":"act","id":"pause","at":7,"action":"pause C1"}`)
	ask(teacher, page.socketViewer, run, `{"type":"room","id":"ask","with":{"verb":"ask","kind":"predict","client":"C4"}}`)
	ask(teacher, page.socketViewer, run, `{"type":"room","id":"drop","with":{"verb":"drop"}}`)
	ask(teacher, page.socketViewer, run, `{"type":"room","id":"fork","with":{"verb":"fork"}}`)
	ask(ann, phone, run, `{"type":"room","id":"own","with":{"verb":"own"}}`)
	ask(teacher, page.socketViewer, run, `{"type":"branch","id":"branch","at":5,"action":"crash C2"}`)
	ask(teacher, page.socketViewer, run, `{"type":"rerun","id":"rerun","at":6,"program":"getset"}`)
	ask(nil, fresh.socketViewer, "/t/freshfresh", `{"type":"rerun","id":"first","at":0,"program":"getset"}`)
	ask(nil, forgotten.socketViewer, "/t/forgottena", `{"type":"restore","id":"restore","scenario":"spawn C1 naive\nstep C1\n"}`)
	ask(teacher, page.socketViewer, run, `{"type":"room","id":"end","with":{"verb":"end"}}`)

	logs := func() (text string) {
		for _, log := range []string{"t/" + strings.TrimPrefix(run, "/t/"), "f/" + strings.TrimPrefix(run, "/t/"), "r/" + strings.TrimPrefix(path, "/r/"), "t/freshfresh", "t/forgottena"} {
			text += fmt.Sprintf("%s\n%s\n", log, bytes.Join(entries(t, kept, log), []byte("\n")))
		}
		return text
	}
	before := logs()
	for _, s := range []*site{one, newSite(t, Options{Store: kept}), newSite(t, Options{Store: kept})} {
		for _, a := range all {
			by := s.person()
			if a.by != nil {
				by = a.by.at(s)
			}
			v := by.watches(a.run, "page")
			v.say(a.message)
			again := v.until("what became of it", func(m told) bool { return m.ID == a.first.ID && m.Type != "events" })
			if again.Type != "done" && (again.Type != "opened" || again.Run != a.first.Run || again.At != a.first.At || again.Omitted != a.first.Omitted) {
				t.Errorf("%s is answered with %+v, and when it comes again with %+v", a.message, a.first, again)
			}
			if a.first.Type == "opened" && again.Type != "opened" && a.first.Run != strings.TrimPrefix(a.run, "/t/") {
				t.Errorf("%s does not say again where to look", a.message)
			}
			v.conn.Close()
		}
		if after := logs(); after != before {
			t.Fatalf("something was done again: the logs are\n%s\nand were\n%s", after, before)
		}
	}
}
