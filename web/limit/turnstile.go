package limit

import (
	"context"
	"time"
)

// A Turnstile lets a number of persons of a network through at once, and from then on that many a second, in line: those first
// who have a name and were let through least recently. All visitors without a name are one person, and get a quarter of what
// the network gets at once and a quarter of what it gets later.
//
// Who makes up names stands in line under each of them. A line of waits, each of which takes a connection, therefore is fair
// to persons who wait, and not to names.
type Turnstile struct {
	network, unnamed *Rates
	line             *Slots
}

// unnamedShare is the part of a network's allowance that its visitors without a name have: one in that many.
const unnamedShare = 4

// waitsEach bounds the line of a network: a class of 300 behind one router stands in it, if somebody has taken what the
// network gets at once, and its last waits a minute.
const waitsEach = 300

// NewTurnstile lets a burst of each network through at once, and each a second from then on.
func NewTurnstile(each float64, burst int) *Turnstile {
	return &Turnstile{
		network: NewRates(each, burst), unnamed: NewRates(each/unnamedShare, max(1, burst/unnamedShare)),
		line: NewSlots(SlotsOptions{Most: networksKept, Each: 1, LongestEach: waitsEach, Lapse: time.Duration(float64(time.Second) / each)}),
	}
}

// Pass waits until a person may go through, and reports true. It reports false, soon, where they may not.
func (t *Turnstile) Pass(ctx context.Context) bool {
	a := of(ctx)
	network, person := a.Network(), a.Person()
	if person == network {
		return t.unnamed.Allow(network) && t.network.Allow(network)
	}
	if t.network.Allow(network) {
		return true
	}
	a.Rest()
	if _, err := t.line.take(ctx, network, person); err != nil { // the slot lapses
		return false
	}
	t.network.Charge(network, 1)
	return a.Begin() == nil
}
