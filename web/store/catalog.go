package store

import (
	"iter"
	"time"
)

// A catalog lists every log of a store and counts its bytes. It decides whether an entry
// fits, and which logs to forget to make room. Memory and SQLite have one each, and guard
// it with their lock.
//
// New logs leave room for existing ones. A new log fits into MaxBytes or is refused, while
// existing logs may grow into a reserve beyond MaxBytes. In the same way, an owner's new
// logs fit into its share, while its existing logs may grow into a reserve of the share.
// The catalog makes room by forgetting idle logs, oldest first.
type catalog struct {
	options Options
	idle    time.Duration // a log must be idle for this long before the catalog forgets it to make room

	now    time.Duration // by the store's clock
	logs   map[string]*entryLog
	recent order             // logs with an entry added within sharePeriod
	old    order             // the other logs
	owners map[string]*share // of recent logs
	bytes  int64             // taken by all logs
	beside int64             // taken by the store in addition
	alarm  alarm

	buried      map[string]struct{} // logs that were forgotten for good, and
	graves      []string            // their names, a ring buffer once it is full
	oldestGrave int                 // index in the ring buffer for the next name

	// undo reverts the changes since begin, last one first; nil outside a transaction.
	undo []func()
}

// An entryLog is a log in a catalog.
type entryLog struct {
	name, owner string
	id          int64 // of SQLite
	entries     int
	bytes       int64
	added       time.Duration // the time of the last entry, by the store's clock
	records     [][]byte      // of Memory
	stuck       bool          // of SQLite: the damaged file does not let the log be removed

	order      *order // the order it stands in; nil: the log is new
	prev, next *entryLog
}

// A share counts the logs and bytes of an owner.
type share struct {
	logs  int
	bytes int64
}

const (
	logBytes   = 512 // overhead of a log
	entryBytes = 64  // overhead of an entry

	reservePart = 4 // the reserve is 1/4 of MaxBytes, and of a share
	sharePart   = 4 // a share is 1/4 of MaxBytes, and of MaxLogs
	sharePeriod = 24 * time.Hour

	maxEntries  = 100_000  // of a log, which a server reads as a whole
	maxLogBytes = 32 << 20 // of a log, with overhead

	maxForgotten = 1000 // logs forgotten to make room for one entry
	maxBuried    = 100_000
)

func newCatalog(o Options, idle time.Duration) *catalog {
	return &catalog{options: o, idle: idle, logs: map[string]*entryLog{}, owners: map[string]*share{}}
}

// advance sets the time. Logs that are idle for sharePeriod leave their owner's share.
func (c *catalog) advance(now time.Duration) {
	c.now = now
	for l := c.recent.first; l != nil && now-l.added >= sharePeriod; l = c.recent.first {
		c.count(l, -1, -l.bytes)
		c.recent.remove(l)
		c.old.insert(l, c.old.last)
	}
}

// load lists a log that the store has kept. The caller loads logs in the order of added.
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

// grow counts an entry of size bytes in a log that has n entries. A new log belongs to the
// owner. grow returns the log, and the logs that it has forgotten to make room. If it
// returns an error, it has changed nothing.
func (c *catalog) grow(name string, n, size int, owner string) (l *entryLog, forgotten []*entryLog, err error) {
	cost := int64(size) + entryBytes
	if c.isBuried(name) {
		return nil, nil, ErrGone
	}
	l = c.logs[name]
	begins := l == nil
	if begins {
		l = &entryLog{name: name, owner: owner}
		cost += logBytes
	}
	if err := compare(l.entries, n); err != nil {
		return nil, nil, err
	}
	if l.entries >= maxEntries || l.bytes+cost > maxLogBytes {
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

// shrink returns a function that reverts the growth of a log. grow calls shrink before it
// changes anything.
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

// mayGrow reports whether the share of the log's owner has room.
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

// makeRoom returns the logs to forget before a log can grow, or ErrFull if they do not
// suffice.
func (c *catalog) makeRoom(l *entryLog, cost int64) (forgotten []*entryLog, err error) {
	over, surplus := c.total()+cost-c.options.MaxBytes, 0
	begins := l.order == nil && !lasting(l.name)
	if begins {
		surplus = len(c.logs) + 1 - c.options.MaxLogs
	}
	if over <= 0 && surplus <= 0 {
		return nil, nil
	}
	for f := range c.oldest() {
		if over <= 0 && surplus <= 0 || len(forgotten) == maxForgotten || c.now-f.added < c.idle {
			break
		}
		if f != l && !f.stays() {
			forgotten = append(forgotten, f)
			over -= f.bytes
			surplus--
		}
	}
	most := int64(0)
	if !begins {
		most = c.options.MaxBytes / reservePart
	}
	if over > most || surplus > 0 {
		return nil, ErrFull
	}
	return forgotten, nil
}

// stays reports whether the store keeps the log until somebody deletes it.
func (l *entryLog) stays() bool { return l.stuck || lasting(l.name) }

// forget removes a log from the catalog.
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

// bury lets nobody add to a log again, or to the last maxBuried logs.
func (c *catalog) bury(name string) {
	switch {
	case c.isBuried(name):
		return
	case c.buried == nil:
		c.buried = map[string]struct{}{}
	}
	c.buried[name] = struct{}{}
	if len(c.graves) < maxBuried {
		c.graves = append(c.graves, name)
		return
	}
	delete(c.buried, c.graves[c.oldestGrave])
	c.graves[c.oldestGrave] = name
	c.oldestGrave = (c.oldestGrave + 1) % maxBuried
}

func (c *catalog) isBuried(name string) bool {
	_, is := c.buried[name]
	return is
}

// names returns the names of all logs but the lasting ones.
func (c *catalog) names() []string {
	names := make([]string, 0, len(c.logs))
	for name := range c.logs {
		if !lasting(name) {
			names = append(names, name)
		}
	}
	return names
}

// expired returns logs to sweep: logs older than Keep and, while the store exceeds its
// bounds, idle logs.
func (c *catalog) expired(most int) (some []*entryLog) {
	over, surplus := c.total()-c.options.MaxBytes, len(c.logs)-c.options.MaxLogs
	for l := range c.oldest() {
		age := c.now - l.added
		if len(some) == most || age <= c.options.Keep && (age < c.idle || over <= 0 && surplus <= 0) {
			break
		}
		if !l.stays() {
			some = append(some, l)
			over -= l.bytes
			surplus--
		}
	}
	return some
}

// oldest yields all logs, the longest idle first.
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

// total returns how many bytes the store takes.
func (c *catalog) total() int64 { return c.bytes + c.beside }

// takes sets the number of bytes that the whole store takes, as measured.
func (c *catalog) takes(total int64) {
	c.beside = max(0, total-c.bytes)
	c.alarm.tell(c.total(), c.options.MaxBytes, c.options.Logger)
}

// full reports whether less than a sixteenth of the reserve is left.
func (c *catalog) full() bool {
	reserve := c.options.MaxBytes / reservePart
	return c.total() > c.options.MaxBytes+reserve-reserve/16
}

// count adds to the share of a log's owner.
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

// begin starts a transaction.
func (c *catalog) begin() { c.undo = []func(){} }

func (c *catalog) commit() { c.undo = nil }

// rollback reverts all changes since begin.
func (c *catalog) rollback() {
	undo := c.undo
	c.undo = nil
	for i := range undo {
		undo[len(undo)-1-i]()
	}
}

// An order is a list of logs, sorted by added.
type order struct{ first, last *entryLog }

// insert puts a log after another log; nil puts it first.
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
