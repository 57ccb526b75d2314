package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"

	"lockstep/engine"
	"lockstep/engine/testtools"
	"lockstep/web/class"
	"lockstep/web/door"
	"lockstep/web/limit"
	"lockstep/web/live"
	"lockstep/web/room"
	"lockstep/web/roompages"
	"lockstep/web/store"
)

// The fuzzer has six files:
//
//	fuzz_test.go                  the target, the server and its checks after each script
//	fuzz_script_test.go           how bytes become the deeds of three strangers
//	fuzz_grammar_test.go          the scenarios, programs and values that they invent
//	fuzz_client_test.go           how they send requests and messages, and check the answers
//	fuzz_seeds_test.go            the corpus: transcripts, lessons, classes, past attacks
//	fuzz_processor*_test.go       the processor time, on systems that tell it

// FuzzStranger decodes any bytes into the deeds of up to three strangers: requests, forms, messages, scenarios, programs,
// and connections that break. Each request causes a bounded amount of work. Nothing that the server holds exceeds its
// bound, and the server gives all of it up when the strangers have gone. Nothing panics. Every answer has a documented
// status and a sentence. A class in another room goes on. Everything in the store reads back: a second server makes the
// same runs of it, and the runs' text makes them once more.
//
// All inputs of a process share one server. Each input has addresses of its own, and its logs are forgotten after it, so
// no input depends on earlier ones.
func FuzzStranger(f *testing.F) {
	for _, k := range strangerSeeds(f) {
		f.Add(k.choices, k.text())
	}
	var e *exposed
	f.Cleanup(func() {
		if e != nil {
			e.end()
		}
	})
	f.Fuzz(func(t *testing.T, choices []byte, text string) {
		if e == nil {
			e = expose(t)
		}
		if err := e.survives(readScript(choices, text, e.doors)); err != nil {
			e.end()
			e = nil // the next input gets a new server
			t.Fatal(err)
		}
	})
}

const (
	watchdog   = testtools.Patience // a server without an answer for so long has hung
	mostAnswer = 12 << 20           // bytes, of an answer that is not compressed, and of a message
	mostEntry  = 2 << 20            // bytes, of an entry of a log: JSON writes some letters of a text as six bytes
	mostSpare  = 20                 // goroutines that come and go by themselves

	mostUncounted = 5 * time.Second      // of the processor, that a deed may take beside the work that is counted
	mostSearch    = 3 * time.Minute      // the same for a search, which has a time of its own
	unitTime      = 60 * time.Nanosecond // of a unit of work, where the fuzzer counts along
)

// exposedLimits are so small that a script can reach each bound. The limits of the class are larger, as it acts once
// after each script.
var exposedLimits = door.Limits{
	Rooms: 3, Sockets: 40, AtOnce: 40, Messages: 1_000,
	Reading: 256 << 10, AllReading: 1 << 20,
	Answers: mostAnswer, AllAnswers: 3 * mostAnswer,
	Frames: 1 << 20, AllFrames: 4 << 20,
	Runs: 10 << 20, AllRuns: 40 << 20,
}

// An exposed server is open to strangers.
type exposed struct {
	server, other *Server // of the same store; nobody reaches the other one
	store         *watchedStore
	log           *notebook
	address       string
	doors         []route
	stop          func()
	class         *going
	scripts       int // so far: their strangers' addresses follow from it
	work          workCounted
	quiet         int // goroutines when nobody but the class is there
}

// A watchedStore records which logs have grown.
type watchedStore struct {
	store.Store
	mu      sync.Mutex
	touched map[string]bool
	largest int
}

func (w *watchedStore) Append(ctx context.Context, log string, n int, entry []byte) error {
	err := w.Store.Append(ctx, log, n, entry)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err == nil {
		w.touched[log] = true
		w.largest = max(w.largest, len(entry))
	}
	return err
}

// Close does nothing, as two servers share the store.
func (w *watchedStore) Close() error { return nil }

// news returns the logs that have grown since the last call.
func (w *watchedStore) news() (logs []string, largest int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for log := range w.touched {
		logs = append(logs, log)
	}
	largest, w.largest, w.touched = w.largest, 0, map[string]bool{}
	slices.Sort(logs)
	return logs, largest
}

