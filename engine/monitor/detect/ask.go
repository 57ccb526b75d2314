package detect

import "slices"

// ask reads a request for a lock: SET with NX or SETNX.
func (d *Detector) ask(k *key, c *Command, conn int32, token []byte, lease int64) {
	if c.Reply == Failed {
		return
	}
	k.nx = true
	w, near := d.wants(k, c, conn, token, lease)
	switch {
	case c.Reply == Done:
		d.grant(k, c, w)
	case c.Reply == Not:
		d.refuse(k, c, w, near)
		if k.state == absent {
			k.isUnknown()
		}
	case k.state == absent:
		d.grant(k, c, w)
	case k.state == present && !near:
		d.refuse(k, c, w, near)
	case k.state == unknown && c.Time < k.sure:
		d.refuse(k, c, w, near)
		d.asksAgain(k, w.token)
	default:
		d.candidate(k, c, w)
	}
}

// wants notes that somebody asks for a lock, and returns who. near: the lease ends about now, and nobody knows what is there.
func (d *Detector) wants(k *key, c *Command, conn int32, token []byte, lease int64) (w who, near bool) {
	near = d.advance(k, c.Time)
	k.row.Asks++
	k.asks(conn, d.info(conn).seen == look{key: k.hash})
	d.forget(k, conn, sum(token))
	w = who{token: sum(token), conn: conn, line: c.Line, time: c.Time, lease: lease}
	w.setText(token)
	return w, near
}

// asks notes that a connection asks for the key. missed: it has looked before, and found nothing.
func (k *key) asks(conn int32, missed bool) {
	k.conduct.asked(conn, k.last, missed)
	if len(k.askers) < maxAskers && !slices.Contains(k.askers, conn) {
		k.askers = append(k.askers, conn)
	}
	for i := range k.holds {
		if k.holds[i].conn != conn {
			k.holds[i].quiet = false
		}
	}
}

// grant lets somebody have the lock. The commands prove it.
func (d *Detector) grant(k *key, c *Command, w who) {
	w.proven = true
	if h := k.hold(k.current); h != nil && h.end == running {
		if c.Sent == 0 {
			k.drop(h.id) // what was known of it was wrong
		} else {
			h.end, h.endTime, h.gone = leaving, c.Time, c.Line
		}
	}
	d.hold(k, w)
	for i := len(k.waits) - 1; i >= 0; i-- {
		if x := &k.waits[i]; x.token == w.token || x.conn == w.conn {
			k.waited.add(w.time - x.since)
			k.waits = slices.Delete(k.waits, i, i+1)
			break
		}
	}
}

// hold makes somebody the holder.
func (d *Detector) hold(k *key, w who) *hold {
	d.holds++
	w.id = d.holds
	for i := range k.asked {
		if x := k.asked[i]; x.token != w.token && x.lease > 0 && x.lease+After < w.time && len(k.holds) < maxHolds-1 {
			d.holds++
			x.id, x.likely = d.holds, true
			k.holds = append(k.holds, hold{who: x, end: expired, endTime: x.lease})
			if i == 0 { // nothing contradicts that the first one was granted it
				d.granted(k, &x)
				d.note(k, Note{Kind: Lapsed, Hold: x.id, Time: x.lease})
			}
		}
	}
	for i := range k.holds {
		h := &k.holds[i]
		if h.end == running {
			h.end, h.endTime = expired, h.lease // the end of its lease was near
		}
		if h.next.id == 0 {
			h.next = w
			d.settle(k, h)
		}
	}
	k.holds = slices.DeleteFunc(k.holds, func(h hold) bool { return h.late.time > 0 && h.next.id > 0 && h.late.sha == 0 })
	if len(k.holds) >= maxHolds {
		d.giveUp(k, &k.holds[0])
		k.holds = slices.Delete(k.holds, 0, 1)
	}
	k.holds = append(k.holds, hold{who: w, quiet: true})
	k.state, k.value, k.until, k.current, k.asked, k.border, k.sure = present, w.token, w.lease, w.id, k.asked[:0], 0, 0
	k.row.Grants++
	d.granted(k, &w)
	return &k.holds[len(k.holds)-1]
}

func (d *Detector) refuse(k *key, c *Command, w who, near bool) {
	k.row.Refused++
	d.redlock.ask(d.node, k, &w)
	d.note(k, Note{Kind: Refused, Line: c.Line, Time: c.Time, Token: w.token, Conn: w.conn, Near: near})
	for i := range k.waits {
		if x := &k.waits[i]; x.token == w.token || x.conn == w.conn {
			x.now, x.token, x.conn = c.Time, w.token, w.conn
			return
		}
	}
	if len(k.waits) >= maxWaiting {
		oldest := 0
		for i := range k.waits {
			if k.waits[i].now < k.waits[oldest].now {
				oldest = i
			}
		}
		k.waits = slices.Delete(k.waits, oldest, oldest+1)
	}
	k.waits = append(k.waits, wait{token: w.token, conn: w.conn, since: c.Time, now: c.Time})
}

