package detect

import (
	"bytes"
	"strings"
)

// A Detector reads commands in the order in which Redis executed them.
type Detector struct {
	// Only says which keys, and which findings by their lines, a report tells of; a line of 0 asks for the key. Nothing: all.
	Only func(db int32, key string, line int) bool

	keys       map[uint64]*key
	clock      []*key // of the eviction
	hand       int
	conns      []conn // the latest ones; the first stands for nobody
	latest     int32
	byFrom     map[uint64]int32
	scripts    map[uint64]uint8 // what a script has been seen to do, by its SHA-1 or its text
	lost       int              // when lines were lost last
	flushed    map[int32]int    // when a database was flushed last
	flushedAll int
	events     int  // losses and flushes
	holds      int  // so far
	habit      bool // clients delete keys that are not there, and that they did not hold
	byNothing  bool // what is told rests on a DEL that found nothing
	told       tally
	mixed      bool // an owner has released a lock from another host
	script     script
	report     Report
	watched    uint64
	watch      func(Note)
	redlock    *Redlock // of which it reads a node; nil: it is alone
	node       int
	line       int   // of the latest command
	slack      int64 // between its request and its reply, in a recording
	maxKeys    int
	maxConns   int
}

// What a script does.
const (
	deletes uint8 = 1 << iota
	renews
)

const (
	maxScripts = 4096
	maxDBs     = 1 << 12
)

// A conn is a connection.
type conn struct {
	number int32
	hash   uint64
	from   string
	name   string
	host   uint64
	seen   look
	watch  uint64 // a key that it watches, and has not read yet
}

// A look is the latest GET of a lock.
type look struct{ key, value uint64 }

// New returns a detector that has read nothing.
func New() *Detector {
	return &Detector{keys: map[uint64]*key{}, conns: make([]conn, 1), byFrom: map[uint64]int32{}, scripts: map[uint64]uint8{}, flushed: map[int32]int{}, lost: 1, events: 1, maxKeys: MaxKeys, maxConns: MaxConns}
}

// Lost tells that commands may be missing here.
func (d *Detector) Lost() {
	d.endScript()
	d.events++
	d.lost = d.events
	d.redlock.upset(d.node, upset{Upset: Upset{Interruption, d.line, d.report.Ended}, all: true})
}

// Add reads a command.
func (d *Detector) Add(c *Command) {
	if len(c.Words) == 0 {
		return
	}
	d.Count(c.Time)
	if d.line, d.slack = c.Line, 0; c.Sent > 0 {
		d.slack = c.Time - c.Sent
	}
	if c.Script {
		d.inScript(c)
		return
	}
	if d.script.active {
		d.endScript()
	}
	if do := lookUp(c.Words[0]); do != nothingToDo {
		d.command(c, do)
	}
}

// Count counts a command that Add need not read.
func (d *Detector) Count(time int64) {
	r := &d.report
	if r.Commands++; r.Commands == 1 {
		r.Began = time
	}
	r.Ended = max(r.Ended, time)
}

// A Need says what Add needs of a client's command.
type Need uint8

// The needs.
const (
	Nothing    Need = iota // it need not be added, and only be counted
	IfFollowed             // the same, unless its first argument is a key that Follows knows
	Everything
)

// Ended returns the time of the latest command so far.
func (d *Detector) Ended() int64 { return d.report.Ended }

// Needs returns what Add needs of a client's command, by its name.
func (d *Detector) Needs(name []byte) Need {
	switch do := lookUp(name); {
	case d.script.active:
		return Everything
	case do == nothingToDo:
		return Nothing
	case do == doRead, do == doWatch, do == doOne, do == doGet, do == doDel, do == doExpire:
		return IfFollowed
	}
	return Everything
}

// Follows reports whether a key is one that may be a lock.
func (d *Detector) Follows(db int32, name []byte) bool { return d.find(db, name) != nil }

