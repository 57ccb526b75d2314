package present

import (
	"fmt"
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/lang"
	"lockstep/engine/program"
	"lockstep/views"
	siteview "lockstep/views/site"
	"lockstep/web/highlight"
)

// data returns a state for the page's script: the events of its last press, and its words.
func (s *homeState) data(in lang.Language) siteview.HomeState {
	d := siteview.HomeState{
		Kind: s.kind(), Says: s.says(in), Asks: s.asks(in), Presses: s.presses(in), Lets: s.lets(), Events: numberless(s.run, s.fresh, in),
	}
	if s.before != nil {
		d.Before = &s.before.at
	}
	switch d.Kind {
	case "begin":
		d.Meanwhile = views.Say(in, "home.expired", s.now(), s.held())
	case "broken":
		d.Verdict = views.Say(in, "home.broke")
		d.Cause, d.Line, d.Why = s.cause.Seq, sentAt(s.run.World().Events(), *s.cause), s.explains(in)
		told := s.told()
		d.Twin, d.TwinLine = numberless(s.twin, len(homeStateAt(homeRace).twin.World().Events()), in), sentAt(s.twin.World().Events(), *told)
		d.Repaired = views.Say(in, "home.repaired", told.Call.Command[0], told.Call.Client, told.Execution.Reply.Plain(), inside(s.twin))
	}
	return d
}

// says tells in a sentence or two what the last press did, as to a colleague.
func (s *homeState) says(in lang.Language) string {
	first := s.run.World().Clients()[0].Name
	switch s.kind() {
	case "asks":
		return views.Say(in, "home.asks-lock", first)
	case "inside":
		return views.Say(in, "home.holds", first, s.held())
	case "crashed":
		return views.Say(in, "home.remains", first)
	case "begin":
		return views.Say(in, "home.begin", homePlayers[0].client, homePlayers[1].client, s.waits(homePlayers[0].client)[0])
	case "broken":
		return views.Say(in, "home.broken", homePlayers[0].client, homePlayers[1].client)
	case "held":
		late := other(inside(s.run))
		return views.Say(in, "home.held", late, s.delivered().Execution.Reply.Plain(), s.delivered().Call.Command[0])
	}
	e := s.delivered()
	client, command := e.Call.Client, e.Call.Command[0]
	if inside(s.run) == client {
		return views.Say(in, "home.took", client, other(client), s.waits(other(client))[0])
	}
	switch removed := s.removed(); removed {
	case "":
		return views.Say(in, "home.nothing", client, command)
	case other(client):
		return views.Say(in, "home.took-away", client, command, removed)
	default:
		return views.Say(in, "home.old", client, command, removed)
	}
}

// asks is the question before the next press. Where one press is left, nobody is asked.
func (s *homeState) asks(in lang.Language) string {
	if s.at != homeRace && s.order == "" || len(s.next) < 2 {
		return ""
	}
	one, two := s.waits(homePlayers[0].client)[0], s.waits(homePlayers[1].client)[0]
	if one == two {
		return views.Say(in, "home.whose", one)
	}
	return views.Say(in, "home.next")
}

// presses are what the reader can cause next: on the stage in a word, by name for those who do not see where it stands.
func (s *homeState) presses(in lang.Language) []siteview.HomePress {
	all := []siteview.HomePress{}
	for _, a := range s.next {
		p := siteview.HomePress{Client: a.Client, Does: string(a.Verb)}
		switch a.Verb {
		case engine.VerbStep:
			p.Says = s.waits(a.Client)[0]
			if s.order == "" && s.at != homeRace {
				p.Says = strings.Join(s.waits(a.Client), " ")
			}
			p.Name = views.Say(in, "home.press", a.Client, p.Says)
		case engine.VerbCrash:
			p.Says, p.Name = "✕ "+views.Say(in, "home.dies"), views.Say(in, "home.dies-name", a.Client)
		case engine.VerbTick:
			p.Says = fmt.Sprintf("+%d s", a.Time/1000)
			p.Name = views.Say(in, "home.tick", p.Says)
		}
		for _, to := range homeStates() {
			if to.before == s && (s.order == "" && s.at != homeRace || strings.HasSuffix(to.order, a.Client[1:])) {
				p.To = to.at
			}
		}
		all = append(all, p)
	}
	return all
}

