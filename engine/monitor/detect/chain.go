package detect

// A chain is a row of bare DELs, each from a connection that was granted the lock and lost it: the first by its lease, the
// others by the DEL before. A pool would explain them: each is the holder's, from another connection. It no longer does when the
// last connection's own DEL finds nothing: one release is too many.
type chain struct {
	links []link
	tail  int // the hold whose key was deleted last
	told  bool
}

// A link is a DEL of the first, which removed the lock of the second.
type link struct {
	first, second, met who // second is the holder whose lock it deleted, met the first one after its own
	ended              int64
	sign               sign
}

const (
	maxLinks   = 16
	longLinks  = 4  // links that no pool explains in a log …
	knownOwner = 16 // … in which that many DELs came from the grant's connection, though others could have been used
)

// link adds a DEL to the chain.
func (d *Detector) link(k *key, c *Command, conn int32, a, b *hold) {
	l := link{a.who, b.who, *a.meets(b), a.endTime, sign{time: c.Time, line: c.Line, conn: conn, means: ByDel, said: d.said(c)}}
	if k.chain.tail != a.id {
		k.chain = chain{}
	}
	k.chain.tail = b.id
	d.note(k, Note{Kind: Deleted, Line: c.Line, Time: c.Time, Hold: b.id, By: a.id, Conn: conn})
	d.removed(k, b, c, conn, a.stray)
	d.stay(k, a, c.Time)
	k.drop(a.id)
	if k.chain.told {
		d.tellLink(k, &l)
		return
	}
	if len(k.chain.links) < maxLinks {
		k.chain.links = append(k.chain.links, l)
	}
	if len(k.chain.links) >= longLinks && k.own >= knownOwner && k.row.Pooled == 0 {
		d.tellChain(k)
	}
}

func (d *Detector) tellChain(k *key) {
	for i := range k.chain.links {
		d.tellLink(k, &k.chain.links[i])
	}
	k.chain.links, k.chain.told = nil, true
}

func (d *Detector) tellLink(k *key, l *link) {
	if l.met.time+Margin < l.sign.time {
		d.overlap(k, &l.first, &l.met, l.ended, l.sign, false)
	}
	d.tell(k, &l.first, Finding{Kind: ForeignDelete, First: d.holder(&l.first), Second: d.holder(&l.second), From: l.sign.time, To: l.sign.time, FromLine: l.second.line, Line: l.sign.line, Lease: l.ended, Means: ByDel, Said: l.sign.said}, false)
}

// nothing reads a DEL of a key that is not there: a release too many.
func (d *Detector) nothing(k *key, c *Command, conn int32) {
	h := k.left(conn)
	if h == nil {
		k.habit, d.habit, k.chain = true, true, chain{}
		k.conduct.foundNothing(conn, c.Time)
		return
	}
	if k.conduct.latest = (deletion{}); h.stray {
		k.conduct.foundNothing(conn, c.Time)
	}
	s := sign{time: c.Time, line: c.Line, conn: conn, means: ByDel, said: d.said(c)}
	d.note(k, Note{Kind: TooLate, Line: c.Line, Time: c.Time, Hold: h.id, Conn: conn})
	switch only := d.onlyOf(k, conn, 0); {
	case k.habit || d.habit:
	case h.id == k.chain.tail && h.end == removed:
		d.byNothing = true
		d.tellChain(k)
		d.byNothing = false
	case only != nil && only.id == h.id && (h.end == expired || h.end == superseded):
		h.late = s
		d.settle(k, h)
	}
	if h.id == k.chain.tail {
		k.chain = chain{}
	}
	d.stay(k, h, c.Time)
	k.drop(h.id)
}
