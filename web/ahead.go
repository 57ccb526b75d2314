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
	"lockstep/views"
	"lockstep/web/limit"
	"lockstep/web/search"
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

// ahead says whether a property can still be violated from a position of a run.
type ahead struct {
	At       int             `json:"at"`
	Property string          `json:"property"`
	Verdict  explore.Verdict `json:"verdict"`
	Length   int             `json:"length"`  // of a shortest way into the violation, in actions; 0: it is there
	Actions  []string        `json:"actions"` // that way
	Bounds   string          `json:"bounds"`
	Says     string          `json:"says"` // all of it in a sentence; nothing where it is violated already
}

// A lookingFor is a question of a run's readers: what, and from where.
type lookingFor struct {
	at       int
	property string
}

// foreseen is an answer for readers of every language.
type foreseen struct {
	ahead
	bounds lang.Text
}

// in is the answer for a reader.
func (f foreseen) in(l views.Language) ahead {
	a := f.ahead
	in := engineLanguage(l)
	a.Bounds = f.bounds.In(in)
	property, _ := check.Named(a.Property)
	switch {
	case a.Verdict == explore.Spent:
		a.Says = l.Say("ahead.budget")
	case a.Verdict == explore.Holds:
		a.Says = property.Unreachable.Fill(in, a.Bounds)
	case a.Length > 0:
		a.Says = property.Reachable.Fill(in, l.Actions(a.Length))
	}
	return a
}

// getAhead looks ahead for as long as somebody waits for the answer.
func (s *Server) getAhead(w http.ResponseWriter, r *http.Request) {
	run, done, ok := s.look(w, r)
	if !ok {
		return
	}
	defer done()
	at, err := position(r.URL.Query().Get("at"))
	if at == anywhere {
		at = run.length()
	}
	what := lookingFor{at, r.URL.Query().Get("property")}
	if what.property == "" {
		what.property = check.Names()[0]
	}
	var found foreseen
	if err == nil {
		found, err = s.lookouts.look(askerOf(r), run, what)
	}
	status, answer := http.StatusOK, any(found.in(language(r)))
	if err != nil {
		status, answer = http.StatusUnprocessableEntity, errorFor(err, language(r))
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
func (o *lookouts) look(a *limit.Asker, r *run, what lookingFor) (foreseen, error) {
	ctx, end := a.Context(), r.length()
	wanted := func() bool {
		return ctx.Err() == nil && o.ctx.Err() == nil && (what.at != end || r.length() == end)
	}
	stopped := foreseen{ahead: ahead{At: what.at, Property: what.property, Verdict: explore.Stopped, Actions: []string{}}}
	if known, ok := r.hasForeseen(what); ok {
		return known, nil
	}
	leave, err := o.places.Enter(a)
	if err != nil {
		return stopped, nil // nobody waits for it any more
	}
	defer leave()
	if known, ok := r.hasForeseen(what); ok {
		return known, nil // somebody has asked the same, and was first
	}
	if !wanted() || what.at > end {
		return stopped, nil
	}
	found, err := o.search(a, r, what, wanted)
	if !wanted() {
		return stopped, nil
	}
	if err != nil || found.Verdict == explore.Stopped {
		return stopped, err
	}
	r.foresee(what, found)
	return found, nil
}

// search looks ahead, as far as its budget goes.
func (o *lookouts) search(a *limit.Asker, r *run, what lookingFor, wanted func() bool) (foreseen, error) {
	found := foreseen{ahead: ahead{At: what.at, Property: what.property, Verdict: explore.Stopped, Actions: []string{}}}
	budget, late := o.budget, time.Now().Add(aheadTime)
	here, err := r.prefixAt(func(units int64) error {
		switch budget.Work -= units; {
		case !wanted():
			return errGone
		case budget.Work <= 0, time.Now().After(late):
			found.Verdict = explore.Spent
			return errGone
		}
		return a.Advance(units)
	}, what.at)
	if errors.Is(err, errGone) { // it does not get to where it would begin
		return found, nil
	}
	if err != nil {
		return found, err
	}
	defer here.World().Close()
	question := r.task().Lookahead(here, what.property)
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
	found.bounds = lang.Both(question.Bounds(lang.English), question.Bounds(lang.Chinese))
	if answer.Verdict == explore.Stopped && wanted() {
		found.Verdict = explore.Spent // of time
	}
	for _, c := range answer.Counterexamples {
		found.Length, found.Actions = c.Length, lines(c.Actions)
	}
	return found, nil
}

// hasForeseen gives an answer that the run keeps. The log only grows, so it stays true.
func (r *run) hasForeseen(what lookingFor) (foreseen, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f, ok := r.foreseen[what]
	return f, ok
}

func (r *run) foresee(what lookingFor, f foreseen) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.foreseen == nil || len(r.foreseen) >= aheadKept {
		r.foreseen = map[lookingFor]foreseen{}
	}
	r.foreseen[what] = f
}
