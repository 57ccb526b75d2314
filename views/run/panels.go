package run

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"

	"github.com/a-h/templ"

	"lockstep/views"
)

// A Panel is an element of the page that changes when the run does.
type Panel struct {
	ID       string // of the element
	Content  templ.Component
	Programs bool   // it changes as a whole only with a new program
	Program  string // the program whose text it shows; empty: none
	Key      string // equal keys mean equal contents; empty: compare the contents
}

// Panels returns the panels of a page. A step moves a badge in one program's source, so
// each source that the page shows is a panel of its own.
func Panels(p Page) []Panel {
	panels := []Panel{
		{ID: "spawn-next", Content: SpawnButton(p)},
		{ID: "limit", Content: Limit(p)},
		{ID: "empty", Content: Empty(p)},
		{ID: "caption", Content: Caption(p)},
		{ID: "alerts", Content: Alerts(p)},
		{ID: "why", Content: Why(p)},
		{ID: "real", Content: RealSays(p)},
		{ID: "redis", Content: Redis(p)},
		{ID: "clients", Content: Clients(p)},
		{ID: "tabs", Content: Tabs(p)},
		{ID: "toolbar", Content: Toolbar(p)},
		{ID: "program", Content: ProgramChoice(p), Programs: true},
	}
	if p.Task == nil && p.Beside == nil {
		panels = append(panels, Panel{ID: "families", Content: families(p)}, Panel{ID: "aim", Content: Aim(p)})
		if p.chooses() {
			panels = append(panels, Panel{ID: "playing", Content: Playing(p)}, Panel{ID: "ideas", Content: Anew(p)})
		}
	}
	if p.Task != nil {
		panels = append(panels, Panel{ID: "task", Content: TaskSays(p)})
		if p.Task.Guide != nil && p.Task.About == nil {
			panels = append(panels, Panel{ID: "task-dots", Content: TaskDots(p)})
		}
	}
	for _, program := range p.Programs {
		if program.Lines == nil { // another page has them
			continue
		}
		panels = append(panels, Panel{ID: sourceID(program), Content: Source(program), Program: program.Name, Key: where(program)})
	}
	return panels
}

// where maps clients to lines: nothing else changes in a source, but that a recording grows.
func where(p views.Program) string {
	text := fmt.Sprint(p.Name, " ", len(p.Lines)) // a recording grows
	for _, line := range p.Lines {
		if len(line.Clients) > 0 {
			text += fmt.Sprint(" ", line.Number, line.Clients)
		}
	}
	return text
}

func sourceID(p views.Program) string { return "source-" + p.Name }

// eventURL returns the address of an event's row. When the page cannot hold all rows, the
// address also selects them: from that event to last or, with 0, as many as the page
// holds.
func (p Page) eventURL(seq, last int) templ.SafeURL {
	place := "#event-" + strconv.Itoa(seq)
	if p.Total <= EventsListed && last == 0 {
		return templ.SafeURL(place)
	}
	wanted := strconv.Itoa(seq)
	if last > 0 {
		wanted += "-" + strconv.Itoa(last)
	}
	query := url.Values{"events": {wanted}}
	if p.Past() {
		query.Set("step", strconv.Itoa(p.At))
	}
	if p.Beside != nil {
		query.Set("beside", p.Beside.ID)
	}
	path := p.Path
	if p.Draft != nil {
		path = p.Draft.Path
	}
	return p.URL(views.WithQuery(path, query.Encode())) + templ.SafeURL(place)
}

// rowURL returns the target of a row's number: the row itself or, for a cut sentence, the
// whole sentence.
func (p Page) rowURL(e views.Event) templ.SafeURL {
	if e.Cut {
		return p.eventURL(e.Seq, e.Seq)
	}
	return p.eventURL(e.Seq, 0)
}

func (e EventPage) name() string { return strconv.Itoa(e.From) + "–" + strconv.Itoa(e.To) }

// aims reports whether the page says what one can try: to get two of the playground's clients to hold the lock at once.
func (p Page) aims() bool {
	return p.chooses() && len(p.Clients) > 0 && len(p.Real) == 0 && len(p.Remarks) == 0
}

// broken reports whether that has happened at the shown position. A violation on the way there, such as the removal of another client's
// lock, is not yet what the page asks for.
func (p Page) broken() bool { return len(p.Doubles) > 0 && p.Doubles[0] <= p.At }

// sleeps reports whether a client in the playground sleeps and nothing is in flight: time leads on.
func (p Page) sleeps() bool {
	if !p.chooses() || p.Past() || slices.ContainsFunc(p.Clients, func(c Client) bool { return c.FlightTo != "" || c.Orphan != "" }) {
		return false
	}
	return slices.ContainsFunc(p.Clients, func(c Client) bool { return c.Status == "asleep" && !c.Paused })
}
