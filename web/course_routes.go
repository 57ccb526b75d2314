package web

import (
	"github.com/go-chi/chi/v5"

	"lockstep/views"
)

// routes adds the pages of courses.
func (p *coursePages) routes(r chi.Router) {
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
		r.With(p.making).Post("/{lesson}", p.handleTask)
		r.Get("/{lesson}/handout", p.handleHandout)
		r.Get("/{lesson}/handout.html", p.handleHandoutFile)
		r.Get("/{lesson}/again", p.handleAgain)
		r.Get("/{lesson}/{challenge}", p.handleChallenge)
		r.With(p.making).Post("/{lesson}/{challenge}", p.handleTask)
	})
}

// embedRoutes adds the pages for frames.
func (p *coursePages) embedRoutes(r chi.Router) {
	r.Get("/courses/{course}/{lesson}", p.handleLesson)
	r.Get("/courses/{course}/{lesson}/{challenge}", p.handleChallenge)
	r.With(p.making).Post("/courses/{course}/{lesson}/{challenge}", p.handleEmbeddedTask)
}
