package e2e

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"lockstep/engine/testtools"
	"lockstep/web/room"
)

// A class of twenty phones, ten of them clients, acts and takes names at full speed while
// its server is killed. It continues on the same server, restarted with the same
// data, or on another server with the same Redis. No acknowledged action is lost,
// none is done twice, and every phone returns by itself to its seat, lane and name.
func TestKilledServerLosesNothing(t *testing.T) {
	testtools.Exhaustive(t, "twenty phones wait for the disk with each press")
	t.Parallel()
	binary := built(t)
	t.Run("and started again", func(t *testing.T) {
		data := filepath.Join(t.TempDir(), "data")
		first := started(t, binary, nil, "--data", data)
		address := strings.TrimSuffix(strings.TrimPrefix(first.address, "http://"), "/")
		c := opens(t, first.address)
		c.survives(func() {
			first.isKilled()
			again := started(t, binary, nil, "--data", data, "--address", address)
			t.Cleanup(func() { again.ends(os.Interrupt) })
		})
	})
	t.Run("and another goes on", func(t *testing.T) {
		redis := testtools.StartRedis(t, testtools.Durable...).URL()
		first := started(t, binary, nil, "--store", redis)
		second, _ := serving(t, binary, nil, "--store", redis)
		c := opens(t, first.address, second)
		c.survives(first.isKilled)
	})
}

// isKilled ends a server as a power cut does.
func (p *process) isKilled() {
	p.Helper()
	if err := p.Process.Kill(); err != nil {
		p.Error(err)
	}
	_ = p.Wait()
}

// A lesson is a presenter and phones.
type lesson struct {
	*testing.T
	addresses []string // of its servers
	teacher   *http.Client
	room, run string
	phones    []*phone
	done      atomic.Int64 // acknowledged requests
}

const (
	people = 20
	lanes  = 10
)

// meets opens a room at the first of some servers.
func meets(t *testing.T, addresses ...string) *lesson {
	t.Helper()
	c := &lesson{T: t, addresses: addresses, teacher: newClient(t)}
	c.room = strings.Trim(strings.TrimSuffix(c.post(c.teacher, "rooms", url.Values{}), "/present"), "/")
	c.run = strings.TrimPrefix(leadsTo(t, try(c.teacher.Get(addresses[0]+c.room+"/present")).orFail(t)), "/")
	return c
}

// opens opens a room with clients for half of the class, a question for all of it,
// and phones that are spread over the servers.
func opens(t *testing.T, addresses ...string) *lesson {
	t.Helper()
	c := meets(t, addresses...)
	spawn := "spawn"
	for i := range lanes {
		spawn += fmt.Sprintf(" C%d", i+1)
	}
	c.post(c.teacher, c.run+"/actions", url.Values{"action": {spawn + " naive"}})
	for i := range people {
		p := &phone{lesson: c, number: i + 1, client: newClient(t), server: i % len(addresses)}
		c.post(p.client, c.room+"/seats", url.Values{})
		c.phones = append(c.phones, p)
	}
	for _, form := range []url.Values{{"verb": {"lanes"}, "size": {"1"}}, {"verb": {"switch"}, "free": {"on"}}} {
		c.post(c.teacher, c.room+"/do", form)
	}
	for _, p := range c.phones {
		p.connect()
		t.Cleanup(func() { p.conn.Close() })
		if p.seat.Seat != p.number || (p.seat.Lane != "") != (p.number <= lanes) {
			t.Fatalf("phone %d is %+v", p.number, p.seat)
		}
	}
	return c
}

// post sends a form to the first server, and returns where it redirects.
func (c *lesson) post(by *http.Client, path string, form url.Values) string {
	c.Helper()
	return leadsTo(c, try(by.PostForm(c.addresses[0]+path, form)).orFail(c))
}

// A phone behaves like static/js/run/socket.js: it reconnects after a lost connection,
// and repeats requests without an answer.
type phone struct {
	*lesson
	number  int // of its seat
	client  *http.Client
	server  int // at which of the addresses it is
	conn    *websocket.Conn
	seat    message // what it was last told of itself
	actions int     // of the run, as far as it knows
	sent    int     // requests
	lost    int     // connections

	acted []acted // what it was told is done
	name  string  // the last that it was told is taken; empty: none
	asks  string  // the name for which it has had no answer yet; empty: none
	again int     // answers to what it has sent twice
	timer *int64  // how long the timer goes on, in ms; nil: there is none, or it has not heard of it
}

// acted is an action that the server acknowledged to a phone, with its place in the run.
type acted struct {
	place int // from 1; 0: it was told only that it is done
	line  string
}

// A message has the fields of all messages that these tests read.
type message struct {
	Type, ID, Code, Text string
	Actions              int
	Seat, Vote           int
	Lane, Name           string
	Left                 *int64
}

// connect opens a socket, at the next server if this one does not answer, and reads
// until the phone has its seat.
func (p *phone) connect() {
	for range 2000 {
		address := p.addresses[p.server%len(p.addresses)]
		dialer := websocket.Dialer{Jar: p.client.Jar}
		conn, r, err := dialer.Dial("ws"+strings.TrimPrefix(address, "http")+p.run+"/live?surface=phone", nil)
		if err != nil {
			p.server++
			time.Sleep(10 * time.Millisecond)
			continue
		}
		r.Body.Close()
		p.conn = conn
		for {
			m, err := p.read()
			if err != nil {
				break // and once more
			}
			if m.Type == "seat" {
				p.seat = m
				return
			}
		}
	}
	p.Errorf("phone %d finds no server", p.number)
}

