package runpages

import (
	"github.com/go-chi/chi/v5"

	"lockstep/views"
)

// Routes adds the pages, forms and sockets of runs, and the links to scenarios.
func (p *Pages) Routes(r chi.Router) {
	r.Get("/new", p.handleNewRun)
	r.Route("/t/{id:[a-z0-9]{10}}", func(r chi.Router) {
		r.Get("/", p.handleRun)
		r.Post("/actions", p.handleAction)
		r.With(p.Making).Post("/reruns", p.handleRerun)
		r.With(p.Making).Post("/forks", p.handleFork)
		r.Get("/live", p.handleLive)
		r.Get("/ahead", p.handleAhead)
		r.Get(views.SitePicture, p.handleCard)
		r.Get("/events", p.handleEvents)
		r.Post("/lesson", p.handleNextMoment)
		r.Post("/claims", p.handleClaim)
		for _, form := range []string{"/actions", "/reruns", "/forks", "/lesson", "/claims"} {
			r.Get(form, p.HandleNoForm)
		}
	})
	for _, format := range Formats {
		r.Get("/t/{id:[a-z0-9]{10}}."+format.Extension, p.handleExport(format))
	}
	r.Get("/p", p.handleLink)
	r.Post("/p", p.handleLookAtLink)
	r.Get("/p"+views.SitePicture, p.handleLinkCard)
	r.With(p.Making).Post("/runs", p.handleScenario)
	r.Get("/runs", p.HandleNoForm)
	r.With(p.Making).Post("/imports", p.handleImport)
	r.Get("/imports", p.HandleNoForm)
	if p.Shelf.Watched() {
		r.Get("/t/{id:[a-z0-9]{10}}/fresh", p.handleFresh)
	}
}

// EmbedRoutes adds the pages for frames. What they ask for by themselves is at the usual addresses.
func (p *Pages) EmbedRoutes(r chi.Router) {
	r.Get("/t/{id:[a-z0-9]{10}}", p.handleRun)
}
