package web

import (
	"context"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/web/class"
	"lockstep/web/live"
	"lockstep/web/room"
)

// shown returns the run that a room shows, and its task, place and actions.
func (c *classroom) shown() (r *live.Run, actions string) {
	c.Helper()
	id := class.Ask(c.hub, (*room.Room).Run)
	r, done, err := c.server.Rooms.Runs.Use(context.Background(), id)
	if err != nil {
		c.Fatal(err)
	}
	c.Cleanup(done)
	if err := r.Trace(func(t *engine.Trace) error {
		actions = strings.Join(live.Lines(t.Run.Actions()), "; ")
		return nil
	}); err != nil {
		c.Fatal(err)
	}
	return r, actions
}

// The presenter takes the room along: to a lesson, a challenge, an incident, a run of anybody's and a scenario. Each time
// the room gets a run of its own, under the same code.
func TestThePresenterShowsTheRoomAnything(t *testing.T) {
	c := newClass(t, Options{})
	stranger := c.person()
	made := stranger.send("POST", "/runs", url.Values{"scenario": {"program naive\nspawn C1 C2\nstep C1\nstep C2\n"}}).Header.Get("Location")
	theirs, _, _ := strings.Cut(strings.TrimPrefix(made, "/t/"), "?")
	rows := []struct {
		name    string
		fields  []string
		task    string
		actions string
	}{
		{"a lesson", []string{"task", "redis-lock/race"}, "redis-lock/race", "spawn C3"},
		{"a lesson at a moment", []string{"task", "redis-lock/race", "at", "3"}, "redis-lock/race", "spawn C3; step C3; crash C3"},
		{"a challenge", []string{"task", "redis-lock/race/break"}, "redis-lock/race/break", ""},
		{"an incident, which begins with its first challenge", []string{"task", "redis-lock/yiiredis-18"}, "redis-lock/yiiredis-18/together", ""},
		{"a run of a stranger's", []string{"run", theirs, "at", "3"}, "", "spawn C1; spawn C2; step C1"},
		{"the end of it", []string{"run", theirs}, "", "spawn C1; spawn C2; step C1; step C2"},
		{"a page in which nobody has acted", []string{"run", live.NewID(), "task", "redis-lock/race", "at", "1"}, "redis-lock/race", "spawn C3"},
		{"a counterexample", []string{"scenario", "program naive\nspawn C1\nstep C1\n"}, "", "spawn C1; step C1"},
	}
	for _, row := range rows {
		before := class.Ask(c.hub, (*room.Room).Run)
		c.teacher.does(c.room, "drive", "seat", "1").wants(t, http.StatusSeeOther)
		c.teacher.does(c.room, "show", append(row.fields, "then", c.room+"/present")...).wants(t, http.StatusSeeOther)
		r, actions := c.shown()
		switch {
		case r.ID() == before || r.ID() == theirs:
			t.Errorf("%s: the room shows %s, which is not its own", row.name, r.ID())
		case r.Place() != live.Place{Room: code(c.room)}:
			t.Errorf("%s: the run belongs to %+v", row.name, r.Place())
		case r.Task().Name() != row.task:
			t.Errorf("%s: the task is %q, want %q", row.name, r.Task().Name(), row.task)
		case row.actions != "" && actions != row.actions:
			t.Errorf("%s: the run has done %s, want %s", row.name, actions, row.actions)
		case class.Ask(c.hub, (*room.Room).Driver) != 0:
			t.Errorf("%s: seat 1 drives on", row.name)
		}
		page := c.ann.send("GET", r.Path(), nil)
		page.wants(t, http.StatusOK)
	}
	if at := class.Ask(c.hub, (*room.Room).Cursor); at != 1 {
		t.Errorf("the room looks at action %d of the counterexample, want its opening", at)
	}
}

