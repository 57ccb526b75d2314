package explorepages

import (
	"github.com/go-chi/chi/v5"

	"lockstep/views"
)

// Routes adds the pages and the socket of the explorer.
func (p *Pages) Routes(r chi.Router) {
	r.Get("/explore", p.handleExplore)
	r.Post("/explore", p.handleExplore)
	r.Get("/explore/answer", p.handleExploreAnswer)
	r.Post("/explore/answer", p.handleExploreAnswer)
	r.Get("/explore"+views.SitePicture, p.handleCard)
	r.Get("/explore/live", p.handleExploreLive)
}

// EmbedRoutes adds the page for frames.
func (p *Pages) EmbedRoutes(r chi.Router) {
	r.Get("/explore", p.handleExplore)
}
