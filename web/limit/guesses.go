package limit

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// Guesses pace the codes of rooms that a network tries: there are a million, and somebody who tries them all finds
// every room. Whether a code is right is found out for a network so often and no more often, whoever asks, since the answer
// tells it. From a network in which somebody has come in by a code before it opens at once, whatever else is tried there. From
// one that has lately tried many wrong ones, the others open when their turn comes: the person comes first who was served least
// lately, so that whoever tries one code waits for nobody who tries many. What one network tries slows down no other.
type Guesses struct {
	wrong *Rates // wrong codes of a network
	line  *Slots // of a network that has tried too many: a turn is one code

	mu      sync.Mutex
	opened  map[string][]string                             // codes that have opened from a network, the latest last
	waiting map[guess]map[*context.CancelCauseFunc]struct{} // those who wait, to be told when their code has opened
}

// A guess is a code that is tried from a network.
type guess struct{ network, code string }

const (
	openedKept   = 64                     // codes of a network
	networksKept = 4_096                  // with such codes
	codeTime     = 500 * time.Millisecond // for each code, from a network that has tried too many wrong ones
	codesWaiting = 20                     // of such a network
)

// errOpened ends the wait for a code that has opened meanwhile.
var errOpened = errors.New("the code has opened")

// NewGuesses lets a network try so many wrong codes a minute without a wait.
func NewGuesses(aMinute int) *Guesses {
	return &Guesses{
		wrong:  NewRates(float64(aMinute)/60, aMinute),
		line:   NewSlots(SlotsOptions{Most: networksKept, Each: 1, LongestEach: codesWaiting, Lapse: codeTime}),
		opened: map[string][]string{}, waiting: map[guess]map[*context.CancelCauseFunc]struct{}{},
	}
}

// Try returns when a code may be looked up, or reports that too many others of the network wait.
func (g *Guesses) Try(a *Asker, code string) bool {
	if g.wrong.Owes(a.Network()) == 0 || g.has(a.Network(), code) {
		return true
	}
	a.Rest()
	ctx, end := context.WithCancelCause(a.Context())
	defer end(nil)
	of := guess{a.Network(), code}
	g.await(of, &end)
	defer g.leave(of, &end)
	_, err := g.line.take(ctx, a.Network(), a.Person()) // it ends by itself
	return err == nil || errors.Is(err, errOpened)
}

func (g *Guesses) await(of guess, end *context.CancelCauseFunc) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.waiting[of] == nil {
		g.waiting[of] = map[*context.CancelCauseFunc]struct{}{}
	}
	g.waiting[of][end] = struct{}{}
}

func (g *Guesses) leave(of guess, end *context.CancelCauseFunc) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if delete(g.waiting[of], end); len(g.waiting[of]) == 0 {
		delete(g.waiting, of)
	}
}

// Wrong counts a code that does not exist.
func (g *Guesses) Wrong(network string) { g.wrong.Charge(network, 1) }

// Right notes a code that has opened: it opens for all of the network who wait with it.
func (g *Guesses) Right(network, code string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for end := range g.waiting[guess{network, code}] {
		(*end)(errOpened)
	}
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
