package export

import (
	"bufio"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"lockstep/engine"
)

// A Mermaid diagram has no slanted arrows: a message stands where it arrives,
// which is the order that counts, Redis'. That it was sent earlier a note says,
// unless it arrived before anything else did. Whoever is in the critical section
// is activated. A violation stands in a coloured rectangle, together with what
// happens while it lasts.
type mermaid struct {
	out    *bufio.Writer
	lanes  []string // in the order of their columns
	inside []string // those who are activated
	open   int      // violations that last
}

// mermaidMost is how many characters Mermaid draws, unless its host allows more
// (maxTextSize in its configuration; a diagram cannot set it).
const mermaidMost = 50_000

func writeMermaid(out *bufio.Writer, t *engine.Trace) {
	var text strings.Builder
	body := bufio.NewWriter(&text)
	writeDiagram(body, t)
	body.Flush()
	out.WriteString("sequenceDiagram\n")
	if n := len(utf16.Encode([]rune(text.String()))); n > mermaidMost {
		fmt.Fprintf(out, "%%%% This diagram has %d characters. Mermaid draws %d, unless maxTextSize in its configuration allows more.\n", n, mermaidMost)
	}
	out.WriteString(text.String())
}

func writeDiagram(out *bufio.Writer, t *engine.Trace) {
	w := t.Run.World()
	m := &mermaid{out: out}
	m.line("%%%% Lockstep: %s", strings.TrimSpace("program "+t.Scenario.Program+t.Scenario.Options.String()))
	for _, c := range w.Clients() {
		m.participant(c.Name)
	}
	for _, node := range w.Nodes() {
		m.participant(node)
	}
	if w.UsesStorage() {
		m.participant(engine.Storage)
	}
	events := w.Events()
	fates := fatesOf(events)
	for i := range events {
		m.event(&events[i], fates[i], events)
	}
	if m.open > 0 {
		m.line("end")
	}
	for _, client := range m.inside {
		m.line("deactivate %s", id(client))
	}
}

func (m *mermaid) participant(lane string) {
	m.lanes = append(m.lanes, lane)
	m.line("participant %s as %s", id(lane), engine.Title(lane))
}

func (m *mermaid) line(format string, arguments ...any) {
	fmt.Fprintf(m.out, format+"\n", arguments...)
}

// note stands over one lane, or spans all columns from the first to the last of several.
func (m *mermaid) note(text string, lanes ...string) {
	slices.SortFunc(lanes, func(a, b string) int { return slices.Index(m.lanes, a) - slices.Index(m.lanes, b) })
	over := id(lanes[0])
	if last := lanes[len(lanes)-1]; last != lanes[0] {
		over += "," + id(last)
	}
	m.line("Note over %s: %s", over, mermaidText(text))
}

