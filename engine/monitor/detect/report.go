package detect

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
)

// A Kind is what went wrong.
type Kind string

// The kinds.
const (
	Overlap       Kind = "overlap"        // First was still inside when Second was granted the lock
	ForeignDelete Kind = "foreign-delete" // First deleted the lock of Second
	LateRelease   Kind = "late-release"   // First released the lock after its lease had run out; nobody was granted it in between
)

// A Holder is somebody who was granted a lock.
type Holder struct {
	Token   string
	Address string
	Name    string // of CLIENT SETNAME
	Time    int64  // of the grant, Unix, ns
	Line    int
	ID      int
	TTL     int64 // of its lease; 0: unknown
	Gone    int   // the line at which it lost the lock to another before its lease ended; 0: it did not
}

// A Finding is something that went wrong, and that the commands prove.
type Finding struct {
	Kind          Kind
	DB            int32
	Key           string
	First, Second Holder
	From, To      int64 // Unix, ns
	FromLine      int
	Line          int      // at which it shows
	Lease         int64    // when First's hold ended, Unix, ns
	Said          []string // the words of what First sent, shortened
	Means         Means
	on            ground
	key           *key // nil: it is weighed
}

// A Row is what is known of a key.
type Row struct {
	DB                                               int32
	Key                                              string
	Asks, Grants, Refused, Released, Renewals, Looks int
	Deletes                                          int // DELs, whosoever they are
	Pooled                                           int // releases from another connection than the grant
	Expired                                          int // leases that ran out before a release
	Removed                                          int // holds whose key another deleted
	Strangers                                        int // DELs of a connection that holds nothing
	Steals                                           int
	Overlaps, ForeignDeletes, Late                   int
	Connections                                      int
	Script                                           bool // a script takes or releases it
	HeldTypical, HeldLongest                         int64
	WaitedTypical, WaitedLongest                     int64
	Stays                                            []Stay
	Loose                                            bool // others delete it as often as its holders do, so that DELs prove nothing
	told                                             *tally
}

// A Stay is the time for which somebody had a lock.
type Stay struct {
	Holder
	Until int64 // its release, or the end of its lease
	Lease int64
}

// A Report is what a detector has found.
type Report struct {
	Commands     int
	Began, Ended int64
	Findings     []Finding // the first ones, in the order of their times
	Found        int       // all
	Locks        []Row     // the most important ones first
	MoreLocks    int       // that are not among them
	NoLocks      int       // keys that clients asked for with NX and never released
	Prefixes     []Prefix  // of those keys, the most frequent ones first
	Overwritten  int       // keys that clients asked for, and that a SET or GETSET overwrites
	OverPrefixes []Prefix  // of those keys
	Unclear      int       // keys of which some command's effect is not known
}

// A Prefix is one that keys share.
type Prefix struct {
	Name string
	Keys int
}

// MaxPrefixes is how many prefixes a detector counts.
const MaxPrefixes = 64

// prefixOf returns what the name of a key begins with, up to its last separator, and a star; or the whole name.
func prefixOf(name string) string {
	if i := strings.LastIndexAny(name, ":/-_."); i > 0 {
		return name[:i+1] + "*"
	}
	if short := strings.TrimRight(name, "0123456789"); short != name {
		return short + "*"
	}
	return name
}

// counted counts the prefix of a key that is no lock.
func counted(all []Prefix, name string) []Prefix {
	name = prefixOf(name)
	for i := range all {
		if all[i].Name == name {
			all[i].Keys++
			return all
		}
	}
	if len(all) < MaxPrefixes {
		all = append(all, Prefix{name, 1})
	}
	return all
}

// MaxRows is how many locks a report lists.
const MaxRows = 50

// A histogram counts times by their powers of two.
type histogram struct {
	counts  [40]uint32
	longest int64
}

func (h *histogram) add(t int64) {
	t = max(0, t)
	h.counts[min(bits.Len64(uint64(t)/1000), 39)]++
	h.longest = max(h.longest, t)
}

// typical returns about the median.
func (h *histogram) typical() int64 {
	all, sofar := uint32(0), uint32(0)
	for _, n := range h.counts {
		all += n
	}
	for i, n := range h.counts {
		if sofar += n; sofar*2 >= all && all > 0 {
			if i == 0 {
				return 0
			}
			return min(int64(1500)<<(i-1), h.longest)
		}
	}
	return 0
}

