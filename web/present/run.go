package present

import (
	"fmt"
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/ask"
	"lockstep/engine/check"
	"lockstep/engine/course"
	"lockstep/engine/lang"
	"lockstep/engine/program"
	"lockstep/views"
	exploreview "lockstep/views/explore"
	runview "lockstep/views/run"
	"lockstep/web/highlight"
	"lockstep/web/refusal"
	"lockstep/web/search"
)

// FirstProgram is the offered program until a reader spawns a client: the race of the
// sources is the first thing to break.
const FirstProgram = "del-setnx"

// A Run has the data that a page shows of a run: the engine's run, and the server's own data.
type Run struct {
	ID       string
	Epoch    string
	Engine   *engine.Run
	Task     course.Task
	Claimed  *search.Proof // of the claim that the challenge cannot be broken; nil: no claim
	Exercise bool          // somebody's own run in a room: the page keeps a solution that the search has found
	Reason   string        // the name of the reason that was given for it; empty: none
	Branches []Branch      // of the run's family, the first run first
	Repeats  Schedule      // of a rerun
	Remarks  []string      // of the import that made the run
	Draft    string        // the query with which the server begins the run; empty: it has begun
	Room     string        // the path of the room whose own run it is; empty: it is no room's
	Live     *Live         // the real programs behind the run's recordings; nil: there are none
}

// Page makes the view model of a run's whole page. The page shows some actions of the run and the rows of the list that
// the reader wants. Page also returns how many bytes of the log it has encoded.
func (r Run) Page(shown *engine.Run, want Rows, site views.Site) (page runview.Page, encoded int) {
	page = r.Panels(shown, site)
	page.Tip = len(r.Engine.Actions())
	r.introduce(&page, shown)
	listEvents(&page, r.Engine.World().Events(), want)
	leaveOut(&page)
	names := check.Names()
	if c := r.Task.Challenge; c != nil {
		names = c.Properties
	}
	for _, name := range names {
		p, _ := check.Named(name)
		page.Properties = append(page.Properties, exploreview.Choice{Value: name, Label: p.Broken.In(site.Lang)})
	}
	page.Console = console(shown.World())
	log := r.Log().Begin(site.Lang)
	page.Data = runview.Data{
		Version: ProtocolVersion, Lang: site.Lang, Base: site.Base, Run: r.ID, Path: page.Path, Step: page.At, Log: log,
		Timeline: views.TimelineWords(site.Lang, check.Flags(site.Lang)), Words: views.PageWords(site.Lang), Task: r.Task.Name(), Draft: r.Draft,
	}
	if r.Draft != "" {
		page.Draft = &runview.Draft{Path: draftPath(r.Task, page.Tip), Query: r.Draft}
		page.Here = page.Draft.Path
		if r.Task.Free != nil {
			page.Draft.Scenario = r.Engine.Scenario().String()
		}
	}
	return page, log.Size
}

// Panels makes the view model of the parts of the page that change with the position.
func (r Run) Panels(shown *engine.Run, site views.Site) runview.Page {
	w := shown.World()
	in := presenter{world: w, language: site.Lang, live: r.Live}
	if r.Task.Challenge != nil {
		in.umpire = r.Task.Challenge.Umpire(shown)
		defer in.umpire.Close()
	}
	chosen := in.chosen(r.Engine.Header())
	page := runview.Page{
		Site:     site,
		Path:     RunPath(r.ID),
		Tabs:     r.tabs(site.Lang),
		At:       w.Actions(),
		Tip:      w.Actions(),
		Chosen:   chosen.Name,
		Tongues:  tongues(),
		Next:     in.next(chosen.Name),
		Both:     "spawn C1 C2",
		Now:      w.When(w.Now()),
		Nodes:    in.nodes(),
		Storage:  in.storage(),
		Clients:  in.clients(),
		Ticks:    in.ticks(r.Task),
		Faults:   in.faults(),
		Own:      runview.Own{From: chosen.Name, Source: editable(chosen.Source, site.Lang)},
		Programs: r.offered(in, chosen),
	}
	page.Total = len(r.Engine.World().Events())
	page.Caption, page.Alerts, page.More = in.caption()
	page.Breaks = ask.Breaks(r.Engine.World().Events())
	page.Doubles = ask.Breaks(r.Engine.World().Events(), "mutual-exclusion")
	page.Remarks = r.Remarks
	if began := r.Engine.Header().Began; began != 0 && len(r.Remarks) > 0 {
		page.Remarks = slices.Insert(slices.Clone(r.Remarks), 1, views.Say(site.Lang, "import.began", began))
	}
	page.Limit = full(r.Engine.World(), site.Lang)
	page.Real = r.real(in, w.Actions() == len(r.Engine.Actions()))
	page.Task, page.OfRoom = r.task(shown, in.umpire, site.Lang), r.Room
	return page
}

