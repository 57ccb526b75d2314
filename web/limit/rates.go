package limit

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Rates bound how often each name does something: a burst at once, and then a number per second.
type Rates struct {
	each  rate.Limit
	burst int

	mu     sync.Mutex
	of     map[string]*rate.Limiter
	forget int // the number of limiters at which sweep runs
}

// maxRates is the number of limiters before Rates forgets any.
const maxRates = 10_000

// NewRates bounds each name to a burst, and to each events per second.
func NewRates(each float64, burst int) *Rates {
	return &Rates{each: rate.Limit(each), burst: burst, of: map[string]*rate.Limiter{}, forget: maxRates}
}

// Allow counts one event and reports true, or counts nothing and reports false if it exceeds the rate.
func (r *Rates) Allow(who string) bool { return r.limiter(who).Allow() }

// Reserve counts one event, even above the rate, and returns how long it takes until it fits.
func (r *Rates) Reserve(who string) time.Duration { return r.limiter(who).Reserve().Delay() }

// Charge counts n events. The name owes the time for events above the rate.
func (r *Rates) Charge(who string, n int) {
	now, l := time.Now(), r.limiter(who)
	for ; n > 0; n -= r.burst { // a limiter takes at most a burst at a time
		l.ReserveN(now, min(n, r.burst))
	}
}

// Owes returns how long a name must wait until it owes nothing; 0: it owes nothing.
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

// sweep forgets limiters with a full burst, which equal new ones.
func (r *Rates) sweep() {
	for who, l := range r.of {
		if l.Tokens() >= float64(r.burst) {
			delete(r.of, who)
		}
	}
	r.forget = max(maxRates, 2*len(r.of))
}