func (d *Detector) holder(w *who) Holder {
	c := d.info(w.conn)
	return Holder{Token: w.said(), Address: c.from, Name: c.name, Time: w.time, Line: w.line, ID: w.id, TTL: w.ttl(), Gone: w.gone}
}

// ttl returns the TTL of the lease that somebody asked for, if it is still that one.
func (w *who) ttl() int64 {
	if w.longer || w.lease <= w.time {
		return 0
	}
	return w.lease - w.time
}

// tell tells what a holder did, as far as it is proven.
func (d *Detector) tell(k *key, a *who, f Finding, byHost bool) {
	if k.plain || k.odd || d.Only != nil && !d.Only(k.db, k.name, f.Line) {
		return
	}
	d.redlock.told(d.node, k, &f)
	f.DB, f.Key, f.key = k.db, k.name, k
	if byHost {
		f.on |= onHosts
	}
	if d.byNothing {
		f.on |= onNothing
	}
	if f.Means == ByDel {
		f.on |= onDels
		if a.stray {
			f.on |= onStrays
		}
	}
	d.count(k, f.Kind, f.on)
	switch f.Kind {
	case Overlap:
		k.row.Overlaps++
	case ForeignDelete:
		k.row.ForeignDeletes++
	case LateRelease:
		k.row.Late++
	}
	if len(d.report.Findings) < MaxFindings {
		d.report.Findings = append(d.report.Findings, f)
	}
}

// stay keeps a stay for the report.
func (d *Detector) stay(k *key, h *hold, until int64) {
	if until == 0 {
		until = h.endTime
	}
	k.held.longest = max(k.held.longest, until-h.time)
	if len(k.row.Stays) < MaxStays {
		k.row.Stays = append(k.row.Stays, Stay{Holder: d.holder(&h.who), Until: until, Lease: h.lease})
	}
}

// finish ends the account of a key.
func (d *Detector) finish(k *key) {
	d.redlock.spoil(k)
	if d.Only != nil && !d.Only(k.db, k.name, 0) {
		return
	}
	d.hear(k)
	for i := range k.holds {
		d.giveUp(k, &k.holds[i])
	}
	for i := range k.holds {
		if h := &k.holds[i]; h.late.time > 0 && h.next.id == 0 {
			d.settle(k, h)
		}
	}
	d.weigh(k)
	switch {
	case k.odd:
		d.report.Unclear++
		return
	case !k.isLock() && (k.plain || !k.nx):
		d.report.Overwritten++
		d.report.OverPrefixes = counted(d.report.OverPrefixes, k.name)
		return
	case !k.isLock():
		d.report.NoLocks++
		d.report.Prefixes = counted(d.report.Prefixes, k.name)
		return
	}
	r := k.row
	r.DB, r.Key, r.Connections = k.db, k.name, len(k.askers)
	r.HeldTypical, r.HeldLongest = k.held.typical(), k.held.longest
	r.WaitedTypical, r.WaitedLongest = k.waited.typical(), k.waited.longest
	d.report.Locks = append(d.report.Locks, r)
	if len(d.report.Locks) >= 2*MaxRows {
		d.sortRows()
	}
}

// sortRows keeps the most important locks.
func (d *Detector) sortRows() {
	r := &d.report
	slices.SortStableFunc(r.Locks, func(a, b Row) int {
		return cmp.Or(cmp.Compare(b.Overlaps+b.ForeignDeletes, a.Overlaps+a.ForeignDeletes), cmp.Compare(b.Late, a.Late), cmp.Compare(b.Refused, a.Refused), cmp.Compare(b.Asks, a.Asks), cmp.Compare(a.DB, b.DB), strings.Compare(a.Key, b.Key))
	})
	if len(r.Locks) > MaxRows {
		r.MoreLocks += len(r.Locks) - MaxRows
		r.Locks = r.Locks[:MaxRows]
	}
}

// End returns the report. The detector reads no more.
func (d *Detector) End() *Report {
	d.endScript()
	for _, k := range d.clock {
		d.finish(k)
	}
	d.takeBack()
	d.sortRows()
	r := &d.report
	for _, prefixes := range [][]Prefix{r.Prefixes, r.OverPrefixes} {
		slices.SortStableFunc(prefixes, func(a, b Prefix) int { return cmp.Compare(b.Keys, a.Keys) })
	}
	slices.SortStableFunc(r.Findings, func(a, b Finding) int { return cmp.Compare(a.From, b.From) })
	return r
}
