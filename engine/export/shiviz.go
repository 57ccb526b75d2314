package export

import (
	"bufio"
	"fmt"
	"strings"

	"lockstep/engine"
	"lockstep/engine/lang"
)

// The first two lines of the log tell ShiViz how to find the parts of an event, and where an execution begins.
const (
	shivizParser    = `(?<host>\S+) (?<clock>\{.*\}) t=(?<time>\d+) seq=(?<seq>\d+) kind=(?<kind>\S+) (?<event>.*)`
	shivizDelimiter = `=== (?<trace>.*) ===`
)

// Neither pattern is anchored, and a sentence may quote a stranger's text. The text must not look like the end of a clock,
// a delimiter, or a new line.
var shivizText = strings.NewReplacer("} t=", "}  t=", "==", "= =", "\r", " ", "\n", " ")

func writeShiViz(out *bufio.Writer, t *engine.Trace) {
	title := t.Scenario.Program
	if title == "" {
		title = "lockstep"
	}
	fmt.Fprintf(out, "%s\n%s\n=== %s ===\n", shivizParser, shivizDelimiter, title)
	events := t.Run.World().Events()
	stamps := clocks(events)
	for i := range events {
		e := &events[i]
		fmt.Fprintf(out, "%s %s t=%d seq=%d kind=%s %s\n",
			host(e), encode(stamps[i]), int64(e.Time), e.Seq, e.Kind, shivizText.Replace(e.Sentence(lang.English)))
	}
}
