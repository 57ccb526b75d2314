package web

import (
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"lockstep/static"
	"lockstep/views"
	roomview "lockstep/views/room"
	"lockstep/web/room"
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
	r.Get("/new", s.run.handleNewRun)
	r.Get("/help", s.handleHelp)
	r.Get("/programs/{program}/{language}", s.handleTongue)
	r.Get(views.SitePicture, s.handleSiteCard)
	r.Get("/courses", s.course.handleCourses)
	r.Route("/courses/{course}", func(r chi.Router) {
		r.Get("/", s.course.handleCourse)
		r.Get("/sources", s.course.handleSources)
		r.Get(views.SitePicture, s.course.handleCourseCard)
		r.Get("/test", s.course.handleTest)
		r.Get("/test/handout", s.course.handleTestHandout)
		r.Get("/{lesson}"+views.SitePicture, s.course.handleTaskCard)
		r.Get("/{lesson}/{challenge}"+views.SitePicture, s.course.handleTaskCard)
		r.Get("/{lesson}", s.course.handleLesson)
		r.With(s.making).Post("/{lesson}", s.course.handleTask)
		r.Get("/{lesson}/handout", s.course.handleHandout)
		r.Get("/{lesson}/handout.html", s.course.handleHandoutFile)
		r.Get("/{lesson}/again", s.course.handleAgain)
		r.Get("/{lesson}/{challenge}", s.course.handleChallenge)
		r.With(s.making).Post("/{lesson}/{challenge}", s.course.handleTask)
	})
	r.Get("/explore", s.explore.handleExplore)
	r.Post("/explore", s.explore.handleExplore)
	r.Get("/explore/answer", s.explore.handleExploreAnswer)
	r.Post("/explore/answer", s.explore.handleExploreAnswer)
	r.Get("/explore"+views.SitePicture, s.explore.handleCard)
	r.Get("/explore/live", s.explore.handleExploreLive)
	r.Get("/robots.txt", handleRobots)
	r.Get("/oembed", s.handleOEmbed)
	r.Post("/settings", s.handleSettings)
	r.Route("/t/{id:[a-z0-9]{10}}", func(r chi.Router) {
		r.Get("/", s.run.handleRun)
		r.Post("/actions", s.run.handleAction)
		r.With(s.making).Post("/reruns", s.run.handleRerun)
		r.With(s.making).Post("/forks", s.run.handleFork)
		r.Get("/live", s.run.handleLive)
		r.Get("/ahead", s.run.handleAhead)
		r.Get(views.SitePicture, s.run.handleCard)
		r.Get("/events", s.run.handleEvents)
		r.Post("/lesson", s.run.handleNextMoment)
		r.Post("/claims", s.run.handleClaim)
		for _, form := range []string{"/actions", "/reruns", "/forks", "/lesson", "/claims"} {
			r.Get(form, s.handleNoForm)
		}
	})
	for _, format := range Formats {
		r.Get("/t/{id:[a-z0-9]{10}}."+format.Extension, s.run.handleExport(format))
	}
	r.Get("/p", s.run.handleLink)
	r.Post("/p", s.run.handleLookAtLink)
	if s.token == "" {
		s.roomRoutes(r)
	}
	if s.embeds() {
		s.embedRoutes(r)
	}
	if s.shelf.Watched() {
		r.Get("/watch", s.handleWatch)
		r.Get("/t/{id:[a-z0-9]{10}}/fresh", s.run.handleFresh)
	}
	r.With(s.making).Post("/runs", s.run.handleScenario)
	r.Get("/runs", s.handleNoForm)
	r.With(s.making).Post("/imports", s.run.handleImport)
	r.Get("/imports", s.handleNoForm)
	r.Handle("/static/*", http.StripPrefix("/static", static.Handler(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, views.Say(language(r), "error.none"), http.StatusNotFound) // a page would cost more than the file
	})))
	r.NotFound(func(w http.ResponseWriter, r *http.Request) {
		s.fail(w, r, http.StatusNotFound, views.Say(language(r), "error.none"))
	})
	r.MethodNotAllowed(s.refuseMethod(r))
	return r
}

