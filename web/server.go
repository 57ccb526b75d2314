package web

import (
	"cmp"
	"log/slog"
	"net/http"
	"net/netip"
	"runtime"
	"strings"
	"time"

	"lockstep/engine/course"
	"lockstep/engine/lang"
	"lockstep/static"
	"lockstep/views"
	"lockstep/web/class"
	"lockstep/web/limit"
	"lockstep/web/live"
	"lockstep/web/present"
	"lockstep/web/search"
	"lockstep/web/shelf"
	"lockstep/web/store"
)

// Options configure a Server. The zero value gives the usual one.
type Options struct {
	BasePath   string       // prefix of every URL, such as /tools/lockstep; empty: the root
	Logger     *slog.Logger // nil: the server logs nothing
	MaxRuns    int          // in memory at once; 0: 3,000, more than one address may watch
	MaxRooms   int          // in use at once; 0: 3,000
	MaxViewers int          // sockets of one run at once; 0: 3,000

	Courses []*course.Course // own ones, before the built-in one; their names differ
	Shelf   *shelf.Shelf     // holds the courses, and may exchange them; nil: it holds Courses and the built-in one
	Store   store.Store      // keeps the logs of runs and rooms; the server closes it; nil: memory

	MaxSearches  int           // that the explorer runs at once; 0: 2
	MaxWaiting   int           // searches that wait for their turn; 0: 50
	SearchMoment time.Duration // that a page waits for its search; 0: 2 s
	Lookahead    time.Duration // that one may take; 0: 2 s
	VoteTime     time.Duration // after which a vote of a room's network is over; 0: 20 s
	Processors   int           // that requests may use; 0: as many as the runtime has threads

	Limits    Limits
	Proxies   []netip.Prefix                                  // whose forwarded headers are trusted
	PublicURL string                                          // that visitors use, as PublicURL returns it: the server refuses other hosts; empty: it answers every host
	LocalURL  string                                          // scheme, host and port by which others reach a server that its own machine calls localhost; empty: none
	Machine   func() (names []string, addresses []netip.Addr) // by which its networks reach this machine; nil: the system is asked
	EmbedFrom []string                                        // origins, as EmbedOrigins returns them, whose pages may frame those below /embed; none: nobody may
	Metrics   []netip.Prefix                                  // addresses that may read /metrics

	// Of lockstep attach, whose site is for one person on this machine. Such a site has no rooms.
	Token   string       // that every request brings; empty: anybody may look
	Learner live.Learner // runs the real programs behind recordings; nil: nothing ever runs one
}

// A Server is the site: its pages by subject, and everything that they share.
type Server struct {
	*responder
	run     *runPages
	room    *roomPages
	course  *coursePages
	explore *explorePages

	store      store.Store
	explorer   *search.Explorer
	lookouts   *search.Lookouts
	guesses    *limit.Guesses // at the codes of rooms
	metricsFor []netip.Prefix
	health     health
}

// New returns a site without runs.
func New(o Options) *Server {
	j := &journal{log: o.Logger}
	if j.log == nil {
		j.log = slog.New(slog.DiscardHandler)
	}
	s := &Server{
		responder: &responder{newGuard(o.Limits, limit.NewWork(orDefault(o.Processors, runtime.GOMAXPROCS(0))), newGateway(o, j)), newCards(), nil, o.Shelf},
		store:     o.Store,
		explorer:  search.New(o.MaxSearches, o.MaxWaiting, o.SearchMoment), lookouts: search.NewLookouts(o.Lookahead),
		guesses: limit.NewGuesses(orDefault(o.Limits.Guesses, 60)), metricsFor: o.Metrics,
	}
	if s.shelf == nil {
		s.shelf = shelf.Of(o.Courses, false)
	}
	if s.store == nil {
		s.store = store.Memory(store.Options{Logger: o.Logger})
	}
	maxViewers := orDefault(o.MaxViewers, 3000)
	s.rooms = class.New(live.Environment{
		Server: live.NewID(), Store: s.store, Work: s.work, Limits: &s.guard.Limits, Courses: s.shelf.All,
		MaxRuns: orDefault(o.MaxRuns, 3000), MaxViewers: maxViewers,
		Site: s.site, Sign: s.sign, MayMake: func(network, person string) error { return s.mayMake(visitor{network, person}) },
		Refused: s.refused, Slow: func() { s.metrics.slow.Inc() }, Survives: s.survives,
		Learner: o.Learner,
		Debug:   func(what string, err error) { s.log.Debug(what, "err", nameless(err.Error())) },
	}, class.Options{MaxRooms: orDefault(o.MaxRooms, 3000), VoteTime: cmp.Or(o.VoteTime, 20*time.Second), Explored: s.explored})
	s.run = &runPages{s.responder, s.explorer, s.lookouts}
	s.room = &roomPages{s.responder, s.store, s.guesses}
	s.course = &coursePages{s.responder, s.run, s.explorer}
	s.explore = &explorePages{responder: s.responder, explorer: s.explorer, maxViewers: maxViewers}
	s.health.parts = []part{{"store", s.store.Ping}}
	s.metrics = newMetrics(func() float64 { return float64(s.rooms.Runs.Figures().All) }, s.guard)
	s.watch(s.metrics)
	var err error
	if s.secret, err = sharedSecret(s.store); err != nil {
		s.log.Error("the secret that cookies are signed with", "err", err) // the store does not answer; /healthz reports it
	}
	s.store.Follow(func(n store.News) { s.survives(func() { s.news(n) }, func() {})() })
	return s
}

// BasePath returns a base path in the one form that begins every URL, such as
// /tools/lockstep, and an empty text for the root.
func BasePath(text string) string {
	if text = strings.Trim(text, "/"); text == "" {
		return ""
	}
	return "/" + text
}

// orDefault returns n, or the usual value where n is 0.
func orDefault[N int | int64](n, usual N) N {
	if n == 0 {
		return usual
	}
	return n
}

// site returns the facts about this server that pages in a language need.
func (rs *responder) site(l lang.Language) views.Site {
	return views.Site{Lang: l, Alone: rs.token != "", Base: rs.base, Course: present.CoursePath(rs.shelf.All()[0]), Assets: strings.TrimSuffix("/"+static.Path(""), "/")}
}

// Handler answers the site's requests.
func (s *Server) Handler() http.Handler {
	if s.base == "" {
		return s.routes()
	}
	mux := http.NewServeMux()
	mux.Handle(s.base+"/", http.StripPrefix(s.base, s.routes()))
	mux.Handle(s.base, http.RedirectHandler(s.base+"/", http.StatusPermanentRedirect))
	return s.secure(s.addressed(mux))
}

// news takes in changes that another server of the same store has made.
func (s *Server) news(n store.News) {
	if err := s.rooms.News(n); err != nil {
		s.log.Error("following the store", "err", nameless(err.Error()))
	}
}

// Close ends every search and every socket, waits until each has ended, and closes
// the store. http.Server.Shutdown does not know about them.
func (s *Server) Close() {
	s.dismiss()
	s.closeStore()
}

// dismiss ends searches and sockets, which outlast a request.
func (s *Server) dismiss() {
	s.work.Close() // sockets end once no goroutine of theirs waits for a turn
	s.explorer.Close()
	s.lookouts.Close()
	s.rooms.Runs.Sockets.Close()
	s.rooms.Close()
}

// closeStore closes the store after the last request, so that the store keeps every action.
func (s *Server) closeStore() {
	if err := s.store.Close(); err != nil {
		s.log.Error("closing the store", "err", nameless(err.Error()))
	}
	s.tellRest()
}
