package detect

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
	if d.watch != nil && k.hash == d.watched {
		d.watch(Note{Kind: Granted, Line: w.line, Time: w.time, Hold: w.id, Token: w.token, Text: w.said(), Conn: w.conn, Lease: w.lease})
	}
}

// Address returns the address of a connection, and the name that it has given itself.
func (d *Detector) Address(conn int32) (address, name string) {
	c := d.info(conn)
	return c.from, c.name
}
