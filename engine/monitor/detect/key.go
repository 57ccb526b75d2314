package detect

import (
	"slices"
	"strings"
)

// A state says what is known of a key.
type state uint8

const (
	unknown state = iota
	absent
	present
)

// An ending says how a hold ended.
type ending uint8

const (
	running    ending = iota
	expired           // its lease ran out
	superseded        // another has taken the key over
	removed           // somebody else has deleted the key
	leaving           // a recording shows the next grant before the reply to its release
)

// A who is somebody who asked for a lock.
type who struct {
	id     int // of the hold, counted from 1; 0: nobody
	token  uint64
	text   [maxText]byte
	length uint8
	cut    bool
	conn   int32
	line   int
	time   int64
	lease  int64 // its end, Unix time, ns; 0: none; -1: unknown
	proven bool  // the commands prove that it was granted
	likely bool  // it asked once while the key was unknown, and later behaved as its holder
	late   sign  // of a candidate: it showed later that it had believed in its hold
	longer bool  // its lease is another than it asked for
	gone   int   // the line at which it lost the lock to another before its lease ended; 0: it did not
	stray  bool  // that other held nothing
}

func (w *who) setText(token []byte) {
	w.length = uint8(copy(w.text[:], token))
	w.cut = len(token) > maxText
}

// said returns a token as a report shows it.
func (w *who) said() string {
	text := strings.ToValidUTF8(string(w.text[:w.length]), "?")
	if w.cut {
		text += "…"
	}
	return text
}

// A hold is one that nobody has released yet.
type hold struct {
	who
	end     ending
	endTime int64
	next    who  // the first that was granted the lock after it ended
	lent    bool // its connection has asked since
	again   bool // its token has asked since
	quiet   bool // nobody of its host has asked for the lock meanwhile
}

// removed ends a hold whose key another deletes.
// stray: who deletes it held nothing, as far as the commands tell.
func (d *Detector) removed(k *key, h *hold, c *Command, conn int32, stray bool) {
	h.end, h.endTime, h.gone, h.stray = removed, c.Time, c.Line, stray
	if stray {
		k.conduct.strayed(conn, c.Time)
	} else {
		k.conduct.latest = deletion{}
	}
	k.row.Removed++
	d.redlock.removed(d.node, k, &h.who, c, conn)
}

// A sign is one by which an owner shows that it has believed in its hold until then.
type sign struct {
	time  int64
	line  int
	conn  int32
	means Means
	sha   uint64 // of a script whose purpose is not known yet
	said  []string
}

// A wait is somebody who was refused.
type wait struct {
	token      uint64
	conn       int32
	since, now int64
}

// A key is one that somebody has asked for with NX.
type key struct {
	hash    uint64
	db      int32
	name    string
	seq     int // of the last loss or flush that it has heard of
	state   state
	value   uint64 // 0: unknown
	until   int64  // when Redis expires it; 0: never; -1: unknown
	current int    // the hold that the value stands for; 0: unknown
	holds   []hold
	asked   []who // candidates while the key is unknown
	border  int64 // it is unknown since a lease ended, which was over at this time; 0: for another reason
	sure    int64 // one of the candidates holds it for certain until then
	waits   []wait
	askers  []int32
	chain   chain
	looks   []lone
	pairs   int  // releases by GET and DEL
	alone   int  // GETs that were no release
	nx      bool // somebody has asked for it only if it is not there
	plain   bool // somebody sets it without NX: it holds data
	shared  bool // several hosts use one token
	odd     bool // a command that the detector does not know has changed it
	habit   bool // clients delete it that hold nothing
	last    int64
	clock   bool // of the eviction
	row     Row
	conduct conduct
	held    histogram
	waited  histogram
	own     int // bare DELs from the connection of the grant, while others of its host asked
}