// Only the room acts on the copy that it is shown: the person whose run it was goes on in their own.
func TestOnlyTheRoomActsOnWhatItIsShown(t *testing.T) {
	c := newClass(t, Options{})
	owner := c.person()
	made := owner.send("POST", "/runs", url.Values{"scenario": {"program naive\nspawn C1 C2\n"}}).Header.Get("Location")
	own, _, _ := strings.Cut(made, "?")
	c.teacher.does(c.room, "show", "run", strings.TrimPrefix(own, "/t/")).wants(t, http.StatusSeeOther)
	r, _ := c.shown()
	for _, who := range append(c.others(), somebody{"the owner of the first run", owner}) {
		who.send("POST", r.Path()+"/actions", url.Values{"action": {"step C1"}}).wants(t, http.StatusUnprocessableEntity)
	}
	c.teacher.send("POST", r.Path()+"/actions", url.Values{"action": {"step C1"}}).wants(t, http.StatusSeeOther)
	owner.send("POST", own+"/actions", url.Values{"action": {"step C2"}}).wants(t, http.StatusSeeOther)
	if _, actions := c.shown(); actions != "spawn C1; spawn C2; step C1" {
		t.Errorf("the room's copy has done %s", actions)
	}
}

// Nobody but the presenter takes the room anywhere, the driver neither, and a refused request leaves nothing.
func TestNobodyElseShowsTheRoomAnything(t *testing.T) {
	c := newClass(t, Options{})
	c.teacher.does(c.room, "drive", "seat", "1").wants(t, http.StatusSeeOther)
	all := c.others()
	before := len(c.ledger.entries(""))
	for _, who := range all {
		for _, fields := range [][]string{{"task", "redis-lock/race"}, {"run", strings.TrimPrefix(c.run, "/t/")}, {"scenario", "spawn C1 naive\n"}, {}} {
			if a := who.does(c.room, "show", fields...); a.StatusCode == http.StatusSeeOther {
				t.Errorf("%s shows the room %v", who.name, fields)
			}
		}
	}
	for _, fields := range [][]string{{"task", "redis-lock/nothing"}, {"task", "redis-lock/race/mend"}, {"scenario", "spawn C1 nothing\n"}, {}} {
		c.teacher.does(c.room, "show", fields...).wants(t, http.StatusUnprocessableEntity)
	}
	if after := c.ledger.entries(""); len(after) != before {
		t.Errorf("refused requests left %v", after[before:])
	}
	if class.Ask(c.hub, (*room.Room).Run) != strings.TrimPrefix(c.run, "/t/") {
		t.Error("the room shows another run")
	}
}

// A sandbox of another room is not to be seen, however often somebody shows it to a room of their own.
func TestASandboxIsNotShownElsewhere(t *testing.T) {
	c := newClass(t, Options{})
	c.teacher.does(c.room, "fork").wants(t, http.StatusSeeOther)
	c.ann.does(c.room, "own").wants(t, http.StatusSeeOther)
	sandbox := class.Ask(c.hub, func(r *room.Room) string { return r.Sandbox(1) })
	other := c.person()
	elsewhere, _ := other.opens()
	other.does(elsewhere, "show", "run", sandbox).wants(t, http.StatusUnprocessableEntity)
	c.teacher.does(c.room, "show", "run", sandbox).wants(t, http.StatusSeeOther) // the room's own presenter shows a copy
	if r, _ := c.shown(); r.ID() == sandbox || r.Place().Seat != 0 {
		t.Errorf("the room shows %s of %+v", r.ID(), r.Place())
	}
}

