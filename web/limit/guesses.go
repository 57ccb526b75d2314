package limit

import (
	"context"
	"slices"
	"sync"
)

// Guesses pace the codes of rooms that a network tries: there are a million, and somebody who tries them all finds
// every room. A right code always opens. From a network in which somebody has come in by it before it opens at once,
// whatever else is tried there; from one that has lately tried many wrong ones, when its turn comes. What one network
// tries slows down no other.
type Guesses struct {
	wrong *Rates  // wrong codes of a network
	paced *Rates  // codes of a network that has tried too many
	line  *Shares // of them that wait

	mu     sync.Mutex
	opened map[string][]string // codes that have opened from a network, the latest last
}

const (
	openedKept   = 64    // codes of a network
	networksKept = 4_096 // with such codes
	codesPaced   = 2     // a second, from a network that has tried too many wrong ones
	codesWaiting = 20    // of such a network
)

// NewGuesses lets a network try so many wrong codes a minute without a wait.
func NewGuesses(aMinute int) *Guesses {
	return &Guesses{
		wrong: NewRates(float64(aMinute)/60, aMinute), paced: NewRates(codesPaced, 1), line: NewShares(codesWaiting, codesWaiting*networksKept),
		opened: map[string][]string{},
	}
}

// Try returns when a code may be looked up, or reports that too many others of the network wait. Somebody who is known
// otherwise to have the code does not wait.
func (g *Guesses) Try(ctx context.Context, network, code string, known func() bool) bool {
	if !g.wrong.Owes(network) || g.has(network, code) || known() {
		return true
	}
	if !g.line.Take(network, 1) {
		return false
	}
	defer g.line.Give(network, 1)
	return g.paced.limiter(network).Wait(ctx) == nil
}

// Wrong counts a code that does not exist.
func (g *Guesses) Wrong(network string) { g.wrong.Charge(network, 1) }

// Right notes a code that has opened.
func (g *Guesses) Right(network, code string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	codes := g.opened[network]
	if i := slices.Index(codes, code); i >= 0 {
		codes = slices.Delete(codes, i, i+1)
	} else if len(codes) == openedKept {
		codes = codes[1:]
	} else if codes == nil && len(g.opened) >= networksKept {
		for other := range g.opened { // any: it costs its people a wait where somebody there guesses
			delete(g.opened, other)
			break
		}
	}
	g.opened[network] = append(codes, code)
}

func (g *Guesses) has(network, code string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Contains(g.opened[network], code)
}
