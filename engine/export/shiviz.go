package export

import (
	"bufio"
	"fmt"
	"strings"

	"lockstep/engine"
	"lockstep/engine/lang"
)

// ShiViz is a log with vector clocks.
var ShiViz = Format{
	Name: "shiviz", Extension: "shiviz.log", MediaType: "text/plain; charset=utf-8",
	Title:   lang.Both("ShiViz log, .log", "ShiViz 日志 .log"),
	Purpose: lang.Both("A log with vector clocks, for ShiViz.", "带向量时钟的日志，供 ShiViz 使用。"),
	Write:   buffered(writeShiViz),
}

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