// While a prediction is open, nobody steps, the presenter neither, and Reveal does.
func TestAPredictionFreezesTheRun(t *testing.T) {
	c := newClass(t, Options{})
	step := func(who *person) int {
		return who.send("POST", c.run+"/actions", url.Values{"action": {"step C1"}}).StatusCode
	}
	c.teacher.does(c.room, "ask", "kind", "predict", "client", "C1").wants(t, http.StatusSeeOther)
	var viewers []*socketViewer
	for _, comes := range []func() *socketViewer{func() *socketViewer { return c.ann.watches(c.run, "phone") }, func() *socketViewer { return c.teacher.watches(c.run, "") }} {
		viewer := comes()
		viewers = append(viewers, viewer)
		viewer.want("hello")
		viewer.want("room")
		if own := viewer.want("seat"); strings.Contains(" "+own.May+" ", " act ") || !strings.Contains(own.Why, "stands still") {
			t.Errorf("may %s, why not %q", own.May, own.Why)
		}
	}
	for i, press := range []string{`{"type":"act","id":"a","at":2,"action":"step C1"}`, `{"type":"schedule","id":"a","at":2}`, `{"type":"branch","id":"a","at":1,"action":"step C1"}`} {
		for _, viewer := range viewers {
			viewer.say(press)
			if m := viewer.answer("a"); m.Code != "refused" || !strings.Contains(m.Text, "stands still") {
				t.Errorf("press %d: %+v", i, m)
			}
		}
	}
	for _, who := range []*person{c.teacher, c.ann, c.bob} {
		if got := step(who); got != http.StatusUnprocessableEntity {
			t.Errorf("a form without scripts: %d", got)
		}
	}
	c.teacher.does(c.room, "round").wants(t, http.StatusSeeOther)
	if got := step(c.teacher); got != http.StatusUnprocessableEntity {
		t.Errorf("while they discuss: %d", got)
	}
	c.teacher.does(c.room, "reveal").wants(t, http.StatusSeeOther)
	if _, actions := c.shown(); actions != "spawn C1 naive; spawn C2 naive; step C1" {
		t.Errorf("Reveal has done %s", actions)
	}
	if got := step(c.ann); got != http.StatusSeeOther {
		t.Errorf("after the answer: %d", got)
	}
	c.teacher.does(c.room, "ask", "kind", "network").wants(t, http.StatusSeeOther)
	if got := step(c.bob); got != http.StatusUnprocessableEntity { // C1 is Ann's
		t.Errorf("Bob moves Ann's client: %d", got)
	}
	c.teacher.does(c.room, "reveal").wants(t, http.StatusSeeOther)
}

// Every page of the site leads back to the room, in both languages, until the class is over; a made-up cookie leads nowhere.
func TestEveryPageLeadsBackToTheRoom(t *testing.T) {
	c := newClass(t, Options{})
	pages := []string{"/", "/courses/redis-lock", "/courses/redis-lock/race", "/courses/redis-lock/race/break", "/courses/redis-lock/sources", "/courses/redis-lock/test", "/t/" + live.NewID(), "/explore", "/help", "/p", "/nowhere"}
	links := func(who *person, page, lang string) (chip, show bool) {
		body := who.send("GET", page+"?lang="+lang, nil).body
		return strings.Contains(body, `id="class-chip" href="`+c.room), strings.Contains(body, "data-class-show")
	}
	c.ann.send("GET", c.room, nil) // her browser has followed the form to her page
	says := room.FormatCode(code(c.room))
	for _, lang := range []string{"en", "zh"} {
		for _, page := range pages {
			for name, who := range map[string]*person{"presenter": c.teacher, "participant": c.ann} {
				chip, show := links(who, page, lang)
				if run := strings.HasPrefix(page, "/t/") || strings.HasPrefix(page, "/courses/redis-lock/race"); !chip || show != (run && name == "presenter") {
					t.Errorf("%s, %s, %s: chip %t, show %t", page, lang, name, chip, show)
				}
			}
			for _, who := range c.outsiders() {
				who.cookies["presents"], who.cookies["attends"] = code(c.room), code(c.room)
				if chip, _ := links(who.person, page, lang); chip {
					t.Errorf("%s leads %s to the room", page, who.name)
				}
			}
		}
	}
	body := c.teacher.send("GET", "/courses/redis-lock/race?lang=en", nil).body
	if !strings.Contains(body, "Show in room "+says) || !strings.Contains(body, `href="`+c.room+`/present"`) {
		t.Error("the presenter's lesson does not say where it is shown")
	}
	if c.teacher.does(c.room, "drive", "seat", "1"); c.teacher.send("GET", c.run, nil).body == "" {
		t.Fatal("no page")
	}
	c.teacher.does(c.room, "end").wants(t, http.StatusSeeOther)
	c.ann.send("GET", c.room, nil)
	for name, who := range map[string]*person{"presenter": c.teacher, "participant": c.ann} {
		if chip, _ := links(who, "/", "en"); chip {
			t.Errorf("after class the %s is led back", name)
		}
	}
}

// No page leads to a room that was forgotten, once its people have found that it is gone.
func TestNoPageLeadsToAForgottenRoom(t *testing.T) {
	c := newClass(t, Options{})
	chip := `id="class-chip"`
	for _, who := range []*person{c.teacher, c.ann} {
		who.send("GET", c.room+"/present", nil)
		who.send("GET", "/", nil).wants(t, http.StatusOK, chip)
	}
	if err := c.server.Rooms.Forget(context.Background(), c.hub, room.HashKey(c.teacher.key(c.room))); err != nil {
		t.Fatal(err)
	}
	for _, who := range []*person{c.teacher, c.ann} {
		who.send("GET", c.room, nil).lacks(t, chip)
		who.send("GET", "/", nil).lacks(t, chip)
	}
}

