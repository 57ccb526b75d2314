package limit

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Rates bound how often each of many does something: a burst at once, and then so many a second.
type Rates struct {
	each  rate.Limit
	burst int

	mu     sync.Mutex
	of     map[string]*rate.Limiter
	forget int // how many there may be before those that have saved up their burst are forgotten
}

// mostRates is how many limiters there are before Rates forgets any.
const mostRates = 10_000

// NewRates bounds each to a burst, and to so many a second.
func NewRates(each float64, burst int) *Rates {
	return &Rates{each: rate.Limit(each), burst: burst, of: map[string]*rate.Limiter{}, forget: mostRates}
}

// Allow counts one event and reports true, or counts nothing and reports false if it exceeds the rate.
func (r *Rates) Allow(who string) bool { return r.limiter(who).Allow() }

// Reserve counts one event, even above the rate, and returns how long it takes until it fits.
func (r *Rates) Reserve(who string) time.Duration { return r.limiter(who).Reserve().Delay() }

// Charge counts n events. Events above the rate are owed.
func (r *Rates) Charge(who string, n int) {
	now, l := time.Now(), r.limiter(who)
	for ; n > 0; n -= r.burst { // a limiter takes a burst at a time
		l.ReserveN(now, min(n, r.burst))
	}
}

// Owes returns how long it takes until nothing is owed; 0: nothing is owed.
func (r *Rates) Owes(who string) time.Duration {
	return time.Duration(max(0, -r.limiter(who).Tokens()) / float64(r.each) * float64(time.Second))
}

func (r *Rates) limiter(who string) *rate.Limiter {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := r.of[who]
	if l == nil {
		if len(r.of) >= r.forget {
			r.sweep()
		}
		l = rate.NewLimiter(r.each, r.burst)
		r.of[who] = l
	}
	return l
}

// sweep forgets limiters with a full burst: they equal new ones.
func (r *Rates) sweep() {
	for who, l := range r.of {
		if l.Tokens() >= float64(r.burst) {
			delete(r.of, who)
		}
	}
	r.forget = max(mostRates, 2*len(r.of))
}
