package monitor

import (
	"fmt"
	"html"
	"io"

	"lockstep/engine/lang"
	"lockstep/engine/monitor/detect"
	"lockstep/engine/redis"
)

// maxBars is how many locks have bars in the page, maxLanes how many connections of one, and maxZooms how many findings.
const (
	maxBars  = 12
	maxLanes = 24
	maxZooms = 50
)

// WriteHTML writes the account as a page that needs no server: the findings, the table of locks, and for each lock bars of who
// held it when.
func (a *Account) WriteHTML(out io.Writer, in lang.Language) error {
	p := &page{in: in}
	p.begin(p.say("Locks of a log", "日志中的锁"), len(a.Locks), p.say("holds the lock", "持有锁"), p.say("has lost the lock, and goes on", "已失去锁，却还在继续"), p.say("two are inside", "两个同时在临界区内"))
	if a.Found == 0 {
		fmt.Fprintf(p, "<p>%s</p>\n", p.say("Nothing was found that the log proves.", "没有发现日志能够证明的问题。"))
		if len(a.Locks) == 0 {
			fmt.Fprintf(p, "<p>%s</p>\n", p.text(a.noLock()))
		}
	} else {
		fmt.Fprintf(p, "<h2>%s</h2>\n<ol>\n", p.say("Found: %d", "发现 %d 处问题", a.Found))
		for i := range a.Findings {
			f := &a.Findings[i]
			fmt.Fprintf(p, "<li><b>%s</b> <time>%s</time><br>%s<br>%s<br>\n", p.text(names[f.Kind]), clock(f.From), p.text(Sentence(f)), p.say("In short: %s.", "一句话：%s。", Short(f)))
			if len(f.Said) > 0 {
				fmt.Fprintf(p, "%s<br>\n", p.say("Line %d: %s", "第 %d 行：%s", f.Line, clip(redis.Quote(f.Said), 300)))
			}
			if command := a.Command(i); command != "" {
				fmt.Fprintf(p, "<code>%s</code>\n", html.EscapeString(command))
			}
			if i < maxZooms {
				zoom(p, f)
			}
			p.WriteString("</li>\n")
		}
		p.WriteString("</ol>\n")
		p.more(a.Found - len(a.Findings))
	}
	if notJudged, any := a.notJudged(); any {
		fmt.Fprintf(p, "<p>%s</p>\n", p.text(notJudged))
	}
	p.table(columns, len(a.Locks), func(i int) []string { return cells(&a.Locks[i]) })
	for i := range a.Locks[:min(len(a.Locks), maxBars)] {
		bars(p, &a.Locks[i], a.Findings)
	}
	return p.end(a.Remarks(), out)
}

// zoom draws a finding alone.
func zoom(p *page, f *detect.Finding) {
	c := chart{b: &p.Builder, first: f.First.Time, last: f.To, lanes: []string{f.First.Address}}
	around := max(c.last-c.first, 1) / 20
	c.first, c.last = c.first-around, c.last+around
	if f.Second.ID > 0 {
		c.lanes = append(c.lanes, f.Second.Address)
	}
	c.begin(names[f.Kind].In(p.in))
	end := f.To
	if f.Lease > 0 {
		end = min(end, f.Lease)
	}
	c.held(0, &f.First, end, f.To)
	if f.Second.ID > 0 {
		c.held(1, &f.Second, f.To, f.To)
	}
	if f.Kind == detect.Overlap {
		c.over(f.From, f.To, Sentence(f).In(p.in))
	}
	c.end()
}

// bars draws a lock: first the connections of what was found, then the others.
func bars(p *page, r *detect.Row, findings []detect.Finding) {
	if len(r.Stays) == 0 {
		return
	}
	c := chart{b: &p.Builder, first: r.Stays[0].Time}
	lane := map[string]int{}
	add := func(address string) {
		if _, known := lane[address]; !known {
			lane[address] = len(lane)
			if len(c.lanes) < maxLanes {
				c.lanes = append(c.lanes, address)
			}
		}
	}
	overlaps := []*detect.Finding{}
	for i := range findings {
		f := &findings[i]
		if f.Key != r.Key || f.DB != r.DB {
			continue
		}
		add(f.First.Address)
		if f.Second.ID > 0 {
			add(f.Second.Address)
		}
		if f.Kind == detect.Overlap && len(overlaps) < 100 {
			overlaps = append(overlaps, f)
		}
	}
	for i := range r.Stays {
		s := &r.Stays[i]
		add(s.Address)
		c.first, c.last = min(c.first, s.Time), max(c.last, s.Until, s.Time)
	}
	fmt.Fprintf(p, "<h2>%s</h2>\n", html.EscapeString(quoted(r.Key)))
	c.begin(lang.Format("who held %s when", "谁在什么时候持有 %s", quoted(r.Key)).In(p.in))
	for i := range r.Stays {
		s := &r.Stays[i]
		if n := lane[s.Address]; n < len(c.lanes) {
			until := max(s.Until, s.Time)
			end := until
			if s.Lease > 0 {
				end = min(until, s.Lease)
			}
			c.held(n, &s.Holder, end, until)
		}
	}
	for _, f := range overlaps {
		if f.From <= c.last {
			c.over(f.From, f.To, Sentence(f).In(p.in))
		}
	}
	c.end()
	if more := len(lane) - len(c.lanes); more > 0 {
		fmt.Fprintf(p, "<p>%s</p>\n", p.say("Connections that are not drawn: %d.", "未画出的连接：%d 个。", more))
	}
	if len(r.Stays) == detect.MaxStays {
		fmt.Fprintf(p, "<p>%s</p>\n", p.say("The first %d holds are drawn.", "只画出前 %d 次持有。", detect.MaxStays))
	}
}
