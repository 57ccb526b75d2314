package detect

import (
	"cmp"
	"math"
	"slices"
)

// finish judges an attempt beside the others for its key, and forgets it.
func (r *Redlock) finish(a *attempt) {
	if a.finished {
		return
	}
	a.finished = true
	g := a.group
	g.attempts = slices.DeleteFunc(g.attempts, func(b *attempt) bool { return b == a })
	r.compareClocks(a)
	h, ok := r.held(a)
	if !ok {
		g.row.Asks, g.row.Refused = g.row.Asks+1, g.row.Refused+1
		for _, b := range g.attempts { // it may have been granted what another held
			if other, ok := r.held(b); ok {
				r.lost(&other, a)
			}
		}
		return
	}
	g.row.Asks, g.row.Grants = g.row.Asks+1, g.row.Grants+1
	switch {
	case h.left <= h.end:
		g.row.Released++
		g.held.add(h.left - h.from)
	case h.end < math.MaxInt64:
		g.row.Expired++
	}
	if a.renewed {
		g.row.Renewals++
	}
	for _, b := range g.attempts {
		other, ok := r.held(b)
		r.lost(&h, b)
		if ok {
			r.lost(&other, a)
			r.compare(&h, &other)
		}
	}
	r.gone(&h)
	r.late(&h, nil)
	if len(g.row.Stays) < MaxStays {
		until := min(h.end, h.left)
		g.row.Stays = append(g.row.Stays, Stay{Holder: r.majorityOf(&h).Holder, Until: max(h.from, min(until, h.from+farApart*60)), Lease: h.end})
	}
}

// A held is what a majority granted.
type held struct {
	*attempt
	from int64 // the grant that made the majority
	end  int64 // when its leases are over on so many nodes that none is left, or all of them if it was never renewed
	left int64 // the first release
}

// held returns what an attempt held. It reports false for one that too few nodes granted, or that came too late for its lease.
func (r *Redlock) held(a *attempt) (h held, ok bool) {
	h = held{attempt: a, end: math.MaxInt64, left: math.MaxInt64}
	var grants, ends, asks []int64
	ttl, began := int64(0), int64(math.MaxInt64)
	for i := range a.votes {
		v := &a.votes[i]
		if v.left > 0 {
			h.left = min(h.left, v.leftTime)
		}
		if v.line > 0 {
			began = min(began, v.time-r.apart[0][i].median)
		}
		if !v.granted {
			continue
		}
		grants, asks = append(grants, v.time), append(asks, v.time-r.apart[0][i].median)
		switch {
		case v.lease < 0:
			return h, false
		case v.lease == 0:
			ends = append(ends, math.MaxInt64)
		default:
			ends = append(ends, v.lease)
			ttl = max(ttl, v.lease-v.time)
		}
	}
	if len(grants) < r.majority() {
		return h, false
	}
	if r.reuses && !r.consistent(a) {
		return h, false
	}
	slices.Sort(grants)
	slices.Sort(asks)
	slices.Sort(ends)
	h.from = grants[r.majority()-1]
	if h.end = ends[0]; a.renewed {
		h.end = ends[len(ends)-r.majority()]
	}
	if h.left < h.from-r.allowance() || !a.renewed && ttl > 0 && asks[r.majority()-1]-began >= ttl-ttl/100-Margin {
		return h, false
	}
	return h, true
}

// consistent reports whether no grant came after a release, about: then some of them are of another attempt with the same token.
func (r *Redlock) consistent(a *attempt) bool {
	for i := range a.votes {
		for j := range a.votes {
			if v, other := &a.votes[i], &a.votes[j]; v.granted && other.left > 0 && v.time-r.apart[j][i].median > other.leftTime+soonAgain {
				return false
			}
		}
	}
	return true
}

// A draft is a finding whose parties may still be at it.
type draft struct {
	MajorityFinding
	first, second *attempt // nil: there is no second one
}

// compare judges two that a majority granted the same key.
func (r *Redlock) compare(a, b *held) {
	for n := range a.votes {
		x, y := &a.votes[n], &b.votes[n]
		if !x.granted || !y.granted {
			continue
		}
		first, second := a, b
		if y.line < x.line {
			first, second = b, a
		}
		if first.twice(n, second.attempt) {
			r.draft(first.attempt, second.attempt, MajorityFinding{Kind: Overlap, Node: n})
			return
		}
		r.late(first, second)
	}
}

// twice reports whether a node granted a key to another while its first grant still counted.
func (a *attempt) twice(n int, b *attempt) bool {
	x, y := &a.votes[n], &b.votes[n]
	return x.granted && y.granted && a.token != b.token && x.line < y.line && x.time <= y.time+Margin && !(a.early && x.left == 0) && (x.lease == 0 || y.time < x.lease-x.slack-Margin) &&
		(x.left == 0 || x.left > y.line && x.leftTime > y.time) && (x.removed == 0 || x.left > x.removed) // a DEL may have been its own
}

