package views

import (
	"net/url"
	"strconv"

	"github.com/a-h/templ"
)

// eventURL leads to an event's row. Where the page has no room for all rows, the address
// says which it is to have: from that event to the last one or, with 0, as many as there
// is room for.
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
	return p.URL(p.Path+"?"+query.Encode()) + templ.SafeURL(place)
}

// rowURL is what the number of a row leads to: the row itself or, where its sentence has
// been cut, the whole of it.
func (p Page) rowURL(e Event) templ.SafeURL {
	if e.Cut {
		return p.eventURL(e.Seq, e.Seq)
	}
	return p.eventURL(e.Seq, 0)
}

func (e EventPage) name() string { return strconv.Itoa(e.From) + "–" + strconv.Itoa(e.To) }
