package limit

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Rates bound how often something is done by each of many: a burst at once, and from then on so many a second.
type Rates struct {
	each  rate.Limit
	burst int

	mu     sync.Mutex
	of     map[string]*rate.Limiter
	forget int // how many there may be before those that have saved up their burst are forgotten
}

// mostRates is how many there are at least before any is forgotten.
const mostRates = 10_000

// NewRates bounds each to a burst, and to so many a second.
func NewRates(each float64, burst int) *Rates {
	return &Rates{each: rate.Limit(each), burst: burst, of: map[string]*rate.Limiter{}, forget: mostRates}
}

// Allow counts one of somebody's, or reports that it is too much and counts nothing.
func (r *Rates) Allow(who string) bool { return r.limiter(who).Allow() }

// Reserve counts one of somebody's, whether or not it fits, and returns how long it takes until it does.
func (r *Rates) Reserve(who string) time.Duration { return r.limiter(who).Reserve().Delay() }

// Charge counts so many of somebody's, whether or not they fit: they owe what does not.
func (r *Rates) Charge(who string, n int) {
	now, l := time.Now(), r.limiter(who)
	for ; n > 0; n -= r.burst { // a limiter takes a burst at a time
		l.ReserveN(now, min(n, r.burst))
	}
}

// Owes is how long it takes until nothing is owed of what somebody has done; 0: nothing is.
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

// sweep forgets those that are as if they had never done anything.
func (r *Rates) sweep() {
	for who, l := range r.of {
		if l.Tokens() >= float64(r.burst) {
			delete(r.of, who)
		}
	}
	r.forget = max(mostRates, 2*len(r.of))
}