// The remote alone shows how the first round falls, until the answer is revealed.
func TestOnlyTheRemoteShowsTheFirstRound(t *testing.T) {
	c := newClass(t, Options{})
	remote := c.person()
	remote.send("GET", c.room, nil)
	remote.send("POST", c.room+"/seats", url.Values{}).wants(t, http.StatusSeeOther) // the phone finds the room first, and sits down
	seats := class.Ask(c.hub, (*room.Room).Seats)
	link := regexp.MustCompile(`pair=([A-Za-z0-9]+)`).FindStringSubmatch(c.teacher.send("POST", c.room+"/remotes", url.Values{}).body)
	remote.send("POST", c.room+"/remote", url.Values{"pair": {link[1]}}).wants(t, http.StatusSeeOther)
	if now := class.Ask(c.hub, (*room.Room).Seats); now != seats-1 {
		t.Errorf("%d people before the pairing, %d after: a remote is none", seats, now)
	}
	c.teacher.does(c.room, "ask", "kind", "predict", "client", "C1").wants(t, http.StatusSeeOther)
	c.ann.does(c.room, "vote", "choice", "0").wants(t, http.StatusSeeOther)
	votes := func(who *person, path string) bool {
		t.Helper()
		a := who.send("GET", path, nil)
		a.wants(t, http.StatusOK)
		return strings.Contains(a.body, `id="remote-votes"`)
	}
	told := func(surface string, who *person) string {
		viewer := who.watches(c.run, surface)
		viewer.want("hello")
		return string(viewer.want("room").Told["room"])
	}
	for _, phase := range []string{"first", "discuss", "second"} {
		if got := votes(remote, c.room+"/remote"); !got {
			t.Errorf("%s: the remote's page shows the votes: %t", phase, got)
		}
		if got := strings.Contains(told("remote", remote), "remote-votes"); !got {
			t.Errorf("%s: the remote is told the votes: %t", phase, got)
		}
		for _, surface := range []string{"page", "screen", "phone", "wall"} {
			if strings.Contains(told(surface, c.teacher), "remote-votes") {
				t.Errorf("%s: %s shows the votes", phase, surface)
			}
		}
		if strings.Contains(told("remote", c.ann), "remote-votes") {
			t.Errorf("%s: a participant reads the votes on the surface of a remote", phase)
		}
		c.teacher.does(c.room, "round").wants(t, http.StatusSeeOther)
	}
}

// The presenter's notes tell the right answer of the lesson's question. Nobody else is told them, whatever surface they ask for.
func TestOnlyThePresenterIsToldTheNotes(t *testing.T) {
	c := newClass(t, Options{})
	c.teacher.does(c.room, "plan", "do", "course", "course", "redis-lock").wants(t, http.StatusSeeOther)
	c.teacher.does(c.room, "next", "item", "2").wants(t, http.StatusSeeOther)
	c.teacher.does(c.room, "next", "item", "3").wants(t, http.StatusSeeOther)
	r, _ := c.shown()
	notes := func(who *person) bool {
		v := who.watches(r.Path(), "remote")
		greets := strings.Contains(string(v.want("hello").Told["notes"]), "notes-answer")
		v.say(fmt.Sprintf(`{"type":"look","id":"l","at":%d}`, r.Length()))
		view := v.until("the view", func(m told) bool { return m.Type == "view" })
		return greets || strings.Contains(string(view.Told["notes"]), "notes-answer")
	}
	if !notes(c.teacher) {
		t.Error("the presenter has no notes")
	}
	for _, who := range c.others() {
		if notes(who.person) {
			t.Errorf("%s reads the right answer before the class has voted", who.name)
		}
	}
}