// workCounted counts the work of finished requests.
type workCounted struct {
	mu sync.Mutex
	of map[*limit.Asker]int64
}

func (w *workCounted) ended(a *limit.Asker) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.of[a] = a.Spent()
}

func (w *workCounted) most() (units int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, n := range w.of {
		units = max(units, n)
	}
	return units
}

func (w *workCounted) all() (units int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, n := range w.of {
		units += n
	}
	return units
}

func (w *workCounted) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	clear(w.of)
}

func expose(t *testing.T) *exposed {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	e := &exposed{store: &watchedStore{Store: store.Memory(store.Options{}), touched: map[string]bool{}}, log: &notebook{}, address: l.Addr().String(), work: workCounted{of: map[*limit.Asker]int64{}}}
	e.server = New(Options{
		Store: e.store, Limits: exposedLimits, Logger: door.NewLogger(e.log, "text", slog.LevelError),
		Proxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")},
	})
	e.server.Work.Ended = e.work.ended
	e.other = New(Options{Store: e.store, Limits: door.Limits{Makings: 1 << 40, Requests: 1 << 40}})
	if e.doors, err = doorsOf(e.server); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- e.server.Serve(ctx, l, 0) }()
	e.stop = func() {
		cancel()
		<-ended
		e.other.Close()
	}
	if err := e.goesOn(); err != nil {
		t.Fatal(err)
	}
	e.store.news()
	e.quiet = runtime.NumGoroutine()
	return e
}

