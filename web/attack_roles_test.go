package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"lockstep/engine/lang"
	"lockstep/views"
	"lockstep/web/class"
	"lockstep/web/door"
	"lockstep/web/room"
)

// everyAction lists the actions that are possible in the class's run after its second action.
var everyAction = []string{
	"step C1", "deliver C1", "receive C1", "pause C1", "resume C1", "crash C1", "restart C1", "drop C1", "skew C1 1s",
	"step C2", "crash C2", "step C1 C2", "tick 1s", "spawn C3 naive", "spawn C3 C4", "redis crash", "redis crash lose", "redis restart",
	"do A1 GET lock.foo", `note "here"`,
}

// A visitor without a seat moves no client, lets no time pass and breaks nothing, however they ask.
func TestAnOutsiderMovesNoClient(t *testing.T) {
	c := newClass(t, Options{})
	for _, p := range c.outsiders() {
		var messages []message
		var forms []form
		for _, line := range everyAction {
			messages = append(messages, acts(2, line))
		}
		for _, line := range []string{"step C1", "crash C2", "tick 1s", "spawn C3"} {
			forms = append(forms, form{c.run + "/actions", fields("action", line)})
		}
		c.refusesMessages(p, c.run, messages...)
		c.refusesForms(p, forms...)
	}
}

// A participant has seven actions for their own client, and none besides.
func TestAParticipantMovesOnlyTheirOwnClient(t *testing.T) {
	c := newClass(t, Options{})
	v := c.ann.watches(c.run, "phone")
	own := []string{"deliver C1", "receive C1", "pause C1", "resume C1", "crash C1", "restart C1", "step C1"}
	for i, line := range own {
		if a := v.ask(acts(2+i, line)); a.Type != "events" {
			t.Errorf("Ann's %s is answered with %s %q", line, a.Type, a.Text)
		}
	}
	v.conn.Close()
	position := 2 + len(own)
	for _, p := range []somebody{{"Ann", c.ann}, {"Cat", c.cat}} {
		var messages []message
		var forms []form
		for _, line := range everyAction {
			if verb, client, _ := strings.Cut(line, " "); p.person == c.ann && client == "C1" && slices.Contains([]string{"step", "deliver", "receive", "pause", "resume", "crash", "restart"}, verb) {
				continue
			}
			messages = append(messages, acts(position, line))
			forms = append(forms, form{c.run + "/actions", fields("action", line)})
		}
		c.refusesMessages(p, c.run, messages...)
		c.refusesForms(p, forms...)
	}
	// A line of two clients is done as a whole or not at all. A line with more than one action is no line.
	c.refusesMessages(somebody{"Ann", c.ann}, c.run, acts(position, "step C1 C2"), acts(position, "step C2 C1"), acts(position, "crash C1 C2"))
}

// Only the driver lets the scheduler choose, and only the driver opens a tab beside the run. This holds even if the
// action moves one's own client.
func TestNobodyElseSchedulesOrBranches(t *testing.T) {
	c := newClass(t, Options{})
	for _, p := range c.others() {
		c.refusesMessages(p, c.run,
			message{"type": "schedule", "at": 2}, message{"type": "schedule", "at": 2, "random": true, "seed": 7},
			message{"type": "branch", "at": 1, "action": "step C1"}, message{"type": "branch", "at": 2, "action": "step C1"},
			message{"type": "branch", "at": 1, "action": "spawn C2 getset"}, message{"type": "branch", "at": 1, "action": "spawn C2 naive"},
			message{"type": "rerun", "at": 2, "program": "getset"},
			message{"type": "rerun", "at": 2, "from": "naive", "source": "def main():\n  pass\n"},
			message{"type": "restore", "scenario": "spawn C9 naive\n"},
		)
		c.refusesForms(p,
			form{c.run + "/actions", fields("action", "schedule")}, form{c.run + "/actions", fields("action", "step C1", "at", "1", "past", "1")},
			form{c.run + "/reruns", fields("program", "getset")}, form{c.run + "/reruns", fields("from", "naive", "source", "def main():\n  pass\n")},
			form{c.run + "/claims", fields()}, form{c.run + "/lesson", fields()},
		)
	}
}

// Only the presenter goes on in a lesson, and only the presenter claims its answer.
func TestNobodyElseGoesOnInALesson(t *testing.T) {
	c := newClass(t, Options{})
	lesson := c.teacher.send("POST", "/courses/redis-lock/race", url.Values{}).Header.Get("Location")
	a := c.teacher.send("POST", "/rooms", fields("run", strings.TrimPrefix(lesson, "/t/")))
	a.wants(t, http.StatusSeeOther)
	c.room = strings.TrimSuffix(a.Header.Get("Location"), "/present")
	c.run = c.teacher.send("GET", a.Header.Get("Location"), nil).Header.Get("Location")
	seat := c.joins(c.room)
	for _, p := range append(c.outsiders(), somebody{"a seat", seat}) {
		c.refusesForms(p, form{c.run + "/lesson", fields("guess", "both")}, form{c.run + "/lesson", fields("at", "0", "past", "1")}, form{c.run + "/claims", fields()})
		c.refusesMessages(p, c.run, message{"type": "schedule", "at": 0}, asks("reveal"), asks("ask", "kind", "predict"))
	}
	before := len(c.ledger.entries("t/"))
	c.teacher.send("POST", c.run+"/lesson", url.Values{}).wants(t, http.StatusSeeOther)
	if len(c.ledger.entries("t/")) != before+1 {
		t.Error("the presenter cannot go on")
	}
}

