package monitor

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"

	"lockstep/engine"
	"lockstep/engine/monitor/detect"
)

// A plan says what part of a log becomes a scenario, and in whose lane each command on the lock stands.
type plan struct {
	db     int32
	key    string // the lock
	from   int    // the first line
	to     int    // the last one
	first  int    // the line of the grant with which a finding begins; 0: none
	doubt  int    // the line before which the scenario ends, since nobody knows what happened there; 0: none
	before int    // a line before it, by which the present holder was granted the lock; 0: none
	guilty int    // the first line at which the report convicts somebody
	must   int    // a line that the scenario should reach; 0: none
	alone  bool   // commands on other keys are left out

	pooled int // releases from another connection than the grant; 0: a lane is a connection
	steps  map[place]step
	conns  map[string]string // a lane by its address
	lanes  []person
	stays  map[int]bool // holds that nobody ever releases
}

// A place is where a command stands: two may stand on one line.
type place struct {
	line int
	from string
}

// A step is what a command did to the lock.
type step struct {
	detect.Note
	lane string // empty: the command is left out
}

// A person is who stands in a lane.
type person struct {
	lane, address, name string
}

// The notes on the lock that a plan keeps.
const (
	notesBefore = 120  // what a finding or a time is about
	notesAfter  = 60   // the finding
	mostNotes   = 1200 // all
)

// A target is what a scenario is to be about.
type target struct {
	db    int32
	key   string
	first int // a line: that of the grant with which a finding begins; 0: none
	last  int // a line: at which the finding shows
	at    int64
	lines [2]int
}

// planned reads a log until the end of its target, and makes the plan.
func planned(in io.Reader, t target) (*plan, error) {
	text, _, err := open(in)
	if err != nil {
		return nil, err
	}
	d := detect.New()
	n := noter{target: t, d: d, granted: map[int]detect.Note{}}
	d.Watch(t.db, t.key, n.note)
	if err := (&Account{}).readUntil(text, d, func() bool { return n.done }); err != nil {
		return nil, err
	}
	d.End()
	return n.plan(), nil
}

// A noter collects what happens to the lock.
type noter struct {
	target
	d       *detect.Detector
	notes   []detect.Note
	people  map[int32]person
	granted map[int]detect.Note
	holder  int // at the present
	initial int // the holder before the first note that is kept
	begun   bool
	after   int
	done    bool
}

func (n *noter) note(note detect.Note) {
	if n.done {
		return
	}
	if n.people == nil {
		n.people = map[int32]person{}
	}
	if note.Conn != 0 && len(n.people) < mostNotes {
		address, name := n.d.Address(note.Conn)
		n.people[note.Conn] = person{address: address, name: name}
	}
	before := n.holder
	switch note.Kind {
	case detect.Granted:
		n.holder = note.Hold
		if n.granted[note.Hold] = note; len(n.granted) > 4*mostNotes {
			for id := range n.granted {
				if id < note.Hold-mostNotes {
					delete(n.granted, id)
				}
			}
		}
	case detect.Released, detect.Lapsed, detect.Deleted:
		if note.Hold == n.holder {
			n.holder = 0
		}
	}
	if !n.begun && n.begins(note, before) {
		n.begun = true
	}
	if n.ends(note) {
		n.done = true
		return
	}
	if n.notes = append(n.notes, note); !n.begun && len(n.notes) > notesBefore {
		n.notes = n.notes[1:]
	}
	if len(n.notes) >= mostNotes {
		n.done = true
	}
}

// begins reports whether what the scenario is about begins with a note, before which somebody held the lock.
func (n *noter) begins(note detect.Note, holder int) bool {
	switch {
	case n.lines[1] > 0:
		if note.Line >= n.lines[0] {
			n.notes = n.notes[:0]
			n.initial = holder
			return true
		}
		return false
	case n.at > 0:
		return note.Time >= n.at
	case n.first > 0:
		return note.Line >= n.first
	}
	return true
}

// ends reports whether the scenario ends before a note.
func (n *noter) ends(note detect.Note) bool {
	switch {
	case n.lines[1] > 0:
		return note.Line > n.lines[1]
	case n.last > 0 && note.Line > n.last, n.last == 0 && n.at > 0 && note.Time > n.at:
		n.after++
	}
	return n.after > notesAfter
}

// plan makes the plan of the notes.
func (n *noter) plan() *plan {
	p := &plan{db: n.db, key: n.key, to: math.MaxInt, must: n.last, first: n.first, guilty: math.MaxInt, steps: map[place]step{}, conns: map[string]string{}, stays: map[int]bool{}}
	slices.SortStableFunc(n.notes, func(a, b detect.Note) int { return cmp.Compare(a.Time, b.Time) })
	if n.lines[1] > 0 {
		p.from, p.to = n.lines[0], n.lines[1]
		if g, ok := n.granted[n.initial]; ok && g.Line < p.from {
			p.before = g.Line
			n.notes = slices.Insert(n.notes, 0, g)
		}
	} else {
		start := slices.IndexFunc(n.notes, func(note detect.Note) bool { return note.Kind == detect.Granted })
		n.notes = n.notes[max(start, 0):]
		if len(n.notes) > 0 {
			p.from = n.notes[0].Line
		}
	}
	if n.done && n.lines[1] == 0 && len(n.notes) > 0 {
		p.to = n.notes[len(n.notes)-1].Line
	}
	for _, note := range n.notes {
		if g, ok := n.granted[note.Hold]; ok && note.Kind == detect.Released && g.Conn != note.Conn {
			p.pooled++
		}
	}
	for _, note := range n.notes {
		switch note.Kind {
		case detect.Granted:
			p.stays[note.Hold] = true
		case detect.Released, detect.TooLate:
			delete(p.stays, note.Hold)
		case detect.Deleted:
			delete(p.stays, note.By)
		}
	}
	if p.pooled > 0 {
		n.owners(p)
	} else {
		n.connections(p)
	}
	return p
}

