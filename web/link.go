package web

import (
	"errors"
	"fmt"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/engine/lang"
	"lockstep/views"
	"lockstep/web/refusal"
	"lockstep/web/session"
)

// maxScenarioForm is what a form with a scenario may have, in bytes: each byte
// of the text can become three.
const maxScenarioForm = 1 << 20

// mostNamed is how many programs of a link are named. A text may name thousands; what they are called tells no more.
const mostNamed = 12

// handleLink is where a link leads. The scenario is in its fragment, which does not come here. The page's script sends it
// on: to newScenario if this very site has led to it, and otherwise to lookAtLink, as a reader who follows a link from
// elsewhere has not asked for a run yet.
func (p *runPages) handleLink(w http.ResponseWriter, r *http.Request) {
	p.remember(w, r)
	p.render(w, r, http.StatusOK, views.LinkPage(views.Link{Site: p.siteFor(r), Step: stepOf(r.URL.Query().Get("step"))}))
}

// handleLookAtLink says what a link would open: its programs, how much it does and how long it is. The text is read and
// nothing else: no action is done, no program is run and nothing is kept.
func (p *runPages) handleLookAtLink(w http.ResponseWriter, r *http.Request) {
	if !p.parseForm(w, r, maxScenarioForm) {
		return
	}
	link := views.Link{Site: p.siteFor(r), Text: scenarioIn(r), Step: stepOf(r.PostFormValue("step"))}
	link.Here = "/p"
	scenario, err := session.Parse(askerOf(r).Spend, link.Text)
	if err != nil {
		p.render(w, r, refusal.Of(err).Status, views.LinkPage(misread(err, link)))
		return
	}
	link.Summary = summaryOf(scenario)
	link.Summary.Size = inKB(len(link.Text), link.Lang)
	p.render(w, r, http.StatusOK, views.LinkPage(link))
}

// summaryOf tells what a scenario would do.
func summaryOf(scenario *engine.Scenario) *views.LinkSummary {
	var sum views.LinkSummary
	named := map[string]bool{"": true}
	name := func(program string) {
		switch {
		case named[program]:
			return
		case len(sum.Programs) < mostNamed:
			sum.Programs = append(sum.Programs, program)
		default:
			sum.More++
		}
		named[program] = true
	}
	name(scenario.Program)
	for _, a := range scenario.Actions() {
		sum.Actions++
		name(a.Program)
	}
	for _, own := range scenario.Own {
		sum.Own = append(sum.Own, own.Name)
	}
	return &sum
}

// inKB says how long a text is, in KB of 1024 bytes where there are any.
func inKB(bytes int, l lang.Language) string {
	if bytes < 1<<10 {
		return views.Say(l, "link.bytes", bytes)
	}
	return fmt.Sprintf("%.1f KB", float64(bytes)/(1<<10))
}

// scenarioIn is the text of a form, with the ends of lines that browsers send made those of a scenario.
func scenarioIn(r *http.Request) string {
	return strings.ReplaceAll(r.PostFormValue("scenario"), "\r\n", "\n")
}

// handleScenario opens a run that has done what the text says, or answers with the
// text and what is wrong with it.
func (p *runPages) handleScenario(w http.ResponseWriter, r *http.Request) {
	p.remember(w, r)
	if !p.parseForm(w, r, maxScenarioForm) {
		return
	}
	text := scenarioIn(r)
	step, a := stepOf(r.PostFormValue("step")), askerOf(r)
	trace, err := session.Play(a.Spend, text)
	if err != nil {
		p.render(w, r, refusal.Of(err).Status, views.LinkPage(misread(err, views.Link{Site: p.siteFor(r), Text: text, Step: step})))
		return
	}
	run, err := p.sessions.Runs.Add(a, trace.Run, session.Beginning{})
	if err != nil {
		p.refuse(w, r, err)
		return
	}
	where := destination{run: run, step: session.Anywhere}
	if program := r.PostFormValue("program"); program != "" { // the same schedule under it, too
		again, omitted, err := p.sessions.Rerun(a, run, run.Length(), "", "", program, "")
		if err != nil {
			p.refuse(w, r, err)
			return
		}
		where = destination{run: again, step: session.Anywhere, beside: run, omitted: omitted}
	} else if step != "" {
		where.step, _ = strconv.Atoi(step)
	}
	http.Redirect(w, r, where.url(p.base), http.StatusSeeOther)
}

// handleNoForm leads away from the address of a form to where its page is: a browser
// that is started again may ask for it.
func (s *Server) handleNoForm(w http.ResponseWriter, r *http.Request) {
	s.remember(w, r)
	http.Redirect(w, r, s.base+path.Dir(r.URL.Path), http.StatusSeeOther)
}

// misread says on the page why its text is no run, and where.
func misread(err error, link views.Link) views.Link {
	link.Error = refusal.Of(err).In(link.Lang)
	if problem := (*engine.Problem)(nil); errors.As(err, &problem) {
		link.Line, link.Column = problem.Line, problem.Column
		link.Error = views.Say(link.Lang, "at-line", problem.Line, problem.Column, link.Error)
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
