package present

import (
	"bytes"
	"encoding/json"
	"fmt"

	"lockstep/engine"
	"lockstep/engine/lang"
	"lockstep/views"
)

// ProtocolVersion is that of the wire that PROTOCOL.md describes.
const ProtocolVersion = 3

// A Log is what a run has done by one moment: its text and the events that came of it. A run only adds to its
// log, so a Log can be read without the run's lock.
type Log struct {
	epoch   string
	header  engine.Header
	actions []engine.Action
	events  []engine.Event
}

// Log returns the log as it is now.
func (r Run) Log() Log {
	return Log{r.Epoch, r.Engine.Header(), r.Engine.Actions(), r.Engine.World().Events()}
}

// A Stretch is the part of a log that one answer has. Its events have their sentence in the reader's language
// alone. A reader who lacks some of the log asks for the next Stretch.
type Stretch struct {
	Total  int               `json:"total"`            // events of the whole log
	Header *string           `json:"header,omitempty"` // of the scenario; nil: this stretch does not begin the log, or has no room for it
	After  int               `json:"after"`            // how many actions go before these lines
	Lines  []string          `json:"lines"`
	Since  int               `json:"since"` // how many events go before these
	Events []json.RawMessage `json:"events"`

	Size int `json:"-"` // bytes on the wire, that were encoded for it
}

// An Extent is the beginning of a log that a reader has already: so many actions and events of an epoch.
type Extent struct {
	Epoch           string
	Actions, Events int
}

// Known returns how much of this log an extent covers. A log only grows, so a reader who has more of the same
// epoch has heard it from another server. An extent of another epoch covers nothing.
func (l Log) Known(has Extent) Extent {
	if has.Epoch != l.epoch {
		return Extent{Epoch: l.epoch}
	}
	return Extent{l.epoch, min(has.Actions, len(l.actions)), min(has.Events, len(l.events))}
}

// A Piece is a stretch that says what it is a part of.
type Piece struct {
	Epoch   string `json:"epoch"`
	Actions int    `json:"actions"` // of the whole log
	*Stretch
}

// Begin returns the beginning of the log, for a page.
func (l Log) Begin(in lang.Language) *Piece {
	return &Piece{l.epoch, len(l.actions), l.from(Extent{}, in, inPage)}
}

// After returns what comes after an extent, for an answer to a reader who asks for it.
func (l Log) After(has Extent, in lang.Language) Piece {
	return Piece{l.epoch, len(l.actions), l.from(l.Known(has), in, inAnswer)}
}

// News returns what comes after an extent that this log covers, for a message.
func (l Log) News(has Extent, in lang.Language) *Stretch { return l.from(has, in, inMessage) }

// A space is how much of a log fits into one answer.
type space struct {
	text   int // bytes for the header and the lines
	all    int // bytes for these and the events
	events int // how many events
	wire   func([]byte) int
}

// AnswerSize is how many bytes of a log an answer has at most.
const AnswerSize = 508 << 10

// The spaces. A key that is one long row of quotation marks is several times as long on the wire as in the
// engine, so each text is measured as it is sent.
var (
	// A message of the socket stays in memory for as long as somebody reads it slowly.
	inMessage = space{text: 128 << 10, all: 256 << 10, events: engine.MaxEvents, wire: plainly}

	// An answer has room for the largest event, or for the longest header and the longest line,
	// so it always brings more of a log.
	inAnswer = space{text: 448 << 10, all: AnswerSize, events: engine.MaxEvents, wire: plainly}

	// A page has the whole log of a short run, so its scripts ask for nothing more.
	inPage = space{text: 64 << 10, all: 160 << 10, events: views.EventsListed, wire: inMarkup}
)

// plainly is the length of JSON as it is.
func plainly(text []byte) int { return len(text) }

// inMarkup is the length of JSON within HTML, where <, > and & are written as six bytes each.
func inMarkup(text []byte) int {
	return len(text) + 5*(bytes.Count(text, []byte("<"))+bytes.Count(text, []byte(">"))+bytes.Count(text, []byte("&")))
}

// from returns the stretch that comes after a part of the log.
func (l Log) from(has Extent, in lang.Language, most space) *Stretch {
	after, since := has.Actions, has.Events
	s := &Stretch{Total: len(l.events), After: after, Lines: []string{}, Since: since, Events: []json.RawMessage{}}
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
	if after > 0 || fits(Encode(header), most.text) {
		if after == 0 {
			s.Header = &header
		}
		for _, a := range l.actions[after:] {
			line := a.String()
			if !fits(Encode(line), most.text) {
				break
			}
			s.Lines = append(s.Lines, line)
		}
	}
	for i := since; i < min(len(l.events), since+most.events); i++ {
		event, err := l.events[i].JSON(in)
		if err != nil {
			panic(fmt.Errorf("encoding an event: %w", err)) // all of them are plain data
		}
		if !fits(event, most.all) {
			break
		}
		s.Events = append(s.Events, event)
	}
	s.Size = used
	return s
}

// Encode returns a value as the JSON of a message or an answer. It goes into no HTML.
func Encode(value any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(fmt.Errorf("encoding an answer: %w", err)) // all of them are plain data
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// shrink takes at least so many bytes from the end of a page's stretch, if it has as many: its events, then its
// lines, then the header. It returns how many it has taken.
func (s *Stretch) shrink(over int) int {
	taken := 0
	for n := len(s.Events); n > 0 && taken < over; n = len(s.Events) {
		taken += inMarkup(s.Events[n-1]) + len(",")
		s.Events = s.Events[:n-1]
	}
	for n := len(s.Lines); n > 0 && taken < over; n = len(s.Lines) {
		taken += inMarkup(Encode(s.Lines[n-1])) + len(",")
		s.Lines = s.Lines[:n-1]
	}
	if s.Header != nil && taken < over {
		taken += inMarkup(Encode(*s.Header))
		s.Header = nil
	}
	return taken
}
