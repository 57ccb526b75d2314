package web

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"lockstep/views"
	"lockstep/web/limit"
	"lockstep/web/present"
)

// A destination is where a form leads to.
type destination struct {
	run     *run
	step    int    // anywhere: its end
	beside  *run   // to be compared with; nothing: none
	omitted int    // actions of a schedule that were not possible
	guess   string // what was predicted, for a page without scripts
}

// address is that of a destination, the base path included.
func (s *Server) address(d destination) string {
	query := url.Values{}
	if d.step != anywhere && d.step != d.run.length() {
		query.Set("step", strconv.Itoa(d.step))
	}
	if d.beside != nil && d.beside != d.run {
		query.Set("beside", d.beside.id)
	}
	if d.omitted > 0 {
		query.Set("omitted", strconv.Itoa(d.omitted))
	}
	if d.guess != "" {
		query.Set("guess", d.guess)
	}
	target := s.base + d.run.path()
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	return target
}

// putBeside lays another run beside the one that the page shows, or says why it
// cannot. What a rerun has left out is part of the comparison.
func (s *Server) putBeside(q *http.Request, page *views.Page, r *run, id string) {
	if id == "" {
		return
	}
	other, done, err := s.runs.look(askerOf(q), id)
	if err == nil {
		defer done()
		err = s.mayLook(q, other)
	}
	if id == r.id || err != nil || other.untouched() {
		why := page.Lang.Say("compare.unknown")
		if id == r.id {
			why = page.Lang.Say("compare.itself")
		}
		page.Refusal = strings.TrimSpace(page.Refusal + " " + why)
		return
	}
	l := page.Lang
	present.PutBeside(page, r.side(l), other.side(l), other.begins(askerOf(q), l))
}

// side returns the run as one of two.
func (r *run) side(l views.Language) present.Side {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.presented().Side(l)
}

// begins returns what a page has of the log.
func (r *run) begins(a *limit.Asker, l views.Language) *present.Piece {
	r.mu.Lock()
	defer r.mu.Unlock()
	log := r.presented().Log().Begin(l)
	a.Charge(drawing(int64(log.Size)))
	return log
}
