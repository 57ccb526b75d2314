package engine

import (
	"strings"
	"unicode"
	"unicode/utf8"
	"unsafe"

	"lockstep/engine/program"
)

// The bytes that an event takes on the wire beside the texts in it.
const (
	eventSize  = 300
	callSize   = 60
	changeSize = 200

	recordedSize = 100 // the mark, and the words for it
)

// size returns about how many bytes the event takes on the wire with its sentence in both languages: never less than it
// does. Other forms, such as a row in a table, take less than twice as much.
func (e *Event) size() int64 {
	n := int64(eventSize) + 3*wired(e.Text) + 3*wired(e.chinese)
	if e.Call != nil {
		words := int64(callSize)
		for _, word := range e.Call.Command {
			words += 3 + wired(word)
		}
		n += 5 * words // as words, as a label, as RESP, and in two sentences
	}
	if e.Execution != nil {
		n += 3 * wired(string(e.Execution.Reply))
		if e.Execution.Recorded {
			n += recordedSize
		}
	}
	for _, c := range e.Changes {
		n += changeSize + 3*wired(c.Key)
		for _, s := range []*Stored{c.Old, c.New} {
			if s != nil {
				n += 3 * wired(s.Value)
			}
		}
	}
	if e.Lease != nil {
		n += wired(e.Lease.Token)
	}
	if e.Number != nil {
		n += 32
	}
	if e.Spawned != nil {
		n += changeSize
	}
	if v := e.Violation; v != nil {
		n += wired(v.English) + wired(v.Chinese)
		if v.because != nil {
			n += v.because.size() // its sentence tells that event
		}
	}
	return n
}

// wired returns how many bytes a text may take in JSON, and in quotes within a sentence there.
func wired(text string) int64 {
	n := 0
	for i, r := range text {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], string(utf8.RuneError)):
			n += 5 // a byte that is not UTF-8
		case r == '"' || r == '\\':
			n += 4
		case r == '<' || r == '>' || r == '&' || r < ' ' || r == 0x7f:
			n += 6
		case r < utf8.RuneSelf:
			n++
		case unicode.IsPrint(r):
			n += utf8.RuneLen(r)
		default:
			n += 5 * utf8.UTFMax // quote escapes it byte by byte
		}
	}
	return int64(n)
}

// Size returns about how many bytes the client takes in memory, with everything that it points to. Components that come
// from one another share some of that.
func (c *Client) Size() int64 {
	n := int64(unsafe.Sizeof(*c)) + rounded(int64(unsafe.Sizeof(program.Value{}))*int64(cap(c.seen)))
	for _, v := range c.seen {
		n += allocated(textOf(v))
	}
	for _, m := range c.orphans {
		n += 8 + m.size()
	}
	return n + c.flight.size() + c.wrote.size() + c.Grant.size() + allocated(textOf(c.lease)) + int64(unsafe.Sizeof(Lease{}))
}

// textOf returns the text in a value.
func textOf(v program.Value) string {
	if text, ok := v.AsString(); ok {
		return text
	}
	_, _, token := v.Lease()
	return token
}

// size returns about how many bytes a message takes in memory.
func (m *message) size() int64 {
	if m == nil {
		return 0
	}
	n := int64(unsafe.Sizeof(*m)) + int64(unsafe.Sizeof(*m.call)) + m.grant.size()
	for _, word := range m.call.Command {
		n += int64(unsafe.Sizeof(word)) + allocated(word)
	}
	if m.execution != nil {
		n += int64(unsafe.Sizeof(*m.execution)) + allocated(string(m.execution.Reply))
	}
	return n
}

// size returns about how many bytes a grant takes in memory.
func (g *Grant) size() int64 {
	if g == nil {
		return 0
	}
	return int64(unsafe.Sizeof(*g)) + g.Stored.size()
}

// size returns about how many bytes a stored value takes in memory.
func (s *Stored) size() int64 { return int64(unsafe.Sizeof(*s)) + allocated(s.Value) }

// mapSize returns about how many bytes a map with that many stored values takes: it has places for eight, or for more
// than it needs.
func mapSize(values int) int64 {
	const place = 26
	if values <= 8 {
		return 48 + 8*place
	}
	return 48 + 5*place*int64(values)/3
}

// allocated returns how many bytes a text takes in memory; rounded returns how many the runtime sets aside for n.
func allocated(text string) int64 { return rounded(int64(len(text))) }

func rounded(bytes int64) int64 { return (bytes + bytes/16 + 15) &^ 15 }
