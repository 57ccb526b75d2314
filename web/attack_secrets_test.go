package web

import (
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"lockstep/engine/lang"
	"lockstep/engine/testtools"
	"lockstep/views"
	"lockstep/web/class"
	"lockstep/web/door"
	"lockstep/web/live"
	"lockstep/web/room"
	"lockstep/web/runpages"
	"lockstep/web/store"
)

var (
	everyLanguage = []lang.Language{lang.English, lang.Chinese}
	everySurface  = []live.Surface{live.OnPage, live.OnScreen, live.OnPhone, live.OnRemote, live.OnWall}
)

// everyPage returns every GET address of a room and its runs, in both languages.
func everyPage(room string, runs ...string) []string {
	var paths []string
	for _, page := range []string{"", "/screen", "/present", "/remote", "/remote?pair=something", "/wall", "/seats", "/do", "/remotes"} {
		paths = append(paths, room+page)
	}
	for _, run := range runs {
		paths = append(paths, run, run+"?step=0", run+"?step=1", run+"?beside="+strings.TrimPrefix(runs[0], "/t/"),
			run+"/ahead", run+"/ahead?at=1", run+"/events", run+"/actions", run+"/live")
		for _, format := range runpages.Formats {
			paths = append(paths, run+"."+format.Extension)
		}
	}
	var all []string
	for _, path := range append(paths, "/join?code="+code(room), "/", "/healthz") {
		joint := "?"
		if strings.Contains(path, "?") {
			joint = "&"
		}
		all = append(all, path+joint+"lang=en", path+joint+"lang=zh")
	}
	return all
}

// A listener records every message on a socket.
type listener struct {
	*socketViewer
	known map[string]bool
}

func (p *person) listens(run string, l lang.Language, on live.Surface) *listener {
	p.Helper()
	conn, r, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(p.url, "http")+run+"/live?surface="+string(on)+"&lang="+string(l), http.Header{"Cookie": {p.cookie()}})
	if err != nil {
		p.Fatalf("opening %s: %v (%v)", run, err, r)
	}
	p.Cleanup(func() { conn.Close() })
	return &listener{&socketViewer{p.T, conn, map[string]string{}}, map[string]bool{}}
}

// gathered reads to the message after the room was gathered so often, and returns the new messages. The server may
// repeat a message: it tells some changes when it has time.
func (l *listener) gathered(times int) (heard []string) {
	l.Helper()
	if err := l.conn.SetReadDeadline(time.Now().Add(testtools.Patience)); err != nil {
		l.Fatal(err)
	}
	for {
		_, data, err := l.conn.ReadMessage()
		if err != nil {
			l.Fatalf("waiting until the room is brought together: %v", err)
		}
		if !l.known[string(data)] {
			l.known[string(data)] = true
			heard = append(heard, string(data))
		}
		if strings.Contains(string(data), fmt.Sprintf(`"gathered":%d,`, times)) {
			return heard
		}
	}
}

// twin makes a class without chance. A second one differs only in its actions.
func twin(t *testing.T, scenario string) *classroom {
	t.Helper()
	c := &classroom{site: newSite(t, Options{PublicURL: "http://class.example", VoteTime: time.Hour}), room: "/r/482913", run: "/t/k3v9m2xq7a"}
	trace, err := live.Play(nil, scenario)
	if err != nil {
		t.Fatal(err)
	}
	begin := &live.Beginning{Epoch: "e", Scenario: trace.Run.Scenario().String(), Family: "k3v9m2xq7a", Place: live.Place{Room: "482913"}}
	if err := store.NewLog[live.Entry](c.server.store, live.RunLog("k3v9m2xq7a")).Append(live.Entry{Begin: begin}); err != nil {
		t.Fatal(err)
	}
	log := store.NewLog[room.Entry](c.server.store, class.RoomLog("482913"))
	entries := []room.Entry{{Verb: room.VerbOpen, Code: "482913", Name: 7, Run: "k3v9m2xq7a", Key: room.HashKey("teacher")}}
	for _, name := range []string{"ann", "bob", "cat", "dan"} {
		entries = append(entries, room.Entry{Verb: room.VerbJoin, Key: room.HashKey(name)})
	}
	for _, e := range entries {
		if err := log.Append(e); err != nil {
			t.Fatal(err)
		}
	}
	c.enters()
	c.teacher, c.ann, c.bob, c.cat = c.bearing("teacher"), c.bearing("ann"), c.bearing("bob"), c.bearing("cat")
	return c
}