func (p *phone) read() (m message, err error) {
	if err := p.conn.SetReadDeadline(time.Now().Add(testtools.Patience)); err != nil {
		return m, err
	}
	_, data, err := p.conn.ReadMessage()
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return m, err
	}
	if m.Type == "hello" || m.Type == "events" {
		p.actions = m.Actions
	}
	if m.Type == "timer" {
		p.timer = m.Left
	}
	return m, nil
}

// ask sends a request until it has an answer, and waits when the server limits its rate.
func (p *phone) ask(request map[string]any) message {
	for {
		if m := p.asksOnce(request); m.Code != "limit" {
			return m
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// asksOnce sends a request until it has an answer.
func (p *phone) asksOnce(request map[string]any) message {
	p.sent++
	id := fmt.Sprintf("%d-%d", p.number, p.sent)
	request["id"] = id
	for sent := 1; ; sent++ {
		err := p.conn.WriteJSON(request)
		var m message
		for err == nil && m.ID != id {
			m, err = p.read()
		}
		if err == nil {
			if sent > 1 {
				p.again++
			}
			return m
		}
		if sent > 20 {
			p.Errorf("phone %d: %v", p.number, err)
			return m
		}
		p.conn.Close()
		p.lost++
		was := p.seat
		p.connect()
		if p.seat.Seat != was.Seat || p.seat.Lane != was.Lane {
			p.Errorf("phone %d was %+v and comes back as %+v", p.number, was, p.seat)
		}
		if !p.isCalled(p.name) && (p.asks == "" || !p.isCalled(p.asks)) {
			p.Errorf("phone %d is called %s and comes back as %s", p.number, p.name, p.seat.Name)
		}
	}
}

// isCalled reports whether the phone's seat has a name that it chose; empty: whether it has any.
func (p *phone) isCalled(name string) bool { return strings.HasSuffix(p.seat.Name, name) }

// presses acts if the phone is a client, and takes another name if it still may.
func (p *phone) presses(n int) {
	if lane := p.seat.Lane; lane != "" {
		line := [2]string{"pause ", "resume "}[n%2] + lane
		for {
			m := p.ask(map[string]any{"type": "act", "at": p.actions, "action": line})
			if m.Code == "stale" {
				continue // somebody was faster
			}
			a := acted{line: line}
			if m.Type == "events" {
				a.place = m.Actions
			} else if m.Type != "done" {
				p.Errorf("phone %d: %s is answered with %+v", p.number, line, m)
				return
			}
			p.acted = append(p.acted, a)
			p.lesson.done.Add(1)
			break
		}
	}
	if n >= room.MaxNames {
		time.Sleep(time.Millisecond)
		return
	}
	p.asks = fmt.Sprintf("%c%d", 'a'+n%2, p.number)
	m := p.ask(map[string]any{"type": "room", "with": map[string]string{"verb": "name", "text": p.asks}})
	if m.Type != "done" {
		p.Errorf("phone %d: a name is answered with %+v", p.number, m)
		return
	}
	p.name, p.asks = p.asks, ""
	p.lesson.done.Add(1)
}

// survives lets everybody press, kills a server, and compares the run with what the
// server acknowledged to each phone.
func (c *lesson) survives(kill func()) {
	c.Helper()
	const more = 5                   // presses of each when the server is gone
	after := int64(20 + rand.N(300)) // acknowledged requests
	var killed atomic.Bool
	var all sync.WaitGroup
	for _, p := range c.phones {
		all.Go(func() {
			for n, left := 0, more; left > 0 && !c.Failed(); n++ {
				p.presses(n)
				if killed.Load() {
					left--
				}
			}
		})
	}
	for c.done.Load() < after && !c.Failed() {
		time.Sleep(time.Millisecond)
	}
	kill()
	acknowledged := c.done.Load()
	killed.Store(true)
	all.Wait()
	if c.Failed() {
		return
	}

	text := get(c.T, c.addresses[len(c.addresses)-1]+c.run+".txt", http.StatusOK)
	actions, lost, again, acts := strings.Split(strings.TrimSpace(text), "\n"), 0, 0, 0
	for _, p := range c.phones {
		for _, a := range p.acted {
			if a.place > 0 && (a.place > len(actions) || actions[a.place-1] != a.line) {
				c.Errorf("phone %d was told that %s is action %d, and it is not", p.number, a.line, a.place)
			}
		}
		lost, again, acts = lost+p.lost, again+p.again, acts+len(p.acted)
		p.conn.Close()
		p.server = len(c.addresses) - 1 // which is there
		p.connect()
		if !p.isCalled(p.name) {
			c.Errorf("phone %d is called %s, and the room says %s", p.number, p.name, p.seat.Name)
		}
	}
	same(c, len(actions)-lanes, acts, "the run has actions of phones")
	c.Logf("killed after %d answers of %d; %d connections were lost, and %d requests were answered when they were sent again",
		acknowledged, c.done.Load(), lost, again)
	if lost == 0 {
		c.Error("nobody has noticed the death of the server")
	}
}
