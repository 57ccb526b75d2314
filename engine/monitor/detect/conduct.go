package detect

import "slices"

// A conduct is how the clients of a key delete it. A bare DEL convicts somebody only on a key that its holders release: where others
// delete it as often, it is a cache or a session, and a DEL tells nothing of who is inside.
type conduct struct {
	own     int // releases by those who held it: by the same connection, host or token
	again   int // of them, those whose connection asked next, at once
	stray   int // DELs by which somebody who held nothing took it from a holder
	refills int // DELs of somebody who held nothing, and who asked next, at once
	asks    int
	misses  int // of them, those after a GET that found nothing
	latest  deletion
}

// A deletion is the latest DEL of a key, which nobody has asked for since.
type deletion struct {
	conn       int32
	time       int64
	own, stray bool
}

// mostStray is for how many releases by holders one stray DEL is the exception: it may then be a person's, and have begun what a
// holder shows later. Where clients delete a key by chance, two of them are its holder half of the time.
const mostStray = 8

func (o *conduct) released(conn int32, time int64) {
	o.own++
	o.latest = deletion{conn: conn, time: time, own: true}
}

func (o *conduct) strayed(conn int32, time int64) {
	o.stray++
	o.latest = deletion{conn: conn, time: time, stray: true}
}

// foundNothing reads a DEL of a key that is not there, from a connection that lost no hold of it. A release that is sent twice is one.
func (o *conduct) foundNothing(conn int32, time int64) {
	if o.latest.conn != conn || !o.latest.own {
		o.latest = deletion{conn: conn, time: time}
	}
}

// asked reads a request. Right after a DEL of the same connection, it fills a cache again: who did not hold the key has not
// released it, and who did may have done the same.
func (o *conduct) asked(conn int32, time int64, missed bool) {
	if o.asks++; missed {
		o.misses++
	}
	if l := o.latest; l.conn == conn && time < l.time+followsBy {
		switch {
		case l.own:
			o.again++
		case !l.stray:
			o.stray++
			fallthrough
		default:
			o.refills++
		}
	}
	o.latest = deletion{}
}

// convicts reports whether a DEL on the key proves something. rootless: of a hold that a stray DEL had ended, and no lease.
func (o *conduct) convicts(rootless bool) bool {
	releases := o.own
	if o.refills > 0 {
		releases -= o.again
	}
	switch {
	case 2*o.misses > o.asks: // as a cache is filled
		return releases >= mostStray*max(1, o.stray)
	case rootless:
		return releases >= mostStray*o.stray
	}
	return releases >= o.stray
}

// A ground is what a finding rests on beside the tokens: it falls if that is no proof.
type ground uint8

const (
	onHosts    ground = 1 << iota // which are no proof where owners change theirs
	onNothing                     // a DEL that found nothing, which is no proof where clients have that habit
	onDels                        // a bare DEL
	onStrays                      // a bare DEL of somebody whose lock a stray one had deleted
	allGrounds = 1 << iota
)

// A tally counts findings by their grounds and kinds.
type tally [allGrounds][3]int

var tallied = []Kind{Overlap, ForeignDelete, LateRelease}

// count counts a finding of a key.
func (d *Detector) count(k *key, kind Kind, on ground) {
	if k.row.told == nil {
		k.row.told = &tally{}
	}
	k.row.told[on][slices.Index(tallied, kind)]++
}

// weigh takes the findings of a key back that its clients' conduct does not prove.
func (d *Detector) weigh(k *key) {
	if k.row.told == nil {
		return
	}
	var no ground
	if !k.conduct.convicts(false) {
		no |= onDels | onStrays
	}
	if !k.conduct.convicts(true) {
		no |= onStrays
	}
	for on := range k.row.told {
		if ground(on)&no != 0 {
			k.row.Loose = k.row.Loose || k.row.told[on] != [3]int{}
			k.row.told[on] = [3]int{}
		}
		for i, n := range k.row.told[on] {
			d.told[on][i] += n
		}
	}
	d.report.Findings = slices.DeleteFunc(d.report.Findings, func(f Finding) bool {
		return f.key == k && f.on&no != 0
	})
	for i := range d.report.Findings {
		if f := &d.report.Findings[i]; f.key == k {
			f.key = nil // another key may get its room
		}
	}
	k.row.retract(0)
}

// retract counts the findings of a row again, without those that rest on some grounds.
func (r *Row) retract(no ground) {
	if r.told == nil {
		return
	}
	all := [3]int{}
	for on := range r.told {
		for i, n := range r.told[on] {
			if ground(on)&no == 0 {
				all[i] += n
			}
		}
	}
	r.Overlaps, r.ForeignDeletes, r.Late = all[0], all[1], all[2]
}

// takeBack takes the findings back whose grounds the whole of the log has shown to be no proof.
func (d *Detector) takeBack() {
	var no ground
	if d.mixed {
		no |= onHosts
	}
	if d.habit {
		no |= onNothing
	}
	r := &d.report
	r.Findings = slices.DeleteFunc(r.Findings, func(f Finding) bool { return f.on&no != 0 })
	r.Found = 0
	for on := range d.told {
		if ground(on)&no == 0 {
			for _, n := range d.told[on] {
				r.Found += n
			}
		}
	}
	for i := range r.Locks {
		r.Locks[i].retract(no)
	}
}