// tellNow sends the changes of a room that may wait.
func (s *site) tellNow(code string) {
	s.Helper()
	if err := s.server.Rooms.News(store.News{Log: class.RoomLog(code)}); err != nil {
		s.Fatal(err)
	}
}

// transcript returns everything that the others can get at during a poll: each message on every surface in both
// languages, and each page. Ann and Cat vote as given. Bob sees his own vote, so it is always the same.
func (c *classroom) transcript(kind string, ann, cat int, rounds int) (before, after []string) {
	c.Helper()
	var listeners []*listener
	nobody := c.person()
	// Dan is there and does not vote: without him, Bob alone would decide for the network.
	for _, p := range []*person{nobody, c.bob, c.teacher, c.bearing("dan")} {
		for _, l := range everyLanguage {
			for _, on := range everySurface {
				if p == c.teacher && on == live.OnRemote { // which shows how the first round fell, and nothing else does
					continue
				}
				listeners = append(listeners, p.listens(c.run, l, on))
			}
		}
	}
	times := 0
	gather := func() (all []string) {
		times++
		c.teacher.does(c.room, "gather").wants(c.T, http.StatusSeeOther)
		for _, l := range listeners {
			all = append(all, l.gathered(times)...)
		}
		return all
	}
	pages := func(runs ...string) (all []string) {
		for _, p := range []*person{nobody, c.bob, c.teacher} {
			for _, path := range everyPage(c.room, runs...) {
				if p == c.teacher && strings.HasPrefix(path, c.room+"/remote") {
					continue
				}
				copied := &person{c.site, map[string]string{
					door.KeyCookie(code(c.room)): p.key(c.room), door.VisitorCookie: "aaaaaaaaaa." + c.server.Sign("visitor", "aaaaaaaaaa"),
				}} // the answers' cookies are not kept
				a := copied.send("GET", path, nil)
				a.Header.Del("Date")
				all = append(all, fmt.Sprint(path, a.Status, a.Header, a.body))
			}
		}
		for _, f := range doing(c.room, []message{asks("reveal"), asks("round"), asks("drop"), asks("vote", "choice", "0"), asks("end")}) {
			a := nobody.send("POST", f.path, f.fields)
			all = append(all, fmt.Sprint(f.fields, a.Status, a.body))
		}
		return all
	}
	gather() // all of them are there
	gather() // and everybody has heard it
	c.teacher.does(c.room, "ask", "kind", kind, "client", "C1").wants(c.T, http.StatusSeeOther)
	before = append(before, gather()...)
	for round := range rounds {
		if round > 0 {
			c.teacher.does(c.room, "round").wants(c.T, http.StatusSeeOther)
			before = append(before, pages()...)
			c.teacher.does(c.room, "round").wants(c.T, http.StatusSeeOther)
		}
		for _, vote := range []struct {
			*person
			choice int
		}{{c.ann, ann}, {c.bob, 0}, {c.cat, cat}, {c.ann, cat}, {c.ann, ann}} {
			vote.does(c.room, "vote", "choice", fmt.Sprint(vote.choice)).wants(c.T, http.StatusSeeOther)
			c.tellNow(c.hub.Code()) // so that two classes get them equally often
		}
		before = append(before, gather()...)
	}
	c.teacher.does(c.room, "round").wants(c.T, http.StatusSeeOther) // closed
	before = append(before, gather()...)
	before = append(before, pages(c.run)...)
	c.teacher.does(c.room, "reveal").wants(c.T, http.StatusSeeOther)
	return before, gather()
}

