package web

import (
	"log/slog"
	"net/http"
	"net/netip"
	"runtime"
	"strings"
	"sync/atomic"

	"lockstep/engine/course"
	"lockstep/engine/lang"
	"lockstep/static"
	"lockstep/views"
	"lockstep/web/limit"
	"lockstep/web/present"
	"lockstep/web/search"
	"lockstep/web/session"
	"lockstep/web/store"
)

// Options are how a Server differs from the usual one. The zero value is the usual one.
type Options struct {
	BasePath   string       // of every URL, such as /tools/lockstep; empty: the root
	Logger     *slog.Logger // nil: nothing is logged
	MaxRuns    int          // in memory at once; 0: 3,000: more than one address may watch
	MaxRooms   int          // in use at once; 0: 3,000
	MaxViewers int          // sockets of one run at once; 0: 3,000

	Courses []*course.Course // beside the built-in one; their names differ
	Store   store.Store      // of what is done in runs and rooms; the server closes it. nil: memory

	MaxSearches int // of the explorer at once; 0: 2
	MaxWaiting  int // searches that wait for their turn; 0: 50
	Processors  int // that requests may use; 0: as many as the runtime has threads

	Limits    Limits
	Proxies   []netip.Prefix                                  // that are believed what they say about visitors
	PublicURL string                                          // of the site for its visitors, as PublicURL gives it: other hosts are refused; empty: each host is answered
	LocalURL  string                                          // scheme, host and port by which others reach a server that is asked for as localhost; empty: none
	Machine   func() (names []string, addresses []netip.Addr) // under which the networks of this machine know it; nil: as the system says
	Metrics   []netip.Prefix                                  // addresses that may read /metrics
}

// A Server is the site.
type Server struct {
	base       string
	log        *slog.Logger
	store      store.Store
	id         string // among the servers of the same store
	sessions   *session.Manager
	maxViewers int
	explorer   *search.Explorer
	searching  atomic.Int32 // sockets of the explorer that are open
	lookouts   *search.Lookouts
	courses    []*course.Course // the built-in one first

	proxies       []netip.Prefix
	public, local string
	publicHost    host   // that of the public URL
	publicScheme  string // of it
	machine       *machine
	guard         *guard
	guesses       *limit.Guesses // at the codes of rooms
	work          *limit.Work
	secret        []byte // what cookies are signed with
	metrics       *metrics
	metricsFor    []netip.Prefix
	health        health
	floods        floods
}

// New returns a site without runs.
func New(o Options) *Server {
	s := &Server{id: session.NewID(), base: BasePath(o.BasePath), log: o.Logger, maxViewers: orDefault(o.MaxViewers, 3000), explorer: search.New(o.MaxSearches, o.MaxWaiting), lookouts: search.NewLookouts()}
	s.courses = append([]*course.Course{course.Builtin()}, o.Courses...)
	if s.store = o.Store; s.store == nil {
		s.store = store.Memory(store.Options{Logger: o.Logger})
	}
	s.guard = newGuard(o.Limits)
	s.work = limit.NewWork(orDefault(o.Processors, runtime.GOMAXPROCS(0)))
	s.sessions = session.New(session.Environment{
		Server: s.id, Store: s.store, Work: s.work, Limits: &s.guard.Limits, Courses: s.courses,
		MaxRuns: orDefault(o.MaxRuns, 3000), MaxRooms: orDefault(o.MaxRooms, 3000), MaxViewers: s.maxViewers,
		Site: s.site, Sign: s.sign, MayMake: func(network, person string) error { return s.mayMake(visitor{network, person}) },
		Refused: s.refused, Slow: func() { s.metrics.slow.Inc() }, Survives: s.survives,
		Debug: func(what string, err error) { s.log.Debug(what, "err", nameless(err.Error())) },
	})
	s.proxies, s.public, s.local, s.metricsFor, s.machine = o.Proxies, o.PublicURL, o.LocalURL, o.Metrics, newMachine(o)
	s.publicHost, s.publicScheme, _ = hostOf(o.PublicURL)
	s.guesses, s.metrics = limit.NewGuesses(orDefault(o.Limits.Guesses, 60)), newMetrics(s.sessions.Runs.Count, s.guard)
	s.health.parts = []part{{"store", s.store.Ping}}
	s.metrics.watch(s)
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	var err error
	if s.secret, err = sharedSecret(s.store); err != nil {
		s.log.Error("the secret that cookies are signed with", "err", err) // the store has not answered; /healthz says so
	}
	s.store.Follow(func(n store.News) { s.survives(func() { s.news(n) }, func() {})() })
	return s
}

// BasePath is a base path as it begins every URL, however it was written:
// /tools/lockstep, and nothing for the root.
func BasePath(text string) string {
	if text = strings.Trim(text, "/"); text == "" {
		return ""
	}
	return "/" + text
}

// orDefault is n or, where nobody has said, what is usual.
func orDefault[N int | int64](n, usual N) N {
	if n == 0 {
		return usual
	}
	return n
}

// site is what the pages for a language know of this server.
func (s *Server) site(l lang.Language) views.Site {
	return views.Site{Lang: l, Base: s.base, Course: present.CoursePath(course.Builtin()), Assets: strings.TrimSuffix("/"+static.Path(""), "/")}
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

// news is what another server of the same store has done.
func (s *Server) news(n store.News) {
	if err := s.sessions.News(n); err != nil {
		s.log.Error("following the store", "err", nameless(err.Error()))
	}
}

// Close ends every search and every socket, waits until each is gone, and closes
// the store. http.Server.Shutdown does not know them.
func (s *Server) Close() {
	s.dismiss()
	s.closeStore()
}

// dismiss ends what goes on for longer than a request.
func (s *Server) dismiss() {
	s.work.Close() // sockets end when nobody waits in them
	s.explorer.Close()
	s.lookouts.Close()
	s.sessions.Sockets.Close()
	s.sessions.Rooms.Close()
}

// closeStore comes last: what is being done is kept.
func (s *Server) closeStore() {
	if err := s.store.Close(); err != nil {
		s.log.Error("closing the store", "err", nameless(err.Error()))
	}
	s.tellRest()
}
