package web

import (
	"maps"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"lockstep/engine/lang"
	"lockstep/web/session"
)

// A metered viewer has a browser that takes compressed messages, and counts the bytes that arrive.
type metered struct {
	*socketViewer
	arrived *meter
}

type meter struct {
	net.Conn
	bytes int
}

func (m *meter) Read(b []byte) (int, error) {
	n, err := m.Conn.Read(b)
	m.bytes += n
	return n, err
}

func (p *person) meters(run string, l lang.Language, on session.Surface) metered {
	p.Helper()
	arrived := new(meter)
	dialer := websocket.Dialer{EnableCompression: true, NetDial: func(network, address string) (conn net.Conn, err error) {
		arrived.Conn, err = net.Dial(network, address)
		return arrived, err
	}}
	conn, r, err := dialer.Dial("ws"+strings.TrimPrefix(p.url, "http")+run+"/live?surface="+string(on)+"&lang="+string(l), http.Header{"Cookie": {p.cookie()}})
	if err != nil {
		p.Fatalf("opening %s: %v (%v)", run, err, r)
	}
	p.Cleanup(func() { conn.Close() })
	v := metered{&socketViewer{p.T, conn, map[string]string{}}, arrived}
	v.want("hello")
	return v
}

// busy is what a class of web/load does: the holder of a lock that never expires has crashed, and six others try again.
var busy = []string{"spawn C1 C2 C3 C4 C5 C6 C7 naive", "step C1", "crash C1"}

const busySteps = 80

// A step of seven clients at a busy lock takes at most 3 KB to a laptop that follows, and 1 KB to a phone. At the end the
// changes of each panel have made what somebody who comes late is told as a whole.
func TestAStepIsSmallOnTheWire(t *testing.T) {
	s := newSite(t, Options{})
	teacher := s.person()
	room, run := teacher.opens(busy...)
	_, phone := s.joins(room), s.joins(room)
	teacher.does(room, "lanes", "size", "1").wants(t, http.StatusSeeOther) // the phone is C2
	alone := s.runOf(strings.Join(busy, "\n"))
	for _, test := range []struct {
		who  *person
		run  string
		on   session.Surface
		most int
	}{
		{teacher, alone, session.OnPage, 3 << 10},
		{teacher, alone, session.OnScreen, 3 << 10},
		{teacher, alone, session.OnRemote, 1 << 10},
		{phone, run, session.OnPhone, 1 << 10},
	} {
		for _, l := range lang.All {
			v := test.who.meters(test.run, l, test.on)
			sum, longest := 0, 0
			for range busySteps {
				before := v.arrived.bytes
				teacher.send("POST", test.run+"/actions", url.Values{"action": {"schedule"}}).wants(t, http.StatusSeeOther)
				for v.next().Type != "events" {
				}
				size := v.arrived.bytes - before
				sum, longest = sum+size, max(longest, size)
			}
			t.Logf("%s, %s: %d bytes a step, at most %d", test.on, l, sum/busySteps, longest)
			if longest > test.most {
				t.Errorf("a step takes %d bytes to a %s, want at most %d", longest, test.on, test.most)
			}
			if late := test.who.meters(test.run, l, test.on); !maps.Equal(htmlOfRun(late), htmlOfRun(v)) {
				t.Errorf("a %s shows\n%q\nand one that comes late\n%q", test.on, htmlOfRun(v), htmlOfRun(late))
			}
		}
	}
}

// htmlOfRun returns the panels of the run that a viewer shows.
func htmlOfRun(v metered) map[string]string {
	panels := maps.Clone(v.html)
	delete(panels, "room")
	return panels
}

// While somebody joins, a room tells those who are there only what has changed.
func TestTheNewsOfARoomAreSmallOnTheWire(t *testing.T) {
	s := newSite(t, Options{})
	teacher := s.person()
	room, run := teacher.opens(busy...)
	v := teacher.meters(run, lang.English, session.OnPage)
	v.want("room")
	v.want("seat")
	for _, verb := range [][]string{{"ask", "kind", "predict", "client", "C2"}, {"drop"}, {"gather"}} {
		before := v.arrived.bytes
		teacher.does(room, verb[0], verb[1:]...).wants(t, http.StatusSeeOther)
		for v.next().Type != "room" {
		}
		if size := v.arrived.bytes - before; size > 3<<10 {
			t.Errorf("%s takes %d bytes", verb[0], size)
		}
	}
	late := teacher.meters(run, lang.English, session.OnPage)
	late.want("room")
	if v.html["room"] != late.html["room"] {
		t.Errorf("the room is\n%s\nand to somebody who comes late\n%s", v.html["room"], late.html["room"])
	}
}
