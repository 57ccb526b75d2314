package web

import (
	"context"
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"lockstep/engine/lang"
	"lockstep/views"
	"lockstep/web/class"
	"lockstep/web/door"
	"lockstep/web/live"
	"lockstep/web/room"
	"lockstep/web/store"
)

// A ledger is a store that records every entry, so a test sees that a refused request has left none.
type ledger struct {
	store.Store

	mu   sync.Mutex
	kept []string
}

func (l *ledger) Append(ctx context.Context, log string, n int, entry []byte) error {
	err := l.Store.Append(ctx, log, n, entry)
	if err == nil && !strings.Contains(string(entry), `"verb":"mark"`) { // the server adds marks by itself, when it has time
		l.mu.Lock()
		defer l.mu.Unlock()
		l.kept = append(l.kept, log+" "+string(entry))
	}
	return err
}

// entries are those of all logs, or of those whose names begin so.
func (l *ledger) entries(prefix string) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var some []string
	for _, entry := range l.kept {
		if strings.HasPrefix(entry, prefix) {
			some = append(some, entry)
		}
	}
	return some
}

// A classroom is a room whose run has two clients. Ann's phone is C1 and Bob's is C2. Cat came later, and her phone is the
// network. The presenter drives.
type classroom struct {
	*site
	ledger                 *ledger
	hub                    *class.Room
	room, run              string
	teacher, ann, bob, cat *person
}

func newClass(t *testing.T, o Options) *classroom {
	t.Helper()
	if o.Store == nil {
		o.Store = store.Memory(store.Options{})
	}
	c := &classroom{ledger: &ledger{Store: o.Store}}
	o.Store = c.ledger
	c.site = newSite(t, o)
	c.teacher = c.person()
	c.room, c.run = c.teacher.opens("spawn C1 C2 naive")
	c.ann, c.bob, c.cat = c.joins(c.room), c.joins(c.room), c.joins(c.room)
	c.teacher.does(c.room, "lanes", "size", "1").wants(t, http.StatusSeeOther)
	c.enters()
	return c
}

// enters keeps somebody in the room to the end, so that a test can query it.
func (c *classroom) enters() {
	c.Helper()
	c.hub = c.roomOf(c.room)
}

// roomOf returns a room, which stays to the end of the test.
func (s *site) roomOf(path string) *class.Room {
	s.Helper()
	h, done, err := s.server.Rooms.Use(context.Background(), code(path))
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(done)
	return h
}

// askRoom asks a room, which the server may forget right afterwards.
func askRoom[T any](s *site, path string, question func(*room.Room) T) T {
	s.Helper()
	h, done, err := s.server.Rooms.Use(context.Background(), code(path))
	if err != nil {
		s.Fatal(err)
	}
	defer done()
	return class.Ask(h, question)
}

func code(room string) string { return strings.TrimPrefix(room, "/r/") }

// key returns a person's key to a room.
func (p *person) key(room string) string { return p.cookies[door.KeyCookie(code(room))] }

// bearing returns somebody who brings that key to the class.
func (c *classroom) bearing(key string) *person {
	p := c.person()
	p.cookies[door.KeyCookie(code(c.room))] = key
	return p
}

// somebody is a visitor at the room's door, named for what they bring.
type somebody struct {
	name string
	*person
}

// outsiders have no seat in the class, and bring every key that might pass for one.
func (c *classroom) outsiders() []somebody {
	c.Helper()
	elsewhere := c.person()
	other, _ := elsewhere.opens()
	neighbour := c.joins(other)
	before := c.person()
	ended, _ := before.opens()
	late := c.joins(ended)
	before.does(ended, "end").wants(c.T, http.StatusSeeOther)
	return []somebody{
		{"a stranger", c.person()},
		{"the presenter of another room", elsewhere},
		{"a seat of another room", neighbour},
		{"another room's presenter's key under this room's name", c.bearing(elsewhere.key(other))},
		{"another room's seat's key under this room's name", c.bearing(neighbour.key(other))},
		{"the key of a seat of a room that is over", c.bearing(late.key(ended))},
		{"a made-up key", c.bearing(class.NewKey())},
		{"what the log keeps of the presenter's key", c.bearing(room.HashKey(c.teacher.key(c.room)))},
		{"an empty key", c.bearing("")},
	}
}

// others are all visitors but the presenter.
func (c *classroom) others() []somebody {
	c.Helper()
	return append(c.outsiders(), somebody{"a phone that is a client", c.ann}, somebody{"a phone that is the network", c.cat})
}

// A message is what goes over a socket, with its fields in place of those that are sent usually.
type message map[string]any