// programs returns the programs that a client of the run may have: of a challenge, those that it is about.
func (r Run) programs() []*program.Program {
	all := r.Engine.Header().Programs()
	if r.Task.Challenge == nil {
		return all
	}
	used := append(r.UsedPrograms(), r.Engine.Header().Program)
	return slices.DeleteFunc(slices.Clone(all), func(p *program.Program) bool { return !slices.Contains(used, p.Name) })
}

// full says why a run takes no more actions; empty: it does.
func full(w *engine.World, l lang.Language) string {
	if err := w.Full(); err != nil {
		return refusal.Of(err).In(l)
	}
	return ""
}

type presenter struct {
	world    *engine.World
	language lang.Language
	umpire   *course.Umpire // of the run's challenge; nil: it has none
	live     *Live          // nil: no real program runs
}

// chosen returns the program of the last client, the program of the header, or the reader's own program.
func (in presenter) chosen(header engine.Header) *program.Program {
	for _, c := range slices.Backward(in.world.Clients()) {
		if c.Program != nil {
			return c.Program
		}
	}
	for _, p := range header.Programs() {
		if p.Name == header.Program {
			return p
		}
	}
	if own := header.Own; len(own) > 0 {
		return own[len(own)-1]
	}
	p, _ := program.Builtin(FirstProgram)
	return p
}

func (in presenter) clients() []runview.Client {
	violating := map[string]bool{}
	for _, v := range in.world.Violations() {
		for _, name := range v.Clients {
			violating[name] = true
		}
	}
	var cards []runview.Client
	for _, c := range in.world.Clients() {
		card := runview.Client{Name: c.Name, Label: in.world.Label(c.Name), Status: string(c.Status), Paused: c.Paused, Violating: violating[c.Name], Belief: in.belief(c), Facts: in.facts(c)}
		if call, replied := c.InFlight(); call != nil {
			card.Flight, card.FlightIs, card.FlightTo = shorten(call.Label(), commandShown), views.Say(in.language, "flight.request"), "redis"
			if call.Node == engine.Storage {
				card.FlightIs, card.FlightTo = views.Say(in.language, "flight.write"), "storage"
			}
			if replied {
				card.FlightIs, card.FlightTo = views.Say(in.language, "flight.reply"), "client"
			}
		}
		if call := c.Orphan(); call != nil {
			card.Orphan = shorten(call.Label(), commandShown)
		}
		if c.Program != nil {
			card.Main, card.More = in.mainButtons(c), in.moreButtons(c)
			card.Command, _ = c.Program.RecordedFrom()
			card.Live = in.live.knows(c.Program)
		} else if c.Status != engine.Inside {
			card.Status = "by-hand"
		}
		cards = append(cards, card)
	}
	return cards
}

// belief says what a client in the critical section believes.
func (in presenter) belief(c *engine.Client) string {
	switch {
	case c.Status != engine.Inside || c.Lease == nil:
		return ""
	case c.Lease.Until == 0:
		return views.Say(in.language, "believes.always")
	case c.Believes:
		return views.Say(in.language, "believes", in.world.When(c.Lease.Until))
	}
	return views.Say(in.language, "believes.over", in.world.When(c.Lease.Until))
}

func (in presenter) facts(c *engine.Client) []string {
	var facts []string
	if c.Sleeps() {
		facts = append(facts, views.Say(in.language, "wakes", in.world.When(c.Until)))
	}
	own := in.world.Now() + c.Skew
	switch {
	case c.Skew > 0:
		facts = append(facts, views.Say(in.language, "clock.ahead", in.world.When(own), engine.Duration(c.Skew)))
	case c.Skew < 0:
		facts = append(facts, views.Say(in.language, "clock.behind", in.world.When(own), engine.Duration(-c.Skew)))
	case c.Live():
		facts = append(facts, views.Say(in.language, "clock", in.world.When(own)))
	}
	return facts
}