// end ends the server, or leaves it where it hangs.
func (e *exposed) end() {
	e.class.end()
	ended := make(chan struct{})
	go func() { e.stop(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(watchdog):
	}
}

// A route is a method and a pattern of addresses.
type route struct{ method, pattern string }

var (
	doorName  = regexp.MustCompile(`\{[^{}]*(?:\{[0-9]+\})?[^{}]*\}|\*$`)
	namedRun  = regexp.MustCompile(`/t/([a-z0-9]{10})\b`)
	namedRoom = regexp.MustCompile(`/r/([0-9]{6})\b`)
	namedPair = regexp.MustCompile(`pair=([A-Z2-7]{26})`)
)

func doorsOf(s *Server) (doors []route, err error) {
	routes, ok := s.routes().(chi.Routes)
	if !ok {
		return nil, errors.New("the routes cannot be walked")
	}
	err = chi.Walk(routes, func(method, pattern string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		if method == http.MethodGet || method == http.MethodPost {
			doors = append(doors, route{method, pattern})
		}
		return nil
	})
	slices.SortFunc(doors, func(a, b route) int { return strings.Compare(a.pattern, b.pattern) })
	return doors, err
}

// survives plays a script, and then checks the server.
func (e *exposed) survives(s *script) error {
	e.scripts++
	e.work.forget()
	for i, accept := range []string{"en", "zh", "zh-CN,zh;q=0.9"} {
		n := 2*e.scripts + i%2 // the third is a neighbour of the first
		address := netip.AddrFrom4([4]byte{11, byte(n >> 16), byte(n >> 8), byte(n)}).String()
		s.people = append(s.people, &stranger{exposed: e, address: address, accept: accept, cookies: map[string]string{}})
	}
	err := s.run()
	for _, o := range s.sockets {
		o.end()
		err = errors.Join(err, o.wrong)
	}
	for _, c := range s.held {
		c.Close()
	}
	if err != nil {
		return e.explained(err)
	}
	for _, check := range []func() error{e.isQuiet, e.bounds, e.goesOn, e.readsBack} {
		if err := check(); err != nil {
			return e.explained(err)
		}
	}
	return nil
}

// explained adds the server's log to an error.
func (e *exposed) explained(err error) error {
	if said := e.log.String(); said != "" {
		return fmt.Errorf("%w\nthe server's log:\n%s", err, strings.ReplaceAll(said, `\n`, "\n"))
	}
	return err
}

// bounds names the bound that the server exceeds.
func (e *exposed) bounds() error {
	g, l := e.server.Guard, exposedLimits
	for _, held := range []struct {
		what      string
		now, most int64
	}{
		{"bytes of what is not complete", g.Reading.Held(), l.AllReading},
		{"bytes of answers", g.Answers.Held(), l.AllAnswers},
		{"bytes of messages that wait", g.Frames.Held(), l.AllFrames},
		{"bytes of runs", g.Runs.Held(), l.AllRuns},
	} {
		if held.now < 0 || held.now > held.most {
			return fmt.Errorf("the server holds %d %s, of at most %d", held.now, held.what, held.most)
		}
	}
	if units := e.work.most(); units > limit.MostWork+engine.MaxActionWork {
		return fmt.Errorf("a request has set off %d units of work", units)
	}
	if n := e.server.Metrics.Panics.Value(); n > 0 {
		return fmt.Errorf("the server has panicked %.0f times", n)
	}
	if e.log.String() != "" {
		return errors.New("the server has logged an error")
	}
	return nil
}

// isQuiet waits until the server has noticed that everybody but the class has gone, and names those left if it does
// not notice.
func (e *exposed) isQuiet() error {
	for began := time.Now(); ; time.Sleep(time.Millisecond) {
		err := e.left()
		if err == nil || time.Since(began) > watchdog {
			return err
		}
	}
}

// left names what strangers have left in memory.
func (e *exposed) left() error {
	s, g := e.server, e.server.Guard
	f, rooms := s.Rooms.Runs.Figures(), s.Rooms.Figures()
	for _, held := range []struct {
		what        string
		now, wanted int64
	}{
		{"requests", g.AtOnce.Held(), 0},
		{"bytes of what is not complete", g.Reading.Held(), 0},
		{"bytes of answers", g.Answers.Held(), 0},
		{"bytes of messages that wait", g.Frames.Held(), 0},
		{"sockets", g.Sockets.Held(), int64(len(e.class.sockets))},
		{"rooms", g.Rooms.Held(), 1},
		{"rooms in memory", int64(rooms.All - rooms.Idle), 1},
	} {
		if held.now != held.wanted {
			return fmt.Errorf("when all have gone there are %d %s, not %d", held.now, held.what, held.wanted)
		}
	}
	if f.Stray {
		return errors.New("when all have gone a run that nobody uses is counted for somebody")
	}
	if counted := g.Runs.Held() + g.RoomRuns.Held(); f.Used != 1 || f.UsedBytes != counted {
		return fmt.Errorf("when all have gone %d runs with %d bytes are used, not 1, and %d bytes are counted", f.Used, f.UsedBytes, counted)
	}
	if rooms.Idle > class.MostUnused || rooms.IdleBytes > class.MostUnusedBytes {
		return fmt.Errorf("%d rooms with %d bytes of logs stay", rooms.Idle, rooms.IdleBytes)
	}
	if f.All > live.MostIdle+1 || f.IdleBytes > live.MostIdleBytes {
		return fmt.Errorf("%d runs with %d bytes stay", f.All, f.IdleBytes)
	}
	if n := runtime.NumGoroutine(); n > e.quiet+mostSpare+rooms.Idle {
		return fmt.Errorf("when all have gone there are %d goroutines, not %d", n, e.quiet)
	}
	return nil
}

// A going class is a teacher and a spectator in a room of their own. It starts over now and then, so its run stays
// short.
type going struct {
	path    string
	at      int
	sockets []*openSocket // the teacher's and the spectator's
	logs    []string
}

const mostActs = 200 // of one class

func (c *going) end() {
	if c == nil {
		return
	}
	for _, o := range c.sockets {
		o.end()
	}
}

// goesOn lets the teacher act once, and returns nil when everybody has been told.
func (e *exposed) goesOn() error {
	p := &stranger{exposed: e, address: "10.0.0.1", accept: "en", cookies: map[string]string{}}
	a, err := p.exchange(p.bytes(httpRequest{Method: "GET", Target: "/healthz"}))
	if err != nil || a == nil || a.StatusCode != http.StatusOK {
		return fmt.Errorf("the server is not well: %+v, %w", a, err)
	}
	if e.class == nil || e.class.at >= mostActs {
		if err := e.begins(); err != nil {
			return fmt.Errorf("a class cannot begin: %w", err)
		}
	}
	c := e.class
	line := []string{"resume C1", "pause C1"}[c.at%2]
	text := message{"type": "act", "at": c.at, "action": line}.text(fmt.Sprint("t", c.at))
	if err := c.sockets[0].write(rawFrame(0x81, true, []byte(text))); err != nil {
		return fmt.Errorf("the teacher: %w", err)
	}
	c.at++
	for began := time.Now(); ; time.Sleep(100 * time.Microsecond) {
		told, refused := 0, ""
		for _, o := range c.sockets {
			o.mu.Lock()
			actions, wrong := o.actions, o.wrong
			refused += o.refused
			o.mu.Unlock()
			if wrong != nil {
				return fmt.Errorf("in the class: %w", wrong)
			}
			if actions == c.at {
				told++
			}
		}
		switch {
		case told == len(c.sockets):
			return nil
		case time.Since(began) > watchdog:
			return fmt.Errorf("%d of %d in the class are told of %s within %s", told, len(c.sockets), line, watchdog)
		case refused != "":
			return fmt.Errorf("in the class %s is refused: %s", line, refused)
		}
	}
}

// begins starts a class.
func (e *exposed) begins() error {
	e.class.end()
	if e.class != nil {
		if err := e.forget(e.class.logs); err != nil {
			return err
		}
	}
	c := &going{}
	e.store.news()
	teacher := &stranger{exposed: e, address: e.own(12), accept: "en", cookies: map[string]string{}}
	ask := func(q httpRequest) (string, error) {
		a, err := teacher.exchange(teacher.bytes(q))
		if err == nil && (a == nil || a.StatusCode != http.StatusSeeOther) {
			err = fmt.Errorf("%s %s is answered %+v", q.Method, q.Target, a)
		}
		if err != nil {
			return "", err
		}
		return a.Header.Get("Location"), nil
	}
	to, err := ask(post("/rooms"))
	if err == nil {
		c.path, err = ask(httpRequest{Method: "GET", Target: to})
	}
	if err == nil {
		_, err = ask(post(c.path+"/actions", "action", "spawn C1 naive"))
	}
	if err != nil {
		return err
	}
	c.at = 1
	e.class = c
	for _, p := range []*stranger{teacher, {exposed: e, address: teacher.address, accept: "zh"}} {
		o, err := p.opens(c.path + "/live?surface=screen")
		if err != nil || o == nil {
			return fmt.Errorf("a socket of the class: %v, %w", o, err)
		}
		go o.listen()
		c.sockets = append(c.sockets, o)
	}
	c.logs, _ = e.store.news()
	return nil
}

func (e *exposed) forget(logs []string) error {
	for _, log := range logs {
		if err := e.store.Delete(context.Background(), log); err != nil {
			return err
		}
	}
	return nil
}

// readsBack reads every grown log with the second server: a run, a family, a room or a pairing. The runs come out the
// same there, and once more when their text is posted.
func (e *exposed) readsBack() error {
	logs, largest := e.store.news()
	if largest > mostEntry {
		return fmt.Errorf("an entry of a log has %d bytes", largest)
	}
	logs = slices.DeleteFunc(logs, func(log string) bool { return slices.Contains(e.class.logs, log) })
	for _, log := range logs {
		kind, id, _ := strings.Cut(log, "/")
		err := error(nil)
		switch kind {
		case "t":
			err = e.sameRun(id)
		case "f":
			err = store.NewLog[live.Branch](e.store, log).Read(func() {}, func(live.Branch) error { return nil })
		case "r":
			err = e.sameRoom(id)
		case "p":
			err = store.NewLog[roompages.Pairing](e.store, log).Read(func() {}, func(roompages.Pairing) error { return nil })
		default:
			err = errors.New("nothing is kept under such a name")
		}
		if err != nil {
			return fmt.Errorf("the log of a %s: %w", kind, err)
		}
	}
	if err := e.forget(logs); err != nil {
		return err
	}
	logs, _ = e.store.news() // those that the second server has made
	return e.forget(logs)
}

// sameRun compares a run of the first server with the second server's run of its log, and of its text.
func (e *exposed) sameRun(id string) error {
	text, told, _, err := readRun(e.server, id)
	if err != nil {
		return err
	}
	again, toldAgain, full, err := readRun(e.other, id)
	switch {
	case err != nil:
		return err
	case full != nil:
		return fmt.Errorf("the second server refuses a text that the first has accepted: %w", full)
	case again != text || !bytes.Equal(told, toldAgain):
		return fmt.Errorf("two servers have two runs:\n%s\n%s", difference(text, again), difference(string(told), string(toldAgain)))
	}
	posted := e.post(url.Values{"scenario": {text}})
	found := namedRun.FindStringSubmatch(posted.Header().Get("Location"))
	if posted.Code != http.StatusSeeOther || found == nil {
		return fmt.Errorf("the text of a run is answered %d, %.2000s:\n%.2000s", posted.Code, posted.Body, text)
	}
	copied, toldOfCopy, _, err := readRun(e.other, found[1])
	if err == nil && (copied != text || !bytes.Equal(told, toldOfCopy)) {
		err = fmt.Errorf("the text of a run makes another one:\n%s\n%s", difference(text, copied), difference(string(told), string(toldOfCopy)))
	}
	if err != nil {
		return err
	}
	return e.isOpen(id)
}

// isOpen checks that a run outside rooms is open to a returning visitor, who may look at it and leave.
func (e *exposed) isOpen(id string) error {
	p := &stranger{exposed: e, address: e.own(14), accept: "zh", cookies: map[string]string{}}
	for _, page := range []string{"/help", "/t/" + id} {
		a, err := p.exchange(p.bytes(httpRequest{Method: "GET", Target: page}))
		if err != nil {
			return err
		}
		if a == nil || a.StatusCode != http.StatusOK && a.StatusCode != http.StatusForbidden {
			return fmt.Errorf("a later visitor is answered %+v", a)
		}
	}
	return nil
}

// own returns an address of this script's own, in a part of the network by its first number.
func (e *exposed) own(first byte) string {
	return netip.AddrFrom4([4]byte{first, byte(e.scripts >> 16), byte(e.scripts >> 8), byte(e.scripts)}).String()
}

// post sends a scenario to the second server, from a new address.
func (e *exposed) post(form url.Values) *httptest.ResponseRecorder {
	w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/runs", strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.RemoteAddr = e.own(13) + ":1"
	e.other.Handler().ServeHTTP(w, r)
	return w
}

// readRun returns the text and the events of a run, and the bound that its log exceeds, if any.
func readRun(s *Server, id string) (text string, told []byte, full, err error) {
	r, done, err := s.Rooms.Runs.Look(context.Background(), id)
	if err != nil {
		return "", nil, nil, err
	}
	defer done()
	full = r.Full()
	err = r.Trace(func(t *engine.Trace) error {
		text = t.Scenario.String()
		told, err = json.Marshal(t.Run.World().Events())
		return err
	})
	return text, told, full, err
}

// sameRoom compares a room at both servers.
func (e *exposed) sameRoom(code string) error {
	var rooms []*class.Room
	for _, s := range []*Server{e.server, e.other} {
		r, done, err := s.Rooms.Use(context.Background(), code)
		if err != nil {
			return err
		}
		defer done()
		rooms = append(rooms, r)
	}
	same := class.Ask(rooms[0], func(a *room.Room) bool { // neither goes on meanwhile
		return class.Ask(rooms[1], func(b *room.Room) bool { return reflect.DeepEqual(a, b) })
	})
	if !same {
		return errors.New("two servers have two rooms")
	}
	return nil
}

// difference returns the place where two texts begin to differ.
func difference(a, b string) string {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("…%.200q\n…%.200q", a[max(0, i-100):], b[max(0, i-100):])
		}
	}
	return fmt.Sprintf("%d and %d bytes", len(a), len(b))
}
