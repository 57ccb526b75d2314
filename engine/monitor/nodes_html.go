package monitor

import (
	"encoding/json"
	"fmt"
	"html"
	"io"

	"lockstep/engine/lang"
	"lockstep/engine/monitor/detect"
)

// WriteJSON writes the account for a program. Times are Unix times in nanoseconds, by the clock of the node that has the line.
func (a *NodesAccount) WriteJSON(out io.Writer, in lang.Language) error {
	type vote struct {
		Node    string `json:"node"`
		Line    int    `json:"line"`
		Granted int64  `json:"granted"`
		Lease   int64  `json:"lease,omitempty"`
		Left    int    `json:"releasedAtLine,omitempty"`
		Address string `json:"address"`
	}
	type party struct {
		holderJSON
		Votes []vote `json:"votes"`
	}
	type cause struct {
		Kind detect.UpsetKind `json:"kind"`
		Line int              `json:"line"`
	}
	type finding struct {
		Kind     detect.Kind `json:"kind"`
		DB       int32       `json:"db"`
		Key      string      `json:"key"`
		First    party       `json:"first"`
		Second   *party      `json:"second,omitempty"`
		Node     string      `json:"node"`
		FromLine int         `json:"fromLine"`
		Line     int         `json:"line"`
		From     int64       `json:"from"`
		To       int64       `json:"to"`
		Ordered  bool        `json:"byOrderOfLines"` // and not by the clocks
		Cause    *cause      `json:"cause,omitempty"`
		Sentence string      `json:"sentence"`
	}
	type lock struct {
		DB          int32  `json:"db"`
		Key         string `json:"key"`
		Attempts    int    `json:"attempts"`
		Majorities  int    `json:"majorities"`
		Minorities  int    `json:"minorities"`
		Released    int    `json:"released"`
		Expired     int    `json:"expired"`
		Renewed     int    `json:"renewed"`
		HeldTypical int64  `json:"heldTypical"`
		HeldLongest int64  `json:"heldLongest"`
		Found       int    `json:"found"`
	}
	type node struct {
		Name     string `json:"name"`
		Lines    int    `json:"lines"`
		Commands int    `json:"commands"`
		Began    int64  `json:"began"`
		Ended    int64  `json:"ended"`
		LeftOut  int    `json:"linesLeftOut"`
	}
	all := struct {
		Found     int       `json:"found"`
		Findings  []finding `json:"findings"`
		Nodes     []node    `json:"nodes"`
		Majority  int       `json:"majority"`
		Allowance int64     `json:"allowance"`
		Close     int       `json:"notTold"`
		Locks     []lock    `json:"locks"`
		More      int       `json:"moreLocks"`
		Remarks   []string  `json:"remarks"`
	}{Found: a.Found, Findings: []finding{}, Majority: a.Majority, Allowance: a.Allowance, Close: a.Close, Locks: []lock{}, More: a.MoreLocks}
	of := func(m *detect.Majority) party {
		p := party{holderJSON: holderOf(&m.Holder)}
		for _, v := range m.Votes {
			p.Votes = append(p.Votes, vote{a.Logs[v.Node].Name, v.Line, v.Time, v.Lease, v.Left, v.Address})
		}
		return p
	}
	for i := range a.Findings {
		f := &a.Findings[i]
		j := finding{f.Kind, f.DB, f.Key, of(&f.First), nil, a.Logs[f.Node].Name, f.FromLine, f.Line, f.From, f.To, f.Ordered, nil, a.sentence(f).In(in)}
		if len(f.Second.Votes) > 0 {
			second := of(&f.Second)
			j.Second = &second
		}
		if f.Cause.Kind != "" {
			j.Cause = &cause{f.Cause.Kind, f.Cause.Line}
		}
		all.Findings = append(all.Findings, j)
	}
	for i := range a.Locks {
		r := &a.Locks[i]
		all.Locks = append(all.Locks, lock{r.DB, r.Key, r.Asks, r.Grants, r.Refused, r.Released, r.Expired, r.Renewals, r.HeldTypical, r.HeldLongest, r.Found})
	}
	for n, read := range a.Read {
		r := a.Nodes[n]
		all.Nodes = append(all.Nodes, node{a.Logs[n].Name, read.Lines, r.Commands, r.Began, r.Ended, read.Odd.Count + read.Long})
	}
	for _, remark := range a.Remarks() {
		all.Remarks = append(all.Remarks, remark.In(in))
	}
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(all)
}