// command reads a command of a client.
func (d *Detector) command(c *Command, do kind) {
	switch do {
	case doScript:
		d.beginScript(c)
	case doFlush:
		d.events++
		d.redlock.upset(d.node, upset{Upset{Flush, c.Line, c.Time}, c.DB, is(c.Words[0], "FLUSHALL")})
		if is(c.Words[0], "FLUSHALL") {
			d.flushedAll = d.events
		} else if _, known := d.flushed[c.DB]; known || len(d.flushed) < maxDBs {
			d.flushed[c.DB] = d.events
		} else {
			d.lost = d.events
		}
	case doSwap:
		d.Lost()
	case doClient:
		if len(c.Words) == 3 && bytes.EqualFold(c.Words[1], []byte("SETNAME")) {
			d.info(d.conn(c.From)).name = Clip(c.Words[2])
		}
	case doSet:
		d.set(c, d.conn, c.From)
	case doLoad:
		if len(c.Words) == 3 && bytes.EqualFold(c.Words[1], []byte("LOAD")) {
			d.learn(sha1Of(c.Words[2]), c.Words[2])
		}
	case doMany:
		for _, name := range c.Words[1:] {
			if k := d.find(c.DB, name); k != nil {
				d.bareDelete(k, c, d.conn(c.From))
			}
		}
	case doAny:
		for _, name := range c.Words[1:] {
			if k := d.find(c.DB, name); k != nil {
				d.changed(k, c)
			}
		}
	default:
		if len(c.Words) < 2 {
			return
		}
		if do == doSetNX && len(c.Words) == 3 {
			d.ask(d.follow(c.DB, c.Words[1]), c, d.conn(c.From), c.Words[2], 0)
		} else if do == doGetSet && len(c.Words) == 3 {
			d.steal(d.follow(c.DB, c.Words[1]), c, d.conn(c.From), c.Words[2], 0)
		} else if k := d.find(c.DB, c.Words[1]); k != nil {
			d.onKey(k, c, do, d.conn(c.From))
		}
	}
}

// onKey reads a command on a key that is followed.
func (d *Detector) onKey(k *key, c *Command, do kind, conn int32) {
	switch do {
	case doGet:
		near := d.advance(k, c.Time)
		seen := look{key: k.hash}
		if k.state == present && !near {
			seen.value = k.value
		}
		if c.Value != nil {
			seen.value = sum(c.Value)
			if k.state == unknown {
				d.resolve(k, seen.value)
			}
		}
		d.info(conn).seen = seen
		d.looked(k, c, conn, near)
		k.row.Looks++
		d.note(k, Note{Kind: Touched, Line: c.Line, Time: c.Time, Conn: conn})
	case doDel:
		d.bareDelete(k, c, conn)
	case doExpire:
		if c.Reply == Failed {
			return
		}
		lease, gone := leaseOf(c)
		if gone {
			d.bareDelete(k, c, conn)
			return
		}
		d.renew(k, c, conn, 0, lease)
	case doWatch:
		d.info(conn).watch = k.hash
	case doRead:
		d.note(k, Note{Kind: Touched, Line: c.Line, Time: c.Time, Conn: conn})
	default:
		d.changed(k, c)
	}
}

// changed reads a command with an effect on a key that is not known.
func (d *Detector) changed(k *key, c *Command) {
	if c.Reply == Failed {
		return
	}
	d.advance(k, c.Time)
	k.isUnknown()
	k.odd = true
	d.note(k, Note{Kind: Touched, Line: c.Line, Time: c.Time})
}

// set reads SET with its options.
func (d *Detector) set(c *Command, find func([]byte) int32, from []byte) {
	if len(c.Words) < 3 {
		return
	}
	var o setOptions
	if len(c.Words) > 3 {
		o = setOptionsOf(c)
	}
	if o.wrong {
		return
	}
	if o.nx {
		d.ask(d.follow(c.DB, c.Words[1]), c, find(from), c.Words[2], o.lease)
		return
	}
	if o.get {
		d.steal(d.follow(c.DB, c.Words[1]), c, find(from), c.Words[2], o.lease)
		return
	}
	if k := d.find(c.DB, c.Words[1]); k != nil {
		d.write(k, c, find(from), c.Words[2], o)
	}
}

