package runpages

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"lockstep/engine"
	"lockstep/engine/lang"
	"lockstep/views"
	runview "lockstep/views/run"
	"lockstep/web/limit"
	"lockstep/web/live"
	"lockstep/web/picture"
	"lockstep/web/present"
	"lockstep/web/refusal"
)

// MaxScenarioForm bounds a form with a scenario, in bytes: each byte of the text can
// become three.
const MaxScenarioForm = 1 << 20

// mostNamed bounds how many programs of a link the page names. A text may have thousands, and more names tell no more.
const mostNamed = 12

// MostCode bounds the code with which a link carries a run where the server sees it, in characters. The script writes it into
// links that have so many in all (static/js/share/fragment.js), and puts a longer one after #.
const MostCode = 1500

// linkedWork is the work of putting an event on the page of a link, in units of the engine's work.
const linkedWork = 2_000

// handleLink answers with the page to which a link leads. A short link has the scenario in its query, and the page shows the
// run. Of a longer one it is in the fragment, which browsers do not send. The page's script sends it on: to handleScenario if a
// page of this site has led there, and otherwise to handleLookAtLink, because a reader who follows a link from elsewhere has
// not asked for a run yet.
func (p *Pages) handleLink(w http.ResponseWriter, r *http.Request) {
	p.Remember(w, r)
	query := r.URL.Query()
	link := runview.Link{Site: p.SiteFor(r), Code: query.Get("s"), Step: stepOf(query.Get("step"))}
	if link.Code == "" {
		p.Render(w, r, http.StatusOK, runview.LinkPage(link))
		return
	}
	var err error
	if link.Text, err = textIn(link.Code); err != nil {
		link.Code = ""
		p.Render(w, r, refusal.Of(err).Status, runview.LinkPage(misread(err, link)))
		return
	}
	p.showLink(w, r, link)
}

// handleLookAtLink answers with the picture of a link and its summary: programs, number of actions and length. It plays the run
// within the bounds of a sketch, and keeps nothing.
func (p *Pages) handleLookAtLink(w http.ResponseWriter, r *http.Request) {
	if !p.ParseForm(w, r, MaxScenarioForm) {
		return
	}
	link := runview.Link{Site: p.SiteFor(r), Text: scenarioIn(r), Step: stepOf(r.PostFormValue("step"))}
	link.Here = "/p"
	p.showLink(w, r, link)
}

// showLink answers with the page of a link whose text is known. A run that is too long to be drawn can still be opened; the page
// gives one that cannot be played back, as a text with its mistake.
func (p *Pages) showLink(w http.ResponseWriter, r *http.Request, link runview.Link) {
	scenario, err := live.Parse(limit.PaceOf(r.Context()), link.Text)
	if err != nil {
		p.Render(w, r, refusal.Of(err).Status, runview.LinkPage(misread(err, link)))
		return
	}
	link.Summary = summaryOf(scenario)
	link.Summary.Size = inKB(len(link.Text), link.Lang)
	run, err := live.Sketch(limit.PaceOf(r.Context()), scenario, shownOf(link.Step))
	switch {
	case err == nil:
		defer run.World().Close()
		limit.Charge(r.Context(), linkedWork*int64(min(len(run.World().Events()), present.MostLinked)))
		present.ShowLinked(&link, run)
	case errors.Is(err, live.ErrSketch):
		link.Undrawn = views.Say(link.Lang, "link.large")
	default:
		link.Summary = nil
		p.Render(w, r, refusal.Of(err).Status, runview.LinkPage(misread(err, link)))
		return
	}
	p.Render(w, r, http.StatusOK, runview.LinkPage(link))
}

// handleLinkCard answers with the picture of a short link.
func (p *Pages) handleLinkCard(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	code, step := query.Get("s"), stepOf(query.Get("step"))
	if code == "" {
		p.HandleSiteCard(w, r)
		return
	}
	p.ShowCard(w, r, "link "+step+" "+code, func(l lang.Language) (picture.Card, error) {
		text, err := textIn(code)
		if err != nil {
			return picture.Card{}, err
		}
		pace := limit.PaceOf(r.Context())
		scenario, err := live.Parse(pace, text)
		if err != nil {
			return picture.Card{}, err
		}
		run, err := live.Sketch(pace, scenario, shownOf(step))
		if errors.Is(err, live.ErrSketch) {
			return picture.Card{}, errLarge
		} else if err != nil {
			return picture.Card{}, err
		}
		defer run.World().Close()
		return present.LinkCard(run, summaryOf(scenario).Program(), l), nil
	})
}