// roomRoutes adds the pages of rooms.
func (s *Server) roomRoutes(r chi.Router) {
	r.With(s.making).Post("/rooms", s.room.handleOpenRoom)
	r.Get("/rooms", s.handleNoForm)
	r.Get("/join", s.room.handleJoin)
	r.Route("/r/{code:[0-9]{6}}", func(r chi.Router) {
		r.Get("/", s.room.handleRoomPage(anybody, atEnd, participantPage))
		r.With(s.making).Post("/seats", s.room.in(s.room.handleSeat))
		r.Get("/screen", s.room.handleRoomPage(anybody, (*room.Room).Cursor, roomview.ScreenPage))
		r.Get("/start", s.room.in(s.room.handleStart))
		r.Get("/single", s.room.handleRoomPage(presents, (*room.Room).Cursor, roomview.SinglePage))
		r.Get("/present", s.room.in(s.room.handlePresent))
		r.Get("/run", s.room.in(s.room.handleRoomRun))
		r.Get("/remote", s.room.in(s.room.handleRemote))
		r.Post("/remote", s.room.in(s.room.handlePairing))
		r.With(s.making).Post("/remotes", s.room.in(s.room.handleOfferRemote))
		r.Get("/results", s.room.results(s.room.handleResults))
		r.Get("/results.json", s.room.results(s.room.handleResultsJSON))
		r.Get("/results.csv", s.room.results(s.room.handleResultsCSV))
		r.Get("/home", s.room.in(s.room.handleHome))
		r.Get("/handout.html", s.room.in(s.room.handleRoomHandout))
		r.Get("/wall", s.room.handleRoomPage(presents, (*room.Room).Cursor, wallPage))
		r.Post("/do", s.room.in(s.room.handleDo))
		r.Post("/forget", s.room.in(s.room.handleForget))
		for _, form := range []string{"/seats", "/remotes", "/do", "/forget"} {
			r.Get(form, s.handleNoForm)
		}
	})
}

// loads lets pages load files from this site only, and no inline scripts: if a
// program's name or a note got into the markup as a script, it would not run.
const loads = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"font-src 'self'; form-action 'self'; base-uri 'none'; "

// policy is that of every page but those for frames: see policyFor.
const policy = loads + "frame-ancestors 'none'"

func (g *gateway) secure(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", g.policyFor(r.URL.Path))
		h.Set("X-Content-Type-Options", "nosniff")
		// With no-referrer, browsers send this site's own forms with the origin "null"
		// over plain http, as in a workshop's LAN, and sameOrigin would have to refuse
		// them. Other sites learn nothing with either policy.
		h.Set("Referrer-Policy", "same-origin")
		// No other site may hold a window of this one, or load its files. Over plain
		// http browsers ignore the first header, with a warning on every page.
		if g.https(r) {
			h.Set("Cross-Origin-Opener-Policy", "same-origin")
		}
		// Strict-Transport-Security is up to the proxy, which has the certificate and
		// may serve other sites on this host.
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=()")
		next.ServeHTTP(w, r)
	})
}

// sameOrigin refuses forms that come from the pages of another site.
func sameOrigin(next http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	protection.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, views.Say(language(r), "error.foreign"), http.StatusForbidden)
	}))
	return protection.Handler(next)
}

// refuseMethod answers with the methods that an address takes. It knows the routes that exist when it is called.
func (rs *responder) refuseMethod(routes chi.Routes) http.HandlerFunc {
	methods := map[string][]string{}
	_ = chi.Walk(routes, func(method, pattern string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		pattern = strings.TrimSuffix(pattern, "/")
		methods[pattern] = append(methods[pattern], method)
		return nil
	})
	return func(w http.ResponseWriter, r *http.Request) {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			// chi finds a subrouter at its root, even if no route is there.
			route := routes.Find(chi.NewRouteContext(), method, r.URL.Path)
			if route != "" && slices.Contains(methods[strings.TrimSuffix(route, "/")], method) {
				w.Header().Add("Allow", method)
			}
		}
		rs.fail(w, r, http.StatusMethodNotAllowed, views.Say(language(r), "error.method"))
	}
}
