package monitor

import (
	"fmt"
	"html"
	"strings"

	"lockstep/engine/monitor/detect"
)

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