var (
	errBroken = refusal.Declare(refusal.Unprocessable, refusal.Malformed, "share.say.link-broken")
	errLarge  = refusal.Declare(refusal.Unprocessable, refusal.Limit, "link.large")
)

// textIn returns the scenario that the code of a short link carries, which static/js/share/fragment.js writes: raw deflate, then
// base64url without padding. It inflates no more than a scenario may have.
func textIn(code string) (string, error) {
	if len(code) > MostCode {
		return "", errBroken
	}
	deflated, err := base64.RawURLEncoding.DecodeString(code)
	if err != nil {
		return "", errBroken
	}
	text, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(deflated)), engine.MaxText+1))
	if err != nil || len(text) > engine.MaxText || !utf8.Valid(text) {
		return "", errBroken
	}
	return string(text), nil
}

// shownOf returns the action up to which a link's picture shows its run: all of it at its beginning, where there is nothing to see.
func shownOf(step string) int {
	if n, err := strconv.Atoi(step); err == nil && n > 0 {
		return n
	}
	return engine.MaxLines // all of them
}

// summaryOf returns the summary of a scenario.
func summaryOf(scenario *engine.Scenario) *runview.LinkSummary {
	var sum runview.LinkSummary
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

// inKB returns the length of a text in words: in KB of 1024 bytes, or in bytes below one KB.
func inKB(bytes int, l lang.Language) string {
	if bytes < 1<<10 {
		return views.Say(l, "link.bytes", bytes)
	}
	return fmt.Sprintf("%.1f KB", float64(bytes)/(1<<10))
}

// scenarioIn returns the scenario in a form, with a scenario's ends of lines in place of the browser's.
func scenarioIn(r *http.Request) string {
	return strings.ReplaceAll(r.PostFormValue("scenario"), "\r\n", "\n")
}

// handleScenario opens a run with the actions of the text, or answers with the text
// and its mistake. The run opens ready to be played, unless the form names a step.
func (p *Pages) handleScenario(w http.ResponseWriter, r *http.Request) {
	p.Remember(w, r)
	if !p.ParseForm(w, r, MaxScenarioForm) {
		return
	}
	text := scenarioIn(r)
	step, ctx := stepOf(r.PostFormValue("step")), r.Context()
	trace, err := live.Play(limit.PaceOf(ctx), text)
	if err != nil {
		p.Render(w, r, refusal.Of(err).Status, runview.LinkPage(misread(err, runview.Link{Site: p.SiteFor(r), Text: text, Step: step})))
		return
	}
	remarks := remarksIn(trace.Scenario)
	if finding := accusedAt(trace.Run); step == "" && len(remarks) > 0 && finding > 0 {
		step = strconv.Itoa(finding)
	}
	run, err := p.Rooms.Runs.Add(ctx, trace.Run, live.Beginning{Remarks: remarks})
	if err != nil {
		p.Refuse(w, r, err)
		return
	}
	where := Destination{Run: run, Step: run.Opening()}
	if program := r.PostFormValue("program"); program != "" { // run the same schedule under it, too
		again, omitted, err := p.Rooms.Runs.Rerun(ctx, run, run.Length(), "", "", program, "")
		if err != nil {
			p.Refuse(w, r, err)
			return
		}
		where = Destination{Run: again, Step: live.Anywhere, beside: run, omitted: omitted}
	} else if step == stepEnd {
		where.Step = live.Anywhere
	} else if step != "" {
		where.Step, _ = strconv.Atoi(step)
	}
	http.Redirect(w, r, where.URL(p.Base), http.StatusSeeOther)
}

// misread explains on the page why its text is no scenario, and where.
func misread(err error, link runview.Link) runview.Link {
	link.Error = refusal.Of(err).In(link.Lang)
	if problem := (*engine.Problem)(nil); errors.As(err, &problem) {
		link.Line, link.Column = problem.Line, problem.Column
		link.Error = views.Say(link.Lang, "at-line", problem.Line, problem.Column, link.Error)
	}
	return link
}

// stepEnd is the step of a run that opens at its end.
const stepEnd = "end"

var inLink = regexp.MustCompile(`^([0-9]{1,5}|` + stepEnd + `)$`)

// stepOf returns the position that a link names. It leaves out an invalid one, because
// the link should work all the same.
func stepOf(text string) string {
	if !inLink.MatchString(text) {
		return ""
	}
	return text
}
