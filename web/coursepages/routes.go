package coursepages

import (
	"github.com/go-chi/chi/v5"

	"lockstep/views"
)

// Routes adds the pages of courses.
func (p *Pages) Routes(r chi.Router) {
	r.Get("/courses", p.handleCourses)
	r.Route("/courses/{course}", func(r chi.Router) {
		r.Get("/", p.handleCourse)
		r.Get("/sources", p.handleSources)
		r.Get(views.SitePicture, p.handleCourseCard)
		r.Get("/test", p.handleTest)
		r.Get("/test/handout", p.handleTestHandout)
		r.Get("/{lesson}"+views.SitePicture, p.handleTaskCard)
		r.Get("/{lesson}/{challenge}"+views.SitePicture, p.handleTaskCard)
		r.Get("/{lesson}", p.handleLesson)
		r.With(p.Making).Post("/{lesson}", p.handleTask)
		r.Get("/{lesson}/handout", p.handleHandout)
		r.Get("/{lesson}/handout.html", p.handleHandoutFile)
		r.Get("/{lesson}/again", p.handleAgain)
		r.Get("/{lesson}/{challenge}", p.handleChallenge)
		r.With(p.Making).Post("/{lesson}/{challenge}", p.handleTask)
	})
}

// EmbedRoutes adds the pages for frames.
func (p *Pages) EmbedRoutes(r chi.Router) {
	r.Get("/courses/{course}/{lesson}", p.handleLesson)
	r.Get("/courses/{course}/{lesson}/{challenge}", p.handleChallenge)
	r.With(p.Making).Post("/courses/{course}/{lesson}/{challenge}", p.handleEmbeddedTask)
}
