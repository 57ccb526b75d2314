package export

import (
	"bufio"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"lockstep/engine"
	"lockstep/engine/lang"
)

// Mermaid is a sequence diagram.
var Mermaid = Format{
	Name: "mermaid", Extension: "mmd", MediaType: "text/vnd.mermaid; charset=utf-8",
	Title:   lang.Both("Mermaid diagram, .mmd", "Mermaid 图 .mmd"),
	Purpose: lang.Both("A sequence diagram for Markdown, wikis and slides.", "时序图，可直接放进 Markdown、wiki 和幻灯片。"),
	Write:   buffered(writeMermaid),
}

// A Mermaid diagram has no slanted arrows. A message stands where it arrives, as Redis' order counts. If anything else
// arrived first, a note tells that the message was sent earlier. A client in the critical section is activated. A
// violation is a coloured rectangle around the events while it lasts.
type mermaid struct {
	out    *bufio.Writer
	lanes  []string // in column order
	inside []string // the activated clients
	open   int      // open violations
}

// mermaidMost bounds the characters that Mermaid draws, unless its host allows more
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
		m.participant(c.Name, w.Label(c.Name))
	}
	for _, node := range w.Nodes() {
		m.participant(node, "")
	}
	if w.UsesStorage() {
		m.participant(engine.Storage, "")
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

// participant begins a lane, under its name and who it is.
func (m *mermaid) participant(lane, label string) {
	m.lanes = append(m.lanes, lane)
	title := engine.Title(lane)
	if label != "" {
		title += "<br/>" + mermaidText(label)
	}
	m.line("participant %s as %s", id(lane), title)
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
	sentence := e.Sentence(lang.English)
	switch e.Kind {
	case engine.Send:
		if f.overtaken {
			m.note(e.Call.Label()+" is on its way", e.Lane)
		}
	case engine.Deliver:
		m.line("%s->>%s: %s", id(e.Call.Client), id(e.Lane), mermaidText(fmt.Sprintf("#%d %s", e.Execution.Order, e.Call.Label())))
	case engine.Read, engine.Write, engine.Stage, engine.Commit:
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
	case engine.AcquireFailed, engine.Wake: // the sleep or the command that follows tells it
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

// violated opens the rectangle. If the violation ends at once, the rectangle surrounds only the note. Inside another
// rectangle it draws none.
func (m *mermaid) violated(v *engine.Violation, events []engine.Event) {
	if m.open == 0 {
		m.line("rect rgb(255, 221, 214)")
	}
	text := v.Property + ": " + v.English + "."
	if v.Cause > 0 {
		text += "\nCause: " + events[v.Cause-1].Sentence(lang.English)
	}
	m.note(text, slices.Clone(v.Clients)...)
	switch {
	case !v.Momentary:
		m.open++
	case m.open == 0:
		m.line("end")
	}
}

// A fate tells what happens to a request or a reply on its way.
type fate struct {
	overtaken bool // it never arrives, or another message arrives or time passes before it does
	unheard   bool // a reply to a client that is gone
}

// fatesOf looks ahead, for each event.
func fatesOf(events []engine.Event) []fate {
	fates := make([]fate, len(events))
	waiting := map[int]int{} // by the number of the call: the event that sent its latest message
	for i, e := range events {
		switch {
		case e.Kind.Arrives(), e.Kind == engine.Tick:
			for call, sent := range waiting {
				if e.Call == nil || e.Call.ID != call {
					fates[sent].overtaken = true
				}
			}
		case e.Kind == engine.Crash, e.Kind == engine.Error, e.Kind == engine.Restart:
			for _, sent := range waiting {
				if events[sent].Kind == engine.Reply && events[sent].Call.Client == e.Lane {
					fates[sent].unheard = true
				}
			}
		}
		switch {
		case e.Kind == engine.Send, e.Kind == engine.Reply:
			waiting[e.Call.ID] = i
		case e.Kind.Arrives(), e.Kind == engine.Receive, e.Kind == engine.Drop:
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

// orphans returns the calls whose client died before the reply.
func orphans(events []engine.Event) map[int]bool {
	orphaned := map[int]bool{}
	for _, e := range events {
		if (e.Kind == engine.Crash || e.Kind == engine.Error) && e.Call != nil {
			orphaned[e.Call.ID] = true
		}
	}
	return orphaned
}