// delivered returns the command that the last press delivered.
func (s *homeState) delivered() *engine.Event {
	events := s.run.World().Events()[s.fresh:]
	return &events[slices.IndexFunc(events, func(e engine.Event) bool { return e.Kind == engine.Deliver })]
}

// removed returns whose lock the last press removed, or nothing.
func (s *homeState) removed() string {
	for _, c := range s.delivered().Changes {
		if c.Old != nil && c.New == nil {
			return c.Old.Writer
		}
	}
	return ""
}

// held returns the value of the first lock, which the players have read.
func (s *homeState) held() string {
	for _, e := range s.run.World().Events() {
		for _, c := range e.Changes {
			return c.New.Value
		}
	}
	return ""
}

// now returns the time, as the picture writes it.
func (s *homeState) now() string {
	w := s.run.World()
	return w.When(w.Now())
}

// told returns the command by which the repair tells the slower player of a broken lock that it was too late.
func (s *homeState) told() *engine.Event {
	events, late := s.twin.World().Events(), other(inside(s.twin))
	for i := range slices.Backward(events) {
		if e := &events[i]; e.Kind == engine.Deliver && e.Call.Client == late {
			return e
		}
	}
	return nil
}

// explains says why the order breaks the lock: the DEL of a client that has read the key too early.
func (s *homeState) explains(in lang.Language) string {
	late := s.cause.Call.Client
	return views.Say(in, "home.stale", late, s.cause.Call.Command[0], other(late))
}

// inside returns the first of the players in the critical section of a run.
func inside(r *engine.Run) string {
	for _, p := range homePlayers {
		if r.World().Client(p.client).Status == engine.Inside {
			return p.client
		}
	}
	return ""
}

// other returns the other player.
func other(client string) string {
	if client == homePlayers[0].client {
		return homePlayers[1].client
	}
	return homePlayers[0].client
}

// homeProgram returns how a program takes the lock, with the clients of a run at their lines.
func homeProgram(p *program.Program, r *engine.Run, l lang.Language) siteview.HomeProgram {
	shown := siteview.HomeProgram{Name: p.Name, Here: p.Name == r.World().Clients()[0].Program.Name}
	in := presenter{world: r.World(), language: l}
	takes, alone := false, false // alone: a client that nobody is in the way of does not come here
	for _, line := range in.lines(p) {
		text := textOf(line)
		if takes = takes && text != "" || strings.HasPrefix(text, "def acquire"); !takes || line.Comment {
			continue
		}
		if n := len(line.Parts); line.Parts[n-1].Class == highlight.Comment {
			line.Parts, line.Text = line.Parts[:n-1], ""
			line.Parts[n-2].Text = strings.TrimRight(line.Parts[n-2].Text, " ")
		}
		own := siteview.HomeLine{Later: alone}
		if first := &line.Parts[0]; first.Class == "" {
			code := strings.TrimLeft(first.Text, " ")
			own.Depth, first.Text = (len(first.Text)-len(code))/4, code
		}
		alone = alone || strings.HasPrefix(strings.TrimSpace(text), "return")
		line.Clients = slices.DeleteFunc(slices.Clone(line.Clients), func(name string) bool { return r.World().Client(name).Status == engine.Inside })
		own.SourceLine = line
		shown.Lines = append(shown.Lines, own)
	}
	for _, c := range r.World().Clients() {
		if c.Status == engine.Inside {
			shown.Inside = append(shown.Inside, c.Name)
		}
	}
	return shown
}
