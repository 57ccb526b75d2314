package limit

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// Guesses pace the codes of rooms that a network tries. There are a million codes, and somebody who tries them all finds
// every room. An answer tells whether a code is right, so a network gets a bounded number of answers.
//
// A code that has opened from a network before opens at once there. After many wrong codes from a network, its other
// codes wait for a turn. The person who was served least recently comes first, so a person who tries one code does not
// wait for a person who tries many. One network never slows down another.
type Guesses struct {
	wrong *Rates // wrong codes of a network
	line  *Slots // of networks with too many wrong codes; each code takes a slot

	mu      sync.Mutex
	opened  map[string][]string                             // codes that have opened from a network, the latest last
	waiting map[guess]map[*context.CancelCauseFunc]struct{} // the waits to end when a code opens
}

// A guess is a code from a network.
type guess struct{ network, code string }

const (
	openedKept   = 64                     // opened codes that are kept for a network
	networksKept = 4_096                  // networks with such codes
	codeTime     = 500 * time.Millisecond // for each code of a network with too many wrong codes
	codesWaiting = 20                     // waits of such a network
)

// errOpened ends the wait when the code has opened for somebody else.
var errOpened = errors.New("the code has opened")

// NewGuesses lets a network try aMinute wrong codes per minute without a wait.
func NewGuesses(aMinute int) *Guesses {
	return &Guesses{
		wrong:  NewRates(float64(aMinute)/60, aMinute),
		line:   NewSlots(SlotsOptions{Most: networksKept, Each: 1, LongestEach: codesWaiting, Lapse: codeTime}),
		opened: map[string][]string{}, waiting: map[guess]map[*context.CancelCauseFunc]struct{}{},
	}
}

// Try waits until the server may look up a code, and reports true. It reports false if too many others of the network
// wait.
func (g *Guesses) Try(ctx context.Context, code string) bool {
	a := of(ctx)
	if g.wrong.Owes(a.Network()) == 0 || g.has(a.Network(), code) {
		return true
	}
	a.Rest()
	waits, end := context.WithCancelCause(ctx)
	defer end(nil)
	of := guess{a.Network(), code}
	g.await(of, &end)
	defer g.leave(of, &end)
	_, err := g.line.take(waits, a.Network(), a.Person()) // the slot lapses
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

// Right notes a code that has opened. It ends the waits for the same code in the network.
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
		for other := range g.opened { // any network: its people wait again if somebody there guesses
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