// The remote has every verb of the presenter's that is not the desk's, in both languages, and the lesson's words.
func TestTheRemoteHasEveryVerb(t *testing.T) {
	c := newClass(t, Options{})
	c.teacher.does(c.room, "plan", "do", "course", "course", "redis-lock").wants(t, http.StatusSeeOther)
	verbs := map[string]bool{}
	read := func(lang string) string {
		body := c.teacher.send("GET", c.room+"/remote?lang="+lang, nil).body
		for _, m := range regexp.MustCompile(`name="verb" value="([a-z]+)"`).FindAllStringSubmatch(body, -1) {
			verbs[m[1]] = true
		}
		return body
	}
	read("en")
	c.teacher.does(c.room, "drive", "seat", "1").wants(t, http.StatusSeeOther)
	read("en")
	c.teacher.does(c.room, "ask", "kind", "predict", "client", "C1").wants(t, http.StatusSeeOther)
	read("en")
	c.teacher.does(c.room, "reveal").wants(t, http.StatusSeeOther)
	c.teacher.does(c.room, "fork").wants(t, http.StatusSeeOther)
	read("zh")
	c.teacher.does(c.room, "home").wants(t, http.StatusSeeOther)
	for _, verb := range room.Verbs() {
		if verbForms[verb].by == aPresenter && !verbs[string(verb)] {
			t.Errorf("the remote has no %s", verb)
		}
	}
	c.teacher.does(c.room, "next", "item", "2").wants(t, http.StatusSeeOther)
	for lang, words := range map[string]string{"en": "Each has sent", "zh": "想要"} {
		if body := read(lang); !strings.Contains(body, words) {
			t.Errorf("the remote has no notes in %s", lang)
		}
	}
}

// The explorer's answer goes to the room: a counterexample from its beginning, and where a lock holds the verdict with its
// bounds, in each reader's language, beside clients with which everybody can try. The server asks the explorer, and takes
// nobody's word.
func TestTheRoomIsShownWhatTheExplorerHasFound(t *testing.T) {
	c := newClass(t, Options{})

	spaced := func(text string) string { return strings.ReplaceAll(html.UnescapeString(text), "\u00a0", " ") }
	c.teacher.send("GET", "/", nil) // gives their browser a name: only a person searches
	page := c.teacher.send("GET", "/explore?lang=en&run=search&program=naive&clients=2&ticks=1", nil).body
	if _, offer, _ := strings.Cut(page, `id="answer-show"`); !strings.Contains(offer[:min(len(offer), 1500)], `name="question" value="program=naive`) {
		t.Error("the explorer's page offers nothing to show")
	}
	if strings.Contains(c.person().send("GET", "/explore?lang=en&run=search&program=naive&clients=2&ticks=1", nil).body, "data-class-show") {
		t.Error("a stranger is offered to show it")
	}
	for _, who := range c.others() {
		if a := who.does(c.room, "show", "question", "program=naive&clients=2&ticks=1"); a.StatusCode == http.StatusSeeOther {
			t.Errorf("%s shows the room an answer", who.name)
		}
	}
	c.teacher.does(c.room, "show", "question", "program=naive&clients=2&ticks=1").wants(t, http.StatusSeeOther)
	verdict := class.Ask(c.hub, func(r *room.Room) *room.Verdict { return r.View(room.Who{}).Verdict })
	if verdict == nil || !strings.Contains(verdict.Says.English, "naive") || !strings.Contains(verdict.Says.Chinese, "naive") {
		t.Fatalf("the room has the verdict %+v", verdict)
	}
	r, actions := c.shown()
	if actions != "spawn C1; spawn C2" || r.Place() != (live.Place{Room: code(c.room)}) {
		t.Errorf("everybody tries with %s in %+v", actions, r.Place())
	}
	for _, path := range []string{c.room + "/screen", c.room, r.Path()} {
		for lang, says := range map[string]string{"en": verdict.Says.English, "zh": verdict.Says.Chinese} {
			if body := spaced(c.ann.send("GET", path+"?lang="+lang, nil).body); !strings.Contains(body, spaced(says)) {
				t.Errorf("%s in %s does not say %s", path, lang, says)
			}
		}
	}
	c.teacher.does(c.room, "show", "task", "redis-lock/race").wants(t, http.StatusSeeOther)
	if left := class.Ask(c.hub, func(r *room.Room) *room.Verdict { return r.View(room.Who{}).Verdict }); left != nil {
		t.Errorf("the verdict stays: %+v", left)
	}
	for _, question := range []string{"program=nothing", "%zz", "program=five&clients=9999"} {
		c.teacher.does(c.room, "show", "question", question).wants(t, http.StatusUnprocessableEntity)
	}

}
