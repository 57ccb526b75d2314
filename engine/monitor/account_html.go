package monitor

import (
	"fmt"
	"html"
	"io"
	"strings"

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
	var b strings.Builder
	say := func(english, chinese string, arguments ...any) string {
		return html.EscapeString(lang.Format(english, chinese, arguments...).In(in))
	}
	title := say("Locks of a log", "日志中的锁")
	fmt.Fprintf(&b, "<!DOCTYPE html>\n<html lang=%q><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>%s</title>\n<style>%s</style>\n<h1>%s</h1>\n", in, title, pageStyle, title)
	if len(a.Locks) > 0 {
		fmt.Fprintf(&b, "<p class=\"legend\"><svg width=\"12\" height=\"12\"><rect class=\"held\" width=\"12\" height=\"12\"/></svg> %s <svg width=\"12\" height=\"12\"><rect class=\"late\" width=\"12\" height=\"12\"/></svg> %s <svg width=\"12\" height=\"12\"><rect class=\"over\" width=\"12\" height=\"12\"/></svg> %s</p>\n",
			say("holds the lock", "持有锁"), say("has lost the lock, and goes on", "已失去锁，却还在继续"), say("two are inside", "两个同时在临界区内"))
	}
	if a.Found == 0 {
		fmt.Fprintf(&b, "<p>%s</p>\n", say("Nothing was found that the log proves.", "没有发现日志能够证明的问题。"))
		if len(a.Locks) == 0 {
			fmt.Fprintf(&b, "<p>%s</p>\n", html.EscapeString(a.noLock().In(in)))
		}
	} else {
		fmt.Fprintf(&b, "<h2>%s</h2>\n<ol>\n", say("Found: %d", "发现 %d 处问题", a.Found))
		for i := range a.Findings {
			f := &a.Findings[i]
			fmt.Fprintf(&b, "<li><b>%s</b> <time>%s</time><br>%s<br>%s<br>\n", html.EscapeString(names[f.Kind].In(in)), clock(f.From), html.EscapeString(Sentence(f).In(in)), say("In short: %s.", "一句话：%s。", Short(f)))
			if len(f.Said) > 0 {
				fmt.Fprintf(&b, "%s<br>\n", say("Line %d: %s", "第 %d 行：%s", f.Line, clip(redis.Quote(f.Said), 300)))
			}
			if command := a.Command(i); command != "" {
				fmt.Fprintf(&b, "<code>%s</code>\n", html.EscapeString(command))
			}
			if i < maxZooms {
				zoom(&b, f, in)
			}
			b.WriteString("</li>\n")
		}
		b.WriteString("</ol>\n")
		if more := a.Found - len(a.Findings); more > 0 {
			fmt.Fprintf(&b, "<p>%s</p>\n", say("… and %d more", "……还有 %d 处", more))
		}
	}
	if notJudged, any := a.notJudged(); any {
		fmt.Fprintf(&b, "<p>%s</p>\n", html.EscapeString(notJudged.In(in)))
	}
	if len(a.Locks) > 0 {
		b.WriteString("<div class=\"wide\"><table><tr>")
		for _, c := range columns {
			fmt.Fprintf(&b, "<th>%s</th>", html.EscapeString(c.In(in)))
		}
		b.WriteString("</tr>\n")
		for i := range a.Locks {
			b.WriteString("<tr>")
			for _, cell := range cells(&a.Locks[i]) {
				fmt.Fprintf(&b, "<td>%s</td>", html.EscapeString(cell))
			}
			b.WriteString("</tr>\n")
		}
		b.WriteString("</table></div>\n")
	}
	for i := range a.Locks[:min(len(a.Locks), maxBars)] {
		a.bars(&b, &a.Locks[i], in)
	}
	b.WriteString("<ul>\n")
	for _, remark := range a.Remarks() {
		fmt.Fprintf(&b, "<li>%s</li>\n", html.EscapeString(remark.In(in)))
	}
	b.WriteString("</ul>\n</html>\n")
	_, err := io.WriteString(out, b.String())
	return err
}

const pageStyle = `body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color:#1b1f24;background:#fff}
h2{font-size:1.15rem}table{border-collapse:collapse}td,th{padding:.2rem .6rem .2rem 0;text-align:left;vertical-align:bottom;font-size:.85rem}
.wide{overflow-x:auto}time{color:#57606a}svg{max-width:100%;height:auto;display:block}.wide svg{min-width:38rem;margin:.4rem 0}ol .wide svg{min-width:0}.legend svg{display:inline}li{overflow-wrap:anywhere}svg text{font:11px system-ui,sans-serif;fill:currentColor}
.held{fill:#4c78a8}.over{fill:#c0392b;opacity:.45}.late{fill:#e0a030}
@media(prefers-color-scheme:dark){body{color:#e6edf3;background:#0d1117}time{color:#8b949e}}`

