package explore

import (
	"errors"
	"sync/atomic"

	"lockstep/engine"
	"lockstep/engine/check"
)

// Search looks at every interleaving, breadth first: its counterexamples are
// shortest ones. With more than one cause wanted it goes on after the first
// counterexample. It returns a *engine.Refusal for a question that makes no
// sense, and for a violation that no run has room for. It returns a
// *FailureError for a program that fails.
func (q Question) Search(b Budget, h Runtime, causes int) (*Answer, error) {
	return q.search(newAccount(b, h), causes)
}

func (q Question) search(a *account, causes int) (*Answer, error) {
	s, err := q.setup()
	if err != nil {
		return nil, err
	}
	a.limit -= a.limit / 2
	if err := s.try(a); err == errEnded {
		return a.answer(), nil
	} else if err != nil {
		return nil, err
	}
	c := newComponents(s, a)
	// A search whose components outgrow its layout begins again with a wider
	// one. It keeps the effects, which makes that cheap.
	for clients, stores := 15, 15; ; clients, stores = 2*len(c.clients), 2*len(c.stores) {
		l, ok := arrange(s, clients, stores)
		if !ok {
			return nil, engine.Refuse("a state of %d clients and %d Redis nodes has too many parts", "%d 个客户端和 %d 个 Redis 节点的状态太大", len(s.names), s.nodes)
		}
		a.restart(c.bytes)
		var answer *Answer
		switch l.words {
		case 1:
			answer, err = walk[[1]uint64](c, l, causes)
		case 2:
			answer, err = walk[[2]uint64](c, l, causes)
		default:
			answer, err = walk[[4]uint64](c, l, causes)
		}
		if err != errOutgrown {
			return c.unknown(answer), err
		}
	}
}

// errOutgrown says that the number of a component does not fit into a packed state.
var errOutgrown = errors.New("explore: the layout is too narrow")

// search is one walk over all states, breadth first.
type search[K packed] struct {
	*setup
	*account
	components *components
	layout     layout
	visited    visited[K]
	tables     atomic.Int64 // bytes of the visited states
	workers    []*worker[K]
	expanding  int // depth of the states being expanded

	pieces    []piece // pieces of the level being expanded
	next      atomic.Int64
	outgrown  atomic.Bool
	undecided atomic.Bool // there is a state with an undecided effect
}

// A piece is a part of a level. It is small, so that no worker waits long for another at the end.
type piece struct{ worker, from, to int }

const pieceSize = 1024 // states

func walk[K packed](c *components, l layout, causes int) (*Answer, error) {
	s := &search[K]{setup: c.setup, account: c.account, components: c, layout: l, visited: newVisited[K](&l), expanding: -1}
	for range s.runtime.Workers {
		s.workers = append(s.workers, newWorker(s))
	}
	var findings []finding[K]
	s.within(s.workers[0].begin)
	for {
		if s.outgrown.Load() && s.verdict() == "" {
			return nil, errOutgrown
		}
		found := s.level()
		findings = append(findings, found...)
		if s.undecided.Load() {
			s.exhaust(OfAction)
		}
		if s.full.Load() { // an ambiguous state proves nothing
			s.exhaust(OfComponents)
			return s.account.answer(), nil
		}
		if s.verdict() == "" {
			s.measure()
			// Nobody knows what comes after a command that Redis would have executed in another way.
			if len(c.unable) > 0 && (len(found) == 0 || s.property.Name == check.Stuck.Name) {
				return nil, c.first()
			}
			// Beyond a gap may be a nearer violation than those of deeper levels, and a way out of a deadlock.
			if len(c.gaps) > 0 && (len(found) == 0 || s.property.Name == check.Stuck.Name) {
				s.exhaust(OfRecording)
				return s.account.answer(), nil
			}
		}
		switch ended := s.verdict(); {
		case ended == Stopped && causes <= 1: // nobody waits for the answer
			a := s.account.answer()
			a.Unshown = len(findings) > 0
			return a, nil
		case len(found) > 0 && (causes <= 1 || found[0].failed), ended != "" && len(findings) > 0:
			return s.answer(findings, causes)
		case ended != "":
			return s.account.answer(), nil
		case s.descend() || s.verdict() != "" || s.outgrown.Load() || s.undecided.Load(): // there are no new states, but has the search decided all of them?
		case len(findings) > 0:
			return s.answer(findings, causes)
		default:
			return s.account.answer(), nil
		}
	}
}