// caption returns the sentence of the latest event, and alerts for the violations: those of
// the latest action and those that still hold. It shows one violation for the same clients
// and at most alertsShown; the list of events has the others.
func (in presenter) caption() (caption string, alerts []runview.Alert, more int) {
	about := map[string]int{} // by clients: where their sentence stands
	open := in.world.Violations()
	for _, e := range slices.Backward(in.world.Events()) {
		if e.Action < in.world.Actions() && len(open) == 0 {
			break
		}
		if e.Action == in.world.Actions() && caption == "" && e.Kind != engine.Violated {
			caption = shorten(e.Sentence(in.language), captionShown)
		}
		if e.Kind != engine.Violated {
			continue
		}
		i := slices.IndexFunc(open, func(v engine.Violation) bool {
			return v.Property == e.Violation.Property && slices.Equal(v.Clients, e.Violation.Clients)
		})
		if i >= 0 {
			open = slices.Delete(open, i, i+1)
		} else if e.Action != in.world.Actions() {
			continue
		}
		clients := fmt.Sprint(e.Violation.Clients)
		alert := runview.Alert{Brief: views.Say(in.language, "alert", e.Violation.Text.In(in.language)), Sentence: shorten(e.Sentence(in.language), captionShown), Cause: e.Violation.Cause}
		if i, known := about[clients]; known {
			alerts[i] = alert
			continue
		}
		about[clients] = len(alerts)
		alerts = append(alerts, alert)
	}
	shown := min(len(alerts), alertsShown)
	return caption, alerts[:shown], len(alerts) - shown
}

// headOf returns the lines of a program's opening comment, and the blank lines after it.
func headOf(source string) []string {
	lines := strings.Split(source, "\n")
	for i, line := range lines {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return lines[:i]
		}
	}
	return lines
}

// offered returns the programs of the run, with the texts of those that its page shows without being asked: of its clients, of
// the next one, and those that no other page has.
func (r Run) offered(in presenter, chosen *program.Program) []views.Program {
	all, used := r.programs(), append(r.UsedPrograms(), chosen.Name)
	shown := make([]views.Program, len(all))
	for i, p := range all {
		if builtin, _ := program.Builtin(p.Name); builtin == p && !slices.Contains(used, p.Name) {
			shown[i] = in.listing(p)
		} else {
			shown[i] = in.program(p)
		}
	}
	return shown
}

// program returns a program's text, with each client at its line.
func (in presenter) program(p *program.Program) views.Program {
	shown := in.listing(p)
	shown.Lines = inSpace(in.lines(p))
	return shown
}

// listing returns a program as menus list it. One that is not built in promises what its first comment says.
func (in presenter) listing(p *program.Program) views.Program {
	for _, f := range program.Families() {
		for _, m := range f.Programs {
			if m.Name == p.Name {
				return listed(f, m, in.language)
			}
		}
	}
	own := views.Program{Name: p.Name, Family: views.Say(in.language, "program.own")}
	if head := headOf(p.Source); len(head) > 0 {
		own.Promise = shorten(strings.TrimSpace(strings.TrimLeft(head[0], "# ")), promiseShown)
	}
	return own
}

// lines returns all lines of a program.
func (in presenter) lines(p *program.Program) []views.SourceLine {
	here := map[int][]string{}
	var clients []*engine.Client
	if in.world != nil { // else no run shows it
		clients = in.world.Clients()
	}
	for _, c := range clients {
		if c.Program != nil && c.Program.Name == p.Name && c.Line > 0 && c.Live() {
			here[c.Line] = append(here[c.Line], c.Name)
		}
	}
	var lines []views.SourceLine
	head, text := len(headOf(p.Source)), strings.Split(p.Source, "\n")
	var chinese map[int]string
	ours := false // a comment without Chinese is English
	if in.language == lang.Chinese {
		chinese, ours = course.BuiltinComments().In(p.Source), course.Ships(p)
	}
	coloured := highlight.Lines
	if p.Recorded() {
		coloured = recordedLines
	}
	for i, parts := range coloured(p.Source) {
		line := views.SourceLine{Number: i + 1, Clients: here[i+1], Comment: i < head || strings.HasPrefix(strings.TrimSpace(text[i]), "#"), About: i < head}
		for _, part := range parts {
			line.Parts = append(line.Parts, views.Part{Class: part.Kind, Text: part.Text})
		}
		if comment, known := chinese[i]; known {
			showComment(&line, comment)
		} else if n := len(line.Parts); ours && n > 0 && line.Parts[n-1].Class == highlight.Comment && line.Parts[n-1].Text != "#" {
			line.Lang = lang.English
		}
		lines = append(lines, line)
	}
	return lines
}

// showComment puts a translated comment in the place of a line's own, which stays the line's text. A line without
// colours does not change.
func showComment(line *views.SourceLine, comment string) {
	last := len(line.Parts) - 1
	if last < 0 || line.Parts[last].Class != highlight.Comment {
		return
	}
	line.Text = textOf(*line)
	line.Parts[last].Text = comment
	if comment == "" {
		line.Parts = nil
	}
}

// RunPath returns the path of a run within the site.
func RunPath(id string) string { return "/t/" + id }
