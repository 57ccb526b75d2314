package monitor

import (
	"fmt"
	"html"
	"io"
	"strings"

	"lockstep/engine/lang"
	"lockstep/engine/monitor/detect"
)

// A page is a report that needs no server, whether of one log or of several nodes'.
type page struct {
	strings.Builder
	in lang.Language
}

func (p *page) text(t lang.Text) string { return html.EscapeString(t.In(p.in)) }

func (p *page) say(english, chinese string, arguments ...any) string {
	return p.text(lang.Format(english, chinese, arguments...))
}

// begin writes the head, with what the colours mean; without a lock there are none.
func (p *page) begin(title string, locks int, held, late, over string) {
	fmt.Fprintf(p, "<!DOCTYPE html>\n<html lang=%q><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>%s</title>\n<style>%s</style>\n<h1>%s</h1>\n", p.in, title, pageStyle, title)
	if locks > 0 {
		fmt.Fprintf(p, "<p class=\"legend\"><svg width=\"12\" height=\"12\"><rect class=\"held\" width=\"12\" height=\"12\"/></svg> %s <svg width=\"12\" height=\"12\"><rect class=\"late\" width=\"12\" height=\"12\"/></svg> %s <svg width=\"12\" height=\"12\"><rect class=\"over\" width=\"12\" height=\"12\"/></svg> %s</p>\n", held, late, over)
	}
}

// more says how many findings are left out.
func (p *page) more(n int) {
	if n > 0 {
		fmt.Fprintf(p, "<p>%s</p>\n", p.say("… and %d more", "……还有 %d 处", n))
	}
}

// table writes the table of locks; without a row there is none.
func (p *page) table(columns []lang.Text, rows int, cells func(i int) []string) {
	if rows == 0 {
		return
	}
	p.WriteString("<div class=\"wide\"><table><tr>")
	for _, c := range columns {
		fmt.Fprintf(p, "<th>%s</th>", p.text(c))
	}
	p.WriteString("</tr>\n")
	for i := range rows {
		p.WriteString("<tr>")
		for _, cell := range cells(i) {
			fmt.Fprintf(p, "<td>%s</td>", html.EscapeString(cell))
		}
		p.WriteString("</tr>\n")
	}
	p.WriteString("</table></div>\n")
}

// end writes the remarks, and the page to its reader.
func (p *page) end(remarks []lang.Text, out io.Writer) error {
	p.WriteString("<ul>\n")
	for _, remark := range remarks {
		fmt.Fprintf(p, "<li>%s</li>\n", p.text(remark))
	}
	p.WriteString("</ul>\n</html>\n")
	_, err := io.WriteString(out, p.String())
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

// over draws that two were inside, and says so.
func (c *chart) over(from, to int64, told string) {
	fmt.Fprintf(c.b, "<rect class=\"over\" x=\"%.1f\" y=\"0\" width=\"%.1f\" height=\"%d\"><title>%s</title></rect>\n", c.x(from), max(c.x(to)-c.x(from), 1.5), len(c.lanes)*chartRow, html.EscapeString(told))
}

func (c *chart) end() {
	height := len(c.lanes)*chartRow + 34
	fmt.Fprintf(c.b, "<text x=\"%d\" y=\"%d\">%s</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n</svg></div>\n", chartLeft, height-14, clock(c.first), chartLeft+chartWidth, height-14, clock(c.last))
}
