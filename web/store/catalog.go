package store

import (
	"iter"
	"time"
)

// A catalog knows every log of a store and how much it takes. It decides who may add
// an entry, and which logs are forgotten to make room. Memory and SQLite have one;
// its user's lock guards it.
//
// A log takes what its entries take, and something for being there. Nobody who is
// inside is hurt by those who come: a new log fits into MaxBytes or is refused, and
// logs that are there may grow into a reserve beyond it. Likewise one owner's new
// logs fit into a share, and its logs may grow into a reserve of the share. Room is
// made by forgetting logs that nobody has added to for a while, oldest first.
type catalog struct {
	options Options
	idle    time.Duration // logs that nobody has added to for so long are forgotten where room is needed

	now    time.Duration // by the store's clock
	logs   map[string]*entryLog
	recent order             // those that somebody has added to within sharePeriod
	old    order             // the others
	owners map[string]*share // of recent ones
	bytes  int64             // that all logs take
	beside int64             // that the store takes beside them

	alarm alarm

	// What was done since begin, to be undone in reverse. Nil: nothing is noted.
	undo []func()
}

// An entryLog is what a catalog knows of a log.
type entryLog struct {
	name, owner string
	id          int64 // of SQLite
	entries     int
	bytes       int64
	added       time.Duration // when the last entry was, by the store's clock
	records     [][]byte      // of Memory
	stuck       bool          // of SQLite: it cannot be forgotten, as the file is damaged

	order      *order // in which it stands; nil: it is not kept yet
	prev, next *entryLog
}

// A share is what an owner has.
type share struct {
	logs  int
	bytes int64
}

const (
	logBytes   = 512 // what a log takes beside its entries
	entryBytes = 64  // what an entry takes beside its bytes

	reservePart = 4 // of MaxBytes, and of a share: one in so many
	sharePart   = 4 // of MaxBytes, and of MaxLogs: one in so many
	sharePeriod = 24 * time.Hour

	mostEntries  = 100_000  // of a log, which is read as a whole
	mostLogBytes = 32 << 20 // that a log takes

	mostForgotten = 1000 // logs, to make room for one entry
)

func newCatalog(o Options, idle time.Duration) *catalog {
	return &catalog{options: o, idle: idle, logs: map[string]*entryLog{}, owners: map[string]*share{}}
}

// advance tells the catalog what time it is. A log that nobody has added to for long
// no longer counts for its owner's share.
func (c *catalog) advance(now time.Duration) {
	c.now = now
	for l := c.recent.first; l != nil && now-l.added >= sharePeriod; l = c.recent.first {
		c.count(l, -1, -l.bytes)
		c.recent.remove(l)
		c.old.insert(l, c.old.last)
	}
}

// load takes in a log that is kept, after those that were added to before it.
func (c *catalog) load(l *entryLog) {
	c.logs[l.name] = l
	c.bytes += l.bytes
	if c.now-l.added >= sharePeriod {
		c.old.insert(l, c.old.last)
		return
	}
	c.count(l, 1, l.bytes)
	c.recent.insert(l, c.recent.last)
}

// grow adds an entry of so many bytes to a log that has n of them; a log that is
// begun so is the owner's. It returns the log and those that were forgotten for it,
// or an error, and then nothing has changed.
func (c *catalog) grow(name string, n, size int, owner string) (l *entryLog, forgotten []*entryLog, err error) {
	cost := int64(size) + entryBytes
	l = c.logs[name]
	begins := l == nil
	if begins {
		l = &entryLog{name: name, owner: owner}
		cost += logBytes
	}
	if err := compare(l.entries, n); err != nil {
		return nil, nil, err
	}
	if l.entries >= mostEntries || l.bytes+cost > mostLogBytes {
		return nil, nil, ErrLong
	}
	if !c.mayGrow(l, cost) {
		return nil, nil, ErrShare
	}
	if forgotten, err = c.makeRoom(l, cost); err != nil {
		return nil, nil, err
	}
	for _, f := range forgotten {
		c.forget(f)
	}

	if c.undo != nil {
		c.undo = append(c.undo, c.shrink(l, cost))
	}
	switch l.order {
	case nil:
		c.logs[name] = l
		c.count(l, 1, cost)
	case &c.recent:
		c.count(l, 0, cost)
		c.recent.remove(l)
	default:
		c.count(l, 1, l.bytes+cost)
		c.old.remove(l)
	}
	c.recent.insert(l, c.recent.last)
	c.bytes += cost
	l.entries++
	l.bytes += cost
	l.added = c.now
	c.alarm.tell(c.total(), c.options.MaxBytes, c.options.Logger)
	return l, forgotten, nil
}

// shrink returns what undoes the growth of a log that is about to grow.
func (c *catalog) shrink(l *entryLog, cost int64) func() {
	in, after, added := l.order, l.prev, l.added
	return func() {
		c.recent.remove(l)
		c.bytes -= cost
		l.entries--
		l.bytes -= cost
		l.added = added
		switch in {
		case nil:
			delete(c.logs, l.name)
			c.count(l, -1, -cost)
			return
		case &c.recent:
			c.count(l, 0, -cost)
		default:
			c.count(l, -1, -l.bytes-cost)
		}
		in.insert(l, after)
	}
}

