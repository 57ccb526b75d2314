package present

import (
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/lang"
	"lockstep/engine/program"
	"lockstep/views"
	runview "lockstep/views/run"
	"lockstep/web/highlight"
	"lockstep/web/refusal"
)

const heldShown = 40 // bytes of a command that waits

// Live tells about the real programs that run behind the recordings of a run. Only lockstep attach has some.
type Live struct {
	Knows  func(*program.Program) bool // reports whether a real program stands behind a recording
	Runs   []string                    // clients whose program runs now, to tell what it does next
	ByHand []string                    // clients whose program was started by hand and has not sent its next command
	Failed map[string]*refusal.Error   // why it is unknown what a client does next
	Hand   func(*program.Program) bool // reports whether somebody starts the program by hand
	Held   bool                        // the commands in flight have waited here for a while
}

// knows reports whether a real program stands behind a client's.
func (l *Live) knows(p *program.Program) bool { return l != nil && p.Recorded() && l.Knows(p) }

// allow lets the reader press a step that waits for a real program, or that runs it again. A program that was started by hand
// is what the reader waits for.
func (l *Live) allow(step *runview.Button, c *engine.Client, in lang.Language) {
	switch {
	case l == nil || c.Paused:
	case slices.Contains(l.ByHand, c.Name):
		step.Refuse = views.Say(in, "real.by-hand", c.Name)
	case slices.Contains(l.Runs, c.Name):
		step.Refuse = ""
	case l.Failed[c.Name] != nil:
		step.Refuse, step.Title = "", views.Say(in, "real.again")
	}
}

// real returns what the page says about the real programs behind the clients, a line each.
func (r Run) real(in presenter, tip bool) (lines []runview.Real) {
	say := func(kind, key string, arguments ...any) {
		lines = append(lines, runview.Real{Kind: kind, Text: views.Say(in.language, key, arguments...)})
	}
	clients := in.world.Clients()
	if l := r.Live; l != nil && tip {
		for _, c := range clients {
			switch call, replied := c.InFlight(); {
			case c.Missing && slices.Contains(l.Runs, c.Name):
				say("runs", "real.runs", c.Name)
			case c.Missing && slices.Contains(l.ByHand, c.Name):
				say("runs", "real.by-hand", c.Name)
			case c.Missing && l.Failed[c.Name] != nil:
				say("failed", "real.failed", c.Name, l.Failed[c.Name].In(in.language))
			case l.Held && call != nil && !replied && l.knows(c.Program):
				say("held", "real.held", c.Name, shorten(call.Label(), heldShown))
			}
		}
	}
	if r.Live != nil {
		var open []string
		for _, p := range r.Engine.Own() {
			if r.Live.Hand(p) && !slices.ContainsFunc(r.Engine.World().Clients(), func(c *engine.Client) bool { return c.Program != nil && c.Program.Name == p.Name }) {
				address, _ := p.RecordedFrom()
				open = append(open, address)
			}
		}
		if len(open) > 0 {
			say("connect", "real.connect", strings.Join(open, ", "))
		}
	}
	if slices.ContainsFunc(clients, func(c *engine.Client) bool { return c.Program != nil && c.Program.Guessed() }) {
		say("guess", "real.guess")
	}
	return lines
}

// recordedLines returns the lines of a recording: a word in small letters is an operation and a keyword, and a reply is a
// literal.
func recordedLines(source string) [][]highlight.Part {
	var lines [][]highlight.Part
	for line := range strings.SplitSeq(strings.TrimSuffix(source, "\n"), "\n") {
		text := strings.TrimLeft(line, " ")
		blank := line[:len(line)-len(text)]
		word, rest, _ := strings.Cut(text, " ")
		switch {
		case word == "=":
			lines = append(lines, []highlight.Part{{Text: blank + "= "}, {Kind: highlight.Literal, Text: rest}})
		case word != "" && word == strings.ToLower(word):
			lines = append(lines, []highlight.Part{{Text: blank}, {Kind: highlight.Keyword, Text: word}, {Text: text[len(word):]}})
		default:
			lines = append(lines, []highlight.Part{{Text: line}})
		}
	}
	return lines
}