func doing(room string, messages []message) (forms []form) {
	for _, m := range messages {
		f := url.Values{}
		for name, value := range m["with"].(map[string]string) {
			f.Set(name, value)
		}
		forms = append(forms, form{room + "/do", f})
	}
	return forms
}

// Nobody but the presenter or the driver takes the driver token, hands it on, moves the cursor, deals the lanes,
// blackens the screens or ends the room.
func TestNobodyElseLeadsTheRoom(t *testing.T) {
	c := newClass(t, Options{Limits: door.Limits{Entries: 1000}})
	for _, p := range c.others() {
		c.refusesMessages(p, c.run, leading(atAnyTime)...)
		c.refusesForms(p, doing(c.room, leading(atAnyTime))...)
		c.refusesForms(p, form{c.room + "/remotes", fields()})
	}
	c.teacher.does(c.room, "ask", "kind", "predict", "client", "C1").wants(t, http.StatusSeeOther)
	during := leading(whileAsked)
	for _, p := range c.others() {
		c.refusesMessages(p, c.run, during...)
		c.refusesForms(p, doing(c.room, during)...)
	}
	c.teacher.does(c.room, "drop").wants(t, http.StatusSeeOther)
	c.teacher.does(c.room, "fork").wants(t, http.StatusSeeOther)
	alone := leading(whileAlone)
	c.ann.does(c.room, "own").wants(t, http.StatusSeeOther)
	for _, p := range append(c.outsiders(), somebody{"a phone that is a client", c.bob}) {
		c.refusesMessages(p, c.run, alone...)
		c.refusesForms(p, doing(c.room, alone)...)
	}
}

// The driver leads the run and the cursor. The driver does not lead the room, and cannot give the token to a friend.
func TestTheDriverCannotHandOnTheToken(t *testing.T) {
	c := newClass(t, Options{})
	c.teacher.does(c.room, "drive", "seat", "1").wants(t, http.StatusSeeOther)
	c.refusesMessages(somebody{"the driver", c.ann}, c.run, asks("drive", "seat", "2"), asks("drive", "seat", "3"), asks("gather"), asks("lanes", "size", "0"), asks("switch", "free", "on"), asks("black", "on", "on"), asks("end"), asks("fork"))
	c.refusesMessages(somebody{"Bob", c.bob}, c.run, asks("drive", "seat", "0"), asks("drive", "seat", "2"), asks("cursor", "at", "0"))
	c.refusesMessages(somebody{"the presenter, who has handed it over", c.teacher}, c.run, acts(2, "tick 1s"), asks("cursor", "at", "0"))
	v := c.ann.watches(c.run, "page")
	if a := v.ask(acts(2, "tick 1s")); a.Type != "events" {
		t.Errorf("the driver's tick is answered with %+v", a)
	}
	if a := v.ask(asks("drive", "seat", "0")); a.Type != "done" {
		t.Errorf("the driver gives the token back and is told %+v", a)
	}
	c.refusesMessages(somebody{"who has driven", c.ann}, c.run, acts(3, "tick 1s"), asks("cursor", "at", "0"), asks("drive", "seat", "1"), asks("drive", "seat", "0"))
}

// A vote belongs to its seat and counts once, however often it is sent and in whose name.
func TestNobodyVotesForAnotherOrTwice(t *testing.T) {
	c := newClass(t, Options{})
	c.teacher.does(c.room, "ask", "kind", "predict", "client", "C1").wants(t, http.StatusSeeOther)
	vote := asks("vote", "choice", "1", "seat", "2")
	for _, p := range append(c.outsiders(), somebody{"the presenter", c.teacher}) {
		c.refusesMessages(p, c.run, vote)
		c.refusesForms(p, doing(c.room, []message{vote})...)
	}
	c.refusesMessages(somebody{"Ann", c.ann}, c.run, asks("vote", "choice", "99"), asks("vote", "choice", "-1"), asks("vote"), asks("vote", "choice", "1e3"))
	v := c.ann.watches(c.run, "phone")
	for _, m := range []message{
		asks("vote", "choice", "0", "seat", "2"), asks("vote", "choice", "1", "seat", "3"), asks("vote", "choice", "1"),
		asks("vote", "choice", "0"), asks("vote", "choice", "1"),
	} {
		if a := v.ask(m); a.Type != "done" {
			t.Errorf("Ann's vote is answered with %+v", a)
		}
	}
	c.teacher.does(c.room, "reveal").wants(t, http.StatusSeeOther)
	counts := class.Ask(c.hub, func(r *room.Room) [][]int { return r.Poll().Counts() })
	if len(counts) != 1 || counts[0][0] != 0 || counts[0][1] != 1 {
		t.Errorf("Ann's many votes are counted as %v", counts)
	}
	c.refusesMessages(somebody{"Ann, late", c.ann}, c.run, asks("vote", "choice", "0"))
}

