package monitor

import (
	"fmt"
	"html"
	"io"
	"strings"

	"lockstep/engine/lang"
	"lockstep/engine/monitor/detect"
)

// maxBars is how many locks have bars in the page, and maxLanes how many owners of one.
const (
	maxBars  = 12
	maxLanes = 24
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
	if a.Found == 0 {
		fmt.Fprintf(&b, "<p>%s</p>\n", say("Nothing was found that the log proves.", "没有发现日志能够证明的问题。"))
	} else {
		fmt.Fprintf(&b, "<h2>%s</h2>\n<ol>\n", say("Found: %d", "发现 %d 处问题", a.Found))
		for i := range a.Findings {
			f := &a.Findings[i]
			fmt.Fprintf(&b, "<li><b>%s</b> <time>%s</time><br>%s</li>\n", html.EscapeString(names[f.Kind].In(in)), clock(f.From), html.EscapeString(Sentence(f).In(in)))
		}
		b.WriteString("</ol>\n")
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
h2{font-size:1.15rem}table{border-collapse:collapse}td,th{padding:.2rem .8rem .2rem 0;text-align:left;white-space:nowrap}
.wide{overflow-x:auto}time{color:#57606a}svg{max-width:100%;height:auto;display:block}svg text{font:11px system-ui,sans-serif;fill:currentColor}
.held{fill:#4c78a8}.over{fill:#c0392b;opacity:.45}.late{fill:#e0a030}
@media(prefers-color-scheme:dark){body{color:#e6edf3;background:#0d1117}time{color:#8b949e}}`

// bars draws who held a lock when: the time of its lease in blue, what is beyond it in orange, and overlaps in red.
func (a *Account) bars(b *strings.Builder, r *detect.Row, in lang.Language) {
	if len(r.Stays) == 0 {
		return
	}
	var lanes []string
	lane := map[string]int{}
	first, last := r.Stays[0].Time, int64(0)
	overlaps := []*detect.Finding{}
	for i := range a.Findings {
		if f := &a.Findings[i]; f.Kind == detect.Overlap && f.Key == r.Key && f.DB == r.DB && len(overlaps) < 100 {
			overlaps = append(overlaps, f)
		}
	}
	for i := range r.Stays {
		s := &r.Stays[i]
		if _, known := lane[s.Address]; !known && len(lanes) < maxLanes {
			lane[s.Address] = len(lanes)
			lanes = append(lanes, s.Address)
		}
		first, last = min(first, s.Time), max(last, s.Until, s.Time)
	}
	span := max(last-first, 1)
	const left, width, row = 180, 800, 18
	x := func(t int64) float64 {
		return left + float64(min(max(t-first, 0), span))/float64(span)*width
	}
	height := len(lanes)*row + 34
	fmt.Fprintf(b, "<h2>%s</h2>\n<svg viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\"><title>%s</title>\n", html.EscapeString(quoted(r.Key)), left+width+10, height, left+width+10,
		html.EscapeString(lang.Format("who held %s when", "谁在什么时候持有 %s", quoted(r.Key)).In(in)))
	for i, name := range lanes {
		fmt.Fprintf(b, "<text x=\"0\" y=\"%d\">%s</text>\n", i*row+12, html.EscapeString(clip(name, 26)))
	}
	for i := range r.Stays {
		s := &r.Stays[i]
		n, known := lane[s.Address]
		if !known {
			continue
		}
		end := max(s.Until, s.Time)
		inTime := end
		if s.Lease > 0 {
			inTime = min(end, s.Lease)
		}
		fmt.Fprintf(b, "<rect class=\"held\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"12\"><title>%s %s – %s</title></rect>\n", x(s.Time), n*row+2, max(x(inTime)-x(s.Time), 1), html.EscapeString(s.Token), clock(s.Time), clock(end))
		if inTime < end {
			fmt.Fprintf(b, "<rect class=\"late\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"12\"/>\n", x(inTime), n*row+2, max(x(end)-x(inTime), 1))
		}
	}
	for _, f := range overlaps {
		if f.From <= last {
			fmt.Fprintf(b, "<rect class=\"over\" x=\"%.1f\" y=\"0\" width=\"%.1f\" height=\"%d\"><title>%s</title></rect>\n", x(f.From), max(x(f.To)-x(f.From), 1.5), len(lanes)*row, html.EscapeString(names[f.Kind].In(in)))
		}
	}
	fmt.Fprintf(b, "<text x=\"%d\" y=\"%d\">%s</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n</svg>\n", left, height-14, clock(first), left+width, height-14, clock(last))
	if len(r.Stays) == detect.MaxStays {
		fmt.Fprintf(b, "<p>%s</p>\n", html.EscapeString(lang.Format("The first %d holds are drawn.", "只画出前 %d 次持有。", detect.MaxStays).In(in)))
	}
}
