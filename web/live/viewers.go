package live

import (
	"context"
	"iter"
	"maps"
	"slices"
	"sync"

	"lockstep/engine/lang"
	"lockstep/engine/program"
	runview "lockstep/views/run"
	"lockstep/web/limit"
	"lockstep/web/present"
)

// viewers are the viewers of a run, with all that they have been told. The run's lock guards them, and the caller of a
// method holds it.
type viewers struct {
	run     *Run
	all     map[*Viewer]struct{}
	sent    map[Audience]map[string]panel // what an audience has, by the id of the panel
	greeted map[Audience]greeting         // the greeting of the last viewers who came, as long as it holds
}

// A panel is what all viewers of an audience have of one.
type panel struct{ key, html string }

func newViewers(r *Run) viewers {
	return viewers{run: r, all: map[*Viewer]struct{}{}, sent: map[Audience]map[string]panel{}}
}

// Join adds a viewer, unless there are the most already. The viewer is told the state and the log beyond the part that it
// has, and from then on every change; or that nobody acts on the run any more: it has gone while the viewer was on its way.
func (r *Run) Join(ctx context.Context, v *Viewer, has present.Extent) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.gone {
		v.Send(GoneFrame)
		return true
	}
	if len(r.viewers.all) >= r.home.MaxViewers {
		return false
	}
	r.viewers.all[v] = struct{}{}
	limit.Charge(ctx, r.viewers.greet(v, has))
	return true
}

// Leave removes a viewer. The last viewer of an audience takes the notes about the audience along.
func (r *Run) Leave(v *Viewer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	w := &r.viewers
	delete(w.all, v)
	for other := range w.all {
		if other.Audience() == v.Audience() {
			return
		}
	}
	delete(w.sent, v.Audience())
	delete(w.greeted, v.Audience())
}

// Admit adds or removes a viewer, and returns how much work that was. A room that was shown a sandbox looks away again,
// and its viewers hear nothing more from the sandbox.
func (r *Run) Admit(v *Viewer, may bool) (work int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch _, watches := r.viewers.all[v]; {
	case !may:
		delete(r.viewers.all, v)
	case !watches:
		r.viewers.all[v] = struct{}{}
		work = r.viewers.greet(v, present.Extent{})
	}
	return work
}

// Dress makes a viewer another client and sends it all panels again. It returns how much work that was.
func (r *Run) Dress(v *Viewer, lane string) (work int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	v.Wear(lane)
	if _, here := r.viewers.all[v]; !here {
		return 0
	}
	panels, sent, _ := r.viewers.panels(r.viewers.page(v.Language), v.Audience(), everything)
	r.viewers.sent[v.Audience()] = sent
	f := Encode(update{Type: "events", Actions: len(r.engine.Actions()), Panels: panels})
	v.Send(f)
	return presenting(r.engine.World()) + Drawing(f.Size())
}

// hello tells the whole state, except the part of the log that the viewer has and the part that does not fit.
type hello struct {
	Type             string         `json:"type"`
	Version          int            `json:"version"`
	Run              string         `json:"run"`
	Epoch            string         `json:"epoch"`
	Actions          int            `json:"actions"`
	*present.Stretch                // nil for viewers without a picture
	Panels           map[string]any `json:"panels"`
}

// A greeting is a frame for viewers of one audience who come one after the other, such as a class after a restart of the
// server. It holds until the viewers are told anything else. A handful of viewers leaves none behind.
type greeting struct {
	has   present.Extent // the part of the log that the viewers had
	frame Frame
}

const handful = 8

// greet tells a viewer the whole state, and returns how much work that was.
func (w *viewers) greet(v *Viewer, has present.Extent) (work int64) {
	r := w.run
	to, log := v.Audience(), r.presented().Log()
	has = log.Known(has)
	if g, ok := w.greeted[to]; ok && g.has == has {
		v.welcome(g.frame)
		return 0
	}
	which := everything
	if has.Actions > 0 {
		which = whatMayDiffer
	}
	panels, sent, _ := w.panels(w.page(to.Language), to, which)
	w.sent[to] = sent
	h := hello{Type: "hello", Version: present.ProtocolVersion, Run: r.id, Epoch: r.epoch, Actions: len(r.engine.Actions()), Panels: panels}
	if to.draws() {
		h.Stretch = log.News(has, to.Language)
	}
	g := greeting{has, Encode(h)}
	if len(w.all) > handful {
		if w.greeted == nil {
			w.greeted = map[Audience]greeting{}
		}
		w.greeted[to] = g
	}
	v.welcome(g.frame)
	return presenting(r.engine.World()) + Drawing(g.frame.Size())
}

// greetAll tells all viewers the whole state, because the run has become another one.
func (w *viewers) greetAll() (work int64) {
	w.greeted = nil
	clear(w.sent)
	for v := range w.all {
		work += w.greet(v, present.Extent{})
	}
	return work
}

// An update tells what one request has added.
type update struct {
	Type             string         `json:"type"`
	ID               string         `json:"id,omitempty"` // of the request, for the person who sent it
	Actions          int            `json:"actions"`
	*present.Stretch                // nil for viewers without a picture
	Panels           map[string]any `json:"panels"` // HTML, or a change of the HTML that the viewers have
}

// tell draws and sends an update, and returns how much work that was.
func (w *viewers) tell(id string, had present.Extent) (work int64) {
	d := w.draw(id, had)
	w.send(d)
	return d.work
}

// A drawing is an update that is ready to be sent.
type drawing struct {
	id     string // of the request
	frames map[heard]Frame
	sent   map[Audience]map[string]panel // what the audiences have then
	work   int64                         // that the drawing took
}

