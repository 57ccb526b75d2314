package detect

// A lone is a GET that no DEL of its connection has followed yet. Where clients compare and delete in a transaction, with WATCH and
// GET before, a release that finds another's token is a WATCH and a GET alone. Without WATCH, a GET alone says nothing: anybody
// may look who holds the lock.
type lone struct {
	conn int32
	time int64
}

const (
	maxLooks   = 4
	knownPairs = 3             // releases by GET and DEL, and no GET alone, that show how clients release a lock
	followsBy  = 1_000_000_000 // when a DEL is no longer expected (ns)
)

// looked reads a GET.
func (d *Detector) looked(k *key, c *Command, conn int32, near bool) {
	if k.state == unknown || near {
		return
	}
	info := d.info(conn)
	watched := info.watch == k.hash
	if info.watch = 0; watched && k.alone == 0 && k.pairs >= knownPairs && k.hasAsked(conn) && d.foundAnother(k, c, conn) {
		return
	}
	if len(k.looks) == maxLooks {
		k.looks = append(k.looks[:0], k.looks[1:]...)
		k.alone++
	}
	k.looks = append(k.looks, lone{conn, c.Time})
}

// foundAnother tells of a GET that was to find its own token, and found nothing or that of another host: it is of the only
// hold of its own host that nobody has released.
func (d *Detector) foundAnother(k *key, c *Command, conn int32) bool {
	b, next := k.hold(k.current), 0
	if k.state == present && (b == nil || d.sameHost(conn, b.conn)) {
		return false
	}
	if b != nil {
		next = b.id
	}
	a := d.onlyOf(k, conn, next)
	if a == nil || a.end != expired || a.next.id == 0 || a.next.token == a.token || d.sameHost(conn, a.next.conn) || !a.next.proven && !a.next.likely || a.next.time+Margin >= c.Time {
		return false
	}
	d.overlap(k, &a.who, &a.next, a.endTime, sign{c.Time, c.Line, conn, ByGet, 0, d.said(c)}, true)
	d.note(k, Note{Kind: TooLate, Line: c.Line, Time: c.Time, Hold: a.id, Conn: conn})
	d.stay(k, a, c.Time)
	k.drop(a.id)
	return true
}

// paired takes the GET before a DEL.
func (k *key) paired(conn int32) {
	for i := len(k.looks) - 1; i >= 0; i-- {
		if k.looks[i].conn == conn {
			k.looks = append(k.looks[:i], k.looks[i+1:]...)
			k.pairs++
			return
		}
	}
}

// unpaired counts the GETs that no DEL has followed.
func (k *key) unpaired(now int64) {
	for len(k.looks) > 0 && now > k.looks[0].time+followsBy {
		k.looks = append(k.looks[:0], k.looks[1:]...)
		k.alone++
	}
}
