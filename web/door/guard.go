package door

import (
	"cmp"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/go-chi/httprate"

	"lockstep/views"
	"lockstep/web/limit"
	"lockstep/web/live"
	"lockstep/web/refusal"
)

// Limits bound the requests and resources of one network, and of all networks together. A whole class often shares one
// network, behind the router of a school. The usual limits let 300 people there open a page, join a room and connect
// again within seconds. Each of several servers counts for itself.
type Limits struct {
	Arrivals    int // a second from one network: requests, pieces of 4 KB, connections (4 each) and sockets (15 each). A class that joins sends six times as many at once; any more wait. 0: 4,000
	Requests    int // a minute from one network, without the files of the pages; 0: 24,000
	AtOnce      int // requests of one network that the server answers at once; 0: 1,000
	AllAtOnce   int // requests that the server answers at once; 0: 4,000
	Makings     int // a minute from one network: requests that make a run or a room; half of them for persons with a name who have made few; 0: 1,200
	Seats       int // in rooms that one network may take at once, and 5 a second from then on, in line; a quarter for visitors without a name; 0: 400
	Guesses     int // wrong room codes a minute from one network before it waits for others; 0: 60
	Handshakes  int // sockets opened a minute from one network; 0: 6,000
	Sockets     int // open at once from one network; 0: 2,000
	AllSockets  int // open at once; 0: 10,000
	Rooms       int // with somebody of one network in them; 0: 300
	Messages    int // a second from one socket, bursts of four times as many aside; 0: 60
	Actions     int // a second of one person in runs, bursts of ten times as many aside; 0: 40
	Entries     int // a second of one person in rooms, bursts of ten times as many aside; 0: 4; the presenter: five times as many
	Connections int // open at once without a request; 0: 2,000

	// Bytes that the server holds at once, for one network and for all.
	Reading, AllReading int64 // of messages and forms that are incomplete; 0: 4 MB, 16 MB
	Answers, AllAnswers int64 // of answers that visitors are reading; 0: 16 MB, 48 MB
	Frames, AllFrames   int64 // of messages that wait for their viewers; 0: 16 MB, 48 MB
	Runs, AllRuns       int64 // of runs in memory that somebody uses; 0: 48 MB, 128 MB
}

// A guard enforces the limits. It refuses a request before any handler looks
// something up, parses it or draws it.
type Guard struct {
	*gateway
	live.Limits
	Work *limit.Work

	requests   *httprate.RateLimiter
	makings    *httprate.RateLimiter
	handshakes *httprate.RateLimiter
	Arrivals   limit.Arrivals

	AtOnce, Sockets  *limit.Shares
	Reading, Answers *limit.Shares // bytes

	ownMakings, fewMakings *limit.Rates // of a person
	manyMakings            *httprate.RateLimiter
	seats                  *limit.Turnstile
	ownSeats               *limit.Rates

	messages    int
	Connections int
}

func newGuard(l Limits, w *limit.Work, g *gateway) *Guard {
	actions, entries := float64(cmp.Or(l.Actions, 40)), float64(cmp.Or(l.Entries, 4))
	own := func(each float64) *limit.Rates { return limit.NewRates(each, int(10*each)) }
	shares := func(most, all, usual, usualAll int64) *limit.Shares {
		return limit.NewShares(cmp.Or(most, usual), cmp.Or(all, usualAll))
	}
	return &Guard{
		gateway: g, Work: w,
		Limits: live.Limits{
			Runs: limit.NewPersonShares(shares(l.Runs, l.AllRuns, 48<<20, 128<<20), shares(0, l.AllRuns, 8<<20, 128<<20)), RoomRuns: shares(l.Runs, l.AllRuns, 48<<20, 128<<20),
			Rooms: shares(int64(l.Rooms), 0, 300, 1<<40), Logs: shares(0, 0, 32<<20, 96<<20), Frames: shares(l.Frames, l.AllFrames, 16<<20, 48<<20),
			Actions: limit.NewRates(25*actions, int(250*actions)), OwnActions: own(actions),
			Entries: limit.NewRates(50*entries, int(500*entries)), OwnEntries: own(entries), Presenting: own(5 * entries),
		},
		requests: perMinute(cmp.Or(l.Requests, 24_000)), makings: perMinute(cmp.Or(l.Makings, 1_200)), handshakes: perMinute(cmp.Or(l.Handshakes, 6_000)),
		Arrivals: limit.NewArrivals(cmp.Or(l.Arrivals, 4_000)),
		AtOnce:   shares(int64(l.AtOnce), int64(l.AllAtOnce), 1_000, 4_000),
		Sockets:  shares(int64(l.Sockets), int64(l.AllSockets), 2_000, 10_000),
		Reading:  shares(l.Reading, l.AllReading, 4<<20, 16<<20), Answers: shares(l.Answers, l.AllAnswers, 16<<20, 48<<20),
		ownMakings: limit.NewRates(1, 120), fewMakings: limit.NewRates(.2, 20), manyMakings: perMinute(max(1, cmp.Or(l.Makings, 1_200)/2)),
		seats: limit.NewTurnstile(5, cmp.Or(l.Seats, 400)), ownSeats: limit.NewRates(.2, 6),
		messages: cmp.Or(l.Messages, 60), Connections: cmp.Or(l.Connections, 2_000),
	}
}

