package detect

import "strings"

// A Note is what a command did to the key that is watched.
type Note struct {
	Kind  NoteKind
	Line  int
	Time  int64
	Hold  int // its number
	By    int // the hold whose owner deleted it
	Token uint64
	Conn  int32
	Lease int64
	Near  bool   // the lease's end was near
	Text  string // of a grant: the token
}

// A NoteKind is the kind of a note.
type NoteKind uint8

// The kinds of notes.
const (
	Touched NoteKind = iota // it changed nothing that is known
	Asked                   // nobody knows whether it was granted
	Granted
	Refused
	Released // by its owner
	Renewed
	Lapsed  // its lease ran out
	TooLate // its owner shows up afterwards
	Deleted // by somebody else
)

// Watch calls a function for each note on a key. A Granted note may come later than its line.
func (d *Detector) Watch(db int32, name string, note func(Note)) {
	d.watched, d.watch = sum([]byte(name))^uint64(db)*0x9e3779b97f4a7c15, note
}

func (d *Detector) note(k *key, n Note) {
	if d.watch != nil && k.hash == d.watched {
		d.watch(n)
	}
}

// granted notes a grant.
func (d *Detector) granted(k *key, w *who) {
	d.redlock.grant(d.node, k, w)
	if d.watch != nil && k.hash == d.watched {
		d.watch(Note{Kind: Granted, Line: w.line, Time: w.time, Hold: w.id, Token: w.token, Text: w.said(), Conn: w.conn, Lease: w.lease})
	}
}

// The bounds of what a Finding says was sent.
const (
	maxWord  = 60
	maxWords = 8
)

// said returns what a client sent: a command, or the script that ran it.
func (d *Detector) said(c *Command) (words []string) {
	if c.Words == nil || c.Script {
		return strings.Split(string(d.script.said), "\x00")
	}
	return strings.Split(string(shortened(nil, c.Words)), "\x00")
}

// shortened appends the words of a command as far as a Finding says them.
func shortened(to []byte, words [][]byte) []byte {
	for i, word := range words {
		if i > 0 {
			to = append(to, 0)
		}
		if i == maxWords {
			return append(to, "…"...)
		}
		if len(word) > maxWord {
			to = append(append(to, strings.ToValidUTF8(string(word[:maxWord]), "?")...), "…"...)
		} else {
			to = append(to, word...)
		}
	}
	return to
}

// Address returns the address of a connection, and the name that it has given itself.
func (d *Detector) Address(conn int32) (address, name string) {
	c := d.info(conn)
	return c.from, c.name
}
