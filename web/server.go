package web

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"lockstep/engine/course"
	"lockstep/web/class"
	"lockstep/web/coursepages"
	"lockstep/web/door"
	"lockstep/web/explorepages"
	"lockstep/web/limit"
	"lockstep/web/live"
	"lockstep/web/roompages"
	"lockstep/web/runpages"
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

	Limits    door.Limits
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
	*door.Responder
	run     *runpages.Pages
	room    *roompages.Pages
	course  *coursepages.Pages
	explore *explorepages.Pages

	store      store.Store
	explorer   *search.Explorer
	lookouts   *search.Lookouts
	guesses    *limit.Guesses // at the codes of rooms
	metricsFor []netip.Prefix
	health     health
}

// New returns a site without runs.
func New(o Options) *Server {
	if o.Shelf == nil {
		o.Shelf = shelf.Of(o.Courses, false)
	}
	at := door.Where{BasePath: o.BasePath, Proxies: o.Proxies, PublicURL: o.PublicURL, LocalURL: o.LocalURL, Machine: o.Machine, EmbedFrom: o.EmbedFrom, Token: o.Token}
	s := &Server{
		Responder: door.NewResponder(at, o.Limits, o.Processors, o.Logger, o.Shelf),
		store:     o.Store,
		explorer:  search.New(o.MaxSearches, o.MaxWaiting, o.SearchMoment), lookouts: search.NewLookouts(o.Lookahead),
		guesses: limit.NewGuesses(cmp.Or(o.Limits.Guesses, 60)), metricsFor: o.Metrics,
	}
	if s.store == nil {
		s.store = store.Memory(store.Options{Logger: o.Logger})
	}
	maxViewers := cmp.Or(o.MaxViewers, 3000)
	s.Rooms = class.New(live.Environment{
		Server: live.NewID(), Store: s.store, Work: s.Work, Limits: &s.Guard.Limits, Courses: s.Shelf.All,
		MaxRuns: cmp.Or(o.MaxRuns, 3000), MaxViewers: maxViewers,
		Site: s.Site, Sign: s.Sign, MayMake: func(network, person string) error { return s.MayMake(door.Visitor{Network: network, Person: person}) },
		Refused: s.Refused, Slow: func() { s.Metrics.Slow.Inc() }, Survives: s.Survives,
		Learner: o.Learner,
		Debug:   func(what string, err error) { s.Log.Debug(what, "err", door.Nameless(err.Error())) },
	}, class.Options{MaxRooms: cmp.Or(o.MaxRooms, 3000), VoteTime: cmp.Or(o.VoteTime, 20*time.Second), Explored: func(ctx context.Context, question, source string) (class.Explored, error) {
		return s.explore.Explored(ctx, question, source)
	}})
	s.run = runpages.New(s.Responder, s.explorer, s.lookouts)
	s.room = roompages.New(s.Responder, s.store, s.guesses)
	s.course = coursepages.New(s.Responder, s.run, s.explorer)
	s.explore = explorepages.New(s.Responder, s.explorer, maxViewers)
	s.health.parts = []part{{"store", s.store.Ping}}
	s.Metrics = door.NewMetrics(func() float64 { return float64(s.Rooms.Runs.Figures().All) }, s.Guard)
	s.watch(s.Metrics)
	var err error
	if s.Secret, err = door.SharedSecret(s.store); err != nil {
		s.Log.Error("the secret that cookies are signed with", "err", err) // the store does not answer; /healthz reports it
	}
	s.store.Follow(func(n store.News) { s.Survives(func() { s.news(n) }, func() {})() })
	return s
}

// Handler answers the site's requests.
func (s *Server) Handler() http.Handler {
	if s.Base == "" {
		return s.routes()
	}
	mux := http.NewServeMux()
	mux.Handle(s.Base+"/", http.StripPrefix(s.Base, s.routes()))
	mux.Handle(s.Base, http.RedirectHandler(s.Base+"/", http.StatusPermanentRedirect))
	return s.Secure(s.Addressed(mux))
}

// news takes in changes that another server of the same store has made.
func (s *Server) news(n store.News) {
	if err := s.Rooms.News(n); err != nil {
		s.Log.Error("following the store", "err", door.Nameless(err.Error()))
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
	s.Work.Close() // sockets end once no goroutine of theirs waits for a turn
	s.explorer.Close()
	s.lookouts.Close()
	s.Rooms.Runs.Sockets.Close()
	s.Rooms.Close()
}

// closeStore closes the store after the last request, so that the store keeps every action.
func (s *Server) closeStore() {
	if err := s.store.Close(); err != nil {
		s.Log.Error("closing the store", "err", door.Nameless(err.Error()))
	}
	s.TellRest()
}