// WriteHTML writes the account as a page that needs no server: the findings, each with what every node granted, and the locks.
func (a *NodesAccount) WriteHTML(out io.Writer, in lang.Language) error {
	p := &page{in: in}
	p.begin(p.say("Locks of several nodes", "多个节点上的锁"), len(a.Locks), p.say("the node has granted it", "节点已让它得到锁"), p.say("the lease is over there", "在该节点租约已到期"), p.say("two have a majority", "两个都得到多数"))
	if a.Found == 0 {
		for _, t := range a.nothing() {
			fmt.Fprintf(p, "<p>%s</p>\n", p.text(t))
		}
	} else {
		fmt.Fprintf(p, "<h2>%s</h2>\n<ol>\n", p.say("Found: %d", "发现 %d 处问题", a.Found))
		for i := range a.Findings {
			f := &a.Findings[i]
			fmt.Fprintf(p, "<li><b>%s</b> <time>%s</time>\n", p.text(names[f.Kind]), clock(f.From))
			for _, t := range a.Sentences(f) {
				fmt.Fprintf(p, "<br>%s\n", p.text(t))
			}
			if command := a.Command(i); command != "" {
				fmt.Fprintf(p, "<br><code>%s</code>\n", html.EscapeString(command))
			}
			if i < maxZooms {
				a.zoom(p, f)
			}
			p.WriteString("</li>\n")
		}
		p.WriteString("</ol>\n")
		p.more(a.Found - len(a.Findings))
	}
	p.table(nodeColumns, len(a.Locks), func(i int) []string { return nodeCells(&a.Locks[i]) })
	for i := range a.Locks[:min(len(a.Locks), maxBars)] {
		bars(p, &a.Locks[i].Row, nil)
	}
	return p.end(a.Remarks(), out)
}

// zoom draws what the nodes granted the parties of a finding, a lane for each node of each.
func (a *NodesAccount) zoom(p *page, f *detect.MajorityFinding) {
	c := chart{b: &p.Builder, first: f.From, last: f.To}
	for _, m := range []*detect.Majority{&f.First, &f.Second} {
		for _, v := range m.Votes {
			c.lanes = append(c.lanes, a.Logs[v.Node].Name+": "+clip(m.Token, 16))
			c.first, c.last = min(c.first, v.Time), max(c.last, v.Time)
			if v.Left > 0 {
				c.last = max(c.last, v.Until)
			} else {
				c.last = max(c.last, min(v.Lease, f.To))
			}
		}
	}
	around := max(c.last-c.first, 1) / 20
	c.first, c.last = c.first-around, c.last+around
	c.begin(names[f.Kind].In(p.in))
	lane := 0
	for _, m := range []*detect.Majority{&f.First, &f.Second} {
		for _, v := range m.Votes {
			until := c.last
			if v.Left > 0 {
				until = v.Until
			} else if v.Lease > 0 {
				until = min(until, v.Lease)
			}
			end := until
			if v.Lease > 0 {
				end = min(end, v.Lease)
			}
			h := m.Holder
			h.Time = v.Time
			c.held(lane, &h, max(end, v.Time), max(until, v.Time))
			lane++
		}
	}
	if f.Kind == detect.Overlap {
		c.over(f.From, f.To, a.sentence(f).In(p.in))
	}
	c.end()
}

// names returns what gives the names in an account, and in a scenario of the same logs.
func (a *NodesAccount) names() (values, hosts *Redactor) {
	values, hosts = NewRedactor(), NewRedactor()
	party := func(m *detect.Majority) {
		if m.Token != "" {
			values.argument("value", m.Token, m.Time)
		}
		hosts.person(m.Address, m.Name)
		for _, v := range m.Votes {
			hosts.person(v.Address, "")
		}
	}
	for i := range a.Findings {
		f := &a.Findings[i]
		values.name("key", f.Key)
		party(&f.First)
		party(&f.Second)
	}
	for i := range a.Locks {
		values.name("key", a.Locks[i].Key)
		for j := range a.Locks[i].Stays {
			s := &a.Locks[i].Stays[j]
			hosts.person(s.Address, s.Name)
		}
	}
	return values, hosts
}

// Redact gives keys, tokens, addresses and names short names.
func (a *NodesAccount) Redact() {
	a.hidden = true
	values, hosts := a.names()
	holder := func(h *detect.Holder) { hide(h, values, hosts) }
	party := func(m *detect.Majority) {
		holder(&m.Holder)
		for i := range m.Votes {
			m.Votes[i].Address, _ = hosts.person(m.Votes[i].Address, "")
		}
	}
	for i := range a.Findings {
		f := &a.Findings[i]
		f.Key = values.name("key", f.Key)
		party(&f.First)
		party(&f.Second)
	}
	for i := range a.Locks {
		l := &a.Locks[i]
		l.Key = values.name("key", l.Key)
		for j := range l.Stays {
			holder(&l.Stays[j].Holder)
		}
	}
}
