package web

import (
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"lockstep/static"
	"lockstep/views"
	"lockstep/web/door"
)

// routes returns the whole site.
func (s *Server) routes() http.Handler {
	r := chi.NewRouter()
	r.Use(door.Hurried, s.Secure, s.Addressed, s.Admitted, middleware.GetHead, s.Resolve, s.Identify, s.Measure, s.Recovers, s.Limit)
	r.Use(door.SameOrigin)
	r.Get("/healthz", s.handleHealth)
	r.Get("/metrics", s.handleMetrics(s.metricsFor))
	r.Get("/", s.handleHome)
	for path, handler := range icons {
		r.Get(path, handler)
	}
	r.Get("/help", s.handleHelp)
	r.Get(views.WordsPath, s.handleWords)
	r.Get("/commands", s.handleCommands)
	r.Get(views.ProgramsPath+"{program}", s.handleProgram)
	r.Get(views.ProgramsPath+"{program}/{language}", s.handleProgram)
	r.Get(views.SitePicture, s.HandleSiteCard)
	r.Get("/robots.txt", handleRobots)
	r.Get("/oembed", s.handleOEmbed)
	r.Post("/settings", s.handleSettings)
	s.run.Routes(r)
	s.course.Routes(r)
	s.explore.Routes(r)
	if s.Token == "" {
		s.room.Routes(r)
	}
	if s.Embeds() {
		r.Route(views.EmbedPath, func(r chi.Router) {
			r.Use(s.Embedded)
			s.run.EmbedRoutes(r)
			s.course.EmbedRoutes(r)
			s.explore.EmbedRoutes(r)
		})
	}
	if s.Shelf.Watched() {
		r.Get("/watch", s.HandleWatch)
	}
	r.Handle("/static/*", http.StripPrefix("/static", static.Handler(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, views.Say(door.Language(r), "error.none"), http.StatusNotFound) // a page would cost more than the file
	})))
	r.NotFound(func(w http.ResponseWriter, r *http.Request) {
		s.Fail(w, r, http.StatusNotFound, views.Say(door.Language(r), "error.none"))
	})
	r.MethodNotAllowed(s.RefuseMethod(r))
	return r
}
