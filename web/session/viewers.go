package session

import (
	"iter"

	"lockstep/engine/lang"
	"lockstep/views"
	"lockstep/web/limit"
	"lockstep/web/present"
)

// viewers are the viewers of a run, with all that they have been told. The run's lock guards them. Where a comment says
// nothing about the lock, the caller holds it.
type viewers struct {
	run     *Run
	all     map[*Viewer]struct{}
	sent    map[Audience]map[string]string // the key of each panel that an audience has, by the panel's id
	greeted map[Audience]greeting          // the greeting of the last viewers who came, as long as it holds
}

func newViewers(r *Run) viewers {
	return viewers{run: r, all: map[*Viewer]struct{}{}, sent: map[Audience]map[string]string{}}
}

// join adds a viewer, unless there are the most already. The viewer is told the state and the log beyond the part that it
// has, and from then on every change. join takes the run's lock.
func (w *viewers) join(a *limit.Asker, v *Viewer, most int, has present.Extent) bool {
	w.run.mu.Lock()
	defer w.run.mu.Unlock()
	if len(w.all) >= most {
		return false
	}
	w.all[v] = struct{}{}
	a.Charge(w.greet(v, has))
	return true
}

// leave removes a viewer. The last viewer of an audience takes the notes about the audience along. leave takes the run's
// lock.
func (w *viewers) leave(v *Viewer) {
	w.run.mu.Lock()
	defer w.run.mu.Unlock()
	delete(w.all, v)
	for other := range w.all {
		if other.audience() == v.audience() {
			return
		}
	}
	delete(w.sent, v.audience())
	delete(w.greeted, v.audience())
}

// admit adds or removes a viewer, and returns how much work that was. A room that was shown a sandbox looks away again,
// and its viewers hear nothing more from the sandbox. admit takes the run's lock.
func (w *viewers) admit(v *Viewer, may bool) (work int64) {
	w.run.mu.Lock()
	defer w.run.mu.Unlock()
	switch _, watches := w.all[v]; {
	case !may:
		delete(w.all, v)
	case !watches:
		w.all[v] = struct{}{}
		work = w.greet(v, present.Extent{})
	}
	return work
}

// show sends a viewer all panels again, because it has become another client. It returns how much work that was, and takes
// the run's lock.
func (w *viewers) show(v *Viewer) (work int64) {
	w.run.mu.Lock()
	defer w.run.mu.Unlock()
	if _, here := w.all[v]; !here {
		return 0
	}
	r := w.run
	f := Encode(update{Type: "events", Actions: len(r.engine.Actions()), Panels: w.panels(w.page(v.language), v.audience(), true)})
	v.Send(f)
	return presenting(r.engine.World()) + Drawing(f.Size())
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
	to, log := v.audience(), r.presented().Log()
	has = log.Known(has)
	if g, ok := w.greeted[to]; ok && g.has == has {
		v.welcome(g.frame)
		return 0
	}
	if w.sent[to] == nil {
		w.sent[to] = map[string]string{}
	}
	h := hello{
		Type: "hello", Version: present.ProtocolVersion, Run: r.id, Epoch: r.epoch, Actions: len(r.engine.Actions()),
		Panels: w.panels(w.page(to.Language), to, true),
	}
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
	for v := range w.all {
		work += w.greet(v, present.Extent{})
	}
	return work
}

// tell sends every viewer an update with the log beyond a part, and returns how much work that was. It makes each update
// once for an audience. The viewer who has sent the request finds its id in the update.
func (w *viewers) tell(id string, had present.Extent) (work int64) {
	w.greeted = nil
	type heard struct {
		Audience
		asked bool
	}
	r := w.run
	frames, panels := map[heard]Frame{}, map[Audience]map[string]string{}
	pages := map[lang.Language]views.Page{} // a class of phones has many audiences, and one page in each language
	news := map[lang.Language]*present.Stretch{}
	for v := range w.inOrder() {
		to := heard{v.audience(), v.asked(id)}
		f, ok := frames[to]
		if !ok {
			u := update{Type: "events", Actions: len(r.engine.Actions())}
			if panels[to.Audience] == nil {
				page, ok := pages[to.Language]
				if !ok {
					page = w.page(to.Language)
					pages[to.Language] = page
					work += presenting(r.engine.World())
				}
				panels[to.Audience] = w.panels(page, to.Audience, false)
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
			f = Encode(u)
			frames[to] = f
			work += Drawing(f.Size())
		}
		v.Send(f)
	}
	r.home.manager.changed(r)
	return work
}

// tellAnew sends every viewer an update without anything new in the log.
func (w *viewers) tellAnew() (work int64) {
	r := w.run
	return w.tell("", present.Extent{Epoch: r.epoch, Actions: len(r.engine.Actions()), Events: len(r.engine.World().Events())})
}

// inOrder yields the viewers who take part, and then the viewers who only watch. There may be thousands of the latter.
func (w *viewers) inOrder() iter.Seq[*Viewer] {
	return func(yield func(*Viewer) bool) {
		for _, takesPart := range []bool{true, false} {
			for v := range w.all {
				if (v.key != "") == takesPart && !yield(v) {
					return
				}
			}
		}
	}
}

// page returns the page of the run at its end, in a language.
func (w *viewers) page(l lang.Language) views.Page {
	return w.run.presented().Panels(w.run.engine, w.run.home.manager.Site(l))
}

// panels renders the panels that an audience does not have yet, or all of them. The panels of all programs are large and
// never change: a run gets no program after its first action.
func (w *viewers) panels(page views.Page, to Audience, everything bool) map[string]string {
	contents, sent := map[string]string{}, w.sent[to]
	if sent == nil { // the audience is new: a viewer has got another lane
		sent, everything = map[string]string{}, true
		w.sent[to] = sent
	}
	for _, panel := range to.panels(page) {
		if panel.Programs && !everything {
			continue
		}
		content, key := "", panel.Key
		if key == "" {
			content = present.Markup(panel.Content)
			key = content
		}
		if everything || sent[panel.ID] != key {
			if content == "" {
				content = present.Markup(panel.Content)
			}
			contents[panel.ID] = content
		}
		sent[panel.ID] = key
	}
	return contents
}
