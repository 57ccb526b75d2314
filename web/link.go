package web

import (
	"errors"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/views"
)

// maxScenarioForm is what a form with a scenario may have, in bytes: each byte
// of the text can become three.
const maxScenarioForm = 1 << 20

// linkPage is where a link leads. The scenario is in its fragment, which does
// not come here; the page's script sends it on to newScenario.
func (s *Server) linkPage(w http.ResponseWriter, r *http.Request) {
	s.remember(w, r)
	s.render(w, r, http.StatusOK, views.LinkPage(views.Link{Site: s.siteFor(r), Step: stepOf(r.URL.Query().Get("step"))}))
}

// newScenario opens a run that has done what the text says, or answers with the
// text and what is wrong with it.
func (s *Server) newScenario(w http.ResponseWriter, r *http.Request) {
	s.remember(w, r)
	if !s.parseForm(w, r, maxScenarioForm) {
		return
	}
	text := strings.ReplaceAll(r.PostFormValue("scenario"), "\r\n", "\n") // as browsers send it
	step, a := stepOf(r.PostFormValue("step")), askerOf(r)
	trace, err := play(a.Spend, text)
	if err != nil {
		s.render(w, r, http.StatusUnprocessableEntity, views.LinkPage(misread(err, views.Link{Site: s.siteFor(r), Text: text, Step: step})))
		return
	}
	run, err := s.runs.add(a, trace.Run, beginning{})
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	where := destination{run: run, step: anywhere}
	if program := r.PostFormValue("program"); program != "" { // the same schedule under it, too
		again, omitted, err := s.rerun(a, run, run.length(), "", "", program, "")
		if err != nil {
			s.refuse(w, r, err)
			return
		}
		where = destination{run: again, step: anywhere, beside: run, omitted: omitted}
	} else if step != "" {
		where.step, _ = strconv.Atoi(step)
	}
	http.Redirect(w, r, s.address(where), http.StatusSeeOther)
}

// noForm leads away from the address of a form to where its page is: a browser
// that is started again may ask for it.
func (s *Server) noForm(w http.ResponseWriter, r *http.Request) {
	s.remember(w, r)
	http.Redirect(w, r, s.base+path.Dir(r.URL.Path), http.StatusSeeOther)
}

// play runs a scenario at a pace; programs in files beside it are not for a server to read.
func play(pace engine.Pace, text string) (*engine.Trace, error) {
	scenario, err := engine.Parse("scenario", text, nil)
	if err != nil {
		return nil, err
	}
	return scenario.PlayAt(pace, "scenario", check.All()...)
}

// misread says on the page why its text is no run, and where.
func misread(err error, link views.Link) views.Link {
	why := explain(err, link.Lang)
	link.Error = why.Text
	if problem := (*engine.Problem)(nil); errors.As(err, &problem) {
		link.Line, link.Column = problem.Line, problem.Column
		link.Error = link.Lang.Say("at-line", problem.Line, problem.Column, why.Text)
	}
	return link
}

var inLink = regexp.MustCompile(`^[0-9]{1,5}$`)

// stepOf is the position that a link names; one that is none is left out, as a
// link must not fail for it.
func stepOf(text string) string {
	if !inLink.MatchString(text) {
		return ""
	}
	return text
}
