package detect

import (
	"cmp"
	"slices"
	"strings"
)

// Gone is the kind of a key that a node no longer had, before the lease of its holder had ended there.
const Gone Kind = "key-gone"

// An UpsetKind says what happened to the keys of a node.
type UpsetKind string

// The kinds of upsets.
const (
	Flush        UpsetKind = "flush"        // FLUSHALL or FLUSHDB
	Interruption UpsetKind = "interruption" // commands may be missing after this line
	Delete       UpsetKind = "delete"       // somebody deleted the key
)

// An Upset is why a key is gone, as far as the log of its node tells.
type Upset struct {
	Kind UpsetKind
	Line int
	Time int64
}

// A Majority is somebody whom most nodes have granted a lock. Its Holder has the time of the grant that made the majority, and the
// address and the line of the first one.
type Majority struct {
	Holder
	Votes []Vote
	End   int64 // when its leases leave no majority
	Left  int64 // its first release; 0: there was none
}

// A Vote is a grant of one node.
type Vote struct {
	Node    int
	Line    int
	Time    int64
	Lease   int64 // its end, by the node's clock; 0: none
	Left    int   // the line of the release; 0: there was none
	Until   int64 // of the release
	Address string
}

// A MajorityFinding is something that went wrong between nodes, or on one of them.
type MajorityFinding struct {
	Kind          Kind
	DB            int32
	Key           string
	First, Second Majority // Second may be somebody with less than a majority; no votes: nobody
	Node          int      // on whose lines it shows
	From, To      int64    // by the clocks of several nodes
	FromLine      int      // on Node: the grant of First, or where another was granted it since, that of Second
	Line          int      // on Node: where it shows
	Shows         int      // on Node: the line of First's release, of an overlap; 0: there is none
	After         int64    // of it: since the grant of Second, by the clock of Node
	Ordered       bool     // the lines of Node prove it, and the clocks of several do not
	Expired       bool     // First's leases had run out
	Cause         Upset
}

// A MajorityRow is what is known of a key on all nodes. Asks are its attempts, Grants those with a majority, Refused those
// without one.
type MajorityRow struct {
	Row
	Found int
	group *group
}

// A RedlockReport is what a Redlock has found.
type RedlockReport struct {
	Nodes     []*Report // each node's own
	Majority  int
	Findings  []MajorityFinding // the first ones, in the order of their times
	Found     int               // all
	Close     int               // overlaps that the clocks of the nodes do not prove
	Locks     []MajorityRow     // the most important ones first
	MoreLocks int               // that are not among them
	Single    int               // keys that nobody asks a majority for, or that are no locks
	Allowance int64             // by how much the clocks may differ
}

// majorityOf returns a holder for the report.
func (r *Redlock) majorityOf(h *held) Majority {
	m := r.partyOf(h.attempt, -1)
	m.Time, m.End = h.from, h.end
	if h.left <= h.end {
		m.Left = h.left
	}
	return m
}

// partyOf returns an attempt for the report, with its request to a node; -1: to the first that granted it.
func (r *Redlock) partyOf(a *attempt, n int) Majority {
	m := Majority{Holder: Holder{Token: a.text, ID: 1}}
	for i := range a.votes {
		v := &a.votes[i]
		if !v.granted {
			continue
		}
		address, name := r.nodes[i].Address(v.conn)
		if n < 0 && (len(m.Votes) == 0 || v.time < m.Time) || n == i {
			m.Address, m.Name, m.Time, m.Line = address, name, v.time, v.line
			if v.lease > v.time && !a.renewed {
				m.TTL = v.lease - v.time
			}
		}
		m.Votes = append(m.Votes, Vote{Node: i, Line: v.line, Time: v.time, Lease: v.lease, Left: v.left, Until: v.leftTime, Address: address})
	}
	return m
}

// spoil hears that a node's key is no lock.
func (r *Redlock) spoil(k *key) {
	if r == nil {
		return
	}
	if g := r.groups[k.hash]; g != nil && (k.plain || k.odd) {
		g.plain = true
	}
}

// End returns the report. The nodes read no more.
func (r *Redlock) End() *RedlockReport {
	report := &r.report
	report.Majority = r.majority()
	for _, d := range r.nodes {
		report.Nodes = append(report.Nodes, d.End())
	}
	for _, g := range r.clock {
		if !g.ended {
			r.endGroup(g, false)
		}
	}
	report.Allowance = r.allowance()
	for _, f := range r.deletes {
		own := report.Nodes[f.node].Findings
		i := slices.IndexFunc(own, func(x Finding) bool { return x.Kind == ForeignDelete && x.Line == f.line })
		if i >= 0 { // the node's detector has not taken it back
			r.draft(f.first, f.second, MajorityFinding{Kind: ForeignDelete, Node: f.node, From: own[i].From, To: own[i].To, FromLine: own[i].FromLine, Line: f.line})
		}
	}
	for i := range r.drafts {
		d := &r.drafts[i]
		if d.first.group.plain || d.Kind == Overlap && !d.Expired && !r.overlap(d) {
			continue
		}
		first, ok := r.held(d.first)
		if !ok {
			continue
		}
		d.First = r.majorityOf(&first)
		if d.second != nil {
			if second, ok := r.held(d.second); ok {
				d.Second = r.majorityOf(&second)
			} else if d.Kind == Gone {
				d.Second = r.partyOf(d.second, d.Node)
			} else {
				continue // it held nothing
			}
		}
		report.Found++
		d.first.group.told++
		report.Findings = append(report.Findings, d.MajorityFinding)
	}
	report.Found += r.more
	slices.SortStableFunc(report.Findings, func(a, b MajorityFinding) int {
		return cmp.Or(cmp.Compare(a.From, b.From), -strings.Compare(string(a.Kind), string(b.Kind))) // an overlap before its cause
	})
	report.Findings = report.Findings[:min(len(report.Findings), MaxFindings)]
	r.sortRows()
	for i := range report.Locks {
		report.Locks[i].Found, report.Locks[i].group = report.Locks[i].group.told, nil
	}
	return report
}
