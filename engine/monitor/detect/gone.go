package detect

import "math"

// late tells of somebody who released a key after its leases were over on all nodes, each by its own clock. Another may have had a
// majority before.
func (r *Redlock) late(a, b *held) {
	if a.told || a.left == math.MaxInt64 {
		return
	}
	asked, first, last, ttl := 0, int64(math.MaxInt64), int64(0), int64(math.MaxInt64)
	shows := -1
	for n := range a.votes {
		v := &a.votes[n]
		if v.line > 0 {
			asked, first, last = asked+1, min(first, v.time), max(last, v.time)
		}
		if !v.granted {
			continue
		}
		if v.lease == 0 || v.left > 0 && (v.vague || v.leftTime <= v.lease+Margin) || v.removed > 0 {
			return
		}
		ttl = min(ttl, v.lease-v.time)
		if v.left > 0 && (shows < 0 || v.leftTime < a.votes[shows].leftTime) {
			shows = n
		}
	}
	if shows < 0 || a.left < a.end || !a.renewed && (asked < len(a.votes) || last-first > ttl/2) {
		return // it may have found out itself that it came too late
	}
	f := MajorityFinding{Kind: LateRelease, Node: shows, From: a.end, To: a.votes[shows].leftTime, FromLine: a.votes[shows].line, Line: a.votes[shows].left}
	var second *attempt
	if b != nil {
		second = b.attempt
		common := -1
		for n := range a.votes {
			x, y := &a.votes[n], &b.votes[n]
			if x.granted && y.granted && x.left > y.line && x.leftTime > y.time+Margin && x.line < y.line {
				common = n
			}
		}
		if common < 0 || a.before(b.attempt) {
			return
		}
		x, y := &a.votes[common], &b.votes[common]
		f.Node, f.FromLine, f.Line, f.From, f.To = common, y.line, x.left, y.time, x.leftTime
		if a.renewed {
			f.Kind, f.Expired = Overlap, true
		}
	}
	a.told = true
	r.draft(a.attempt, second, f)
}

// lost tells that a node granted somebody else a key while a holder's lease ran there.
func (r *Redlock) lost(h *held, b *attempt) {
	for n := range h.votes {
		if h.twice(n, b) && !h.votes[n].gone {
			h.votes[n].gone = true
			x, y := &h.votes[n], &b.votes[n]
			r.draft(h.attempt, b, MajorityFinding{Kind: Gone, Node: n, From: y.time, To: y.time, FromLine: x.line, Line: y.line, Cause: r.cause(h.attempt, n, y.line)})
		}
	}
}

// gone tells of the keys of a holder that were gone before their lease ended, though nobody else got them.
func (r *Redlock) gone(h *held) {
	for n := range h.votes {
		v := &h.votes[n]
		if !v.granted || v.gone {
			continue
		}
		end := v.lease - Margin
		if v.lease == 0 {
			end = math.MaxInt64
		}
		f := MajorityFinding{Kind: Gone, Node: n, FromLine: v.line}
		switch u := r.flushed(h.attempt, n, end); {
		case v.left > 0 && v.nothing && v.leftBy < end-v.slack:
			f.From, f.Line, f.Cause = v.leftTime, v.left, r.cause(h.attempt, n, v.left)
		case u.Line > 0:
			f.From, f.Line, f.Cause = u.Time, u.Line, u
		default:
			continue
		}
		f.To = f.From
		v.gone = true
		r.draft(h.attempt, nil, f)
	}
}

// flushed returns the first upset by which a node has lost a holder's key.
func (r *Redlock) flushed(a *attempt, n int, end int64) Upset {
	v := &a.votes[n]
	for _, u := range r.events[n] {
		if u.Kind == Flush && (u.all || u.db == a.group.db) && u.Line > v.line && u.Time < end && (v.left == 0 || u.Line < v.left) {
			return u.Upset
		}
	}
	return Upset{}
}

// cause returns why a node has no longer the key that it granted on one line, at another line.
func (r *Redlock) cause(a *attempt, n, line int) (u Upset) {
	v := &a.votes[n]
	if v.removed > 0 && v.removed < line {
		return Upset{Kind: Delete, Line: v.removed}
	}
	for _, e := range r.events[n] {
		if (e.all || e.db == a.group.db) && e.Line >= v.line && e.Line <= line {
			u = e.Upset
		}
	}
	return u
}
