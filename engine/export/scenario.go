package export

import (
	"bufio"

	"lockstep/engine"
	"lockstep/engine/lang"
)

// Scenario is the text from which Lockstep plays a run again.
var Scenario = Format{
	Name: "scenario", Extension: "txt", MediaType: "text/plain; charset=utf-8",
	Title:   lang.Both("Scenario, .txt", "场景文本 .txt"),
	Purpose: lang.Both("The run as text that Lockstep plays again.", "运行的场景文本，Lockstep 可以原样重放。"),
	Write:   buffered(writeScenario),
}

func writeScenario(out *bufio.Writer, t *engine.Trace) {
	out.WriteString(t.Scenario.String())
}
