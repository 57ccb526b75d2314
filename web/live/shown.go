package live

import (
	"context"
	"slices"

	"lockstep/engine"
	"lockstep/engine/lang"
	"lockstep/views"
	runview "lockstep/views/run"
	"lockstep/web/limit"
	"lockstep/web/picture"
	"lockstep/web/present"
)

// presenting returns the work of looking through the events of a run, in units of the engine's work.
func presenting(w *engine.World) int64 { return 10 * int64(len(w.Events())) }

// Drawing returns the work of writing that many bytes and of compressing them for the wire, in units of the engine's work.
func Drawing(bytes int64) int64 { return 3 * bytes }

// See returns what a function makes of the run. The function runs under the run's lock.
func See[T any](r *Run, look func(present.Run) T) T {
	r.mu.Lock()
	defer r.mu.Unlock()
	return look(r.presented())
}

// Look renders the panels of an audience at a position. It leaves out the texts of programs that no client of the run
// has.
func (r *Run) Look(ctx context.Context, position int, to Audience) (map[string]string, error) {
	past, err := r.Prefix(ctx, position)
	if err != nil {
		return nil, err
	}
	defer past.World().Close()
	var used []string
	page := See(r, func(p present.Run) runview.Page {
		page := p.Panels(past, r.home.Site(to.Language))
		page.Tip, used = len(p.Engine.Actions()), p.UsedPrograms()
		return page
	})
	limit.Charge(ctx, presenting(past.World()))
	contents := map[string]string{}
	for _, panel := range to.panels(page) {
		if panel.Programs || panel.Program != "" && !slices.Contains(used, panel.Program) {
			continue
		}
		contents[panel.ID] = present.Markup(panel.Content)
		if err := limit.Spend(ctx, Drawing(int64(len(contents[panel.ID])))); err != nil {
			return nil, err
		}
	}
	return contents, nil
}

// Page makes the view model of the whole page of a run at a position, with the wanted rows of the list. The pace may end
// it with an error.
func (r *Run) Page(ctx context.Context, position int, want present.Rows, site views.Site) (runview.Page, error) {
	var past *engine.Run
	if position != Anywhere && position < r.Length() {
		var err error
		if past, err = r.Prefix(ctx, position); err != nil {
			return runview.Page{}, err
		}
		defer past.World().Close()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	limit.Charge(ctx, presenting(r.engine.World()))
	if past == nil {
		past = r.engine
	}
	page, encoded := r.presented().Page(past, want, site)
	limit.Charge(ctx, Drawing(int64(encoded)))
	return page, nil
}

// Card makes the picture of the link to the run at a position, which is not drawn yet.
func (r *Run) Card(ctx context.Context, position int, l lang.Language) (picture.Card, error) {
	past, err := r.Prefix(ctx, position)
	if err != nil {
		return picture.Card{}, err
	}
	defer past.World().Close()
	limit.Charge(ctx, 2*presenting(past.World()))
	return See(r, func(p present.Run) picture.Card { return p.Card(past, l) }), nil
}

// Begins returns the beginning of the log that a page holds.
func (r *Run) Begins(ctx context.Context, l lang.Language) *present.Piece {
	r.mu.Lock()
	defer r.mu.Unlock()
	log := r.presented().Log().Begin(l)
	limit.Charge(ctx, Drawing(int64(log.Size)))
	return log
}

// Trace gives an exporter the run, under the run's lock.
func (r *Run) Trace(write func(*engine.Trace) error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return write(&engine.Trace{Scenario: r.engine.Scenario(), Run: r.engine})
}
