package web

import (
	"errors"
	"sync"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/program"
	"lockstep/views"
)

// A run is an engine's run and those who watch it. Its lock orders the actions
// and what the viewers are told, so that all of them see the same in the same order.
type run struct {
	id   string
	site func(views.Language) views.Site

	mu      sync.Mutex
	engine  *engine.Run
	viewers map[*viewer]struct{}
	sent    map[views.Language]map[string]string // what tells the panels that the viewers of a language have, by id
}

func newRun(id string, site func(views.Language) views.Site) *run {
	return &run{
		id: id, site: site, engine: engine.NewRun(engine.Header{}, check.All()...),
		viewers: map[*viewer]struct{}{}, sent: map[views.Language]map[string]string{},
	}
}

// untouched reports a run that is as a new one.
func (r *run) untouched() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.engine.Actions()) == 0 && len(r.engine.Own()) == 0
}

// anywhere stands for the position of one who does not say what they have seen.
const anywhere = -1

// A staleError refuses an action on a state that has passed.
type staleError struct{ actions int }

func (e *staleError) Error() string { return views.English.Say("stale", e.actions) }

// Requests that are no action; the sentences are in the catalogue.
var (
	errEmpty       = errors.New("error.empty")
	errExpectation = errors.New("error.expectation")
	errNothing     = errors.New("nothing-to-undo")
)

// at refuses whoever has not seen the state that is there now.
func (r *run) at(position int) error {
	if n := len(r.engine.Actions()); position != anywhere && position != n {
		return &staleError{n}
	}
	return nil
}

// act does what one line of scenario text says: spawn C1 C2 is two actions, and
// either both are done or none.
func (r *run) act(position int, id, line string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.at(position); err != nil {
		return err
	}
	scenario, err := engine.Parse("action", line, nil)
	if err != nil {
		return err
	}
	actions := scenario.Actions()
	switch {
	case len(scenario.Lines) == 0 && scenario.Header.Program == "":
		return errEmpty
	case len(scenario.Lines) != 1 || len(actions) == 0 || scenario.Header.String() != "":
		return errExpectation
	}
	before, seen := len(r.engine.Actions()), len(r.engine.World().Events())
	for _, action := range actions {
		if _, err := r.engine.Do(action); err != nil {
			if len(r.engine.Actions()) > before {
				r.engine.Rewind(before)
			}
			return err
		}
	}
	r.tell(update{Type: "events", ID: id, Events: r.engine.World().Events()[seen:]}, false)
	return nil
}

// undo takes the last action back, reset all of them.
func (r *run) undo(position int, id string) error { return r.rewind(position, id, 1) }

func (r *run) reset(position int, id string) error { return r.rewind(position, id, engine.MaxEvents) }

func (r *run) rewind(position int, id string, actions int) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.at(position); err != nil {
		return err
	}
	done := len(r.engine.Actions())
	if done == 0 {
		return errNothing
	}
	r.engine.Rewind(max(0, done-actions))
	r.tell(update{Type: "rewind", ID: id, Events: len(r.engine.World().Events())}, false)
	return nil
}

// define adds a program of the reader's own.
func (r *run) define(id, name, source string) error {
	p, err := program.Parse(name, source)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.engine.Define(p); err != nil {
		return err
	}
	r.tell(update{Type: "events", ID: id, Events: []engine.Event{}}, true)
	return nil
}

// join lets a viewer watch: it is told the state, and from then on every change.
func (r *run) join(v *viewer, most int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.viewers) >= most {
		return false
	}
	r.viewers[v] = struct{}{}
	if r.sent[v.language] == nil {
		r.sent[v.language] = map[string]string{}
	}
	panels := r.panels(v.language, true, true)
	v.send(newFrame(hello{
		Type: "hello", Version: protocolVersion, Run: r.id, Actions: len(r.engine.Actions()), Events: events(r.engine.World()), Panels: panels,
	}))
	return true
}

func (r *run) leave(v *viewer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.viewers, v)
	for other := range r.viewers {
		if other.language == v.language {
			return
		}
	}
	delete(r.sent, v.language)
}

// tell sends an update to every viewer, made once for each language.
func (r *run) tell(u update, newPrograms bool) {
	u.Actions = len(r.engine.Actions())
	frames := map[views.Language]frame{}
	for v := range r.viewers {
		f, ok := frames[v.language]
		if !ok {
			u.Panels = r.panels(v.language, newPrograms, false)
			f = newFrame(u)
			frames[v.language] = f
		}
		v.send(f)
	}
}

// panels renders what the viewers of a language do not have yet, or everything.
// The panels of the programs, which are large, go out when one has been added.
func (r *run) panels(l views.Language, programs, everything bool) map[string]string {
	contents, sent := map[string]string{}, r.sent[l]
	for _, panel := range views.Panels(present(r, r.site(l))) {
		if panel.Programs && !programs {
			continue
		}
		content, key := "", panel.Key
		if key == "" {
			content = markup(panel.Content)
			key = content
		}
		if (everything || sent[panel.ID] != key) && (panel.Within == "" || !programs) {
			if content == "" {
				content = markup(panel.Content)
			}
			contents[panel.ID] = content
		}
		sent[panel.ID] = key
	}
	return contents
}

// events are those of a world, never null on the wire.
func events(w *engine.World) []engine.Event {
	if all := w.Events(); all != nil {
		return all
	}
	return []engine.Event{}
}