// A replayed message does nothing, whether on another socket, on somebody else's, or for a position that has passed.
func TestAReplayedMessageDoesNothing(t *testing.T) {
	c := newClass(t, Options{})
	strangers := append(c.outsiders(), somebody{"Bob", c.bob}, somebody{"Cat", c.cat})
	v := c.ann.watches(c.run, "phone")
	recorded := acts(2, "step C1")
	recorded["id"] = "ann-1"
	if a := v.ask(recorded); a.Type != "events" {
		t.Fatalf("Ann's step is answered with %+v", a)
	}
	before := len(c.ledger.entries(""))
	for i := range 3 {
		if a := v.ask(recorded); a.Type != "done" {
			t.Errorf("the same frame again (%d) is answered with %+v", i, a)
		}
	}
	v.conn.Close()
	if a := c.ann.watches(c.run, "page").ask(recorded); a.Type != "done" {
		t.Errorf("the same frame on Ann's next socket is answered with %+v", a)
	}
	for _, p := range strangers {
		c.refusesMessages(p, c.run, recorded)
	}
	if a := c.teacher.watches(c.run, "page").ask(recorded); a.Code != "stale" {
		t.Errorf("Ann's frame, sent by the presenter, is answered with %+v", a)
	}
	late := acts(2, "step C1") // a new id and an old position
	if a := c.ann.watches(c.run, "phone").ask(late); a.Code != "stale" {
		t.Errorf("an old position is answered with %+v", a)
	}
	if kept := c.ledger.entries("")[before:]; len(kept) > 0 {
		t.Errorf("after the replays there is %q", kept)
	}
}

// Every viewer sees the ids of past requests, and could guess the next one of a page. Using it up takes nothing away
// from its owner.
func TestNobodyUsesUpTheIDsOfAnother(t *testing.T) {
	c := newClass(t, Options{})
	teacher, ann := c.teacher.watches(c.run, "page"), c.ann.watches(c.run, "page")
	squat := acts(2, "step C1")
	squat["id"] = "teacher-2"
	if a := ann.ask(squat); a.Type != "events" {
		t.Fatalf("Ann's step is answered with %+v", a)
	}
	theirs := acts(3, "tick 1s")
	theirs["id"] = "teacher-2"
	if a := teacher.ask(theirs); a.Type == "done" {
		t.Error("the presenter's tick counts as done, because Ann has used its id")
	}
	if text := c.get(c.run + ".txt").body; !strings.Contains(text, "tick 1s") {
		t.Errorf("the run is %q", text)
	}
	name := asks("vote", "choice", "0")
	name["id"] = "teacher-3"
	c.teacher.does(c.room, "ask", "kind", "predict", "client", "C2").wants(t, http.StatusSeeOther)
	if a := c.cat.watches(c.run, "phone").ask(name); a.Type != "done" {
		t.Errorf("Cat votes and is told %+v", a)
	}
	end := asks("drop")
	end["id"] = "teacher-3"
	teacher.ask(end)
	if class.Ask(c.hub, (*room.Room).Poll) != nil {
		t.Error("the presenter cannot take the poll away, because Cat has used that id")
	}
}

// An ended room takes nothing from anybody, neither from its presenter nor from its seats nor from open sockets.
func TestAnEndedRoomTakesNothing(t *testing.T) {
	c := newClass(t, Options{Limits: door.Limits{Entries: 1000}})
	sockets := []*socketViewer{c.teacher.watches(c.run, "page"), c.ann.watches(c.run, "phone"), c.person().watches(c.run, "page")}
	pairing := c.pairs(c.teacher)
	c.teacher.does(c.room, "end").wants(t, http.StatusSeeOther)
	before := len(c.ledger.entries(""))
	for _, v := range sockets {
		for _, m := range append([]message{acts(2, "step C1"), {"type": "schedule", "at": 2}, asks("vote", "choice", "0"), asks("own"), asks("name", "text", "Ann")}, leading(atAnyTime)...) {
			if a := v.ask(m); a.Text != views.Say(lang.English, "room.over") && a.Text != views.Say(lang.English, "room.nothing-asked") {
				t.Errorf("%v is answered with %+v", m, a)
			}
		}
	}
	for _, p := range []somebody{{"the presenter", c.teacher}, {"Ann", c.ann}} {
		c.refusesForms(p, append(doing(c.room, leading(atAnyTime)), form{c.run + "/actions", fields("action", "step C1")})...)
	}
	c.person().send("POST", c.room+"/seats", url.Values{}).wants(t, http.StatusNotFound)
	c.cat.send("POST", c.room+"/remote", fields("pair", pairing)).wants(t, http.StatusUnprocessableEntity)
	for _, kept := range c.ledger.entries("")[before:] {
		if !strings.HasPrefix(kept, "p/") { // the link's use is kept
			t.Errorf("after the end there is %q", kept)
		}
	}
}
