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
}

// The widths of the columns. The rows are printed as they come.
const layout = "%-46s  %-9s  %-5s  %-5s  %s\n"

func printHead(w io.Writer) {
	fmt.Fprintf(w, layout, "", "target", "holds", "load", "figure")
}

// print prints beside each figure how busy the machine is: the load average of the
// last minute, which includes this program.
func (r row) print(w io.Writer) {
	holds := "yes"
	switch {
	case r.target == "":
		holds = ""
	case r.misses:
		holds = "NO"
	}
	text, _ := os.ReadFile("/proc/loadavg") // where the system gives it
	busy, _, _ := strings.Cut(string(text), " ")
	fmt.Fprintf(w, layout, r.what, r.target, holds, busy, r.figure)
}

// within returns a row about a time that must stay below a bound.
func within(what string, bound, took time.Duration, figure string) row {
	return row{what: what, target: "< " + bound.String(), figure: figure, misses: took >= bound}
}

// exactly returns a row about a number that must be a certain one.
func exactly(what string, n, want int) row {
	return row{what: what, target: fmt.Sprint(want), figure: fmt.Sprint(n), misses: n != want}
}

// times holds how long something took, each time.
type times []time.Duration

// quantile returns the time that a share of them did not exceed.
func (t times) quantile(share float64) time.Duration {
	if len(t) == 0 {
		return 0
	}
	return t[min(len(t)-1, int(share*float64(len(t))))]
}

func (t times) p99() time.Duration { return t.quantile(.99) }

// String returns the quantiles of sorted times.
func (t times) String() string {
	return fmt.Sprintf("p50 %s, p99 %s, max %s", brief(t.quantile(.5)), brief(t.p99()), brief(t.quantile(1)))
}

func sorted(t times) times {
	slices.Sort(t)
	return t
}

// brief returns a time with about three digits.
func brief(d time.Duration) string {
	switch {
	case d >= time.Second:
		return d.Round(10 * time.Millisecond).String()
	case d >= time.Millisecond:
		return d.Round(100 * time.Microsecond).String()
	}
	return d.Round(time.Microsecond).String()
}
