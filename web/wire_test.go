package web

import (
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"lockstep/engine/lang"
	"lockstep/engine/testtools"
	"lockstep/web/live"
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

func (p *person) meters(run string, l lang.Language, on live.Surface) metered {
	p.Helper()
	return p.metersFrom(run, l, on, "")
}

// metersFrom connects as somebody who has a part of the log.
func (p *person) metersFrom(run string, l lang.Language, on live.Surface, has string) metered {
	p.Helper()
	arrived := new(meter)
	dialer := websocket.Dialer{EnableCompression: true, NetDial: func(network, address string) (conn net.Conn, err error) {
		arrived.Conn, err = net.Dial(network, address)
		return arrived, err
	}}
	conn, r, err := dialer.Dial("ws"+strings.TrimPrefix(p.url, "http")+run+"/live?surface="+string(on)+"&lang="+string(l)+has, http.Header{"Cookie": {p.cookie()}})
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
		on   live.Surface
		most int
	}{
		{teacher, alone, live.OnPage, 3 << 10},
		{teacher, alone, live.OnScreen, 3 << 10},
		{teacher, alone, live.OnRemote, 1 << 10},
		{phone, run, live.OnPhone, 1 << 10},
	} {
		for _, l := range testtools.InCircle(lang.All[:1], lang.All, lang.All) {
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
	v := teacher.meters(run, lang.English, live.OnPage)
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
	late := teacher.meters(run, lang.English, live.OnPage)
	late.want("room")
	if v.html["room"] != late.html["room"] {
		t.Errorf("the room is\n%s\nand to somebody who comes late\n%s", v.html["room"], late.html["room"])
	}
}

// A page that connects has the texts of the programs that nobody runs from when it was loaded: it is not told them again.
// When a client begins with one of them, the page is told that text, and shows what a new page shows.
func TestAPageIsNotToldAgainWhatNeverChanges(t *testing.T) {
	const most = 6 << 10
	for _, l := range lang.All {
		s := newSite(t, Options{})
		teacher := s.person()
		room, run := teacher.opens(busy...)
		loaded := s.person().meters(run, l, live.OnPage) // without a part of the log
		var log struct {
			Epoch          string
			Actions, Total int
		}
		if err := json.Unmarshal([]byte(teacher.send("GET", run+"/events", nil).body), &log); err != nil {
			t.Fatal(err)
		}
		has := fmt.Sprintf("&after=%d&since=%d&epoch=", log.Actions, log.Total)
		v := s.joins(room).metersFrom(run, l, live.OnPage, has+log.Epoch)
		t.Logf("%s: %d bytes, and %d without a part of the log", l, v.arrived.bytes, loaded.arrived.bytes)
		if v.arrived.bytes > most {
			t.Errorf("a page is told %d bytes when it comes back, want at most %d", v.arrived.bytes, most)
		}
		for id := range v.html {
			if id == "program" || strings.HasPrefix(id, "source-") && id != "source-naive" {
				t.Errorf("a page is told %s again", id)
			}
		}
		v.want("room")
		v.want("seat")
		teacher.send("POST", run+"/actions", url.Values{"action": {"spawn C8 getset"}}).wants(t, http.StatusSeeOther)
		for v.next().Type != "events" {
		}
		late, shown := htmlOfRun(teacher.meters(run, l, live.OnPage)), htmlOfRun(v)
		maps.DeleteFunc(late, func(id, _ string) bool { return shown[id] == "" })
		if !maps.Equal(late, shown) || shown["source-getset"] == "" {
			t.Errorf("the page shows\n%q\nand a new one\n%q", shown, late)
		}
		// A page with a part of another epoch's log has nothing of this one. It asks for the texts that no client runs.
		if other := teacher.metersFrom(run, l, live.OnPage, has+"another"); other.html["program"] == "" || other.html["source-naive"] == "" || other.html["source-redlock"] != "" {
			t.Error("a page of another epoch is not told what it needs of the programs, and that alone")
		}
	}
}

// A step is encoded and compressed once for a surface and a language, and not once for each of 40 laptops. The presenter's
// own copy names the request, and the presenter is told which questions can be asked now.
func TestAStepIsCompressedOnceForAllLaptops(t *testing.T) {
	s := newSite(t, Options{Metrics: here})
	teacher := s.person()
	room, run := teacher.opens(busy...)
	desk := teacher.meters(run, lang.English, live.OnPage)
	var laptops []metered
	for i := range 40 {
		v := s.joins(room).meters(run, lang.All[i%len(lang.All)], live.OnPage)
		laptops = append(laptops, v)
	}
	s.tellNow(code(room)) // who is here
	s.settles()
	for i := range 3 {
		encoded, sent := s.counted("messages_encoded_total"), s.counted("messages_sent_total")
		desk.say(fmt.Sprintf(`{"type":"schedule","id":"step-%d","at":%d}`, i, len(busy)+6+i))
		for _, v := range append(laptops, desk) {
			for v.next().Type != "events" {
			}
		}
		s.settles()
		if n := s.counted("messages_encoded_total") - encoded; n < 3 || n > 4 {
			t.Errorf("a step is encoded %d times for laptops in two languages and the presenter, want 3 or 4 times", n)
		}
		if n := s.counted("messages_sent_total") - sent; n < 41 || n > 42 {
			t.Errorf("a step is sent %d times, want 41 or 42", n)
		}
	}
}

// counted returns one of the server's counters.
func (s *site) counted(name string) int {
	s.Helper()
	_, rest, ok := strings.Cut(s.get("/metrics").body, "\nlockstep_"+name+" ")
	n, _, _ := strings.Cut(rest, "\n")
	count, err := strconv.ParseFloat(n, 64)
	if !ok || err != nil {
		s.Fatalf("there is no counter %s: %v", name, err)
	}
	return int(count)
}

// settles waits until the server has sent nothing for a while.
func (s *site) settles() {
	s.Helper()
	for last, same := -1, 0; same < 12; time.Sleep(calm / 4) {
		same++
		if sent := s.counted("messages_sent_total"); sent != last {
			last, same = sent, 0
		}
	}
}

const calm = 100 * time.Millisecond // as a room coalesces its news
