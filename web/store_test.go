package web

import (
	"context"
	"errors"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"lockstep/web/class"
	"lockstep/web/room"
	"lockstep/web/store"
)

// A faultyStore treats an entry as a test says.
type faultyStore struct {
	store.Store
	append atomic.Pointer[func(log string, keep func() error) error]
	mute   atomic.Bool      // nothing can be read
	follow func(store.News) // tells the server about another one's entries
}

func (f *faultyStore) Follow(call func(store.News)) { f.follow = call }

func (f *faultyStore) Read(ctx context.Context, log string, n int) ([][]byte, error) {
	if f.mute.Load() {
		return nil, errNetwork
	}
	return f.Store.Read(ctx, log, n)
}

func (f *faultyStore) Append(ctx context.Context, log string, n int, entry []byte) error {
	keep := func() error { return f.Store.Append(context.WithoutCancel(ctx), log, n, entry) } // a test may keep it waiting
	if do := f.append.Load(); do != nil {
		return (*do)(log, keep)
	}
	return keep()
}

// fails makes every append go wrong in one way, until it is called again with nil.
func (f *faultyStore) fails(how func(log string, keep func() error) error) {
	if how == nil {
		f.append.Store(nil)
		return
	}
	f.append.Store(&how)
}

var errNetwork = errors.New("the network is down")

