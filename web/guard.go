package web

import (
	"context"
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
type guard struct {
	*gateway
	live.Limits
	work *limit.Work

	requests   *httprate.RateLimiter
	makings    *httprate.RateLimiter
	handshakes *httprate.RateLimiter
	arrivals   limit.Arrivals

	atOnce, sockets  *limit.Shares
	reading, answers *limit.Shares // bytes

	ownMakings, fewMakings *limit.Rates // of a person
	manyMakings            *httprate.RateLimiter
	seats                  *limit.Turnstile
	ownSeats               *limit.Rates

	messages    int
	connections int
}

func newGuard(l Limits, w *limit.Work, g *gateway) *guard {
	actions, entries := float64(orDefault(l.Actions, 40)), float64(orDefault(l.Entries, 4))
	own := func(each float64) *limit.Rates { return limit.NewRates(each, int(10*each)) }
	shares := func(most, all, usual, usualAll int64) *limit.Shares {
		return limit.NewShares(orDefault(most, usual), orDefault(all, usualAll))
	}
	return &guard{
		gateway: g, work: w,
		Limits: live.Limits{
			Runs: limit.NewPersonShares(shares(l.Runs, l.AllRuns, 48<<20, 128<<20), shares(0, l.AllRuns, 8<<20, 128<<20)), RoomRuns: shares(l.Runs, l.AllRuns, 48<<20, 128<<20),
			Rooms: shares(int64(l.Rooms), 0, 300, 1<<40), Logs: shares(0, 0, 32<<20, 96<<20), Frames: shares(l.Frames, l.AllFrames, 16<<20, 48<<20),
			Actions: limit.NewRates(25*actions, int(250*actions)), OwnActions: own(actions),
			Entries: limit.NewRates(50*entries, int(500*entries)), OwnEntries: own(entries), Presenting: own(5 * entries),
		},
		requests: perMinute(orDefault(l.Requests, 24_000)), makings: perMinute(orDefault(l.Makings, 1_200)), handshakes: perMinute(orDefault(l.Handshakes, 6_000)),
		arrivals: limit.NewArrivals(orDefault(l.Arrivals, 4_000)),
		atOnce:   shares(int64(l.AtOnce), int64(l.AllAtOnce), 1_000, 4_000),
		sockets:  shares(int64(l.Sockets), int64(l.AllSockets), 2_000, 10_000),
		reading:  shares(l.Reading, l.AllReading, 4<<20, 16<<20), answers: shares(l.Answers, l.AllAnswers, 16<<20, 48<<20),
		ownMakings: limit.NewRates(1, 120), fewMakings: limit.NewRates(.2, 20), manyMakings: perMinute(max(1, orDefault(l.Makings, 1_200)/2)),
		seats: limit.NewTurnstile(5, orDefault(l.Seats, 400)), ownSeats: limit.NewRates(.2, 6),
		messages: orDefault(l.Messages, 60), connections: orDefault(l.Connections, 2_000),
	}
}

// perMinute counts in a sliding minute. It adds no headers to an answer, and
// therefore can count without a ResponseWriter.
func perMinute(most int) *httprate.RateLimiter {
	return httprate.NewRateLimiter(most, time.Minute, httprate.WithResponseHeaders(httprate.ResponseHeaders{}))
}

// arrives counts a request. It delays requests that come through a proxy too fast.
func (g *guard) arrives(r *http.Request, network string) {
	if pause := g.arrivals.Count(network); pause > 0 && g.fromProxy(r) {
		limit.Wait(pause, r.Context().Done())
	}
}

// limit refuses visitors who ask too often, or for too much at once. Cheap requests count as arrivals only: a page has many
// files, and a monitor asks for the health all day.
func (g *guard) limit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.arrives(r, visitorOf(r).network)
		if r.URL.Path == "/healthz" || r.URL.Path == "/metrics" {
			next.ServeHTTP(w, r)
			return
		}
		v, isFile := visitorOf(r), strings.HasPrefix(r.URL.Path, "/static/")
		if !isFile && g.requests.OnLimit(w, r, v.network) {
			g.refused("requests")
			g.tooMany(w, r)
			return
		}
		if !g.atOnce.Take(v.network, 1) {
			g.refused("at-once")
			g.tooMany(w, r)
			return
		}
		defer g.atOnce.Give(v.network, 1)
		if isFile {
			next.ServeHTTP(w, r)
			return
		}
		a := g.work.Asker(r.Context(), v.network, v.person)
		defer a.Done()
		if err := a.Begin(); err != nil {
			g.busy(w, r, err)
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), askerKey{}, a)))
	})
}

type askerKey struct{}

// askerOf returns the asker that does the work of a request.
func askerOf(r *http.Request) *limit.Asker { return askerIn(r.Context()) }

func askerIn(ctx context.Context) *limit.Asker {
	a, _ := ctx.Value(askerKey{}).(*limit.Asker)
	return a
}

// making refuses visitors who make too many runs, rooms and seats, which stay for a while.
func (g *guard) making(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && g.mayMake(visitorOf(r)) != nil {
			g.tooMany(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

var errTooMany = refusal.Declare(refusal.TooMany, refusal.Limit, "error.many")

// mayMake counts one more run or room of a visitor, or refuses it. Half of a network's makings are for those who have a name
// and have made few: nobody who makes many, or does not say who they are, keeps the others from making one.
func (g *guard) mayMake(v visitor) error {
	if (!v.isNamed() || g.ownMakings.Allow(v.self())) && (v.isNamed() && g.fewMakings.Allow(v.self()) || !onLimit(g.manyMakings, v)) && !onLimit(g.makings, v) {
		return nil
	}
	g.refused("makings")
	return errTooMany
}

func onLimit(of *httprate.RateLimiter, v visitor) bool {
	return of.OnLimit(nil, new(http.Request), v.network)
}

// maySit counts one more seat of a visitor, or refuses it. Where too many of their network want one, they wait.
func (g *guard) maySit(r *http.Request) bool {
	v := visitorOf(r)
	if (!v.isNamed() || g.ownSeats.Allow(v.self())) && g.seats.Pass(askerOf(r)) {
		return true
	}
	g.refused("seats")
	return false
}

// tooMany refuses a request with a line of plain text: a page would cost more than the request.
func (g *guard) tooMany(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Retry-After", "60")
	http.Error(w, views.Say(language(r), "error.many"), http.StatusTooManyRequests)
}

// busy refuses a request for which the server has no turn or no memory, in plain text too. It answers nothing once the
// request has ended.
func (g *guard) busy(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil {
		return
	}
	g.refused("busy")
	w.Header().Set("Retry-After", "10")
	httpError(w, refusal.Of(err), language(r))
}

// enterSocket takes a place for a socket, until the caller calls leave, or refuses the request.
func (g *guard) enterSocket(w http.ResponseWriter, r *http.Request) (leave func(), ok bool) {
	network := visitorOf(r).network
	g.arrivals.CountSocket(network)
	if g.handshakes.OnLimit(w, r, network) || !g.sockets.Take(network, 1) {
		g.refused("sockets")
		w.Header().Set("Retry-After", "60")
		http.Error(w, views.Say(language(r), "error.sockets"), http.StatusTooManyRequests)
		return nil, false
	}
	return sync.OnceFunc(func() { g.sockets.Give(network, 1) }), true
}
