package explorepages

import (
	"context"
	"net/url"

	"lockstep/engine/lang"
	"lockstep/web/class"
	"lockstep/web/live"
	"lockstep/web/present"
	"lockstep/web/refusal"
	"lockstep/web/search"
)

// errUndecided says that the explorer has not answered a question: a room is shown verdicts, and no guesses.
var errUndecided = refusal.Declare(refusal.Unprocessable, refusal.Refused, "class.undecided")

// Explored returns the explorer's answer to a question for a room: an answer that is known, or that a short search finds. It never
// takes a visitor's word for a verdict.
func (p *Pages) Explored(ctx context.Context, question, source string) (found class.Explored, err error) {
	fields, err := url.ParseQuery(question)
	if err != nil {
		return found, live.ErrMalformed
	}
	fields.Set("source", source)
	q, err := present.ReadQuestion(fields)
	if err != nil {
		return found, err
	}
	answer, decided := p.explorer.Known(q.Question, q.Causes)
	if !decided {
		if answer, decided, err = p.explorer.Answer(ctx, q.Question, q.Causes); err != nil {
			return found, err
		}
	}
	if !decided {
		return found, errUndecided
	}
	for _, l := range lang.All {
		o, _, err := present.Outcome(answer, q, search.Playing(q.Property, &answer.Left, ctx), p.Site(l))
		if err != nil {
			return found, err
		}
		found.Verdict.Stamp.Set(l, o.Stamp)
		found.Verdict.Says.Set(l, o.Sentence)
		found.Scenario = o.Attempt
		if len(o.Counterexamples) > 0 {
			found.Scenario = o.Counterexamples[0].Scenario
		}
	}
	if found.Scenario == "" {
		return found, errUndecided
	}
	return found, nil
}