func (m message) text(id string) string {
	if _, set := m["id"]; !set {
		m["id"] = id
	}
	text, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// asks is a message that does something in the room.
func asks(verb string, fields ...string) message {
	with := map[string]string{"verb": verb}
	for i := 0; i < len(fields); i += 2 {
		with[fields[i]] = fields[i+1]
	}
	return message{"type": "room", "with": with}
}

// acts is a message that acts in the run.
func acts(at int, line string) message { return message{"type": "act", "at": at, "action": line} }

// ask sends a message and returns its answer. It skips messages about others.
func (v *socketViewer) ask(m message) told {
	v.Helper()
	id, _ := m["id"].(string)
	if id == "" {
		id = live.NewID()
	}
	v.say(m.text(id))
	for {
		if t := v.next(); t.ID == id {
			return t
		}
	}
}

// refusals are the sentences in which a room refuses.
var refusals = func() map[string]room.Refusal {
	all := map[string]room.Refusal{}
	for _, r := range room.Refusals {
		all[views.Say(lang.English, r.Error())] = r
	}
	return all
}()

// refusesMessages sends each message as somebody to a run. It wants the room to refuse every one and the store to keep
// nothing.
func (c *classroom) refusesMessages(p somebody, run string, messages ...message) {
	c.Helper()
	v := p.watches(run, "page")
	before := len(c.ledger.entries(""))
	for _, m := range messages {
		copied := message{}
		for name, value := range m {
			copied[name] = value
		}
		a := v.ask(copied)
		if why, refused := refusals[a.Text]; a.Type != "error" || !refused || why == room.ErrMalformed || why == room.ErrSame {
			c.Errorf("%s says %v and is told %s %s %q", p.name, m, a.Type, a.Code, a.Text)
		}
	}
	if kept := c.ledger.entries("")[before:]; len(kept) > 0 {
		c.Errorf("after the messages of %s the store has kept %q", p.name, kept)
	}
	v.conn.Close()
}

// A form is an address and the fields posted there.
type form struct {
	path   string
	fields url.Values
}

func fields(pairs ...string) url.Values {
	all := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		all.Set(pairs[i], pairs[i+1])
	}
	return all
}

// refusesForms posts each form as somebody. It wants the room to refuse every one and the store to keep nothing.
func (c *classroom) refusesForms(p somebody, forms ...form) {
	c.Helper()
	before := len(c.ledger.entries(""))
	for _, f := range forms {
		a := p.send("POST", f.path, f.fields)
		refused := false
		for sentence := range refusals {
			refused = refused || strings.Contains(a.body, html.EscapeString(sentence))
		}
		if a.StatusCode != http.StatusUnprocessableEntity && a.StatusCode != http.StatusForbidden || !refused {
			c.Errorf("%s posts %s %v and is answered %s", p.name, f.path, f.fields, a.Status)
		}
	}
	if kept := c.ledger.entries("")[before:]; len(kept) > 0 {
		c.Errorf("after the forms of %s the store has kept %q", p.name, kept)
	}
}

// pairs returns the secret of a link that makes a device a remote.
func (c *classroom) pairs(p *person) string {
	c.Helper()
	a := p.send("POST", c.room+"/remotes", url.Values{})
	a.wants(c.T, http.StatusOK)
	_, rest, found := strings.Cut(a.body, "/remote?pair=")
	if !found {
		c.Fatal("there is no link to pair with")
	}
	return rest[:26]
}

// servedClass is a class at a server that listens on a port.
func servedClass(t *testing.T, o Options) *classroom {
	t.Helper()
	c := &classroom{ledger: &ledger{Store: store.Memory(store.Options{})}}
	o.Store = c.ledger
	c.site, _ = served(t, New(o))
	c.teacher = c.person()
	c.room, c.run = c.teacher.opens("spawn C1 C2 naive")
	c.ann, c.bob, c.cat = c.joins(c.room), c.joins(c.room), c.joins(c.room)
	c.teacher.does(c.room, "lanes", "size", "1").wants(t, http.StatusSeeOther)
	c.enters()
	return c
}

// goesOn is a class that goes on while somebody misbehaves: the presenter and two phones act in turn, each waits
// for its answer, and everybody is told everything in order. It ends when all has arrived.
func (c *classroom) goesOn(at, rounds int) {
	c.Helper()
	teacher, ann, bob := c.teacher.watches(c.run, "page"), c.ann.watches(c.run, "phone"), c.bob.watches(c.run, "phone")
	spectator := c.person().watches(c.run, "screen")
	first := at
	for range rounds {
		for _, turn := range []struct {
			*socketViewer
			line string
		}{{teacher, "tick 1s"}, {ann, "pause C1"}, {bob, "pause C2"}, {ann, "resume C1"}, {bob, "resume C2"}} {
			if a := turn.ask(acts(at, turn.line)); a.Type != "events" || a.Actions != at+1 {
				c.Fatalf("action %d, %s, is answered with %s %q", at, turn.line, a.Type, a.Text)
			}
			at++
		}
	}
	for told := first; told < at; {
		m := spectator.next()
		if m.Type != "events" || m.Actions == told {
			continue
		}
		if m.Actions != told+1 {
			c.Fatalf("after action %d the projector is told of action %d", told, m.Actions)
		}
		told++
	}
	for _, v := range []*socketViewer{teacher, ann, bob, spectator} {
		v.conn.Close()
	}
}

// goesOnWhile is a class that goes on while each of some does the same over and over. It begins when all of
// them have done it once; what they do ends when it says false, or else with the class.
func (c *classroom) goesOnWhile(at, rounds int, misbehave ...func() bool) {
	c.Helper()
	ended := make(chan struct{})
	var begun, all sync.WaitGroup
	for _, again := range misbehave {
		begun.Add(1)
		all.Go(func() {
			more := again()
			begun.Done()
			for more {
				select {
				case <-ended:
					return
				default:
					more = again()
				}
			}
		})
	}
	begun.Wait()
	c.goesOn(at, rounds)
	close(ended)
	all.Wait()
}
