package monitor

import (
	"encoding/json"
	"io"

	"lockstep/engine/lang"
	"lockstep/engine/monitor/detect"
)

// WriteJSON writes the account for a program. Times are Unix times in nanoseconds.
func (a *Account) WriteJSON(out io.Writer, in lang.Language) error {
	type finding struct {
		Kind     detect.Kind  `json:"kind"`
		DB       int32        `json:"db"`
		Key      string       `json:"key"`
		First    holderJSON   `json:"first"`
		Second   *holderJSON  `json:"second,omitempty"`
		From     int64        `json:"from"`
		To       int64        `json:"to"`
		Lease    int64        `json:"lease,omitempty"`
		Line     int          `json:"line"`
		Means    detect.Means `json:"means"`
		Short    string       `json:"short"`
		Said     []string     `json:"said,omitempty"`
		Sentence string       `json:"sentence"`
	}
	type lock struct {
		DB             int32  `json:"db"`
		Key            string `json:"key"`
		Connections    int    `json:"connections"`
		Asked          int    `json:"asked"`
		Granted        int    `json:"granted"`
		Refused        int    `json:"refused"`
		Released       int    `json:"released"`
		Pooled         int    `json:"releasedElsewhere"`
		Expired        int    `json:"expired"`
		Removed        int    `json:"deletedByOthers"`
		Renewed        int    `json:"renewed"`
		Judged         bool   `json:"judged"`
		Overlaps       int    `json:"overlaps"`
		ForeignDeletes int    `json:"foreignDeletes"`
		LateReleases   int    `json:"lateReleasesAlone"` // without an overlap
		HeldTypical    int64  `json:"heldTypical"`
		HeldLongest    int64  `json:"heldLongest"`
		WaitedTypical  int64  `json:"waitedTypical"`
		WaitedLongest  int64  `json:"waitedLongest"`
	}
	all := struct {
		Found    int       `json:"found"`
		Findings []finding `json:"findings"`
		Locks    []lock    `json:"locks"`
		More     int       `json:"moreLocks"`
		NoLocks  int       `json:"noLocks"`
		Over     int       `json:"overwritten"`
		Lines    int       `json:"lines"`
		Commands int       `json:"commands"`
		Began    int64     `json:"began"`
		Ended    int64     `json:"ended"`
		LeftOut  int       `json:"linesLeftOut"`
		Remarks  []string  `json:"remarks"`
	}{Found: a.Found, Findings: []finding{}, Locks: []lock{}, More: a.MoreLocks, NoLocks: a.NoLocks, Over: a.Overwritten, Lines: a.Lines, Commands: a.Commands, Began: a.Began, Ended: a.Ended, LeftOut: a.Odd.Count + a.Long}
	for i := range a.Findings {
		f := &a.Findings[i]
		j := finding{f.Kind, f.DB, f.Key, holderOf(&f.First), nil, f.From, f.To, max(0, f.Lease), f.Line, f.Means, Short(f).In(in), f.Said, Sentence(f).In(in)}
		if f.Second.ID > 0 {
			second := holderOf(&f.Second)
			j.Second = &second
		}
		all.Findings = append(all.Findings, j)
	}
	for i := range a.Locks {
		r := &a.Locks[i]
		all.Locks = append(all.Locks, lock{r.DB, r.Key, r.Connections, r.Asks, r.Grants, r.Refused, r.Released, r.Pooled, r.Expired, r.Removed, r.Renewals, !unjudged(r), r.Overlaps, r.ForeignDeletes, r.Late, r.HeldTypical, r.HeldLongest, r.WaitedTypical, r.WaitedLongest})
	}
	for _, remark := range a.Remarks() {
		all.Remarks = append(all.Remarks, remark.In(in))
	}
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(all)
}

type holderJSON struct {
	Token   string `json:"token"`
	Address string `json:"address"`
	Name    string `json:"name,omitempty"`
	Time    int64  `json:"granted"`
	Line    int    `json:"line"`
}

func holderOf(h *detect.Holder) holderJSON {
	return holderJSON{h.Token, h.Address, h.Name, h.Time, h.Line}
}
