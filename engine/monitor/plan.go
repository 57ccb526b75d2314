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
	doubt  int    // the line before which the scenario ends, since nobody knows what happened there; 0: none
	before int    // a line before it, by which the present holder was granted the lock; 0: none
	guilty int    // the first line at which the report convicts somebody
	must   int    // a line that the scenario should reach; 0: none
	at     int64  // the time of the first note
	alone  bool   // commands on other keys are left out

	pooled int // releases of the lock from another connection than the grant, in the whole log; 0: a lane is a connection
	steps  map[place]step
	conns  map[string]string // a lane by its address
	lanes  []person
	shared bool         // a lane is for several owners, one after another
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
	tokens              []string // with which it was granted the lock
}

// The notes on the lock that a plan keeps.
const (
	notesBefore = 120  // what a finding or a time is about
	notesAfter  = 60   // the finding
	mostNotes   = 1200 // all
)

// A target is what a scenario is to be about.
type target struct {
	db     int32
	key    string
	first  int  // a line: that of the grant with which a finding begins; 0: none
	last   int  // a line: at which the finding shows
	until  int  // a line: at which the last of those shows that hang together with it
	wide   bool // the scenario begins before the finding, and not with it
	pooled int  // releases of the lock from another connection than the grant, in the whole log
	at     int64
	lines  [2]int
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
		if note.Line >= n.first && !n.wide {
			n.notes = n.notes[:0] // who held the lock before has no part in it
		}
		return note.Line >= n.first
	}
	return true
}

// ends reports whether the scenario ends before a note.
func (n *noter) ends(note detect.Note) bool {
	switch {
	case n.lines[1] > 0:
		return note.Line > n.lines[1]
	case n.last > 0 && note.Line > n.until:
		if n.after++; note.Kind == detect.Granted {
			return true // nor who is granted it afterwards
		}
	case n.last == 0 && n.at > 0 && note.Time > n.at:
		n.after++
	}
	return n.after > notesAfter
}

// plan makes the plan of the notes.
func (n *noter) plan() *plan {
	p := &plan{db: n.db, key: n.key, to: math.MaxInt, must: n.last, pooled: n.pooled, guilty: math.MaxInt, steps: map[place]step{}, conns: map[string]string{}, stays: map[int]bool{}}
	for n.last > 0 && len(n.notes) > 0 && n.notes[len(n.notes)-1].Line > n.until && !telling(n.notes[len(n.notes)-1].Kind) {
		n.notes = n.notes[:len(n.notes)-1]
	}
	slices.SortStableFunc(n.notes, func(a, b detect.Note) int { return cmp.Compare(a.Time, b.Time) })
	n.notes = slices.DeleteFunc(n.notes, func(note detect.Note) bool { return !n.wide && note.Line > 0 && note.Line < n.first })
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
	if (n.done || n.last > 0) && n.lines[1] == 0 && len(n.notes) > 0 {
		p.to = n.notes[len(n.notes)-1].Line
	}
	if len(n.notes) > 0 {
		p.at = n.notes[0].Time
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
		if count[note.Conn]++; telling(note.Kind) {
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
			who.tokens = n.tokens(func(note *detect.Note) bool { return note.Conn == conn })
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

// telling reports whether a note tells of somebody who has the lock, or had it.
func telling(kind detect.NoteKind) bool {
	return kind != detect.Touched && kind != detect.Refused && kind != detect.Asked
}

// tokens returns those with which the lock was granted.
func (n *noter) tokens(to func(*detect.Note) bool) (all []string) {
	for i := range n.notes {
		if note := &n.notes[i]; note.Kind == detect.Granted && note.Text != "" && to(note) && !slices.Contains(all, note.Text) {
			all = append(all, note.Text)
		}
	}
	return all
}

// add keeps what a line did. The more telling note stands.
func (p *plan) add(note detect.Note, from, lane string) {
	at := place{note.Line, from}
	if old, ok := p.steps[at]; ok && telling(old.Kind) {
		return
	}
	p.steps[at] = step{note, lane}
}

// owners gives each owner a lane while it asks for the lock and holds it, and the next one of its connection the same lane later.
// Another gets that lane where a run has no more. What the owner's connection is says nothing of its release, in a pool. A request that was refused has a lane if its token was granted the lock later.
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
			if ends[i] < t.asked && (last[i] == t.conn || best < 0 && len(ends) == engine.MaxClients) {
				best = i
			}
		}
		if best < 0 && len(ends) < engine.MaxClients {
			best = len(ends)
			ends, last = append(ends, 0), append(last, 0)
			p.lanes = append(p.lanes, person{lane: fmt.Sprintf("C%d", best+1)})
		}
		if best < 0 { // only from its grant on
			t.asked = t.from
			best = slices.IndexFunc(ends, func(end int64) bool { return end < t.from })
		}
		if best < 0 {
			continue
		}
		ends[best], last[best], t.lane = t.to, t.conn, p.lanes[best].lane
		who := &p.lanes[best]
		if address := n.people[t.conn].address; who.address == "" {
			who.address, who.name = address, n.people[t.conn].name
		} else if who.address != address {
			who.address, who.name = who.address+addressesApart+address, ""
		}
		p.shared = p.shared || len(who.tokens) > 0
		for _, token := range n.tokens(func(note *detect.Note) bool { return note.Hold == t.hold }) {
			if !slices.Contains(who.tokens, token) {
				who.tokens = append(who.tokens, token)
			}
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
