package runpages

import (
	"bytes"
	"net/http"
	"net/url"
	"strconv"

	"lockstep/web/door"
	"lockstep/web/limit"
	"lockstep/web/live"
	"lockstep/web/present"
)

// handleEvents answers with the next stretch of a run's log, for a page that has the beginning.
func (p *Pages) handleEvents(w http.ResponseWriter, r *http.Request) {
	run, done, ok := p.look(w, r)
	if !ok {
		return
	}
	defer done()
	log := live.See(run, present.Run.Log)
	if err := limit.Spend(r.Context(), live.Drawing(min(run.Bytes(), present.AnswerSize))); err != nil { // encoding comes before drawing
		p.Busy(w, r, err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	p.Answer(w, r, http.StatusOK, func(b *bytes.Buffer) {
		b.Write(present.Encode(log.After(ExtentOf(r.URL.Query()), door.Language(r))))
	})
}

// ExtentOf reads from a query how much of a log a page already has. It takes 0 for an invalid number.
func ExtentOf(query url.Values) present.Extent {
	number := func(name string) int {
		n, err := strconv.Atoi(query.Get(name))
		if err != nil {
			return 0
		}
		return max(0, n)
	}
	return present.Extent{Epoch: query.Get("epoch"), Actions: number("after"), Events: number("since")}
}