// write reads a SET that asks for nothing.
func (d *Detector) write(k *key, c *Command, conn int32, value []byte, o setOptions) {
	near := d.advance(k, c.Time)
	token := sum(value)
	lease := o.lease
	if o.keep {
		lease = k.until
	}
	switch {
	case c.Reply == Failed || c.Reply == Not:
	case k.state == present && !near && k.value == token:
		d.renew(k, c, conn, token, lease)
	case k.state == unknown && k.askedWith(token) != nil:
		d.renew(k, c, conn, token, lease)
	case o.xx && k.state == absent:
	case o.xx:
		k.isUnknown()
	default:
		k.isUnknown()
		k.state, k.value, k.until = present, token, lease
		k.plain = true
	}
	d.note(k, Note{Kind: Touched, Line: c.Line, Time: c.Time, Conn: conn})
}

// conn returns the number of a connection, which no other connection gets.
func (d *Detector) conn(from []byte) int32 {
	h := sum(from)
	if n, known := d.byFrom[h]; known {
		return n
	}
	d.latest++
	n := d.latest
	c := conn{number: n, hash: h, from: Clip(from), host: hostOf(from)}
	if len(d.conns) < d.maxConns {
		d.conns = append(d.conns, c)
	} else {
		old := &d.conns[int(n)%d.maxConns] // the oldest one makes room
		delete(d.byFrom, old.hash)
		*old = c
	}
	d.byFrom[h] = n
	return n
}

// info returns what is known of a connection.
func (d *Detector) info(n int32) *conn {
	if c := &d.conns[int(n)%d.maxConns%len(d.conns)]; c.number == n {
		return c
	}
	return &conn{}
}

// hostOf returns what stands for the host of an address.
func hostOf(from []byte) uint64 {
	if i := bytes.LastIndexByte(from, ':'); i >= 0 {
		from = from[:i]
	}
	if bytes.HasPrefix(from, []byte("127.")) || string(from) == "[::1]" {
		from = []byte("localhost")
	}
	return sum(from)
}

// sameHost reports whether two connections may be of one pool.
func (d *Detector) sameHost(a, b int32) bool {
	x, y := d.info(a), d.info(b)
	return x.host == y.host || x.host == 0 || y.host == 0
}

// find returns a key that is followed; nil: it is not.
func (d *Detector) find(db int32, name []byte) *key {
	return d.keys[sum(name)^uint64(db)*0x9e3779b97f4a7c15]
}

// follow returns a key, and follows it from now on.
func (d *Detector) follow(db int32, name []byte) *key {
	h := sum(name) ^ uint64(db)*0x9e3779b97f4a7c15
	if k := d.keys[h]; k != nil {
		k.clock = true
		return k
	}
	k := &key{}
	if len(d.clock) >= d.maxKeys {
		k = d.evict()
	} else {
		d.clock = append(d.clock, k)
	}
	*k = key{hash: h, db: db, name: Clip(name), holds: k.holds[:0], asked: k.asked[:0], waits: k.waits[:0], askers: k.askers[:0], looks: k.looks[:0], seq: d.lost, until: -1}
	d.keys[h] = k
	return k
}

// evict forgets a key that was not used for long, and returns its room.
func (d *Detector) evict() *key {
	for {
		d.hand = (d.hand + 1) % len(d.clock)
		k := d.clock[d.hand]
		if k.clock {
			k.clock = false
			continue
		}
		d.finish(k)
		delete(d.keys, k.hash)
		return k
	}
}

// Clip returns an address or a name as a detector keeps it.
func Clip(b []byte) string {
	if len(b) > maxName {
		return strings.ToValidUTF8(string(b[:maxName]), "?") + "…"
	}
	return strings.ToValidUTF8(string(b), "?")
}
