package present

import (
	"slices"

	"lockstep/engine"
	"lockstep/engine/program"
	"lockstep/views"
	"lockstep/web/refusal"
)

// Live tells about the real programs that run behind the recordings of a run. Only lockstep attach has some.
type Live struct {
	Knows  func(*program.Program) bool // reports whether a real program stands behind a recording
	Runs   []string                    // clients whose program runs now, to tell what it does next
	ByHand []string                    // clients whose program was started by hand and has not sent its next command
	Failed map[string]*refusal.Error   // why it is unknown what a client does next
	Held   bool                        // the commands in flight have waited here for a while
}

// knows reports whether a real program stands behind a client's.
func (l *Live) knows(p *program.Program) bool { return l != nil && p.Recorded() && l.Knows(p) }

// real returns what the page says about the real programs behind the clients, a line each.
func (r Run) real(in presenter, tip bool) (lines []views.Real) {
	say := func(kind, key string, arguments ...any) {
		lines = append(lines, views.Real{Kind: kind, Text: views.Say(in.language, key, arguments...)})
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
				say("held", "real.held", c.Name, shorten(call.Label(), commandShown))
			}
		}
	}
	if slices.ContainsFunc(clients, func(c *engine.Client) bool { return c.Program != nil && c.Program.Guessed() }) {
		say("guess", "real.guess")
	}
	return lines
}