// Two classes differ only in the votes of Ann and Cat. Until the answer is revealed, nobody else can tell the classes
// apart, the presenter only by their remote: every byte of every other message and page is the same. Then they differ.
func TestHiddenVotesReachNobody(t *testing.T) {
	for _, poll := range []struct {
		kind   string
		rounds int
	}{{"predict", 2}, {"network", 1}} {
		const scenario = "spawn C1 C2 naive\n"
		one, afterOne := twin(t, scenario).transcript(poll.kind, 0, 0, poll.rounds)
		two, afterTwo := twin(t, scenario).transcript(poll.kind, 1, 1, poll.rounds)
		if len(one) != len(two) {
			t.Fatalf("%s: the one class is told %d things, the other %d", poll.kind, len(one), len(two))
		}
		for i := range one {
			if one[i] != two[i] {
				t.Fatalf("%s: before the answer is revealed the two classes differ:\n%s\n%s", poll.kind, one[i], two[i])
			}
		}
		if slices.Equal(afterOne, afterTwo) {
			t.Errorf("%s: revealed, the votes are nowhere to be seen", poll.kind)
		}
	}
}

// hides fails if somebody can get at one of these texts, in any message or on any page.
func (c *classroom) hides(p somebody, runs []string, texts ...string) {
	c.Helper()
	for _, path := range everyPage(c.room, runs...) {
		copied := &person{c.site, map[string]string{}}
		for name, value := range p.cookies {
			copied.cookies[name] = value
		}
		copied.send("GET", path, nil).lacks(c.T, texts...)
	}
	for _, l := range everyLanguage {
		for _, on := range everySurface {
			v := p.listens(c.run, l, on)
			times := class.Ask(c.hub, func(r *room.Room) int { return r.View(room.Who{}).Gathered })
			for _, m := range v.gathered(times) {
				for _, text := range texts {
					if strings.Contains(m, text) {
						c.Errorf("%s is told %q on the surface %s", p.name, text, on)
					}
				}
			}
			v.conn.Close()
		}
	}
}