// mayGrow reports whether the share of a log's owner has room.
func (c *catalog) mayGrow(l *entryLog, cost int64) bool {
	if l.owner == "" {
		return true
	}
	has := share{}
	if s := c.owners[l.owner]; s != nil {
		has = *s
	}
	most := c.options.MaxBytes / sharePart
	switch l.order {
	case nil:
		if has.logs >= max(1, c.options.MaxLogs/sharePart) {
			return false
		}
	case &c.old:
		has.bytes += l.bytes
		fallthrough
	default:
		most += most / reservePart
	}
	return has.bytes+cost <= most
}

// makeRoom returns the logs to forget so that a log can grow, or ErrFull.
func (c *catalog) makeRoom(l *entryLog, cost int64) (forgotten []*entryLog, err error) {
	over, surplus := c.total()+cost-c.options.MaxBytes, 0
	if l.order == nil {
		surplus = len(c.logs) + 1 - c.options.MaxLogs
	}
	if over <= 0 && surplus <= 0 {
		return nil, nil
	}
	for f := range c.oldest() {
		if over <= 0 && surplus <= 0 || len(forgotten) == mostForgotten || c.now-f.added < c.idle {
			break
		}
		if f != l && !f.stuck {
			forgotten = append(forgotten, f)
			over -= f.bytes
			surplus--
		}
	}
	most := int64(0)
	if l.order != nil {
		most = c.options.MaxBytes / reservePart
	}
	if over > most || surplus > 0 {
		return nil, ErrFull
	}
	return forgotten, nil
}

// forget takes a log out.
func (c *catalog) forget(l *entryLog) {
	in, after := l.order, l.prev
	delete(c.logs, l.name)
	in.remove(l)
	c.bytes -= l.bytes
	if in == &c.recent {
		c.count(l, -1, -l.bytes)
	}
	if c.undo == nil {
		return
	}
	c.undo = append(c.undo, func() {
		c.logs[l.name] = l
		in.insert(l, after)
		c.bytes += l.bytes
		if in == &c.recent {
			c.count(l, 1, l.bytes)
		}
	})
}

// expired returns some of the logs that are to be forgotten though nobody needs
// their room now: they are older than Keep, or there is more than there may be.
func (c *catalog) expired(most int) (some []*entryLog) {
	over, surplus := c.total()-c.options.MaxBytes, len(c.logs)-c.options.MaxLogs
	for l := range c.oldest() {
		age := c.now - l.added
		if len(some) == most || age <= c.options.Keep && (age < c.idle || over <= 0 && surplus <= 0) {
			break
		}
		if !l.stuck {
			some = append(some, l)
			over -= l.bytes
			surplus--
		}
	}
	return some
}

// oldest yields all logs, the one that nobody has added to for the longest time first.
func (c *catalog) oldest() iter.Seq[*entryLog] {
	return func(yield func(*entryLog) bool) {
		for _, o := range []*order{&c.old, &c.recent} {
			for l := o.first; l != nil; l = l.next {
				if !yield(l) {
					return
				}
			}
		}
	}
}

// total is how much the store takes.
func (c *catalog) total() int64 { return c.bytes + c.beside }

// takes notes how much the store takes in all, where that can be measured.
func (c *catalog) takes(total int64) {
	c.beside = max(0, total-c.bytes)
	c.alarm.tell(c.total(), c.options.MaxBytes, c.options.Logger)
}

// full reports whether the reserve is all but used up, too.
func (c *catalog) full() bool {
	reserve := c.options.MaxBytes / reservePart
	return c.total() > c.options.MaxBytes+reserve-reserve/16
}

// count adds to what the owner of a log has.
func (c *catalog) count(l *entryLog, logs int, bytes int64) {
	if l.owner == "" {
		return
	}
	s := c.owners[l.owner]
	if s == nil {
		s = &share{}
		c.owners[l.owner] = s
	}
	s.logs += logs
	s.bytes += bytes
	if s.logs == 0 {
		delete(c.owners, l.owner)
	}
}

// begin notes what is done from now on, so that rollback undoes it.
func (c *catalog) begin() { c.undo = []func(){} }

func (c *catalog) commit() { c.undo = nil }

func (c *catalog) rollback() {
	undo := c.undo
	c.undo = nil
	for i := range undo {
		undo[len(undo)-1-i]()
	}
}

// An order is a list of logs.
type order struct{ first, last *entryLog }

// insert puts a log behind another one; nil: at the beginning.
func (o *order) insert(l, after *entryLog) {
	l.order, l.prev = o, after
	if after == nil {
		l.next, o.first = o.first, l
	} else {
		l.next, after.next = after.next, l
	}
	if l.next == nil {
		o.last = l
	} else {
		l.next.prev = l
	}
}

func (o *order) remove(l *entryLog) {
	if l.prev == nil {
		o.first = l.next
	} else {
		l.prev.next = l.next
	}
	if l.next == nil {
		o.last = l.prev
	} else {
		l.next.prev = l.prev
	}
	l.order, l.prev, l.next = nil, nil, nil
}
