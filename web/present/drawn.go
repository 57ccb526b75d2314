package present

import (
	"encoding/json"
	"fmt"

	"lockstep/engine"
	"lockstep/engine/lang"
	"lockstep/engine/program"
	"lockstep/views"
)

// drawn returns the events of a run with only what a picture shows: the sentence in the reader's language, and
// no data of the wire.
func drawn(r *engine.Run, l lang.Language) []map[string]any {
	all := make([]map[string]any, len(r.World().Events()))
	for i, e := range r.World().Events() {
		text, err := json.Marshal(e)
		if err == nil {
			err = json.Unmarshal(text, &all[i])
		}
		if err != nil {
			panic(fmt.Errorf("an event of a picture: %w", err)) // all of them are plain data
		}
		delete(all[i], "request")
		all[i]["sentence"] = map[lang.Language]string{l: e.Sentence(l)}
	}
	return all
}

// programLines returns the lines of a program around the line at which the client sent the guilty command.
func programLines(r *engine.Run, client string, guilty engine.Event, l lang.Language) []views.SourceLine {
	line := sentAt(r.World().Events(), guilty)
	in := presenter{world: r.World(), language: l}
	lines := in.lines(r.World().Client(client).Program)
	lines = lines[max(0, line-4):min(len(lines), line+3)]
	for i := range lines {
		lines[i].Clients = nil
		if lines[i].Number == line {
			lines[i].Clients = []string{client}
		}
	}
	return inSpace(lines)
}

// sentAt returns the line of the program at which a command was sent; 0: the event has none.
func sentAt(events []engine.Event, guilty engine.Event) (line int) {
	for _, e := range events {
		if guilty.Call != nil && e.Kind == engine.Send && e.Call.ID == guilty.Call.ID {
			line = e.Line
		}
	}
	return line
}

// A program with more lines than longSource is shown around one line, with that many before and after it.
const (
	longSource = 200
	aroundLine = 20
)

// source returns a program's text, with nobody in it. Of a long program it returns the lines around one of them.
func source(p *program.Program, line int, l lang.Language) []views.SourceLine {
	in := presenter{world: engine.New(engine.Header{}), language: l}
	lines := in.lines(p)
	if len(lines) > longSource {
		lines = lines[max(0, line-1-aroundLine):min(len(lines), line+aroundLine)]
	}
	return inSpace(lines)
}