// Only its owner acts in a sandbox, and only the presenter may look. This holds for its page, its socket, every
// export, a comparison, and a room or a fork made of it.
func TestNobodyElseReachesASandbox(t *testing.T) {
	c := newClass(t, Options{})
	c.teacher.does(c.room, "fork").wants(t, http.StatusSeeOther)
	c.ann.does(c.room, "own").wants(t, http.StatusSeeOther)
	sandbox := "/t/" + class.Ask(c.hub, func(r *room.Room) string { return r.Sandbox(1) })
	for _, line := range []string{`note "xyzzy"`, "step C1", "step C2"} {
		c.ann.send("POST", sandbox+"/actions", fields("action", line)).wants(t, http.StatusSeeOther)
	}
	branch, _, _ := strings.Cut(c.ann.send("POST", sandbox+"/actions", fields("action", "tick 7s", "at", "3", "past", "1")).Header.Get("Location"), "?")
	if branch == sandbox || !strings.HasPrefix(branch, "/t/") {
		t.Fatalf("Ann's branch is at %q", branch)
	}
	id := func(run string) string { return strings.TrimPrefix(run, "/t/") }
	c.ann.send("GET", sandbox, nil).wants(t, http.StatusOK, "xyzzy")
	c.ann.send("GET", branch, nil).wants(t, http.StatusOK, "xyzzy")
	c.teacher.send("GET", sandbox, nil).wants(t, http.StatusOK, "xyzzy") // the wall leads there
	actsThere := []message{
		acts(5, "step C1"), acts(5, "tick 1s"), {"type": "schedule", "at": 5}, {"type": "branch", "at": 3, "action": "tick 9s"},
		{"type": "rerun", "at": 5, "program": "getset"}, {"type": "restore", "scenario": "spawn C1 naive\n"},
	}
	for _, run := range []string{sandbox, branch} {
		c.refusesMessages(somebody{"the presenter", c.teacher}, run, actsThere...)
		c.refusesForms(somebody{"the presenter", c.teacher}, form{run + "/actions", fields("action", "step C1")}, form{run + "/actions", fields("action", "tick 9s", "at", "3", "past", "1")}, form{run + "/reruns", fields("program", "getset")})
	}
	for _, p := range append(c.outsiders(), somebody{"Bob", c.bob}, somebody{"Cat", c.cat}) {
		before := len(c.ledger.entries(""))
		for _, run := range []string{sandbox, branch} {
			for _, f := range []form{
				{run + "/actions", fields("action", "step C1")}, {run + "/actions", fields("action", "step C1", "at", "3", "past", "1")},
				{run + "/actions", fields("action", "last")}, {run + "/actions", fields("action", "violation")}, {run + "/actions", fields("action", "back", "at", "3")}, {run + "/actions", fields("action", "first")},
				{run + "/reruns", fields("program", "getset")}, {run + "/forks", fields()}, {run + "/forks", fields("at", "3")}, {run + "/lesson", fields()}, {run + "/lesson", fields("at", "1", "past", "1")}, {run + "/claims", fields()},
				{"/rooms", fields("run", id(run))}, {"/rooms", fields("run", id(run), "at", "3")},
			} {
				a := p.send("POST", f.path, f.fields)
				a.lacks(t, "xyzzy")
				if a.StatusCode != http.StatusForbidden && a.StatusCode != http.StatusUnprocessableEntity {
					t.Errorf("%s posts %s %v and is answered %s, %s", p.name, f.path, f.fields, a.Status, a.Header.Get("Location"))
				}
			}
			_, r, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(c.url, "http")+run+"/live", http.Header{"Cookie": {p.cookie()}})
			if err == nil || r.StatusCode != http.StatusForbidden {
				t.Errorf("%s opens the socket of %s: %v", p.name, run, err)
			}
		}
		if kept := c.ledger.entries("")[before:]; len(kept) > 0 {
			t.Errorf("after the requests of %s the store has kept %q", p.name, kept)
		}
	}
	for _, p := range []somebody{{"a stranger", c.person()}, {"Bob", c.bob}} {
		c.hides(p, []string{sandbox, branch, c.run}, "xyzzy")
		c.hides(p, nil, "xyzzy", id(sandbox), id(branch))
	}
}