// answer returns the answer without a finding.
func (a *account) answer() *Answer {
	v := Holds
	if ended := a.verdict(); ended != "" {
		v = ended
	}
	return &Answer{Verdict: v, Bound: a.bound(), Figures: a.figures()}
}

// unknown adds the gaps to an answer that has met any.
func (c *components) unknown(a *Answer) *Answer {
	if a != nil && a.Bound == OfRecording {
		a.Gaps = c.gaps
	}
	return a
}

// answer returns the answer with a path to each finding.
func (s *search[K]) answer(findings []finding[K], causes int) (*Answer, error) {
	a := s.account.answer()
	s.conclude()
	runs, err := s.trace(findings, max(1, causes))
	if failure := (*FailureError)(nil); errors.As(err, &failure) {
		failure.Early = a.Verdict != Holds
	}
	if err != nil {
		return nil, err
	}
	a.Counterexamples, a.Work = runs, s.work.Load()
	if s.ended.Load() != nil {
		a.Verdict, a.Bound, a.Unshown = s.verdict(), s.bound(), len(runs) == 0
	}
	a.Early = a.Verdict != Holds
	switch {
	case len(runs) > 0 && (causes <= 1 || a.Verdict == Holds):
		a.Verdict, a.Bound = Violated, ""
	case len(runs) == 0 && !a.Unshown:
		n := findings[0].length()
		return nil, engine.Refuse("%s can be violated in %s, but no run can show it: that takes more than a run may do", "%s 可以在 %s内被违反，但没有一次运行能展示它：所需超过了一次运行的上限",
			s.Property, counted(n, "action", "个动作"))
	}
	return a, nil
}

// conclude makes room for the paths to the findings. The budget of work doubles, and the table of states is dropped: the
// states are on their levels, too.
func (s *search[K]) conclude() {
	s.limit = s.budget.Work
	s.ended.Store(nil)
	s.visited = nil
	s.memory.Add(-s.tables.Load())
	for _, w := range s.workers {
		s.memory.Add(-w.discard())
	}
}

// level returns the findings at the latest states: the one with the least hash,
// or several where the caller wants several. Failures count only where there is
// nothing else.
func (s *search[K]) level() []finding[K] {
	var found []finding[K]
	for _, w := range s.workers {
		found = append(found, w.findings...)
		w.findings = w.findings[:0]
	}
	return s.final(least(found))
}

// measure counts the latest states, which are a whole level.
func (s *search[K]) measure() {
	states := 0
	for _, w := range s.workers {
		states += w.queue.length - w.ends[len(w.ends)-1]
	}
	if states > 0 && len(s.depths) < MaxDepths {
		s.depths = append(s.depths, int64(states))
	}
}

// descend expands the latest states. It reports whether there are new ones.
func (s *search[K]) descend() bool {
	s.pieces = s.pieces[:0]
	total := 0
	for i, w := range s.workers {
		from, to := w.ends[len(w.ends)-1], w.queue.length
		for ; from < to; from += pieceSize {
			s.pieces = append(s.pieces, piece{i, from, min(to, from+pieceSize)})
		}
		total += to - w.ends[len(w.ends)-1]
		w.before, w.ends = w.queue, append(w.ends, to)
	}
	if total == 0 {
		return false
	}
	s.expanding++
	s.next.Store(0)
	if total < 2*pieceSize { // not worth waking another worker
		s.workers[0].work()
	} else {
		s.runtime.Go(len(s.workers), func(i int) { s.workers[i].work() })
	}
	more := false
	for _, w := range s.workers {
		if w.queue.length > w.ends[len(w.ends)-1] {
			s.depth, more = s.expanding+1, true
		}
		more = more || len(w.findings) > 0
	}
	return more
}
