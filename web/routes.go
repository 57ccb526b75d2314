package web

import (
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"lockstep/static"
	"lockstep/views"
)

// routes returns the whole site.
func (s *Server) routes() http.Handler {
	r := chi.NewRouter()
	r.Use(hurried, s.secure, s.addressed, s.admitted, middleware.GetHead, s.resolve, s.identify, s.measure, s.recovers, s.limit)
	r.Use(sameOrigin)
	r.Get("/healthz", s.handleHealth)
	r.Get("/metrics", s.handleMetrics(s.metricsFor))
	r.Get("/", s.handleHome)
	for path, handler := range icons {
		r.Get(path, handler)
	}
	r.Get("/help", s.handleHelp)
	r.Get("/programs/{program}/{language}", s.handleTongue)
	r.Get(views.SitePicture, s.handleSiteCard)
	r.Get("/robots.txt", handleRobots)
	r.Get("/oembed", s.handleOEmbed)
	r.Post("/settings", s.handleSettings)
	s.run.routes(r)
	s.course.routes(r)
	s.explore.routes(r)
	if s.token == "" {
		s.room.routes(r)
	}
	if s.embeds() {
		r.Route(views.EmbedPath, func(r chi.Router) {
			r.Use(s.embedded)
			s.run.embedRoutes(r)
			s.course.embedRoutes(r)
			s.explore.embedRoutes(r)
		})
	}
	if s.shelf.Watched() {
		r.Get("/watch", s.handleWatch)
	}
	r.Handle("/static/*", http.StripPrefix("/static", static.Handler(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, views.Say(language(r), "error.none"), http.StatusNotFound) // a page would cost more than the file
	})))
	r.NotFound(func(w http.ResponseWriter, r *http.Request) {
		s.fail(w, r, http.StatusNotFound, views.Say(language(r), "error.none"))
	})
	r.MethodNotAllowed(s.refuseMethod(r))
	return r
}
