package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"lockstep/engine"
	"lockstep/views"
	"lockstep/web/limit"
)

// A logged is the log of a run at one moment: its text and the events that came of it. A run
// only adds to its log, so a logged can be read without the run's lock.
type logged struct {
	epoch   string
	header  engine.Header
	actions []engine.Action
	events  []engine.Event
}

// logged is the log as it is now. The caller holds the run's lock.
func (r *run) logged() logged {
	return logged{r.epoch, r.engine.Header(), r.engine.Actions(), r.engine.World().Events()}
}

// A stretch is the part of a log that one answer has. Its events have their sentence in the
// reader's language alone. A reader who lacks some of the log asks getEvents for the next stretch.
type stretch struct {
	Total  int               `json:"total"`            // events of the whole log
	Header *string           `json:"header,omitempty"` // of the scenario; nil: this stretch does not begin the log, or has no room for it
	After  int               `json:"after"`            // how many actions go before these lines
	Lines  []string          `json:"lines"`
	Since  int               `json:"since"` // how many events go before these
	Events []json.RawMessage `json:"events"`

	size int // bytes on the wire, that were encoded for it
}

// An extent is the beginning of a log that a reader has already: so many actions and
// events of an epoch.
type extent struct {
	epoch           string
	actions, events int
}

// known is how much of this log an extent covers. A log only grows, so a reader who has more of the same
// epoch has heard it from another server. An extent of another epoch covers nothing.
func (l logged) known(has extent) extent {
	if has.epoch != l.epoch {
		return extent{epoch: l.epoch}
	}
	return extent{l.epoch, min(has.actions, len(l.actions)), min(has.events, len(l.events))}
}

// A piece is a stretch that says what it is a part of.
type piece struct {
	Epoch   string `json:"epoch"`
	Actions int    `json:"actions"` // of the whole log
	*stretch
}

// begins is what a page begins with. The caller holds the run's lock.
func (r *run) begins(a *limit.Asker, in views.Language) *piece {
	log := r.logged()
	p := &piece{log.epoch, len(log.actions), log.from(extent{}, in, inPage)}
	a.Charge(drawing(int64(p.size)))
	return p
}

// A space is how much of a log fits into one answer.
type space struct {
	text   int // bytes for the header and the lines
	all    int // bytes for these and the events
	events int // how many events
	wire   func([]byte) int
}

// The spaces. A key that is one long row of quotation marks is several times as long on the wire as in the
// engine, so each text is measured as it is sent.
var (
	// A message of the socket stays in memory for as long as somebody reads it slowly.
	inMessage = space{text: 128 << 10, all: 256 << 10, events: engine.MaxEvents, wire: plainly}

	// An answer of getEvents has room for the largest event, or for the longest header and the longest line,
	// so it always brings more of a log.
	inAnswer = space{text: 448 << 10, all: 508 << 10, events: engine.MaxEvents, wire: plainly}

	// A page has the whole log of a short run, so its scripts ask for nothing more.
	inPage = space{text: 64 << 10, all: 160 << 10, events: views.EventsListed, wire: inMarkup}
)

// plainly is the length of JSON as it is.
func plainly(text []byte) int { return len(text) }

// inMarkup is the length of JSON within HTML, where <, > and & are written as six bytes each.
func inMarkup(text []byte) int {
	return len(text) + 5*(bytes.Count(text, []byte("<"))+bytes.Count(text, []byte(">"))+bytes.Count(text, []byte("&")))
}

// from is the stretch that comes after a part of the log.
func (l logged) from(has extent, in views.Language, most space) *stretch {
	after, since := has.actions, has.events
	s := &stretch{Total: len(l.events), After: after, Lines: []string{}, Since: since, Events: []json.RawMessage{}}
	used := 0
	fits := func(text []byte, bytes int) bool {
		n := most.wire(text) + len(",")
		if used+n > bytes {
			return false
		}
		used += n
		return true
	}
	header := ""
	if after == 0 {
		header = l.header.String()
	}
	if after > 0 || fits(encoded(header), most.text) {
		if after == 0 {
			s.Header = &header
		}
		for _, a := range l.actions[after:] {
			line := a.String()
			if !fits(encoded(line), most.text) {
				break
			}
			s.Lines = append(s.Lines, line)
		}
	}
	for i := since; i < min(len(l.events), since+most.events); i++ {
		event, err := l.events[i].JSON(engineLanguage(in))
		if err != nil {
			panic(fmt.Errorf("encoding an event: %w", err)) // all of them are plain data
		}
		if !fits(event, most.all) {
			break
		}
		s.Events = append(s.Events, event)
	}
	s.size = used
	return s
}

// encoded is a value as JSON that goes into no HTML.
func encoded(value any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(fmt.Errorf("encoding an answer: %w", err)) // all of them are plain data
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// getEvents answers with the next stretch of a run's log, for a page that has the beginning of it.
func (s *Server) getEvents(w http.ResponseWriter, r *http.Request) {
	run, done, ok := s.look(w, r)
	if !ok {
		return
	}
	defer done()
	run.mu.Lock()
	log := run.logged()
	run.mu.Unlock()
	if err := askerOf(r).Spend(drawing(min(run.bytes(), int64(inAnswer.all)))); err != nil { // it is encoded before it is drawn
		s.busy(w, r, err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	s.answer(w, r, http.StatusOK, func(b *bytes.Buffer) {
		b.Write(encoded(piece{log.epoch, len(log.actions), log.from(log.known(extentOf(r.URL.Query())), language(r), inAnswer)}))
	})
}

// extentOf reads from the query of an address what a reader has of a log. A number that is none is 0.
func extentOf(query url.Values) extent {
	number := func(name string) int {
		n, err := strconv.Atoi(query.Get(name))
		if err != nil {
			return 0
		}
		return max(0, n)
	}
	return extent{query.Get("epoch"), number("after"), number("since")}
}

// shrink takes at least so many bytes from the end of a stretch, if it has as many: its events, then its
// lines, then the header. It returns how many it has taken.
func (s *stretch) shrink(over int, most space) int {
	taken := 0
	for n := len(s.Events); n > 0 && taken < over; n = len(s.Events) {
		taken += most.wire(s.Events[n-1]) + len(",")
		s.Events = s.Events[:n-1]
	}
	for n := len(s.Lines); n > 0 && taken < over; n = len(s.Lines) {
		taken += most.wire(encoded(s.Lines[n-1])) + len(",")
		s.Lines = s.Lines[:n-1]
	}
	if s.Header != nil && taken < over {
		taken += most.wire(encoded(*s.Header))
		s.Header = nil
	}
	return taken
}