// candidate keeps a request of which nobody knows whether it was granted. Afterwards the key is there: with the value of a
// candidate, or with one from before.
func (d *Detector) candidate(k *key, c *Command, w who) {
	d.redlock.ask(d.node, k, &w)
	d.note(k, Note{Kind: Asked, Line: c.Line, Time: c.Time, Token: w.token, Conn: w.conn})
	if k.state == present {
		k.border, k.sure = k.until+After, 0
	}
	k.state, k.value, k.until, k.current = unknown, 0, -1, 0
	k.asked = slices.DeleteFunc(k.asked, func(x who) bool { return x.token == w.token && x.conn == w.conn })
	if len(k.asked) >= maxAsked {
		at := slices.IndexFunc(k.asked, func(x who) bool { return x.token == w.token })
		k.asked = slices.Delete(k.asked, max(at, 0), max(at, 0)+1)
	}
	k.asked = append(k.asked, w)
	if k.border > 0 && c.Time > k.border {
		k.sure = 1 << 62
		for i := range k.asked {
			if lease := k.asked[i].lease; lease != 0 {
				k.sure = min(k.sure, lease-Before) // 0 if one is unknown
			}
		}
	}
}

// asksAgain takes a candidate that asks again: it was refused. The last one that is left is the holder.
func (d *Detector) asksAgain(k *key, token uint64) {
	k.asked = slices.DeleteFunc(k.asked, func(x who) bool { return x.token == token })
	switch len(k.asked) {
	case 0:
		k.isUnknown()
	case 1:
		only := k.asked[0]
		only.likely = true
		d.hold(k, only)
	}
}

// soon is when an EXPIRE still belongs to the SETNX before it (ns).
const soon = 50_000_000

// renew gives a key another lease. A token proves whose it is.
func (d *Detector) renew(k *key, c *Command, conn int32, token uint64, lease int64) {
	if d.advance(k, c.Time); k.state == unknown && token != 0 {
		d.resolve(k, token)
	}
	if k.state == unknown {
		w := k.askedBy(conn)
		if n := len(k.asked); w == nil && n > 0 && d.sameHost(k.asked[n-1].conn, conn) && c.Time < k.asked[n-1].time+soon {
			w = &k.asked[n-1] // from another connection of its pool
		}
		if w != nil { // SETNX, and EXPIRE after it
			w.lease, w.longer = lease, w.lease != 0
			return
		}
		for i := range k.asked {
			k.asked[i].lease = -1
		}
		k.sure = 0
		for i := range k.holds {
			if k.holds[i].end == running && (k.border == 0 || c.Time <= k.border) {
				k.holds[i].lease = -1
			}
		}
		return
	}
	if k.state != present {
		return
	}
	k.until = lease
	if h := k.hold(k.current); h != nil {
		h.lease, h.longer = lease, true
		d.redlock.renewed(d.node, k, &h.who, c, lease)
		k.row.Renewals++
		d.note(k, Note{Kind: Renewed, Line: c.Line, Time: c.Time, Hold: h.id, Conn: conn})
	}
}

// resolve makes a candidate the holder: a script has found its token.
func (d *Detector) resolve(k *key, token uint64) *hold {
	if w := k.askedWith(token); w != nil {
		granted := *w
		granted.proven = true
		return d.hold(k, granted)
	}
	if h := k.byToken(token); h != nil && h.end == running {
		k.state, k.value, k.until, k.current, k.asked = present, token, h.lease, h.id, k.asked[:0]
		return h
	}
	return nil
}

// steal reads GETSET, and SET with GET: it takes a lock over whose time has passed.
func (d *Detector) steal(k *key, c *Command, conn int32, token []byte, lease int64) {
	if c.Reply == Failed {
		return
	}
	w, near := d.wants(k, c, conn, token, lease)
	d.redlock.stolen(d.node, k, c)
	if k.state == absent && c.Reply != Done || c.Reply == Not {
		d.grant(k, c, w)
		return
	}
	old := k.value
	if c.Value != nil {
		old = sum(c.Value)
	}
	seen := &d.info(conn).seen
	if h := k.hold(k.current); (k.state != present || near) && c.Value == nil || old == 0 {
		k.isUnknown()
		k.state, k.value, k.until = present, w.token, lease
	} else if seen.key == k.hash && seen.value == old { // it has looked, and nobody came in between
		k.row.Steals++
		if h != nil {
			h.end, h.endTime, h.gone = superseded, c.Time, c.Line
		}
		w.proven = true
		d.hold(k, w)
	} else { // it loses, and the value is another
		k.state, k.value, k.until = present, w.token, lease
	}
}