// A chart draws who held a lock when: what is within its lease in blue, what is beyond its end in orange, and overlaps in red.
type chart struct {
	b           *strings.Builder
	first, last int64
	lanes       []string
}

const (
	chartLeft  = 180
	chartWidth = 800
	chartRow   = 18
)

func (c *chart) x(t int64) float64 {
	span := max(c.last-c.first, 1)
	return chartLeft + float64(min(max(t-c.first, 0), span))/float64(span)*chartWidth
}

func (c *chart) begin(title string) {
	height := len(c.lanes)*chartRow + 34
	fmt.Fprintf(c.b, "<div class=\"wide\"><svg viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\"><title>%s</title>\n", chartLeft+chartWidth+10, height, chartLeft+chartWidth+10, html.EscapeString(title))
	for i, name := range c.lanes {
		fmt.Fprintf(c.b, "<text x=\"0\" y=\"%d\">%s</text>\n", i*chartRow+12, html.EscapeString(clip(name, 26)))
	}
}

// held draws that somebody had the lock until its end, and went on.
func (c *chart) held(lane int, h *detect.Holder, end, until int64) {
	fmt.Fprintf(c.b, "<rect class=\"held\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"12\"><title>%s %s – %s</title></rect>\n", c.x(h.Time), lane*chartRow+2, max(c.x(end)-c.x(h.Time), 1), html.EscapeString(h.Token), clock(h.Time), clock(end))
	if end < until {
		fmt.Fprintf(c.b, "<rect class=\"late\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"12\"><title>%s %s – %s</title></rect>\n", c.x(end), lane*chartRow+2, max(c.x(until)-c.x(end), 1), html.EscapeString(h.Token), clock(end), clock(until))
	}
}

func (c *chart) over(f *detect.Finding, in lang.Language) {
	fmt.Fprintf(c.b, "<rect class=\"over\" x=\"%.1f\" y=\"0\" width=\"%.1f\" height=\"%d\"><title>%s</title></rect>\n", c.x(f.From), max(c.x(f.To)-c.x(f.From), 1.5), len(c.lanes)*chartRow, html.EscapeString(Sentence(f).In(in)))
}

func (c *chart) end() {
	height := len(c.lanes)*chartRow + 34
	fmt.Fprintf(c.b, "<text x=\"%d\" y=\"%d\">%s</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n</svg></div>\n", chartLeft, height-14, clock(c.first), chartLeft+chartWidth, height-14, clock(c.last))
}

// zoom draws a finding alone.
func zoom(b *strings.Builder, f *detect.Finding, in lang.Language) {
	c := chart{b: b, first: f.First.Time, last: f.To, lanes: []string{f.First.Address}}
	around := max(c.last-c.first, 1) / 20
	c.first, c.last = c.first-around, c.last+around
	if f.Second.ID > 0 {
		c.lanes = append(c.lanes, f.Second.Address)
	}
	c.begin(names[f.Kind].In(in))
	end := f.To
	if f.Lease > 0 {
		end = min(end, f.Lease)
	}
	c.held(0, &f.First, end, f.To)
	if f.Second.ID > 0 {
		c.held(1, &f.Second, f.To, f.To)
	}
	if f.Kind == detect.Overlap {
		c.over(f, in)
	}
	c.end()
}

// bars draws a lock: first the connections of what was found, then the others.
func (a *Account) bars(b *strings.Builder, r *detect.Row, in lang.Language) {
	if len(r.Stays) == 0 {
		return
	}
	c := chart{b: b, first: r.Stays[0].Time}
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
	for i := range a.Findings {
		f := &a.Findings[i]
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
	say := func(english, chinese string, arguments ...any) string {
		return html.EscapeString(lang.Format(english, chinese, arguments...).In(in))
	}
	fmt.Fprintf(b, "<h2>%s</h2>\n", html.EscapeString(quoted(r.Key)))
	c.begin(lang.Format("who held %s when", "谁在什么时候持有 %s", quoted(r.Key)).In(in))
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
			c.over(f, in)
		}
	}
	c.end()
	if more := len(lane) - len(c.lanes); more > 0 {
		fmt.Fprintf(b, "<p>%s</p>\n", say("Connections that are not drawn: %d.", "未画出的连接：%d 个。", more))
	}
	if len(r.Stays) == detect.MaxStays {
		fmt.Fprintf(b, "<p>%s</p>\n", say("The first %d holds are drawn.", "只画出前 %d 次持有。", detect.MaxStays))
	}
}