// The room may look at a sandbox with its owner. When it looks away, the others see no more of it: their sockets get
// none of what follows, and a copy ends where the room has looked.
func TestAShownSandboxBecomesPrivateAgain(t *testing.T) {
	c := newClass(t, Options{})
	c.teacher.does(c.room, "fork").wants(t, http.StatusSeeOther)
	c.ann.does(c.room, "own").wants(t, http.StatusSeeOther)
	id := class.Ask(c.hub, func(r *room.Room) string { return r.Sandbox(1) })
	sandbox := "/t/" + id
	notes := func(text string) {
		c.ann.send("POST", sandbox+"/actions", fields("action", `note "`+text+`"`)).wants(t, http.StatusSeeOther)
	}
	notes("xyzzy")
	c.teacher.does(c.room, "show", "seat", "1").wants(t, http.StatusSeeOther)
	var watching []*listener
	for _, p := range []*person{c.bob, c.person()} {
		for _, on := range everySurface {
			watching = append(watching, p.listens(sandbox, lang.English, on))
		}
	}
	c.bob.send("GET", sandbox+".txt", nil).wants(t, http.StatusOK, "xyzzy")
	c.teacher.does(c.room, "fork").wants(t, http.StatusSeeOther) // a new exercise, with copies of it
	c.teacher.does(c.room, "gather").wants(t, http.StatusSeeOther)
	for _, v := range watching {
		v.gathered(1)
	}
	c.teacher.does(c.room, "show", "seat", "0").wants(t, http.StatusSeeOther)
	notes("plugh")
	c.ann.send("POST", sandbox+"/actions", fields("action", "tick 9s", "at", "2", "past", "1")).wants(t, http.StatusSeeOther) // its tabs are told, too
	c.teacher.does(c.room, "gather").wants(t, http.StatusSeeOther)
	for _, v := range watching {
		for _, m := range v.gathered(2) {
			if strings.Contains(m, "plugh") || strings.HasPrefix(m, `{"type":"events"`) {
				t.Errorf("after the room has looked away somebody is told %s", m)
			}
		}
		if a := v.ask(message{"type": "look", "at": 3}); a.Type != "error" || a.Text != views.Say(lang.English, "room.not-yours") {
			t.Errorf("after the room has looked away somebody looks, and is told %+v", a)
		}
	}
	c.bob.send("GET", sandbox+".txt", nil).wants(t, http.StatusForbidden)
	c.bob.does(c.room, "own").wants(t, http.StatusSeeOther)
	copied := "/t/" + class.Ask(c.hub, func(r *room.Room) string { return r.Sandbox(2) })
	a := c.bob.send("GET", copied+".txt", nil)
	a.wants(t, http.StatusOK, "xyzzy")
	a.lacks(t, "plugh")
}

// The presenter may act in a shown sandbox to demonstrate something. The driver may not, as those actions would count
// as its owner's.
func TestTheDriverCannotActInAShownSandbox(t *testing.T) {
	c := newClass(t, Options{})
	c.teacher.does(c.room, "challenge", "task", "redis-lock/race/break").wants(t, http.StatusSeeOther)
	c.ann.does(c.room, "own").wants(t, http.StatusSeeOther)
	sandbox := "/t/" + class.Ask(c.hub, func(r *room.Room) string { return r.Sandbox(1) })
	c.teacher.does(c.room, "show", "seat", "1").wants(t, http.StatusSeeOther)
	c.teacher.does(c.room, "drive", "seat", "2").wants(t, http.StatusSeeOther)
	c.refusesMessages(somebody{"the driver", c.bob}, sandbox, acts(0, "spawn C1"), message{"type": "schedule", "at": 0}, message{"type": "branch", "at": 0, "action": "tick 1s"})
	c.refusesForms(somebody{"the driver", c.bob}, form{sandbox + "/actions", fields("action", "tick 1s")}, form{sandbox + "/claims", fields()})
	c.bob.does(c.room, "drive", "seat", "0").wants(t, http.StatusSeeOther)
	for _, p := range []*person{c.teacher, c.ann} {
		p.send("POST", sandbox+"/actions", fields("action", "note \"look\"")).wants(t, http.StatusSeeOther)
	}
}

// Only the presenter reads the names that participants enter for the roster. Even the projector in the presenter's own
// browser lacks them.
func TestOnlyThePresenterReadsTheRoster(t *testing.T) {
	c := newClass(t, Options{})
	c.teacher.does(c.room, "switch", "roster", "on").wants(t, http.StatusSeeOther)
	c.ann.does(c.room, "name", "roster", "Wolkenstein").wants(t, http.StatusSeeOther)
	c.teacher.send("GET", c.run, nil).wants(t, http.StatusOK, "Wolkenstein")
	for _, p := range append(c.outsiders()[:4], somebody{"Bob", c.bob}, somebody{"the driver", c.cat}) {
		if p.person == c.cat {
			c.teacher.does(c.room, "drive", "seat", "3").wants(t, http.StatusSeeOther)
		}
		c.hides(p, []string{c.run}, "Wolkenstein")
	}
	c.teacher.send("GET", c.room+"/screen", nil).lacks(t, "Wolkenstein")
	v := c.teacher.listens(c.run, lang.English, live.OnScreen)
	for _, m := range v.gathered(0) {
		if strings.Contains(m, "Wolkenstein") {
			t.Error("the projector in the presenter's browser is told the roster")
		}
	}
	c.teacher.does(c.room, "switch").wants(t, http.StatusSeeOther) // off
	c.teacher.send("GET", c.run, nil).lacks(t, "Wolkenstein")
}

