package live

import (
	"sync"

	"lockstep/web/search"
)

// LookaheadsKept is how many answers a run keeps.
const LookaheadsKept = 64

// lookaheads keeps the answers to the lookaheads of a run. The log only grows, so an answer stays true until the run
// becomes another one.
type lookaheads struct {
	mu    sync.Mutex // a lock under which no other is taken
	found map[search.Lookahead]search.Foresight
}

// Foreseen returns the answer that the run keeps.
func (k *lookaheads) Foreseen(what search.Lookahead) (search.Foresight, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	f, ok := k.found[what]
	return f, ok
}

// Foresee keeps an answer.
func (k *lookaheads) Foresee(what search.Lookahead, f search.Foresight) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.found == nil || len(k.found) >= LookaheadsKept {
		k.found = map[search.Lookahead]search.Foresight{}
	}
	k.found[what] = f
}

// forget forgets all answers, because the run has become another one.
func (k *lookaheads) forget() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.found = nil
}
