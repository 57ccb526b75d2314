package export

import (
	"bufio"

	"lockstep/engine"
	"lockstep/engine/lang"
)

// NDJSON is a lockstep.trace with one event a line.
var NDJSON = Format{
	Name: "ndjson", Extension: "ndjson", MediaType: "application/x-ndjson",
	Title:   lang.Both("Events, .ndjson", "事件 .ndjson"),
	Purpose: lang.Both("The same, one event per line, for jq and grep.", "内容相同，每行一个事件，方便用 jq 和 grep 处理。"),
	Write:   buffered(writeNDJSON),
}

func writeNDJSON(out *bufio.Writer, t *engine.Trace) {
	out.Write(append(encode(headerOf(t)), '\n'))
	for _, event := range encodeEvents(t) {
		out.Write(append(event, '\n'))
	}
}
