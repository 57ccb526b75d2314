package detect

import "slices"

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
		r.leave(n, k, a, c, false, true, true)
	}
}

func (r *Redlock) leave(n int, k *key, a *attempt, c *Command, nothing, vague, bare bool) {
	v := &a.votes[n]
	if v.left > 0 {
		return
	}
	v.left, v.leftTime, v.leftBy, v.nothing, v.vague = c.Line, c.Time-r.nodes[n].slack, c.Time, nothing, vague
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
	for i, a := range all {
		r.leave(n, k, a, c, false, i > 0, false)
	}
}

// missed reads a script that was to release a token, or to renew it, and has not found it on a node.
func (r *Redlock) missed(n int, k *key, c *Command, tokens []uint64, means Means, known bool) {
	if r == nil || means == ByRenew {
		return
	}
	all := r.asked(n, k, tokens)
	for i, a := range all {
		r.leave(n, k, a, c, known && i == 0, i > 0, false)
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

// stolen reads a GETSET: what others held on a node may be its own now.
func (r *Redlock) stolen(n int, k *key, c *Command) {
	if r == nil || r.groups[k.hash] == nil {
		return
	}
	for _, a := range r.groups[k.hash].attempts {
		if v := &a.votes[n]; v.line > 0 && v.left == 0 && v.line < c.Line {
			v.removed = c.Line
		}
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