// entries are those of a log.
func entries(t *testing.T, s store.Store, log string) [][]byte {
	t.Helper()
	all, err := s.Read(context.Background(), log, 0)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// keepOnly makes a store forget all but the first entries of a log.
func keepOnly(t *testing.T, s store.Store, log string, n int) {
	t.Helper()
	all := slices.Clone(entries(t, s, log))
	if err := s.Delete(context.Background(), log); err != nil {
		t.Fatal(err)
	}
	for i, entry := range all[:n] {
		if err := s.Append(context.Background(), log, i, entry); err != nil {
			t.Fatal(err)
		}
	}
}

// A store forgets a run, its tabs and a room, in part or as a whole. The server that knows them adds them again. The
// class notices nothing, and a restarted server has everything.
func TestForgottenLogsAreAddedAgain(t *testing.T) {
	for _, left := range []int{0, 1, 2} {
		t.Run(fmt.Sprintf("but for %d entries", left), func(t *testing.T) {
			kept := store.Memory(store.Options{})
			s := newSite(t, Options{Store: kept})
			teacher := s.person()
			path, run := teacher.opens("spawn C1 C2 naive", "step C1", "crash C1")
			ann := s.joins(path)
			page, phone := teacher.watches(run, "page").witness(), ann.watches(run, "phone")
			for i := range 3 {
				page.say(fmt.Sprintf(`{"type":"branch","id":"b%d","at":2,"action":"step C2"}`, i))
				page.answer(fmt.Sprintf("b%d", i))
			}
			teacher.does(path, "ask", "kind", "predict", "client", "C1").wants(t, http.StatusSeeOther)
			before := page.epoch

			id, code := strings.TrimPrefix(run, "/t/"), strings.TrimPrefix(path, "/r/")
			for _, log := range []string{"t/" + id, "f/" + id, "r/" + code} {
				if n := len(entries(t, kept, log)); n < 3 {
					t.Fatalf("%s has %d entries, too few to forget some", log, n)
				}
				keepOnly(t, kept, log, left)
			}
			if m := page.press("a", "step C2"); m.Type != "events" {
				t.Errorf("an action on a run that was forgotten is answered with %+v", m)
			}
			phone.say(`{"type":"room","id":"v","with":{"verb":"vote","choice":"1"}}`)
			if m := phone.answer("v"); m.Type != "done" {
				t.Errorf("a vote in a room that was forgotten is answered with %+v", m)
			}
			page.say(`{"type":"branch","id":"b","at":2,"action":"step C2"}`)
			branch := page.answer("b")
			if branch.Type != "opened" {
				t.Errorf("a branch of a run that was forgotten is answered with %+v", branch)
			}

			second := newSite(t, Options{Store: kept})
			again := second.watch(run + "/live").witness()
			wantSame(t, page, again)
			if again.epoch != before {
				t.Error("the run is another one")
			}
			second.get("/t/"+branch.Run).wants(t, http.StatusOK, "C2 before C1 (4)")
			back := ann.at(second).watches(run, "phone")
			if m := back.until("who Ann is", func(m told) bool { return m.Type == "seat" }); m.Seat != 1 {
				t.Errorf("Ann comes back as %+v", m)
			}
			h := second.roomOf(path)
			if there, want := class.Ask(h, (*room.Room).Len), askRoom(s, path, (*room.Room).Len); there != want {
				t.Errorf("the room has %d entries, and had %d", there, want)
			}
		})
	}
}

// A store forgets a run, and somebody begins another at its address before a server that knows it looks. The new run
// stays, and every viewer is told.
func TestANewRunReplacesAForgottenOne(t *testing.T) {
	kept := store.Memory(store.Options{})
	s, other := newSite(t, Options{Store: kept}), newSite(t, Options{Store: kept})
	for _, line := range []string{"spawn C1 naive", "step C1"} {
		s.act(aRun, line)
	}
	viewer := s.watch(aRun + "/live").witness()
	keepOnly(t, kept, "t/"+strings.TrimPrefix(aRun, "/t/"), 0)
	for _, line := range []string{"spawn C7 naive", "step C7", "crash C7"} { // as many entries, and more
		other.act(aRun, line)
	}
	viewer.say(`{"type":"act","id":"a","at":2,"action":"crash C1"}`)
	if m := viewer.until("what became of a", func(m told) bool { return m.ID == "a" }); m.Code != "stale" {
		t.Errorf("an action on a run that was replaced is answered with %+v", m)
	}
	wantSame(t, viewer, other.watch(aRun+"/live").witness())
	if text := s.get(aRun + ".txt").body; text != "spawn C7 naive\nstep C7\ncrash C7\n" {
		t.Errorf("the run is %q", text)
	}
}

// The store keeps an entry, and its answer is lost. The server tells nobody until it knows that the entry is kept.
// Then it tells everybody, and a repeated request does nothing twice.
func TestALostAnswerIsConfirmedLater(t *testing.T) {
	faulty := &faultyStore{Store: store.Memory(store.Options{})}
	s := newSite(t, Options{Store: faulty})
	teacher := s.person()
	path, run := teacher.opens("spawn C1 C2 naive")
	s.joins(path)
	page, other := teacher.watches(run, "page").witness(), teacher.watches(run, "page").witness()
	votes, asked := teacher.opens("spawn C1 C2 naive") // another room: while one predicts, its run stands still
	phone := s.joins(votes).watches(asked, "phone")
	teacher.does(votes, "ask", "kind", "predict", "client", "C1").wants(t, http.StatusSeeOther)

	faulty.fails(func(_ string, keep func() error) error { return errors.Join(keep(), errNetwork) })
	page.say(`{"type":"act","id":"a","at":2,"action":"step C1"}`)
	if m := page.until("that a failed", func(m told) bool { return m.ID == "a" && m.Type == "error" }); m.Code != "store" { // its events may come first
		t.Errorf("an action without an answer is answered with %+v", m)
	}
	phone.say(`{"type":"room","id":"v","with":{"verb":"vote","choice":"1"}}`)
	counts := func(m told) bool { return m.Type == "seat" && m.Vote == 1 }
	counted := false
	if m := phone.until("what became of v", func(m told) bool { counted = counted || counts(m); return m.ID == "v" }); m.Code != "store" {
		t.Errorf("a vote without an answer is answered with %+v", m)
	}
	page.sees(3) // by itself
	other.sees(3)
	if !counted {
		phone.until("that the vote counts", counts)
	}
	faulty.fails(nil)

	page.say(`{"type":"act","id":"a","at":2,"action":"step C1"}`)
	if m := page.until("what became of a", func(m told) bool { return m.ID == "a" }); m.Type != "done" {
		t.Errorf("asked again, it is answered with %+v", m)
	}
	phone.say(`{"type":"room","id":"v","with":{"verb":"vote","choice":"1"}}`)
	if m := phone.answer("v"); m.Type != "done" {
		t.Errorf("asked again, the vote is answered with %+v", m)
	}
	wantSame(t, page, other)
	if text := s.get(run + ".txt").body; text != "spawn C1 naive\nspawn C2 naive\nstep C1\n" {
		t.Errorf("the run is %q", text)
	}
}

// There is news that cannot be read yet, for instance because a Redis has only just come back. The server reads it as
// soon as it can, without another request.
func TestUnreadableNewsIsReadLater(t *testing.T) {
	kept := store.Memory(store.Options{})
	faulty := &faultyStore{Store: kept}
	s, other := newSite(t, Options{Store: faulty}), newSite(t, Options{Store: kept})
	teacher := s.person()
	path, run := teacher.opens("spawn C1 C2 naive")
	ann := s.joins(path)
	teacher.does(path, "lanes", "size", "1").wants(t, http.StatusSeeOther)
	page, phone := teacher.watches(run, "page").witness(), ann.watches(run, "phone")
	faulty.mute.Store(true)
	teacher.at(other).send("POST", run+"/actions", url.Values{"action": {"step C1"}}).wants(t, http.StatusSeeOther)
	teacher.at(other).does(path, "place", "seat", "1", "lane", "C2").wants(t, http.StatusSeeOther)
	faulty.follow(store.News{})
	faulty.mute.Store(false)
	page.sees(3)
	phone.until("that Ann is C2", func(m told) bool { return m.Type == "seat" && m.Lane == "C2" })
}

// The store keeps nothing and says so. Nothing is done, the sender is told, and nobody sees anything of it.
func TestAFailedAppendChangesNothing(t *testing.T) {
	faulty := &faultyStore{Store: store.Memory(store.Options{})}
	s := newSite(t, Options{Store: faulty})
	teacher := s.person()
	path, run := teacher.opens("spawn C1 C2 naive", "step C1")
	ann := s.joins(path)
	page, phone := teacher.watches(run, "page").witness(), ann.watches(run, "phone")
	faulty.fails(func(string, func() error) error { return errNetwork })
	for id, message := range map[string]string{
		"act":      `{"type":"act","id":"act","at":3,"action":"step C2"}`,
		"schedule": `{"type":"schedule","id":"schedule","at":3}`,
		"branch":   `{"type":"branch","id":"branch","at":2,"action":"step C2"}`,
		"rerun":    `{"type":"rerun","id":"rerun","at":3,"program":"getset"}`,
		"ask":      `{"type":"room","id":"ask","with":{"verb":"ask","kind":"predict","client":"C2"}}`,
		"drive":    `{"type":"room","id":"drive","with":{"verb":"drive","seat":"1"}}`,
		"fork":     `{"type":"room","id":"fork","with":{"verb":"fork"}}`,
		"end":      `{"type":"room","id":"end","with":{"verb":"end"}}`,
	} {
		page.say(message)
		if m := page.until("what became of "+id, func(m told) bool { return m.ID == id }); m.Code != "store" {
			t.Errorf("%s is answered with %+v", id, m)
		}
	}
	s.send("POST", path+"/seats", url.Values{}).wants(t, http.StatusServiceUnavailable)
	s.send("POST", "/rooms", url.Values{}).wants(t, http.StatusServiceUnavailable)
	s.send("POST", "/runs", url.Values{"scenario": {"spawn C1 naive\n"}}).wants(t, http.StatusServiceUnavailable)
	s.send("POST", "/t/newnewnewn/actions", url.Values{"action": {"spawn C1 naive"}}).wants(t, http.StatusServiceUnavailable)
	faulty.fails(nil)

	if m := page.press("on", "crash C2"); m.Actions != 4 {
		t.Errorf("afterwards an action is answered with %+v", m)
	}
	phone.until("that C2 has crashed", func(m told) bool { return m.Actions == 4 })
	fresh := s.watch(run + "/live").witness()
	wantSame(t, page, fresh)
	if page.html["clients"] != fresh.html["clients"] {
		t.Errorf("who saw the refusals sees the clients\n%s\nand who comes now\n%s", page.html["clients"], fresh.html["clients"])
	}
	if text := s.get("/t/newnewnewn.txt").body; text != "" {
		t.Errorf("a run that was not begun is %q", text)
	}
	h := s.roomOf(path)
	if v := class.Ask(h, func(r *room.Room) room.View { return r.View(room.Who{}) }); v.Poll != nil || v.Driver != 0 || v.Over || len(v.Seats) != 1 || v.Exercise != nil {
		t.Errorf("the room is %+v", v)
	}
}

// Other runs go on while the store is slow with one.
func TestASlowRunDelaysNoOther(t *testing.T) {
	faulty := &faultyStore{Store: store.Memory(store.Options{})}
	s := newSite(t, Options{Store: faulty})
	const slow, other = "/t/slowslowsl", "/t/otherother"
	s.act(slow, "spawn C1 naive")
	s.act(other, "spawn C1 naive")
	waits, goOn := make(chan struct{}), make(chan struct{})
	faulty.fails(func(log string, keep func() error) error {
		if log == "t/slowslowsl" {
			close(waits)
			<-goOn
		}
		return keep()
	})
	v := s.watch(slow + "/live").witness()
	v.say(`{"type":"act","id":"a","at":1,"action":"step C1"}`)
	<-waits
	s.act(other, "step C1")
	s.get(other).wants(t, http.StatusOK)
	s.get("/").wants(t, http.StatusOK)
	close(goOn)
	if m := v.until("what became of a", func(m told) bool { return m.ID == "a" }); m.Actions != 2 {
		t.Errorf("the action that had to wait is answered with %+v", m)
	}
	faulty.fails(nil)
}

// A log with an unreadable entry says so on each request. Its earlier entries do not change, and everything else goes
// on.
func TestADamagedLogSaysSo(t *testing.T) {
	const sentence = "The saved record is damaged and cannot be read."
	for name, entry := range map[string]string{
		"no JSON":            `{"lines":["step`,
		"another type":       `{"lines":"step C1"}`,
		"no action":          `{"lines":["step C1","leap C1"]}`,
		"not possible":       `{"lines":["step C1","step C9"]}`,
		"a broken beginning": `{"begin":{"epoch":"x","family":"y","scenario":"leap"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			kept := store.Memory(store.Options{})
			s := newSite(t, Options{Store: kept})
			s.act(aRun, "spawn C1 naive")
			v := s.watch(aRun + "/live").witness()
			id := strings.TrimPrefix(aRun, "/t/")
			if err := kept.Append(context.Background(), "t/"+id, 1, []byte(entry)); err != nil {
				t.Fatal(err)
			}
			for i := range 3 {
				v.say(fmt.Sprintf(`{"type":"act","id":"%d","at":1,"action":"step C1"}`, i))
				if m := v.next(); m.Type != "error" || m.Text != sentence {
					t.Errorf("an action on a damaged run is answered with %+v", m)
				}
				s.get(aRun).wants(t, http.StatusInternalServerError, sentence)
				s.get(aRun+".txt").wants(t, http.StatusInternalServerError)
			}
			second := newSite(t, Options{Store: kept})
			for range 3 {
				second.get(aRun).wants(t, http.StatusInternalServerError, sentence)
			}
			s.act("/t/otherother", "spawn C1 naive")
			if n := len(entries(t, kept, "t/"+id)); n != 2 {
				t.Errorf("the damaged log has %d entries now", n)
			}
		})
	}
	t.Run("of a room", func(t *testing.T) {
		kept := store.Memory(store.Options{})
		s := newSite(t, Options{Store: kept})
		path, run := s.person().opens("spawn C1 naive")
		if err := kept.Append(context.Background(), class.RoomLog(strings.TrimPrefix(path, "/r/")), 1, []byte(`{"verb":`)); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			s.get(path).wants(t, http.StatusInternalServerError, sentence)
			s.get(run).wants(t, http.StatusInternalServerError, sentence)
			s.send("POST", path+"/seats", url.Values{}).wants(t, http.StatusInternalServerError, sentence)
		}
		s.person().opens("spawn C1 naive")
	})
}

// A store without room refuses in a sentence and keeps its entries.
func TestAFullStoreRefusesInASentence(t *testing.T) {
	for _, c := range []struct {
		name, english, chinese string
		refused                error
		status                 int
	}{
		{"full", "The server's store is full, and your action was not saved. Try again later.", "服务器的存储空间已满，这次操作没有保存。请稍后再试。", store.ErrFull, http.StatusServiceUnavailable},
		{"share", "Runs and rooms from your network have used all the space that one network gets in a day, and your action was not saved. Try again tomorrow.", "来自你所在网络的运行和房间已用完一个网络一天内可用的空间，这次操作没有保存。请明天再试。", store.ErrShare, http.StatusTooManyRequests},
		{"long", "The record of this run or room is full, and your action was not saved. Start a new one.", "这次运行或这个房间的记录已满，这次操作没有保存。请另开一个。", store.ErrLong, http.StatusUnprocessableEntity},
	} {
		t.Run(c.name, func(t *testing.T) {
			faulty := &faultyStore{Store: store.Memory(store.Options{})}
			s := newSite(t, Options{Store: faulty})
			s.act(aRun, "spawn C1 naive")
			v, chinese := s.watch(aRun+"/live").witness(), s.watch(aRun+"/live?lang=zh").witness()
			faulty.fails(func(string, func() error) error { return c.refused })
			for sentence, headers := range map[string][]string{c.english: nil, c.chinese: {"Accept-Language", "zh"}} {
				for path, form := range map[string]url.Values{
					"/runs":                 {"scenario": {"spawn C1 naive"}},
					"/rooms":                {},
					aRun + "/actions":       {"action": {"step C1"}},
					"/t/newnewnewn/actions": {"action": {"spawn C1 naive"}},
				} {
					a := s.send("POST", path, form, headers...)
					if a.StatusCode != c.status || !strings.Contains(html.UnescapeString(a.body), sentence) {
						t.Errorf("%s is answered with %s, without %q", path, a.Status, sentence)
					}
				}
			}
			for sentence, w := range map[string]*witness{c.english: v, c.chinese: chinese} {
				w.say(`{"type":"act","id":"a","at":1,"action":"step C1"}`)
				if m := w.until("the refusal", func(m told) bool { return m.ID == "a" }); m.Code != "limit" || m.Text != sentence {
					t.Errorf("an action is answered with %+v", m)
				}
			}
			faulty.fails(nil)
			if m := v.press("on", "step C1"); m.Actions != 2 {
				t.Errorf("afterwards an action is answered with %+v", m)
			}
		})
	}
}

// A < takes one byte in the store, not six.
func TestEntriesAreNotEscapedForHTML(t *testing.T) {
	kept := store.Memory(store.Options{})
	s := newSite(t, Options{Store: kept})
	note := `note "` + strings.Repeat("<&>", 50) + `"`
	s.act(aRun, "spawn C1 naive")
	s.act(aRun, note)
	all := entries(t, kept, "t/"+strings.TrimPrefix(aRun, "/t/"))
	if n := len(all[1]); n > len(note)+100 {
		t.Errorf("a line of %d bytes is kept in %d: %.100s", len(note), n, all[1])
	}
	again := newSite(t, Options{Store: kept})
	if text := again.get(aRun + ".txt").body; text != "spawn C1 naive\n"+note+"\n" {
		t.Errorf("it is read back as %.100q", text)
	}
}

// A breaking store panics once while it adds an entry.
type breaking struct {
	store.Store
	mu     sync.Mutex
	breaks bool
}

func (b *breaking) Append(ctx context.Context, log string, n int, entry []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.breaks {
		b.breaks = false
		panic("a mistake in the middle of an action")
	}
	return b.Store.Append(ctx, log, n, entry)
}

// A panic in the middle of an action is a 500 and nothing else. The run equals its log, its viewers are told, and any
// server has every acknowledged action.
func TestAPanicLeavesTheRunAsItsLog(t *testing.T) {
	kept := &breaking{Store: store.Memory(store.Options{})}
	s := newSite(t, Options{Store: kept})
	s.act(aRun, "do A1 SET k 1")
	v := s.watch(aRun + "/live")
	v.want("hello")
	kept.mu.Lock()
	kept.breaks = true
	kept.mu.Unlock()
	s.send("POST", aRun+"/actions", url.Values{"action": {"do A1 SET k 42"}}).wants(t, http.StatusInternalServerError)
	if _, _, err := v.conn.ReadMessage(); err == nil {
		t.Error("a viewer goes on with a broken run")
	}
	s.act(aRun, "do A1 GET k")
	text := s.get(aRun + ".txt").body
	if text != "do A1 SET k 1\ndo A1 GET k\n" {
		t.Errorf("the run is\n%s", text)
	}
	again := newSite(t, Options{Store: kept})
	if got := again.get(aRun + ".txt").body; got != text {
		t.Errorf("another server has\n%s", got)
	}
	again.get(aRun).wants(t, http.StatusOK, `A1 receives &#34;1&#34; for GET k`)
}
