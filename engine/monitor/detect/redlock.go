package detect

import (
	"slices"
)

// A Redlock reads the logs of several nodes, each with a Detector of its own, and tells what their clients did together. A token
// that a majority of the nodes granted a key holds it, whatever the others did.
type Redlock struct {
	nodes   []*Detector
	coarse  []bool // a node's times are whole seconds
	groups  map[uint64]*group
	clock   []*group // of the eviction
	hand    int
	queue   []*attempt // all that are not finished, the oldest first
	events  [][]upset  // of each node, the latest ones
	apart   [][]sample // how the clock of each node differs from that of another, about
	reuses  bool       // some token has asked a node again
	first   []int64    // of compareRequests
	ahead   [][]int64  // by how much one node's clock is ahead of another's at least, where requests and releases show it
	drafts  []draft
	more    int // that are not kept
	deletes []foreign
	report  RedlockReport
	watched uint64
	watch   func(Step)

	// Only says which keys the report tells of; nil: all.
	Only func(db int32, key string) bool
}

// The bounds of a Redlock, whatever its nodes are: they share the keys and the connections of one Detector.
const (
	MaxAttempts = 1 << 13 // that it follows at once
	maxGroups   = 1 << 13 // keys
	maxTogether = 256     // attempts for a key that it compares
	maxUpsets   = 64      // of a node
)

// A vote is what one node did about an attempt.
type vote struct {
	line     int // of the request; 0: there was none
	time     int64
	lease    int64 // its end, by the node's clock; 0: none; -1: unknown
	conn     int32
	granted  bool
	slack    int64 // in a recording: from the request to its reply, when the node may have executed it
	left     int   // the line of the first release; 0: there was none
	leftTime int64 // in a recording: when it was sent
	leftBy   int64 // when it was over
	vague    bool  // the release may be another's: a DEL names no token, and one token may release several attempts
	nothing  bool  // the release found another value, or none
	removed  int   // the line at which a DEL that may be another's deleted it
	gone     bool  // that it was lost has been told
}

// An attempt is a token's, to get a key on all nodes.
type attempt struct {
	group    *group
	token    uint64
	text     string
	votes    []vote
	again    bool // its token had asked before
	early    bool // it is finished though more of it may follow
	renewed  bool
	told     bool // that it left late
	finished bool
}

// A group has the attempts for one key.
type group struct {
	hash     uint64
	db       int32
	name     string
	attempts []*attempt
	wide     bool // somebody asked a majority of the nodes
	plain    bool // on some node it is no lock
	ended    bool
	used     bool // of the eviction
	row      Row
	found    int // drafts
	told     int // of them
	held     histogram
}

// An upset is what happened to all keys of a node.
type upset struct {
	Upset
	db  int32
	all bool
}

// NewRedlock returns a Redlock of that many nodes that has read nothing.
func NewRedlock(nodes int) *Redlock {
	r := &Redlock{coarse: make([]bool, nodes), groups: map[uint64]*group{}, events: make([][]upset, nodes), first: make([]int64, nodes)}
	for n := range nodes {
		d := New()
		d.redlock, d.node, d.maxKeys, d.maxConns = r, n, MaxKeys/nodes, MaxConns/nodes
		r.nodes = append(r.nodes, d)
		r.ahead, r.apart = append(r.ahead, make([]int64, nodes)), append(r.apart, make([]sample, nodes))
	}
	return r
}

// Node returns the detector that reads the log of a node.
func (r *Redlock) Node(n int) *Detector { return r.nodes[n] }

// Coarse says that a node's log has its times in whole seconds.
func (r *Redlock) Coarse(n int) { r.coarse[n] = true }

// majority is how many nodes make one.
func (r *Redlock) majority() int { return len(r.nodes)/2 + 1 }

// group returns what is known of a key on all nodes.
func (r *Redlock) group(k *key) *group {
	if g := r.groups[k.hash]; g != nil {
		g.used = true
		return g
	}
	g := &group{hash: k.hash, db: k.db, name: k.name}
	if len(r.clock) < maxGroups {
		r.clock = append(r.clock, g)
	} else {
		for r.clock[r.hand].used {
			r.clock[r.hand].used = false
			r.hand = (r.hand + 1) % len(r.clock)
		}
		r.endGroup(r.clock[r.hand], true)
		r.clock[r.hand] = g
		r.hand = (r.hand + 1) % len(r.clock)
	}
	r.groups[k.hash] = g
	return g
}

