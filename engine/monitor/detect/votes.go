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

// Allowance is by how much the clocks of two nodes may differ (ns). Where a log shows that they differ by more, that counts.
const Allowance = 250_000_000

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

// NewRedlock returns a Redlock of so many nodes that has read nothing.
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

// A sample of requests tells by how much one node's clock differs from another's, about: a client sends its first requests to both
// at about the same time. That serves to tell attempts apart, and is no proof.
type sample struct {
	latest []int64
	added  int
	median int64
	agree  bool
}

// The bounds of a sample. Where less than half of it agrees, some of its requests are of later attempts, and it tells nothing.
const (
	fewest = 7
	most   = 31
	agrees = 20_000_000 // ns
)

// known reports whether enough requests agree.
func (s *sample) known() bool { return s.agree }

func (s *sample) add(apart int64) {
	if s.latest = append(s.latest, apart); len(s.latest) > most {
		s.latest = append(s.latest[:0], s.latest[1:]...)
	}
	if s.added++; len(s.latest) >= fewest && (s.added < most || s.added%8 == 0) {
		sorted := slices.Clone(s.latest)
		slices.Sort(sorted)
		middle, near := sorted[len(sorted)/2], 0
		for _, x := range sorted {
			if x-middle < agrees && middle-x < agrees {
				near++
			}
		}
		if s.median, s.agree = 0, 2*near > len(sorted); s.agree {
			s.median = middle
		}
	}
}