// before reports whether on some node the first one's release came before the second one's request.
func (a *attempt) before(b *attempt) bool {
	for n := range a.votes {
		x, y := &a.votes[n], &b.votes[n]
		if x.left > 0 && y.line > 0 && x.left < y.line {
			return true
		}
	}
	return false
}

// overlap tells of two whom a node has granted a key, though the first one's grant still counted, and who both had a majority. It
// reports false where they had not at one time, or where neither the clocks nor the lines of a node prove it.
func (r *Redlock) overlap(d *draft) bool {
	first, ok := r.held(d.first)
	second, alsoOK := r.held(d.second)
	if !ok || !alsoOK || first.before(d.second) {
		return false
	}
	f := &d.MajorityFinding
	f.From, f.To = max(first.from, second.from), min(first.end, first.left, second.end, second.left)
	if f.To == math.MaxInt64 {
		f.To = max(r.nodes[f.Node].report.Ended, f.From)
	}
	x, y := &first.votes[f.Node], &second.votes[f.Node]
	f.FromLine, f.Line, f.Shows, f.Cause = x.line, y.line, x.left, r.cause(d.first, f.Node, y.line)
	sure, against := false, false
	for i := range first.votes { // wherever both were, the second one's request came first
		if x, y := &first.votes[i], &second.votes[i]; x.left > 0 && y.line > 0 {
			sure, against = true, against || x.leftTime <= y.time+Margin
		}
	}
	if x.left > 0 {
		f.After = x.leftTime - y.time
	}
	switch allowance := r.report.Allowance; {
	case f.To-f.From > allowance:
	case sure && !against && f.To-f.From > -allowance:
		f.Ordered = true
	default:
		r.report.Close++
		return false
	}
	return true
}

// draft keeps a finding until all is read.
func (r *Redlock) draft(first, second *attempt, f MajorityFinding) {
	g := first.group
	switch {
	case r.Only != nil && !r.Only(g.db, g.name):
	case len(r.drafts) >= 2*MaxFindings:
		r.more++
	default:
		f.DB, f.Key = g.db, g.name
		g.found++
		r.drafts = append(r.drafts, draft{f, first, second})
	}
}

// told keeps what a node's detector has found: that one holder deleted the lock of another.
func (r *Redlock) told(n int, k *key, f *Finding) {
	if r == nil || f.Kind != ForeignDelete || len(r.deletes) >= MaxFindings {
		return
	}
	g := r.groups[k.hash]
	if g == nil {
		return
	}
	find := func(line int) *attempt {
		for i := len(g.attempts) - 1; i >= 0; i-- {
			if g.attempts[i].votes[n].line == line {
				return g.attempts[i]
			}
		}
		return nil
	}
	if a, b := find(f.First.Line), find(f.Second.Line); a != nil && b != nil {
		r.deletes = append(r.deletes, foreign{n, a, b, f.Line})
	}
}

// A foreign is a DEL by which one attempt has deleted the lock of another on a node.
type foreign struct {
	node          int
	first, second *attempt
	line          int
}

// endGroup judges all attempts for a key, before the logs end or after.
func (r *Redlock) endGroup(g *group, early bool) {
	for len(g.attempts) > 0 {
		if a := g.attempts[0]; early {
			r.giveUp(a)
		} else {
			r.finish(a)
		}
	}
	delete(r.groups, g.hash)
	g.ended = true
	switch {
	case r.Only != nil && !r.Only(g.db, g.name):
		return
	case !g.wide || g.plain:
		r.report.Single++
		return
	}
	row := g.row
	row.DB, row.Key = g.db, g.name
	row.HeldTypical, row.HeldLongest = g.held.typical(), g.held.longest
	r.report.Locks = append(r.report.Locks, MajorityRow{Row: row, group: g})
	if len(r.report.Locks) >= 4*MaxRows {
		r.sortRows()
	}
}

func (r *Redlock) sortRows() {
	locks := &r.report.Locks
	slices.SortStableFunc(*locks, func(a, b MajorityRow) int {
		return cmp.Or(cmp.Compare(b.group.found, a.group.found), cmp.Compare(b.Refused, a.Refused), cmp.Compare(b.Asks, a.Asks), cmp.Compare(a.DB, b.DB), cmp.Compare(a.Key, b.Key))
	})
	if len(*locks) > MaxRows {
		r.report.MoreLocks += len(*locks) - MaxRows
		clear((*locks)[MaxRows:])
		*locks = (*locks)[:MaxRows]
	}
}
