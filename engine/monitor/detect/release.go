package detect

// A Means says by what a client shows that it has believed in its hold.
type Means string

// The means.
const (
	ByScript Means = "release" // a compare-and-delete with its token
	ByRenew  Means = "renewal" // a script that was to extend its lease
	ByDel    Means = "DEL"
	ByGet    Means = "GET" // a GET that was to find its token
)

// tokenRelease reads a compare-and-delete that deleted.
func (d *Detector) tokenRelease(k *key, c *Command, conn int32, token uint64) {
	near := d.advance(k, c.Time)
	if k.state == unknown || near {
		k.state = unknown
		d.resolve(k, token)
	}
	h := k.hold(k.current)
	if h != nil && k.state == present && (token == 0 || h.token == token) {
		d.owned(k, c, h, conn, true)
	} else if k.state != present || h != nil {
		k.isUnknown() // what was known of it was wrong
	}
	k.state, k.current, k.asked = absent, 0, k.asked[:0]
	k.row.Script = true
}

// released ends a hold by a DEL of its owner.
func (d *Detector) released(k *key, c *Command, h *hold, conn int32) {
	d.redlock.left(d.node, k, &h.who, c)
	d.owned(k, c, h, conn, false)
}

// owned ends a hold by a release of its owner.
func (d *Detector) owned(k *key, c *Command, h *hold, conn int32, byToken bool) {
	k.row.Released++
	k.held.add(c.Time - h.time)
	if k.conduct.latest = (deletion{}); byToken || d.sameHost(h.conn, conn) {
		k.conduct.released(conn, c.Time)
	}
	if h.conn != conn {
		k.row.Pooled++
		if !d.sameHost(h.conn, conn) {
			d.mixed = true
		}
	}
	d.note(k, Note{Kind: Released, Line: c.Line, Time: c.Time, Hold: h.id, Conn: conn})
	d.stay(k, h, c.Time)
	k.drop(h.id)
}

// failedRelease reads a compare-and-delete, or a renewal, that found another value than its token.
func (d *Detector) failedRelease(k *key, c *Command, conn int32, token uint64, means Means, sha uint64) {
	near := d.advance(k, c.Time)
	if k.shared {
		return
	}
	h := k.byToken(token)
	if w := k.askedWith(token); h == nil && w != nil && w.lease > 0 && c.Time > w.lease+Margin && w.late.time == 0 {
		w.late = sign{c.Time, c.Line, conn, means, sha, d.said(c)}
	}
	if h == nil || h.end == running && !near && k.state != unknown || h.late.time > 0 {
		return // it holds the lock, never held it, or has been told
	}
	if h.end == running {
		if h.lease <= 0 || c.Time <= h.lease+Margin {
			return
		}
		h.end, h.endTime = expired, h.lease
	}
	h.late = sign{c.Time, c.Line, conn, means, sha, d.said(c)}
	d.note(k, Note{Kind: TooLate, Line: c.Line, Time: c.Time, Hold: h.id, Conn: conn})
	if k.state == absent || h.next.id > 0 {
		d.settle(k, h)
	}
}

// settle tells of a hold that ended before its owner left, as far as it is proven.
func (d *Detector) settle(k *key, h *hold) {
	d.byNothing = h.late.means == ByDel
	defer func() { d.byNothing = false }()
	switch {
	case h.late.time == 0 || !h.proven && !h.likely || h.late.sha != 0:
	case h.end == expired && h.late.time <= h.endTime+Margin:
	case h.next.id > 0 && h.next.time+Margin < h.late.time:
		if (h.next.proven || h.next.likely) && h.next.token != h.token {
			d.overlap(k, &h.who, &h.next, h.endTime, h.late, false)
		}
	case h.end == expired && h.proven:
		d.tell(k, &h.who, Finding{Kind: LateRelease, First: d.holder(&h.who), From: h.endTime, To: h.late.time, Line: h.late.line, Lease: h.endTime, Means: h.late.means, Said: h.late.said}, false)
	}
}

// giveUp settles a hold before it is forgotten.
func (d *Detector) giveUp(k *key, h *hold) {
	if h.late.sha != 0 && d.scripts[h.late.sha]&(deletes|renews) != 0 {
		h.late.sha = 0
		d.settle(k, h)
	}
	d.stay(k, h, 0)
}

// overlap tells that a hold's owner was inside, by a sign, when another was granted the lock.
func (d *Detector) overlap(k *key, a, b *who, ended int64, s sign, byHost bool) {
	d.tell(k, a, Finding{Kind: Overlap, First: d.holder(a), Second: d.holder(b), From: b.time, To: s.time, FromLine: b.line, Line: s.line, Lease: ended, Means: s.means, Said: s.said}, byHost)
}

// bareDelete reads DEL and its like, which name no owner.
func (d *Detector) bareDelete(k *key, c *Command, conn int32) {
	near := d.advance(k, c.Time)
	before := k.state
	k.paired(conn)
	switch {
	case c.Reply == Failed:
		return
	case c.Reply != Not:
		k.row.Deletes++
	}
	switch seen := &d.info(conn).seen; {
	case d.onTheWay(k, c, conn):
		return
	case c.Reply == Not:
		if before != absent {
			k.isUnknown()
		} else {
			d.nothing(k, c, conn)
		}
	case before == absent && c.Reply == Unknown:
		d.nothing(k, c, conn)
	case before != present || near:
		d.deleteUnknown(k, c, conn)
	case k.hold(k.current) != nil:
		d.deleteHeld(k, c, conn, k.hold(k.current), seen.key == k.hash && seen.value == k.value)
	}
	k.state, k.current, k.asked = absent, 0, k.asked[:0]
}