// A class leaves nothing in the log at any level: no code, name, key, address or run. This holds even if connections
// break in the middle of an answer, and if a stored entry cannot be read.
func TestTheLogNamesNobodyOfAClass(t *testing.T) {
	for _, level := range []slog.Level{slog.LevelInfo, slog.LevelDebug} {
		var log notebook
		memory := store.Memory(store.Options{})
		c := newClass(t, Options{Logger: door.NewLogger(&log, "json", level), Limits: door.Limits{Sockets: 12, Guesses: 2}, Store: memory})
		c.teacher.does(c.room, "switch", "free", "on", "roster", "on").wants(t, http.StatusSeeOther)
		c.ann.does(c.room, "name", "text", "Annabella", "roster", "Wolkenstein").wants(t, http.StatusSeeOther)
		secret := c.pairs(c.teacher)
		c.person().send("GET", c.room+"/remote?pair="+secret, nil)
		c.person().send("POST", c.room+"/remote", fields("pair", secret)).wants(t, http.StatusSeeOther)
		c.teacher.does(c.room, "fork").wants(t, http.StatusSeeOther)
		c.ann.does(c.room, "own").wants(t, http.StatusSeeOther)
		sandbox := class.Ask(c.hub, func(r *room.Room) string { return r.Sandbox(1) })
		v := c.ann.watches("/t/"+sandbox, "page")
		v.ask(acts(2, "step C1"))
		v.say("{")
		v.say(acts(2, `note "Annabella"`).text("Annabella"))
		for range 14 { // more than the limit
			conn, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(c.url, "http")+c.run+"/live", http.Header{"Cookie": {c.ann.cookie()}})
			if err == nil {
				defer conn.Close()
			}
		}
		for range 4 {
			c.get("/r/" + c.never())
		}
		for _, request := range []string{c.run, c.room, c.run + "/live"} { // the client is gone before the answer comes
			for range 5 {
				conn, err := net.Dial("tcp", strings.TrimPrefix(c.url, "http://"))
				if err != nil {
					t.Fatal(err)
				}
				fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: x\r\nCookie: %s\r\n\r\n", request, c.ann.cookie())
				_ = conn.(*net.TCPConn).SetLinger(0)
				conn.Close()
			}
		}
		for n := 0; memory.Append(t.Context(), class.RoomLog(code(c.room)), n, []byte(`"no entry"`)) != nil; n++ {
		}
		c.server.news(store.News{Log: class.RoomLog(code(c.room))})
		c.server.news(store.News{Log: "t/" + sandbox})
		c.server.Broken(fmt.Errorf("reading r/%s and t/%s for %s", code(c.room), sandbox, v.conn.LocalAddr()))
		c.server.Close()
		said := log.String()
		if !strings.Contains(said, "following the store") || !strings.Contains(said, "panic") {
			t.Errorf("at %s the log does not name the broken part:\n%s", level, said)
		}
		_, port, _ := net.SplitHostPort(v.conn.LocalAddr().String())
		for _, hidden := range []string{
			code(c.room), room.FormatCode(code(c.room)), strings.TrimPrefix(c.run, "/t/"), sandbox, "Annabella", "Wolkenstein", "127.0.0.1", ":" + port, secret,
			c.ann.key(c.room), c.teacher.key(c.room), room.HashKey(c.ann.key(c.room)), room.HashKey(c.teacher.key(c.room)),
		} {
			if strings.Contains(said, hidden) {
				t.Errorf("at %s the log says %q:\n%s", level, hidden, said)
			}
		}
	}
}