// A heard identifies the viewers who hear exactly the same of a request.
type heard struct {
	Audience
	asked bool // it is their own, and they find its id in the update
}

// draw makes the update of a request with the log beyond a part, once for those who hear the same.
func (w *viewers) draw(id string, had present.Extent) drawing {
	w.greeted = nil
	r, d := w.run, drawing{id: id, frames: map[heard]Frame{}, sent: map[Audience]map[string]panel{}}
	panels := map[Audience]map[string]any{}
	pages := map[lang.Language]runview.Page{} // a class of phones has many audiences, and one page in each language
	news := map[lang.Language]*present.Stretch{}
	for v := range w.all {
		to := heard{v.Audience(), v.asked(id)}
		if _, ok := d.frames[to]; ok {
			continue
		}
		u := update{Type: "events", Actions: len(r.engine.Actions())}
		if panels[to.Audience] == nil {
			page, ok := pages[to.Language]
			if !ok {
				page = w.page(to.Language)
				pages[to.Language] = page
				d.work += presenting(r.engine.World())
			}
			var drawn int64
			panels[to.Audience], d.sent[to.Audience], drawn = w.panels(page, to.Audience, changes)
			d.work += Drawing(drawn)
		}
		u.Panels = panels[to.Audience]
		if to.asked {
			u.ID = sentID(id)
		}
		if to.draws() {
			if news[to.Language] == nil {
				news[to.Language] = r.presented().Log().News(had, to.Language)
			}
			u.Stretch = news[to.Language]
		}
		f := Encode(u)
		v.socket.Prepare(f)
		d.frames[to] = f
		d.work += Drawing(f.Size())
	}
	return d
}

// drawMeanwhile draws in a goroutine, while the store waits for its disk, and returns a function that waits for the drawing. A
// panic there is one here.
func (w *viewers) drawMeanwhile(id string, had present.Extent) func() drawing {
	drawn := make(chan drawing, 1)
	go w.run.home.Survives(func() { drawn <- w.draw(id, had) }, func() { close(drawn) })()
	return sync.OnceValue(func() drawing {
		d, ok := <-drawn
		if !ok {
			panic("live: drawing has ended in a panic")
		}
		return d
	})
}

// send sends every viewer an update.
func (w *viewers) send(d drawing) {
	maps.Copy(w.sent, d.sent)
	for v := range w.inOrder() {
		v.Send(d.frames[heard{v.Audience(), v.asked(d.id)}])
	}
	w.run.changed()
}

// tellAgain sends every viewer an update without anything new in the log.
func (w *viewers) tellAgain() (work int64) {
	r := w.run
	return w.tell("", present.Extent{Epoch: r.epoch, Actions: len(r.engine.Actions()), Events: len(r.engine.World().Events())})
}

// inOrder yields the viewers who take part, and then the viewers who only watch. There may be thousands of the latter.
func (w *viewers) inOrder() iter.Seq[*Viewer] {
	return func(yield func(*Viewer) bool) {
		for _, takesPart := range []bool{true, false} {
			for v := range w.all {
				if (v.Key != "") == takesPart && !yield(v) {
					return
				}
			}
		}
	}
}

// keeps reports whether the text of a program never changes, or of any where the name is empty: a recording may grow.
func (r *Run) keeps(name string) bool {
	return !slices.ContainsFunc(r.engine.Header().Own, func(p *program.Program) bool { return name == "" || p.Name == name })
}

// page returns the page of the run at its end, in a language.
func (w *viewers) page(l lang.Language) runview.Page {
	return w.run.presented().Panels(w.run.engine, w.run.home.Site(l))
}

// The panels that an audience is told.
type telling int

const (
	changes       telling = iota // what the audience does not have yet
	whatMayDiffer                // all, for a page that has the texts of programs from when it was loaded
	everything
)

// panels returns the panels that an audience is told, what it then has, and the bytes of HTML that were drawn. The panels of
// all programs are large and never change: a run gets no program after its first action.
func (w *viewers) panels(page runview.Page, to Audience, which telling) (told map[string]any, sent map[string]panel, drawn int64) {
	sent, used := maps.Clone(w.sent[to]), w.run.presented().UsedPrograms()
	if sent == nil { // the audience is new
		sent = map[string]panel{}
		if which == changes { // a viewer has got another lane
			which = everything
		}
	}
	told = map[string]any{}
	for _, p := range to.panels(page) {
		before, known := sent[p.ID]
		idle := p.Programs || p.Program != "" && !slices.Contains(used, p.Program)
		switch {
		case which == changes && (p.Programs || known && p.Key != "" && p.Key == before.key):
			continue
		case which == whatMayDiffer && idle && w.run.keeps(p.Program):
			if !known {
				sent[p.ID] = panel{key: p.Key}
			}
			continue
		}
		now := panel{p.Key, present.Markup(p.Content)}
		drawn += int64(len(now.html))
		switch {
		case which != changes || before.html == "":
			told[p.ID] = now.html
		case before.html != now.html:
			told[p.ID] = Changed(before.html, now.html)
			drawn += int64(len(before.html) + len(now.html)) // comparing them is as much work
		}
		if idle {
			now.html = "" // it is not kept: it changes when a client begins with it, and then as a whole
		}
		if which != changes && known && now != before { // the others of the audience have not been told
			delete(sent, p.ID)
			continue
		}
		sent[p.ID] = now
	}
	return told, sent, drawn
}

// Crowded reports whether the run has as many viewers as it may have.
func (r *Run) Crowded() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.viewers.all) >= r.home.MaxViewers
}
