package explorepages

import (
	"bytes"
	"encoding/json"
	"net/http"

	"lockstep/engine/explore"
	"lockstep/web/door"
	"lockstep/web/live"
	"lockstep/web/present"
	"lockstep/web/refusal"
)

// An undecided message says that a question takes a longer search, on a socket. It has the figures of the short one.
type undecided struct {
	Type string `json:"type"`
	explore.Figures
}

// handleExploreAnswer answers a question at once, in JSON: from what is known, or from a short search. It is for a script
// that asks again while the reader moves a control.
func (p *Pages) handleExploreAnswer(w http.ResponseWriter, r *http.Request) {
	if !p.ParseForm(w, r, door.MaxForm) {
		return
	}
	status := http.StatusOK
	answer, err := p.answerQuickly(r)
	if err != nil {
		status, answer = refusal.Of(err).Status, live.NewErrorMessage(err, door.Language(r))
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	p.Answer(w, r, status, func(b *bytes.Buffer) {
		if err := json.NewEncoder(b).Encode(answer); err != nil {
			panic(err) // every field can be encoded
		}
	})
}

// answerQuickly returns the message that answers a question.
func (p *Pages) answerQuickly(r *http.Request) (any, error) {
	q, err := present.ReadQuestion(r.Form)
	if err != nil {
		return nil, err
	}
	ctx := r.Context()
	found, decided := p.explorer.Known(q.Question, q.Causes)
	if !decided && mayAsk(r) {
		if found, decided, err = p.explorer.Answer(ctx, q.Question, q.Causes); err != nil {
			return nil, err
		}
	}
	if decided {
		return replyOf(found, q, ctx, p.SiteIn(r))
	}
	figures := explore.Figures{Depths: []int64{}}
	if found.Answer != nil {
		figures = found.Figures
	}
	return undecided{"unfinished", figures}, nil
}
