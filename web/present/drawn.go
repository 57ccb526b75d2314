package present

import (
	"encoding/json"
	"fmt"

	"lockstep/engine"
	"lockstep/engine/lang"
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
	line := 0
	for _, e := range r.World().Events() {
		if e.Kind == engine.Send && e.Call.ID == guilty.Call.ID {
			line = e.Line
		}
	}
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
