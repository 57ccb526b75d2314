package views

import (
	"net/url"
	"strconv"

	"github.com/a-h/templ"
)

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
	return p.URL(withQuery(path, query.Encode())) + templ.SafeURL(place)
}

// rowURL returns the target of a row's number: the row itself or, for a cut sentence, the
// whole sentence.
func (p Page) rowURL(e Event) templ.SafeURL {
	if e.Cut {
		return p.eventURL(e.Seq, e.Seq)
	}
	return p.eventURL(e.Seq, 0)
}

func (e EventPage) name() string { return strconv.Itoa(e.From) + "–" + strconv.Itoa(e.To) }
