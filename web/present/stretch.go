package present

import (
	"bytes"
	"encoding/json"
	"fmt"

	"lockstep/engine"
	"lockstep/engine/lang"
	runview "lockstep/views/run"
)

// ProtocolVersion is the version of the protocol in PROTOCOL.md.
const ProtocolVersion = 4

// A Log has the text and the events of a run up to one moment. A run only adds to its log, so readers of a Log need
// not take the run's lock.
type Log struct {
	epoch   string
	header  engine.Header
	actions []engine.Action
	events  []engine.Event
}

// Log returns the current log.
func (r Run) Log() Log {
	return Log{r.Epoch, r.Engine.Header(), r.Engine.Actions(), r.Engine.World().Events()}
}

// A Stretch is the part of a log in one answer. Its events have their sentence only in the reader's language. A reader
// who lacks some of the log asks for the next Stretch.
type Stretch struct {
	Total  int               `json:"total"`            // events of the whole log
	Header *string           `json:"header,omitempty"` // of the scenario; nil: this stretch does not begin the log, or the header does not fit
	After  int               `json:"after"`            // number of actions before these lines
	Lines  []string          `json:"lines"`
	Since  int               `json:"since"` // number of events before these
	Events []json.RawMessage `json:"events"`

	Size int `json:"-"` // bytes on the wire, encoded for this stretch
}

// An Extent describes the beginning of a log that a reader has: the number of actions and of events, in an epoch.
type Extent struct {
	Epoch           string
	Actions, Events int
}

// Known returns the part of this log that an extent covers. A log only grows, so a reader who has more of the same
// epoch got it from another server. An extent of another epoch covers nothing.
func (l Log) Known(has Extent) Extent {
	if has.Epoch != l.epoch {
		return Extent{Epoch: l.epoch}
	}
	return Extent{l.epoch, min(has.Actions, len(l.actions)), min(has.Events, len(l.events))}
}

// A Piece is a stretch with the number of actions in the whole log.
type Piece struct {
	Epoch   string `json:"epoch"`
	Actions int    `json:"actions"` // of the whole log
	*Stretch
}

// Begin returns the beginning of the log, for a page.
func (l Log) Begin(in lang.Language) *Piece {
	return &Piece{l.epoch, len(l.actions), l.from(Extent{}, in, inPage)}
}

// After returns the stretch after an extent, for a reader who asks for it.
func (l Log) After(has Extent, in lang.Language) Piece {
	return Piece{l.epoch, len(l.actions), l.from(l.Known(has), in, inAnswer)}
}

// News returns the stretch after an extent that this log covers, for a message.
func (l Log) News(has Extent, in lang.Language) *Stretch { return l.from(has, in, inMessage) }

// A space bounds the part of a log in one answer.
type space struct {
	text   int // bytes for the header and the lines
	all    int // bytes for the header, the lines and the events
	events int // number of events
	wire   func([]byte) int
}

// AnswerSize bounds the bytes of a log in one answer.
const AnswerSize = 508 << 10

// These are the spaces. A key of many quotation marks is several times as long on the wire as in the engine, so a
// space counts the bytes on the wire.
var (
	// A message of the socket stays in memory while a slow reader takes it.
	inMessage = space{text: 128 << 10, all: 256 << 10, events: engine.MaxEvents, wire: plainly}

	// An answer has room for the largest event, or for the longest header and the longest line,
	// so it always brings more of a log.
	inAnswer = space{text: 448 << 10, all: AnswerSize, events: engine.MaxEvents, wire: plainly}

	// A page has the whole log of a short run, so its scripts need to ask for nothing.
	inPage = space{text: 64 << 10, all: 160 << 10, events: runview.EventsListed, wire: inMarkup}
)

// plainly returns the length of plain JSON.
func plainly(text []byte) int { return len(text) }

// inMarkup returns the length of JSON within HTML, which writes <, > and & as six bytes each.
func inMarkup(text []byte) int {
	return len(text) + 5*(bytes.Count(text, []byte("<"))+bytes.Count(text, []byte(">"))+bytes.Count(text, []byte("&")))
}

// from returns the stretch after an extent.
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

// Encode returns a value as the JSON of a message or an answer. The JSON never goes into HTML.
func Encode(value any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(fmt.Errorf("encoding an answer: %w", err)) // all of them are plain data
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// shrink takes at least over bytes from the end of a page's stretch, if the stretch has as many. It takes the events,
// then the lines, then the header, and returns the number of bytes.
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
