package runpages

import (
	"bytes"
	"encoding/json"
	"net/http"

	"lockstep/engine/check"
	"lockstep/web/door"
	"lockstep/web/live"
	"lockstep/web/present"
	"lockstep/web/search"
)

// handleAhead answers with a lookahead. It searches while somebody waits for the answer.
func (p *Pages) handleAhead(w http.ResponseWriter, r *http.Request) {
	run, done, ok := p.look(w, r)
	if !ok {
		return
	}
	defer done()
	at, err := Position(r.URL.Query().Get("at"))
	if at == live.Anywhere {
		at = run.Length()
	}
	what := search.Lookahead{At: at, Property: r.URL.Query().Get("property")}
	if what.Property == "" {
		what.Property = check.Names()[0]
	}
	var found search.Foresight
	if err == nil {
		err = p.Rooms.MayHint(run)
	}
	if err == nil {
		found, err = p.lookouts.Look(r.Context(), run, what)
	}
	status, answer := http.StatusOK, any(present.Lookahead(what, found, door.Language(r)))
	if err != nil {
		status, answer = http.StatusUnprocessableEntity, live.NewErrorMessage(err, door.Language(r))
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	p.Answer(w, r, status, func(b *bytes.Buffer) {
		if err := json.NewEncoder(b).Encode(answer); err != nil {
			panic(err) // every field can be encoded
		}
	})
}