// compareRequests compares a token's first request to a node with those to the others.
func (r *Redlock) compareRequests(g *group, n int, w *who) {
	clear(r.first)
	first := r.first
	known := false
	for _, a := range g.attempts {
		if a.token == w.token && !known {
			if known = true; a.again {
				return // its first attempt is forgotten
			}
		}
		for i := range a.votes {
			switch v := &a.votes[i]; {
			case a.token != w.token || v.line == 0:
			case i == n:
				r.reuses = true
				return
			case first[i] == 0:
				first[i] = v.time
			}
		}
	}
	for i, at := range first {
		if at > 0 {
			r.apart[i][n].add(w.time - at)
			r.apart[n][i].add(at - w.time)
		}
	}
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

// at returns the attempt whose request a node read on a line; nil: there is none.
func (r *Redlock) at(n int, k *key, w *who) *attempt {
	if r == nil {
		return nil
	}
	g := r.groups[k.hash]
	if g == nil {
		return nil
	}
	for i := len(g.attempts) - 1; i >= 0; i-- {
		if a := g.attempts[i]; a.token == w.token && a.votes[n].line == w.line {
			return a
		}
	}
	return nil
}

// asked returns the attempts with one of some tokens that have asked a node and have not released its grant, the latest one first;
// nothing: there is none, or the tokens are several.
func (r *Redlock) asked(n int, k *key, tokens []uint64) (found []*attempt) {
	g := r.groups[k.hash]
	if g == nil {
		return nil
	}
	for _, a := range g.attempts {
		switch v := &a.votes[n]; {
		case v.line == 0 || v.left > 0 || !slices.Contains(tokens, a.token):
		case len(found) > 0 && found[0].token != a.token:
			return nil
		default:
			found = append(found, a)
		}
	}
	slices.SortFunc(found, func(a, b *attempt) int { return b.votes[n].line - a.votes[n].line })
	return found
}

// whose returns that of some attempts with one token to which a node has granted a key, if the key has that token; nil: several may
// be. Who asks again while the node still has the token is refused.
func whose(n int, all []*attempt) *attempt {
	for _, a := range all {
		if a.votes[n].granted {
			return a
		}
	}
	if len(all) == 1 {
		return all[0]
	}
	return nil
}

// grant reads that a node has granted a key.
func (r *Redlock) grant(n int, k *key, w *who) {
	if a := r.ask(n, k, w); a != nil && w.proven {
		v := &a.votes[n]
		v.granted, v.lease = true, w.lease
	}
}

// renewed reads that a node has given a grant another lease.
func (r *Redlock) renewed(n int, k *key, w *who, c *Command, lease int64) {
	if a := r.at(n, k, w); a != nil {
		a.votes[n].lease = lease // whose command that was, is not known
		r.step(n, k, Step{Kind: Renewed, Line: c.Line, Time: c.Time, Lease: lease}, a)
	}
}

// extended reads a script that has found its token on a node, and given it another lease.
func (r *Redlock) extended(n int, k *key, c *Command, tokens []uint64, lease int64) {
	if r == nil {
		return
	}
	if a := whose(n, r.asked(n, k, tokens)); a != nil {
		a.votes[n].granted, a.votes[n].lease, a.renewed = true, lease, true
		r.step(n, k, Step{Kind: Renewed, Line: c.Line, Time: c.Time, Lease: lease}, a)
	}
}

// left reads that the owner of a grant has released it on a node.
func (r *Redlock) left(n int, k *key, w *who, c *Command) {
	if a := r.at(n, k, w); a != nil {
		r.leave(n, k, a, c, false, true)
	}
}

func (r *Redlock) leave(n int, k *key, a *attempt, c *Command, nothing, bare bool) {
	v := &a.votes[n]
	if v.left > 0 {
		return
	}
	v.left, v.leftTime, v.leftBy, v.nothing = c.Line, c.Time-r.nodes[n].slack, c.Time, nothing
	r.step(n, k, Step{Kind: Released, Line: c.Line, Time: c.Time, Bare: bare}, a)
}

// deleted reads a script that has found its token on a node, and deleted it. That proves that the node had granted it.
func (r *Redlock) deleted(n int, k *key, c *Command, tokens []uint64) {
	if r == nil {
		return
	}
	all := r.asked(n, k, tokens)
	if a := whose(n, all); a != nil {
		a.votes[n].granted = true
	}
	for _, a := range all {
		r.leave(n, k, a, c, false, false)
	}
}

// missed reads a script that was to release a token, or to renew it, and has not found it on a node.
func (r *Redlock) missed(n int, k *key, c *Command, tokens []uint64, means Means, known bool) {
	if r == nil || means == ByRenew {
		return
	}
	all := r.asked(n, k, tokens)
	for _, a := range all {
		r.leave(n, k, a, c, known, false)
	}
	if len(all) == 0 {
		r.unasked(n, k, c, tokens)
	}
}

// unasked reads the release of an attempt that did not reach a node with its request: a later request there is of a later attempt.
func (r *Redlock) unasked(n int, k *key, c *Command, tokens []uint64) {
	g := r.groups[k.hash]
	if g == nil {
		return
	}
	var best *attempt
	least := int64(farApart)
	for _, a := range g.attempts {
		if v := &a.votes[n]; v.line > 0 || v.left > 0 || !slices.Contains(tokens, a.token) {
			continue
		}
		for i := range a.votes {
			if v := &a.votes[i]; v.left > 0 {
				if apart := c.Time - r.apart[i][n].median - v.leftTime; max(apart, -apart) < least {
					best, least = a, max(apart, -apart)
				}
			} else if v.line > 0 {
				if apart := c.Time - r.apart[i][n].median - v.time; apart >= 0 && apart < least {
					best, least = a, apart
				}
			}
		}
	}
	if best != nil {
		v := &best.votes[n]
		v.left, v.leftTime, v.leftBy = c.Line, c.Time-r.nodes[n].slack, c.Time
	}
}

// removed reads that somebody else has deleted a grant on a node.
func (r *Redlock) removed(n int, k *key, w *who, c *Command, conn int32) {
	if a := r.at(n, k, w); a != nil {
		a.votes[n].removed = c.Line
		r.step(n, k, Step{Kind: Deleted, Line: c.Line, Time: c.Time, Conn: conn}, a)
	}
}

// upset reads that a node has lost its keys, or that commands may be missing.
func (r *Redlock) upset(n int, u upset) {
	if r == nil {
		return
	}
	if r.events[n] = append(r.events[n], u); len(r.events[n]) > maxUpsets {
		r.events[n] = append(r.events[n][:0], r.events[n][1:]...)
	}
	if r.watch != nil {
		r.watch(Step{Node: n, Line: u.Line, Time: u.Time, Kind: Touched, Upset: u.Kind, DB: u.db, All: u.all})
	}
}

// A Step is what a command did to the key that is watched.
type Step struct {
	Node   int
	Kind   NoteKind // Asked, Renewed, Released, Deleted, or Touched: an upset
	Line   int
	Time   int64
	Lease  int64
	Conn   int32
	Upset  UpsetKind
	DB     int32
	All    bool
	Number uint64 // of the token
	Holder Holder // who sent it
	Bare   bool   // a release by a DEL alone
	from   *attempt
}

// Watch calls a function for each step on a key, and for the upsets of all nodes.
func (r *Redlock) Watch(db int32, name string, step func(Step)) {
	r.watched, r.watch = sum([]byte(name))^uint64(db)*0x9e3779b97f4a7c15, step
}

// Ahead returns by how much the clock of a node is ahead of that of the first one, about; 0: nobody knows.
func (r *Redlock) Ahead(n int) int64 { return r.apart[0][n].median }

// Holds returns until when somebody held the lock whose step it was, by its leases. It reports false for one who had no majority.
func (r *Redlock) Holds(s *Step) (end int64, ok bool) {
	h, ok := r.held(s.from)
	return h.end, ok
}

// Granted reports whether the node granted the request that a step is.
func (s *Step) Granted() bool {
	return s.from != nil && s.from.votes[s.Node].line == s.Line && s.from.votes[s.Node].granted
}

// Token returns the token of a step, as far as the logs tell it.
func (s *Step) Token() string {
	if s.from == nil {
		return ""
	}
	return s.from.text
}

func (r *Redlock) step(n int, k *key, s Step, a *attempt) {
	if r.watch == nil || k.hash != r.watched {
		return
	}
	s.Node, s.Number, s.from = n, a.token, a
	d := r.nodes[n]
	conn := s.Conn
	if conn == 0 {
		conn = a.votes[n].conn
	}
	s.Holder.Address, s.Holder.Name = d.Address(conn)
	r.watch(s)
}
