package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"lockstep/engine/check"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
	"lockstep/web/limit"
	"lockstep/web/search"
	"lockstep/web/session"
)

// What a look ahead may use. Every page asks for one after every action, so it is
// small: whoever wants to know more asks the explorer.
const (
	aheadAtOnce = 2
	aheadTime   = 2 * time.Second
	aheadKept   = 64 // answers that a run keeps
)

// aheadBudget is that of everything that a look ahead does: the replay of the run up to where it begins, and the
// search, with half a second of one processor's work.
var aheadBudget = explore.Budget{States: 300_000, Memory: 32 << 20, Work: 50_000_000}

// handleAhead looks ahead for as long as somebody waits for the answer.
func (s *Server) handleAhead(w http.ResponseWriter, r *http.Request) {
	run, done, ok := s.look(w, r)
	if !ok {
		return
	}
	defer done()
	at, err := position(r.URL.Query().Get("at"))
	if at == session.Anywhere {
		at = run.Length()
	}
	what := session.Lookahead{At: at, Property: r.URL.Query().Get("property")}
	if what.Property == "" {
		what.Property = check.Names()[0]
	}
	var found session.Foreseen
	if err == nil {
		found, err = s.lookouts.look(askerOf(r), run, what)
	}
	status, answer := http.StatusOK, any(found.In(language(r)))
	if err != nil {
		status, answer = http.StatusUnprocessableEntity, session.NewErrorMessage(err, language(r))
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	s.answer(w, r, status, func(b *bytes.Buffer) {
		if err := json.NewEncoder(b).Encode(answer); err != nil {
			panic(err) // there is nothing in it that cannot be written
		}
	})
}

// lookouts look ahead for all readers of a server, a few at once.
type lookouts struct {
	places *limit.Slots
	budget explore.Budget
	ctx    context.Context // of the server
	end    context.CancelFunc
}

func newLookouts() *lookouts {
	places := limit.NewSlots(limit.SlotsOptions{Most: aheadAtOnce, Each: aheadAtOnce / 2})
	o := &lookouts{places: places, budget: aheadBudget}
	o.ctx, o.end = context.WithCancel(context.Background())
	return o
}

// look looks ahead when it is its turn. It ends early, and has seen nothing, when nobody waits for it any more, or when it
// is about the end of a run and the run goes on.
func (o *lookouts) look(a *limit.Asker, r *session.Run, what session.Lookahead) (session.Foreseen, error) {
	ctx, end := a.Context(), r.Length()
	wanted := func() bool {
		return ctx.Err() == nil && o.ctx.Err() == nil && (what.At != end || r.Length() == end)
	}
	stopped := session.Foreseen{Ahead: session.Ahead{At: what.At, Property: what.Property, Verdict: explore.Stopped, Actions: []string{}}}
	if known, ok := r.Foreseen(what); ok {
		return known, nil
	}
	leave, err := o.places.Enter(a)
	if err != nil {
		return stopped, nil // nobody waits for it any more
	}
	defer leave()
	if known, ok := r.Foreseen(what); ok {
		return known, nil // somebody has asked the same, and was first
	}
	if !wanted() || what.At > end {
		return stopped, nil
	}
	found, err := o.search(a, r, what, wanted)
	if !wanted() {
		return stopped, nil
	}
	if err != nil || found.Verdict == explore.Stopped {
		return stopped, err
	}
	r.Foresee(what, found)
	return found, nil
}

// search looks ahead, as far as its budget goes.
func (o *lookouts) search(a *limit.Asker, r *session.Run, what session.Lookahead, wanted func() bool) (session.Foreseen, error) {
	found := session.Foreseen{Ahead: session.Ahead{At: what.At, Property: what.Property, Verdict: explore.Stopped, Actions: []string{}}}
	budget, late := o.budget, time.Now().Add(aheadTime)
	here, err := r.PrefixAt(func(units int64) error {
		switch budget.Work -= units; {
		case !wanted():
			return errGone
		case budget.Work <= 0, time.Now().After(late):
			found.Verdict = explore.Spent
			return errGone
		}
		return a.Advance(units)
	}, what.At)
	if errors.Is(err, errGone) { // it does not get to where it would begin
		return found, nil
	}
	if err != nil {
		return found, err
	}
	defer here.World().Close()
	question := r.Task().Lookahead(here, what.Property)
	spent, goesOn := int64(0), error(nil)
	hands := search.OneProcessor(func(f explore.Figures) bool {
		goesOn = a.Advance(f.Work - spent)
		spent = f.Work
		return goesOn == nil && wanted() && time.Now().Before(late)
	})
	answer, err := question.Search(budget, hands, 1)
	if err == nil {
		err = goesOn
	}
	if err != nil {
		return found, err
	}
	a.Charge(answer.Work - spent)
	found.Verdict = answer.Verdict
	found.Bounds = lang.Both(question.Bounds(lang.English), question.Bounds(lang.Chinese))
	if answer.Verdict == explore.Stopped && wanted() {
		found.Verdict = explore.Spent // of time
	}
	for _, c := range answer.Counterexamples {
		found.Length, found.Actions = c.Length, session.Lines(c.Actions)
	}
	return found, nil
}