// onTheWay reports whether a DEL of a recording, whose reply came later than that of the next grant, has made way for it.
func (d *Detector) onTheWay(k *key, c *Command, conn int32) bool {
	h, now := k.left(conn), k.hold(k.current)
	if h == nil || now == nil || h.end != leaving || h.next.id != now.id || c.Sent > now.time {
		return false
	}
	d.released(k, c, h, conn)
	return true
}

// deleteHeld reads a DEL while somebody holds the lock. The connection has looked whether the value is its own, or not.
func (d *Detector) deleteHeld(k *key, c *Command, conn int32, b *hold, looked bool) {
	switch a := k.left(conn); {
	case b.conn == conn:
		if !b.quiet {
			k.own++
		}
		d.released(k, c, b, conn)
	case looked && (k.row.Steals == 0 || d.sameHost(conn, b.conn)): // who waits for a lock with GETSET looks, too
		d.released(k, c, b, conn)
	case a != nil && !d.sameHost(conn, b.conn):
		d.foreign(k, c, conn, a, b)
	case a != nil:
		d.link(k, c, conn, a, b)
	case !d.sameHost(conn, b.conn):
		if a = d.onlyOf(k, conn, b.id); a != nil && k.hasAsked(conn) {
			d.foreign(k, c, conn, a, b)
			return
		}
		k.row.Strangers++
		d.removed(k, b, c, conn, true)
		d.note(k, Note{Kind: Deleted, Line: c.Line, Time: c.Time, Hold: b.id, Conn: conn})
	default:
		d.released(k, c, b, conn) // perhaps another connection of its pool
	}
}

// foreign tells of a DEL that has removed the lock of another host's.
func (d *Detector) foreign(k *key, c *Command, conn int32, a, b *hold) {
	s := sign{time: c.Time, line: c.Line, conn: conn, means: ByDel, said: d.said(c)}
	if a.id == k.chain.tail && a.conn == conn && a.end == removed { // its release is this one, and so not the DEL before
		d.tellChain(k)
	}
	if a.proven && (b.proven || b.likely) {
		if next := a.meets(b); next.time+Margin < c.Time {
			d.overlap(k, &a.who, next, a.endTime, s, true)
		}
		d.tell(k, &a.who, Finding{Kind: ForeignDelete, First: d.holder(&a.who), Second: d.holder(&b.who), From: c.Time, To: c.Time, FromLine: b.line, Line: c.Line, Lease: a.endTime, Means: ByDel, Said: s.said}, true)
	}
	d.note(k, Note{Kind: Deleted, Line: c.Line, Time: c.Time, Hold: b.id, By: a.id, Conn: conn})
	d.redlock.left(d.node, k, &a.who, c)
	d.removed(k, b, c, conn, a.stray)
	d.stay(k, a, c.Time)
	k.drop(a.id)
}

// meets returns whom a hold's owner was inside with first: the next one that was granted the lock, or the present holder.
func (h *hold) meets(now *hold) *who {
	if h.next.proven || h.next.likely {
		return &h.next
	}
	return &now.who
}

// onlyOf returns the hold of a connection's host that has ended, and that nobody has released, if there is only one and another
// was granted the lock next; 0: whoever.
func (d *Detector) onlyOf(k *key, conn int32, next int) (only *hold) {
	for i := range k.holds {
		if h := &k.holds[i]; h.proven && h.end != running && !h.again && d.sameHost(h.conn, conn) {
			if only != nil {
				return nil
			}
			only = h
		}
	}
	if only != nil && next != 0 && only.next.id != next && (only.next.id == 0 || k.hold(only.next.id) != nil) {
		return nil // the next one, or one after it, holds the lock
	}
	return only
}

func (k *key) hasAsked(conn int32) bool {
	for _, c := range k.askers {
		if c == conn {
			return true
		}
	}
	return false
}

// deleteUnknown reads a DEL while nobody knows who holds the lock. It may be the one by which a connection releases what it
// asked for.
func (d *Detector) deleteUnknown(k *key, c *Command, conn int32) {
	a := k.askedBy(conn)
	if a == nil {
		d.deleteNear(k, c, conn)
		return
	}
	mine, later := *a, (*who)(nil)
	for i := range k.asked {
		if w := &k.asked[i]; w.conn != conn && mine.lease > 0 && w.time > mine.lease+Margin {
			later = w
		}
	}
	if later == nil {
		d.released(k, c, d.hold(k, mine), conn)
		return
	}
	second := *later
	first := d.hold(k, mine)
	first.end, first.endTime = expired, mine.lease
	d.hold(k, second)
	d.link(k, c, conn, k.left(conn), k.hold(k.current))
}

// deleteNear reads a DEL of a connection whose lease had ended. One other connection has asked for the lock since, about when
// the lease ended, and nobody knows whether it was granted.
func (d *Detector) deleteNear(k *key, c *Command, conn int32) {
	for i := range k.holds {
		h := &k.holds[i]
		if h.conn != conn || h.end != running || h.lease <= 0 || c.Time < h.lease+Margin || len(k.asked) != 1 {
			continue
		}
		id, second := h.id, k.asked[0]
		h.end, h.endTime = expired, h.lease
		d.hold(k, second)
		d.link(k, c, conn, k.hold(id), k.hold(k.current))
		return
	}
	for i := len(k.holds) - 1; i >= 0; i-- { // the holder's release at the end of its lease, most likely
		if h := &k.holds[i]; h.end == running {
			d.released(k, c, h, conn)
		}
	}
}