// connections gives each connection a lane: first those that were granted the lock or released it.
func (n *noter) connections(p *plan) {
	count := map[int32]int{}
	var order []int32
	for _, note := range n.notes {
		if note.Conn == 0 {
			continue
		}
		if count[note.Conn] == 0 {
			order = append(order, note.Conn)
		}
		switch note.Kind {
		case detect.Touched, detect.Refused, detect.Asked:
			count[note.Conn]++
		default:
			count[note.Conn] += 1 << 20
		}
	}
	chosen := slices.Clone(order)
	slices.SortStableFunc(chosen, func(a, b int32) int { return cmp.Compare(count[b], count[a]) })
	chosen = chosen[:min(len(chosen), engine.MaxClients)]
	lanes := map[int32]string{}
	for _, conn := range order {
		if slices.Contains(chosen, conn) {
			who := n.people[conn]
			who.lane = fmt.Sprintf("C%d", len(p.lanes)+1)
			lanes[conn], p.conns[who.address] = who.lane, who.lane
			p.lanes = append(p.lanes, who)
		}
	}
	for _, note := range n.notes {
		if note.Line > 0 {
			p.add(note, n.people[note.Conn].address, lanes[note.Conn])
		}
	}
}

// add keeps what a line did. The more telling note stands.
func (p *plan) add(note detect.Note, from, lane string) {
	at := place{note.Line, from}
	if old, ok := p.steps[at]; ok && old.Kind != detect.Touched && old.Kind != detect.Asked && old.Kind != detect.Refused {
		return
	}
	p.steps[at] = step{note, lane}
}

// owners gives each owner a lane while it asks for the lock and holds it, and another one the same lane later: what the owner's
// connection is says nothing in a pool. A request that was refused has a lane if its token was granted the lock later.
func (n *noter) owners(p *plan) {
	type turn struct {
		hold         int
		token        uint64
		conn         int32
		asked        int64
		from, to     int64
		lane         string
		first, until int // notes
	}
	var turns []*turn
	byHold := map[int]*turn{}
	for i, note := range n.notes {
		switch note.Kind {
		case detect.Granted:
			t := &turn{hold: note.Hold, token: note.Token, conn: note.Conn, asked: note.Time, from: note.Time, to: math.MaxInt64, first: i, until: len(n.notes)}
			if p.stays[note.Hold] && note.Lease > 0 {
				t.to = note.Lease
			}
			for j := i - 1; j >= 0; j-- { // its requests before
				if e := &n.notes[j]; e.Token == note.Token && (e.Kind == detect.Refused || e.Kind == detect.Asked) {
					t.asked, t.first = e.Time, j
				} else if e.Kind == detect.Granted && e.Token == note.Token {
					break
				}
			}
			turns, byHold[note.Hold] = append(turns, t), t
		case detect.Renewed:
			if t := byHold[note.Hold]; t != nil && note.Lease > 0 && p.stays[note.Hold] {
				t.to = note.Lease
			}
		case detect.Released, detect.TooLate:
			if t := byHold[note.Hold]; t != nil {
				t.to, t.until = note.Time, i
			}
		case detect.Deleted:
			if t := byHold[note.By]; t != nil {
				t.to, t.until = note.Time, i
			}
		}
	}
	slices.SortStableFunc(turns, func(a, b *turn) int { return cmp.Compare(a.asked, b.asked) })
	var ends []int64
	var last []int32
	for _, t := range turns {
		best := -1
		for i := range ends {
			if ends[i] < t.asked && (best < 0 || last[i] == t.conn) {
				best = i
			}
		}
		if best < 0 && len(ends) < engine.MaxClients {
			best = len(ends)
			ends, last = append(ends, 0), append(last, 0)
		}
		if best < 0 { // only from its grant on
			t.asked = t.from
			best = slices.IndexFunc(ends, func(end int64) bool { return end < t.from })
		}
		if best >= 0 {
			ends[best], last[best], t.lane = t.to, t.conn, fmt.Sprintf("C%d", best+1)
		}
	}
	for _, note := range n.notes {
		lane := ""
		switch note.Kind {
		case detect.Refused, detect.Asked:
			for _, t := range turns {
				if t.token == note.Token && t.asked <= note.Time && note.Time < t.from {
					lane = t.lane
				}
			}
		case detect.Deleted:
			if t := byHold[note.By]; t != nil {
				lane = t.lane
			}
		default:
			if t := byHold[note.Hold]; t != nil && note.Hold > 0 {
				lane = t.lane
			}
		}
		if note.Line > 0 {
			p.add(note, n.people[note.Conn].address, lane)
		}
	}
}