// perMinute counts in a sliding minute. It adds no headers to an answer, and
// therefore can count without a ResponseWriter.
func perMinute(most int) *httprate.RateLimiter {
	return httprate.NewRateLimiter(most, time.Minute, httprate.WithResponseHeaders(httprate.ResponseHeaders{}))
}

// arrives counts a request. It delays requests that come through a proxy too fast.
func (g *Guard) arrives(r *http.Request, network string) {
	if pause := g.Arrivals.Count(network); pause > 0 && g.FromProxy(r) {
		limit.Wait(pause, r.Context().Done())
	}
}

// Limit refuses visitors who ask too often, or for too much at once. Cheap requests count as arrivals only: a page has many
// files, and a monitor asks for the health all day.
func (g *Guard) Limit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.arrives(r, VisitorOf(r).Network)
		if r.URL.Path == "/healthz" || r.URL.Path == "/metrics" {
			next.ServeHTTP(w, r)
			return
		}
		v, isFile := VisitorOf(r), strings.HasPrefix(r.URL.Path, "/static/")
		if !isFile && g.requests.OnLimit(w, r, v.Network) {
			g.Refused("requests")
			g.TooMany(w, r)
			return
		}
		if !g.AtOnce.Take(v.Network, 1) {
			g.Refused("at-once")
			g.TooMany(w, r)
			return
		}
		defer g.AtOnce.Give(v.Network, 1)
		if isFile {
			next.ServeHTTP(w, r)
			return
		}
		a := g.Work.Asker(r.Context(), v.Network, v.Person)
		defer a.Done()
		if err := a.Begin(); err != nil {
			g.Busy(w, r, err)
			return
		}
		next.ServeHTTP(w, r.WithContext(a.Context()))
	})
}

// Making refuses visitors who make too many runs, rooms and seats, which stay for a while.
func (g *Guard) Making(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && g.MayMake(VisitorOf(r)) != nil {
			g.TooMany(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

var errTooMany = refusal.Declare(refusal.TooMany, refusal.Limit, "error.many")

// MayMake counts one more run or room of a visitor, or refuses it. Half of a network's makings are for those who have a name
// and have made few: nobody who makes many, or does not say who they are, keeps the others from making one.
func (g *Guard) MayMake(v Visitor) error {
	if (!v.IsNamed() || g.ownMakings.Allow(v.self())) && (v.IsNamed() && g.fewMakings.Allow(v.self()) || !onLimit(g.manyMakings, v)) && !onLimit(g.makings, v) {
		return nil
	}
	g.Refused("makings")
	return errTooMany
}

func onLimit(of *httprate.RateLimiter, v Visitor) bool {
	return of.OnLimit(nil, new(http.Request), v.Network)
}

// MaySit counts one more seat of a visitor, or refuses it. Where too many of their network want one, they wait.
func (g *Guard) MaySit(r *http.Request) bool {
	v := VisitorOf(r)
	if (!v.IsNamed() || g.ownSeats.Allow(v.self())) && g.seats.Pass(r.Context()) {
		return true
	}
	g.Refused("seats")
	return false
}

// TooMany refuses a request with a line of plain text: a page would cost more than the request.
func (g *Guard) TooMany(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Retry-After", "60")
	http.Error(w, views.Say(Language(r), "error.many"), http.StatusTooManyRequests)
}

// Busy refuses a request for which the server has no turn or no memory, in plain text too. It answers nothing once the
// request has ended.
func (g *Guard) Busy(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil {
		return
	}
	g.Refused("busy")
	w.Header().Set("Retry-After", "10")
	HttpError(w, refusal.Of(err), Language(r))
}

// enterSocket takes a place for a socket, until the caller calls leave, or refuses the request.
func (g *Guard) enterSocket(w http.ResponseWriter, r *http.Request) (leave func(), ok bool) {
	network := VisitorOf(r).Network
	g.Arrivals.CountSocket(network)
	if g.handshakes.OnLimit(w, r, network) || !g.Sockets.Take(network, 1) {
		g.Refused("sockets")
		w.Header().Set("Retry-After", "60")
		http.Error(w, views.Say(Language(r), "error.sockets"), http.StatusTooManyRequests)
		return nil, false
	}
	return sync.OnceFunc(func() { g.Sockets.Give(network, 1) }), true
}
