package detect

import "slices"

// Allowance is by how much the clocks of two nodes may differ (ns). Where a log shows that they differ by more, that counts.
const Allowance = 250_000_000

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

// compareClocks learns from an attempt by how much one node's clock is ahead of another's at least: a client releases a key after
// it has asked all nodes.
func (r *Redlock) compareClocks(a *attempt) {
	for i := range a.votes {
		for j := range a.votes {
			if asked, left := &a.votes[i], &a.votes[j]; asked.line > 0 && left.left > 0 && !a.again {
				r.ahead[i][j] = max(r.ahead[i][j], asked.time-left.leftTime)
			}
		}
	}
}

// allowance is by how much the clocks of two nodes may differ in these logs.
func (r *Redlock) allowance() (all int64) {
	all = Allowance
	for i := range r.ahead {
		for _, ahead := range r.ahead[i] {
			if ahead > Allowance {
				all = max(all, ahead+Allowance)
			}
		}
	}
	if slices.Contains(r.coarse, true) {
		all += 1_000_000_000
	}
	return all
}
