package engine

import (
	"fmt"
	"strings"

	"lockstep/engine/lang"
	"lockstep/engine/program"
	"lockstep/engine/redis"
)

// A Scenario is a run as text: a header that names the program and its options,
// then a line per action, with expectations between them.
type Scenario struct {
	Header
	Lines []Line
}

// A Header holds the settings of a run before its first action.
type Header struct {
	Program string // for clients that name none
	Options Options
	Nodes   int                // Redis nodes; 0: one
	Within  Time               // how long a client may wait for the lock before it is in or gone; 0: for ever
	Own     []*program.Program // the text's own programs, in its order
	Effects *Effects           // of scripts that are not here; nil: none
	Began   Wall               // the wall time at which the run starts; 0: it has none
	Labels  []Label            // who the clients are, in the text's order

	// Scripts are the Lua of the user's own program, which the user runs on their own machine. They are no part of the text:
	// Parse sets none, and only Run.Bring adds some.
	Scripts redis.Scripts

	// Redis makes the nodes, outside the engine. Like the scripts, it is no part of the text.
	Redis redis.Maker
}

// Programs returns all programs that a client can run: the built-in ones, and then the header's own.
func (h Header) Programs() []*program.Program {
	var all []*program.Program
	for _, name := range program.Names() {
		if p, ok := program.Builtin(name); ok {
			all = append(all, p)
		}
	}
	return append(all, h.Own...)
}

// NoProgram says that there is no program with a name, and which one was meant or, where none is near, which there are.
func (h Header) NoProgram(name string) *Refusal {
	var known []string
	for _, p := range h.Programs() {
		known = append(known, p.Name)
	}
	return refuse("there is no program %s%s", "没有程序 %s%s", name, lang.DidYouMeanOf(name, known))
}

// program finds one of the header's own programs, or a built-in one.
func (h *Header) program(name string) (*program.Program, bool) {
	for i := range h.Own {
		if h.Own[i].Name == name {
			return h.Own[i], true
		}
	}
	return program.Builtin(name)
}

// A Line holds the actions or the expectation of one line of text, or only a comment.
type Line struct {
	Number  int // in the text, counted from 1
	Actions []Action
	Columns []int // where each action's lane stands, counted from 1
	Expect  *Expectation
	Comment string
}

// Actions returns the actions of all lines in order.
func (s *Scenario) Actions() []Action {
	var actions []Action
	for _, line := range s.Lines {
		actions = append(actions, line.Actions...)
	}
	return actions
}

// String writes the header as scenario text.
func (h *Header) String() string {
	var b strings.Builder
	if h.Program != "" || h.Nodes > 0 || h.Within > 0 || h.Options != (Options{}) {
		b.WriteString("program")
		if h.Program != "" {
			b.WriteString(" " + h.Program)
		}
		b.WriteString(h.Options.String())
		if h.Nodes > 0 {
			fmt.Fprintf(&b, " nodes=%d", h.Nodes)
		}
		if h.Within > 0 {
			fmt.Fprintf(&b, " within=%s", Duration(h.Within))
		}
		b.WriteString("\n")
	}
	for i := range h.Own {
		fmt.Fprintf(&b, "define %s\n", h.Own[i].Name)
		for line := range strings.Lines(h.Own[i].Source) {
			if line = strings.TrimSuffix(line, "\n"); line != "" {
				line = " " + line
			}
			b.WriteString("|" + line + "\n")
		}
	}
	b.WriteString(h.Effects.String())
	if h.Began != 0 {
		b.WriteString("began " + h.Began.String() + "\n")
	}
	for _, l := range h.Labels {
		b.WriteString(l.String() + "\n")
	}
	return b.String()
}

// String writes the scenario as text; Parse reads it back.
func (s *Scenario) String() string {
	var b strings.Builder
	b.WriteString(s.Header.String())
	for _, line := range s.Lines {
		b.WriteString(line.String() + "\n")
	}
	return b.String()
}

// String writes the line as scenario text, without its end.
func (l Line) String() string {
	text := ""
	switch {
	case l.Expect != nil:
		text = l.Expect.String()
	case len(l.Actions) > 0:
		// The actions of one line differ only in their client: spawn C1 C2.
		first := l.Actions[0]
		names := first.Client
		for _, a := range l.Actions[1:] {
			names += " " + a.Client
		}
		text = strings.Replace(first.String(), first.Client, names, 1)
	}
	switch {
	case l.Comment == "":
		return text
	case text == "":
		return "# " + l.Comment
	}
	return fmt.Sprintf("%-24s # %s", text, l.Comment)
}