func (m *mermaid) event(e *engine.Event, f fate, events []engine.Event) {
	sentence := e.Sentence(engine.English)
	switch e.Kind {
	case engine.Send:
		if f.overtaken {
			m.note(e.Call.Label()+" is on its way", e.Lane)
		}
	case engine.Deliver:
		m.line("%s->>%s: %s", id(e.Call.Client), id(e.Lane), mermaidText(fmt.Sprintf("#%d %s", e.Execution.Order, e.Call.Label())))
	case engine.Write:
		m.line("%s->>%s: %s", id(e.Call.Client), id(e.Lane), mermaidText(e.Call.Label()))
	case engine.Reject:
		m.line("%s-x%s: %s", id(e.Call.Client), id(e.Lane), mermaidText(e.Call.Label()))
		m.note(sentence, e.Call.Client, e.Lane)
	case engine.Reply:
		switch {
		case f.unheard:
			m.line("%s--x%s: %s", id(e.Lane), id(e.Call.Client), mermaidText(e.Execution.Reply.String()))
		case f.overtaken:
			m.note(e.Execution.Reply.String()+" is on its way", e.Lane)
		}
	case engine.Receive:
		m.line("%s-->>%s: %s", id(e.Call.Node), id(e.Lane), mermaidText(e.Execution.Reply.String()))
	case engine.Drop:
		if e.Lost == "reply" {
			m.line("%s--x%s: %s", id(e.Call.Node), id(e.Call.Client), mermaidText(e.Execution.Reply.String()))
		} else {
			m.line("%s-x%s: %s", id(e.Call.Client), id(e.Call.Node), mermaidText(e.Call.Label()))
		}
		m.note(sentence, e.Call.Client, e.Call.Node)
	case engine.Enter:
		m.line("activate %s", id(e.Lane))
		m.inside = append(m.inside, e.Lane)
		m.note(sentence, e.Lane)
	case engine.Leave:
		m.leave(e.Lane)
	case engine.Crash, engine.Error:
		m.note(sentence, e.Lane)
		m.leave(e.Lane)
	case engine.Violated:
		m.violated(e.Violation, events)
	case engine.Cleared:
		if m.open--; m.open == 0 {
			m.line("end")
		}
	case engine.AcquireFailed, engine.Wake: // the sleep, and the command that follow say as much
	default:
		if e.Lane == "" {
			m.note(sentence, m.lanes[0], m.lanes[len(m.lanes)-1])
		} else {
			m.note(sentence, e.Lane)
		}
	}
}

// leave deactivates a client, if it was in the critical section.
func (m *mermaid) leave(client string) {
	if i := slices.Index(m.inside, client); i >= 0 {
		m.inside = slices.Delete(m.inside, i, i+1)
		m.line("deactivate %s", id(client))
	}
}

// violated opens the rectangle, or only draws it round the note where the
// violation is over at once. Within another it needs none of its own.
func (m *mermaid) violated(v *engine.Violation, events []engine.Event) {
	if m.open == 0 {
		m.line("rect rgb(255, 221, 214)")
	}
	text := v.Property + ": " + v.English + "."
	if v.Cause > 0 {
		text += "\nCause: " + events[v.Cause-1].Sentence(engine.English)
	}
	m.note(text, slices.Clone(v.Clients)...)
	switch {
	case !v.Momentary:
		m.open++
	case m.open == 0:
		m.line("end")
	}
}

// A fate is what becomes of a request that is sent, or of a reply.
type fate struct {
	overtaken bool // something else reaches its end, or time passes, before it arrives, or it never does
	unheard   bool // a reply to a client that is no longer there
}

// fatesOf looks ahead, for each event.
func fatesOf(events []engine.Event) []fate {
	fates := make([]fate, len(events))
	waiting := map[int]int{} // by the number of the call: where its latest message set out
	for i, e := range events {
		switch e.Kind {
		case engine.Deliver, engine.Write, engine.Reject, engine.Tick:
			for call, sent := range waiting {
				if e.Call == nil || e.Call.ID != call {
					fates[sent].overtaken = true
				}
			}
		case engine.Crash, engine.Error, engine.Restart:
			for _, sent := range waiting {
				if events[sent].Kind == engine.Reply && events[sent].Call.Client == e.Lane {
					fates[sent].unheard = true
				}
			}
		}
		switch e.Kind {
		case engine.Send, engine.Reply:
			waiting[e.Call.ID] = i
		case engine.Deliver, engine.Write, engine.Reject, engine.Receive, engine.Drop:
			delete(waiting, e.Call.ID)
		}
	}
	orphaned := orphans(events)
	for _, sent := range waiting { // never arrived
		fates[sent].overtaken = true
		if events[sent].Kind == engine.Reply && orphaned[events[sent].Call.ID] {
			fates[sent].unheard = true
		}
	}
	return fates
}

// orphans are the calls whose client died before they were answered.
func orphans(events []engine.Event) map[int]bool {
	orphaned := map[int]bool{}
	for _, e := range events {
		if (e.Kind == engine.Crash || e.Kind == engine.Error) && e.Call != nil {
			orphaned[e.Call.ID] = true
		}
	}
	return orphaned
}
