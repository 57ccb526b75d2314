package explorepages

import (
	"net/http"

	"lockstep/engine/lang"
	"lockstep/web/picture"
	"lockstep/web/present"
	"lockstep/web/search"
)

// handleCard answers with the card of a question for the explorer, and with the answer if it is known. It searches nothing.
func (p *Pages) handleCard(w http.ResponseWriter, r *http.Request) {
	q, err := present.ReadQuestion(r.URL.Query())
	if err != nil {
		p.Refuse(w, r, err)
		return
	}
	found, known := p.explorer.Known(q.Question, false)
	if !known || q.Own { // the address has no room for an own program's text
		p.ShowCard(w, r, q.Query(), func(l lang.Language) (picture.Card, error) { return present.AskedCard(q, l), nil })
		return
	}
	p.ShowCard(w, r, q.Query()+" answered", func(l lang.Language) (picture.Card, error) {
		return present.AnsweredCard(q, found, search.Playing(q.Property, &found.Left, r.Context()), l)
	})
}
