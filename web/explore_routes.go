package web

import (
	"github.com/go-chi/chi/v5"

	"lockstep/views"
)

// routes adds the pages and the socket of the explorer.
func (p *explorePages) routes(r chi.Router) {
	r.Get("/explore", p.handleExplore)
	r.Post("/explore", p.handleExplore)
	r.Get("/explore/answer", p.handleExploreAnswer)
	r.Post("/explore/answer", p.handleExploreAnswer)
	r.Get("/explore"+views.SitePicture, p.handleCard)
	r.Get("/explore/live", p.handleExploreLive)
}

// embedRoutes adds the page for frames.
func (p *explorePages) embedRoutes(r chi.Router) {
	r.Get("/explore", p.handleExplore)
}