// advance lets time pass. It reports whether the lease ends about now: the key may be there or not.
func (d *Detector) advance(k *key, now int64) (near bool) {
	d.hear(k)
	k.last = now
	if len(k.looks) > 0 {
		k.unpaired(now)
	}
	if k.state != present || k.until <= 0 || now < k.until-Before {
		return k.state == present && k.until < 0
	}
	if now <= k.until+After {
		return true
	}
	if h := k.hold(k.current); h != nil {
		h.end, h.endTime = expired, k.until
		k.row.Expired++
		d.note(k, Note{Kind: Lapsed, Hold: h.id, Time: k.until})
	}
	k.state, k.current = absent, 0
	return false
}

// hear lets a key hear of what has happened to all keys: lines are lost, or the database was flushed.
func (d *Detector) hear(k *key) {
	flushed := max(d.flushed[k.db], d.flushedAll)
	if k.seq >= max(flushed, d.lost) {
		return
	}
	k.state = absent
	if d.lost > flushed {
		k.state = unknown
	}
	k.seq = max(flushed, d.lost)
	k.current, k.border, k.sure = 0, 0, 0
	k.holds, k.asked, k.waits, k.chain = k.holds[:0], k.asked[:0], k.waits[:0], chain{}
}

func (k *key) hold(id int) *hold {
	for i := range k.holds {
		if id > 0 && k.holds[i].id == id {
			return &k.holds[i]
		}
	}
	return nil
}

func (k *key) drop(id int) {
	k.holds = slices.DeleteFunc(k.holds, func(h hold) bool { return h.id == id })
	if k.current == id {
		k.current = 0
	}
}

// byToken returns the latest hold with a token.
func (k *key) byToken(token uint64) *hold {
	for i := len(k.holds) - 1; i >= 0; i-- {
		if k.holds[i].token == token && !k.holds[i].again {
			return &k.holds[i]
		}
	}
	return nil
}

// left returns the hold of a connection that has ended, and that nobody has released.
func (k *key) left(conn int32) *hold {
	for i := len(k.holds) - 1; i >= 0; i-- {
		if h := &k.holds[i]; h.conn == conn && h.end != running && !h.lent {
			return h
		}
	}
	return nil
}

// askedBy returns the candidate of a connection.
func (k *key) askedBy(conn int32) *who {
	for i := len(k.asked) - 1; i >= 0; i-- {
		if k.asked[i].conn == conn {
			return &k.asked[i]
		}
	}
	return nil
}

func (k *key) askedWith(token uint64) *who {
	for i := len(k.asked) - 1; i >= 0; i-- {
		if k.asked[i].token == token {
			return &k.asked[i]
		}
	}
	return nil
}

// forget takes a request: whoever asks again has left. It drops what the connection, and what the token, could still tell of a
// hold that has ended. They may be two, since a pool lends a connection to others.
func (d *Detector) forget(k *key, conn int32, token uint64) {
	for i := range k.holds {
		h := &k.holds[i]
		if h.end == running || h.late.time > 0 {
			continue
		}
		if h.conn == conn && !h.lent {
			if h.lent = true; h.id == k.chain.tail {
				k.chain = chain{} // that it deletes nothing more speaks for a pool
			}
		}
		if h.token == token && !k.shared {
			k.shared = !d.sameHost(h.conn, conn) // then it tells no owner
			h.again = !k.shared
		}
	}
	k.holds = slices.DeleteFunc(k.holds, func(h hold) bool { return h.lent && h.again })
}

// isUnknown makes a key unknown, after a command with an effect that is not known.
func (k *key) isUnknown() {
	k.state, k.value, k.until, k.current, k.border, k.sure = unknown, 0, -1, 0, 0, 0
	k.holds, k.asked, k.chain = k.holds[:0], k.asked[:0], chain{}
}

// isLock reports whether the key is a lock: somebody releases it, or takes it over.
func (k *key) isLock() bool {
	r := &k.row
	return !k.plain && !k.odd && (r.Released+r.Deletes+r.Steals+r.Late+r.Overlaps+r.ForeignDeletes > 0)
}