// ask reads that somebody asked a node.
func (r *Redlock) ask(n int, k *key, w *who) *attempt {
	if r == nil || w.token == 0 {
		return nil
	}
	if a := r.at(n, k, w); a != nil {
		return a
	}
	g := r.group(k)
	r.compareRequests(g, n, w)
	a := r.joined(g, n, w)
	if a == nil {
		again := slices.ContainsFunc(g.attempts, func(a *attempt) bool { return a.token == w.token })
		a = &attempt{group: g, token: w.token, votes: make([]vote, len(r.nodes)), again: again}
		r.add(a)
	}
	if a.text == "" {
		a.text = w.said()
	}
	v := &a.votes[n]
	v.line, v.time, v.lease, v.conn = w.line, w.time, w.lease, w.conn
	if d := r.nodes[n]; d.line == w.line {
		v.slack = d.slack
	}
	asked := 0
	for i := range a.votes {
		if a.votes[i].line > 0 {
			asked++
		}
	}
	g.wide = g.wide || asked >= r.majority()
	r.step(n, k, Step{Kind: Asked, Line: w.line, Time: w.time, Lease: w.lease}, a)
	return a
}

// farApart is when a request is no longer of one attempt with another, where no lease says so, and soonAgain how early the next
// attempt with a token may follow the release of the one before (ns).
const (
	farApart  = 60_000_000_000
	soonAgain = 5_000_000
)

// joined returns the attempt to which a request belongs; nil: it begins one. A node reads the requests of a token in the order of
// its attempts, some of which may not have reached it.
func (r *Redlock) joined(g *group, n int, w *who) (joined *attempt) {
	life := int64(farApart)
	if w.lease > w.time {
		life = w.lease - w.time
	}
	for _, a := range g.attempts {
		switch {
		case a.token != w.token:
		case a.votes[n].line > 0 || a.votes[n].left > 0:
			joined = nil // this one comes after it
		case joined == nil && r.fits(a, n, w.time, life):
			joined = a
		}
	}
	return joined
}

// fits reports whether a request comes when an attempt asks, and not after its first release.
func (r *Redlock) fits(a *attempt, n int, at, life int64) bool {
	for i := range a.votes {
		v := &a.votes[i]
		if v.line == 0 {
			continue
		}
		at := at - r.apart[i][n].median // by the clock of that node
		if at < v.time-life-Allowance || at > v.time+life+Allowance || v.left > 0 && at > v.leftTime+soonAgain && (r.reuses || r.apart[i][n].known()) {
			return false
		}
	}
	return true
}

// add follows an attempt. The oldest ones make room.
func (r *Redlock) add(a *attempt) {
	g := a.group
	if len(g.attempts) >= maxTogether {
		r.giveUp(g.attempts[r.dullest(g)])
	}
	g.attempts = append(g.attempts, a)
	if r.queue = append(r.queue, a); len(r.queue) > 2*MaxAttempts {
		r.queue = slices.DeleteFunc(r.queue, func(a *attempt) bool { return a.finished })
		for len(r.queue) > MaxAttempts {
			r.giveUp(r.queue[0])
			r.queue = r.queue[1:]
		}
	}
}

// giveUp finishes an attempt of which more may follow: what it has not released so far proves nothing.
func (r *Redlock) giveUp(a *attempt) {
	a.early = true
	r.finish(a)
}

// dullest returns the attempt for a key that tells least: one without a majority that has released all that it asked for, or whose
// leases are over, or the oldest one.
func (r *Redlock) dullest(g *group) int {
	for i, a := range g.attempts[:len(g.attempts)-4] {
		granted, open := 0, false
		for n := range a.votes {
			v := &a.votes[n]
			if v.granted {
				granted++
			}
			now := r.nodes[n].report.Ended
			open = open || v.line > 0 && v.left == 0 && (v.lease <= 0 || now < v.lease+Allowance) || v.left > 0 && now < v.leftBy+Allowance
		}
		if granted < r.majority() && !open {
			return i
		}
	}
	return 0
}
