package web

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"lockstep/engine/lang"
	"lockstep/web/class"
	"lockstep/web/live"
	"lockstep/web/room"
	"lockstep/web/store"
)

// planned returns the playlist of the class as kinds and targets, with a star at the item that is on.
func (c *classroom) planned() string {
	c.Helper()
	var all []string
	now := class.Ask(c.hub, (*room.Room).Now)
	for i, item := range class.Ask(c.hub, (*room.Room).Plan) {
		text := strings.TrimSpace(string(item.Kind) + " " + item.Target)
		if i+1 == now {
			text += "*"
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}

func (c *classroom) plans(want string, fields ...string) {
	c.Helper()
	c.teacher.does(c.room, "plan", fields...).wants(c.T, http.StatusSeeOther)
	if got := c.planned(); got != want {
		c.Errorf("%v: the playlist is %q, want %q", fields, got, want)
	}
}

// A class goes through a morning by one button under one code: the course's playlist, with what the presenter changes in it.
func TestAMorningGoesByItsPlaylist(t *testing.T) {
	c := newClass(t, Options{})
	const whole = "test redis-lock/before, lesson redis-lock/one-winner, poll, lesson redis-lock/crash, poll, lesson redis-lock/race, challenge redis-lock/race/break, test redis-lock/after"
	c.plans(whole, "do", "course", "course", "redis-lock")
	next := func(item string) {
		t.Helper()
		c.teacher.does(c.room, "next", "item", item).wants(t, http.StatusSeeOther)
	}
	next("1")
	if open := class.Ask(c.hub, (*room.Room).Test); open == nil || open.Form != "before" {
		t.Errorf("the test is %+v", open)
	}
	next("2")
	r, actions := c.shown()
	if class.Ask(c.hub, (*room.Room).Test) != nil || r.Task().Name() != "redis-lock/one-winner" || actions != "spawn C1 C2" && !strings.HasPrefix(actions, "spawn C1") {
		t.Errorf("the lesson is %s after %s, and the test still open: %t", r.Task().Name(), actions, class.Ask(c.hub, (*room.Room).Test) != nil)
	}
	before := r.Length()
	next("2") // a second press on the same button
	if again, _ := c.shown(); again.ID() != r.ID() {
		t.Error("a second press begins the lesson again")
	}
	next("3")
	poll := class.Ask(c.hub, (*room.Room).Poll)
	if poll == nil || r.Length() <= before || class.Ask(c.hub, func(*room.Room) int { return poll.Question().At }) != r.Length() {
		t.Fatalf("the lesson went from %d to %d, and asks %+v", before, r.Length(), poll)
	}
	if a := c.teacher.does(c.room, "next", "item", "4"); a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.body, "Reveal") {
		t.Errorf("an open question is left behind: %d", a.StatusCode)
	}
	c.teacher.does(c.room, "reveal").wants(t, http.StatusSeeOther)
	next("4")
	next("7")
	if e := class.Ask(c.hub, (*room.Room).Exercise); e == nil || e.Task != "redis-lock/race/break" {
		t.Errorf("the exercise is %+v", e)
	}
	next("8")
	if class.Ask(c.hub, (*room.Room).Exercise) != nil {
		t.Error("the exercise goes on during the test")
	}
	if want := whole + "*"; c.planned() != want {
		t.Errorf("the playlist is %s", c.planned())
	}
	c.teacher.does(c.room, "next", "item", "9").wants(t, http.StatusUnprocessableEntity)
}

// An item that leads nowhere leaves the class where it is, with its exercise and its test.
func TestAnItemThatLeadsNowhereEndsNothing(t *testing.T) {
	c := newClass(t, Options{})
	item := func(kind room.PlanKind, target string) room.PlanItem {
		return room.PlanItem{Kind: kind, Target: target, Title: lang.Both("x", "x")}
	}
	plan := []room.PlanItem{
		item(room.PlanLesson, "gone/lesson"), item(room.PlanChallenge, "gone/lesson/x"), item(room.PlanTest, "gone/before"), item(room.PlanRun, live.NewID()), item(room.PlanPoll, ""),
	}
	if err := c.hub.As(context.Background(), room.Who{Presenter: true}, room.Entry{Verb: room.VerbPlan, Plan: plan}); err != nil {
		t.Fatal(err)
	}
	c.teacher.does(c.room, "challenge", "task", "redis-lock/race/break").wants(t, http.StatusSeeOther)
	c.teacher.does(c.room, "test", "course", "redis-lock", "form", "before").wants(t, http.StatusSeeOther)
	before := c.ledger.entries("")
	for i := range plan {
		c.teacher.does(c.room, "next", "item", strconv.Itoa(i+1)).wants(t, http.StatusUnprocessableEntity)
	}
	if after := c.ledger.entries(""); len(after) != len(before) {
		t.Errorf("the room has done %v", after[len(before):])
	}
}

// The next question is one about the room's own run, even while everybody looks at a sandbox.
func TestTheNextQuestionIsNeverAboutASandbox(t *testing.T) {
	c := newClass(t, Options{})
	c.plans("poll reply", "do", "add", "poll", "reply")
	c.teacher.does(c.room, "fork").wants(t, http.StatusSeeOther)
	c.ann.does(c.room, "own").wants(t, http.StatusSeeOther)
	c.teacher.does(c.room, "show", "seat", "1").wants(t, http.StatusSeeOther)
	c.teacher.does(c.room, "next", "item", "1").wants(t, http.StatusSeeOther)
	if r, _ := c.shown(); r.Path() != c.run {
		t.Errorf("the room is asked about %s, want %s", r.Path(), c.run)
	}
	if poll := class.Ask(c.hub, (*room.Room).Poll); poll == nil {
		t.Error("nothing is asked")
	}
}

// A slow store takes a moment for each entry.
type slow struct{ store.Store }

func (s slow) Append(ctx context.Context, log string, n int, entry []byte) error {
	time.Sleep(5 * time.Millisecond)
	return s.Store.Append(ctx, log, n, entry)
}

// Devices of the presenter press at once: no item is lost, and the class comes to an item once.
func TestDevicesLeadByOnePlaylist(t *testing.T) {
	c := newClass(t, Options{Store: slow{store.Memory(store.Options{})}, Processors: 9})
	all := func(fields ...string) {
		var done sync.WaitGroup
		for range 8 {
			device := c.bearing(c.teacher.key(c.room))
			done.Go(func() { device.does(c.room, fields[0], fields[1:]...) })
		}
		done.Wait()
	}
	all("plan", "do", "add", "task", "redis-lock/race")
	if n := len(class.Ask(c.hub, (*room.Room).Plan)); n != 8 {
		t.Errorf("the playlist has %d items, want 8", n)
	}
	all("next", "item", "1")
	if n := len(class.Ask(c.hub, func(r *room.Room) []room.Shown { return r.Record().Shown })); n != 2 {
		t.Errorf("the room has shown %d runs, want 2", n)
	}
}

// The presenter adds what they look at, moves it and takes it away. Of a run the room gets a copy, as it is then.
func TestThePresenterPlansWhatTheySee(t *testing.T) {
	c := newClass(t, Options{})
	owner := c.person()
	made := owner.send("POST", "/runs", url.Values{"scenario": {"program naive\nspawn C1 C2\nstep C1\n"}}).Header.Get("Location")
	own, _, _ := strings.Cut(strings.TrimPrefix(made, "/t/"), "?")
	c.plans("lesson redis-lock/race", "do", "add", "task", "redis-lock/race", "run", live.NewID())
	c.plans("lesson redis-lock/race, challenge redis-lock/race/break", "do", "add", "task", "redis-lock/race/break")
	c.plans("lesson redis-lock/race, challenge redis-lock/race/break, poll reply", "do", "add", "poll", "reply")
	c.plans("lesson redis-lock/race, poll reply, challenge redis-lock/race/break", "do", "up", "item", "3", "target", "reply")
	c.plans("poll reply, challenge redis-lock/race/break", "do", "remove", "item", "1", "target", "redis-lock/race")
	c.teacher.does(c.room, "plan", "do", "remove", "item", "1", "target", "redis-lock/race").wants(t, http.StatusUnprocessableEntity) // a second press
	c.plans("challenge redis-lock/race/break, poll reply", "do", "down", "item", "1", "target", "reply")
	c.teacher.does(c.room, "plan", "do", "add", "run", own, "at", "3").wants(t, http.StatusSeeOther)
	items := class.Ask(c.hub, (*room.Room).Plan)
	last := items[len(items)-1]
	if last.Kind != room.PlanRun || last.Target == own || last.Title.English == "" || last.Title.Chinese == "" {
		t.Fatalf("the item is %+v", last)
	}
	owner.send("POST", "/t/"+own+"/actions", url.Values{"action": {"step C2"}}).wants(t, http.StatusSeeOther)
	c.teacher.does(c.room, "next", "item", "3").wants(t, http.StatusSeeOther)
	if r, actions := c.shown(); r.ID() != last.Target || actions != "spawn C1; spawn C2; step C1" {
		t.Errorf("the room is shown %s after %s, want %s", r.ID(), actions, last.Target)
	}
	page := c.teacher.send("GET", c.room+"/present", nil).Header.Get("Location")
	for _, want := range []string{"Playlist", last.Title.English} {
		if !strings.Contains(c.teacher.send("GET", page+"?lang=en", nil).body, want) {
			t.Errorf("the presenter's page has no %q", want)
		}
	}
}

// The playlist takes 40 items and no more, and whatever is refused leaves nothing behind, no run either.
func TestAPlaylistIsBounded(t *testing.T) {
	c := newClass(t, Options{})
	for range room.MaxPlan {
		c.teacher.does(c.room, "plan", "do", "add", "poll", "reply").wants(t, http.StatusSeeOther)
	}
	all := c.others()
	before := c.ledger.entries("")
	refused := [][]string{
		{"do", "add", "poll", "reply"}, {"do", "add", "run", strings.TrimPrefix(c.run, "/t/")}, {"do", "add", "scenario", "spawn C1 naive\n"}, {"do", "course", "course", "redis-lock"},
		{"do", "course", "course", "nothing"}, {"do", "up", "item", "99", "target", "reply"}, {"do", "up", "item", "1", "target", "other"}, {"do", "dance"}, {},
	}
	for _, fields := range refused {
		c.teacher.does(c.room, "plan", fields...).wants(t, http.StatusUnprocessableEntity)
	}
	for _, who := range all {
		for _, fields := range append(slices.Clone(refused), []string{"do", "remove", "item", "1", "target", "reply"}) {
			if a := who.does(c.room, "plan", fields...); a.StatusCode == http.StatusSeeOther {
				t.Errorf("%s plans %v", who.name, fields)
			}
		}
		if a := who.does(c.room, "next", "item", "1"); a.StatusCode == http.StatusSeeOther {
			t.Errorf("%s goes on", who.name)
		}
	}
	if after := c.ledger.entries(""); len(after) != len(before) {
		t.Errorf("refused requests left %v", after[len(before):])
	}
	long := strings.Repeat("x", 201)
	c.plans(strings.TrimSuffix(strings.Repeat("poll reply, ", room.MaxPlan-1), ", "), "do", "remove", "item", "1", "target", "reply")
	before = c.ledger.entries("")
	for _, fields := range [][]string{{"poll", "reply"}, {"scenario", "spawn C1 naive\n"}} {
		c.teacher.does(c.room, "plan", append(fields, "do", "add", "title", long)...).wants(t, http.StatusUnprocessableEntity)
	}
	if after := c.ledger.entries(""); len(after) != len(before) {
		t.Errorf("a title that is too long left %v", after[len(before):])
	}
}
