package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

// A row is one line of the table.
type row struct {
	what   string
	target string
	figure string
	misses bool
	notes  []string // lines below the figure
}

// The widths of the columns. The rows are printed as they come.
const layout = "%-42s  %-10s  %-5s  %-5s  %s\n"

func printHead(w io.Writer) {
	fmt.Fprintf(w, layout, "", "target", "holds", "load", "figure")
}

// print says beside the figure how busy the machine is: the load average of the
// last minute, which counts this program as well.
func (r row) print(w io.Writer) {
	holds := "yes"
	switch {
	case r.target == "":
		holds = ""
	case r.misses:
		holds = "NO"
	}
	fmt.Fprintf(w, layout, r.what, r.target, holds, busy(), r.figure)
	for _, note := range r.notes {
		fmt.Fprintf(w, layout, "", "", "", "", note)
	}
}

// busy is the load average of the last minute, where the system tells.
func busy() string {
	text, _ := os.ReadFile("/proc/loadavg")
	first, _, _ := strings.Cut(string(text), " ")
	return first
}

// within is a row about a time that must be shorter than a bound.
func within(what string, bound, took time.Duration, figure string) row {
	return row{what: what, target: "< " + bound.String(), figure: figure, misses: took >= bound}
}

// times are how long something took, each time.
type times []time.Duration

// quantile is the time that a share of them did not exceed.
func (t times) quantile(share float64) time.Duration {
	if len(t) == 0 {
		return 0
	}
	return t[min(len(t)-1, int(share*float64(len(t))))]
}

func (t times) p99() time.Duration { return t.quantile(.99) }

// String tells the quantiles. The times are in order.
func (t times) String() string {
	return fmt.Sprintf("p50 %s, p99 %s, max %s", brief(t.quantile(.5)), brief(t.p99()), brief(t.quantile(1)))
}

func sorted(all ...times) times {
	t := slices.Concat(all...)
	slices.Sort(t)
	return t
}

// brief is a time with three digits or so.
func brief(d time.Duration) string {
	switch {
	case d >= time.Second:
		return d.Round(10 * time.Millisecond).String()
	case d >= time.Millisecond:
		return d.Round(100 * time.Microsecond).String()
	}
	return d.Round(time.Microsecond).String()
}
