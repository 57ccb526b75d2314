package process

import (
	"testing"
	"time"
)

const ms = time.Millisecond

// What the machine keeps a program waiting is told by the thread that has waited longest since the last look. One that waits
// still counts before the system counts it, and not again when it does.
func TestAWaitForTheMachine(t *testing.T) {
	const second = 1000 * ms
	looks := []struct {
		at   queues
		slow time.Duration
		what string
	}{
		{queues{"main": {waited: 30 * second}, "tracer": {waited: second}}, 30 * second, "they have begun since"},
		{queues{"main": {waited: 30*second + ms}, "tracer": {ran: 1, waited: 4 * second}}, 3 * second, "the tracer has waited"},
		{queues{"main": {waited: 30*second + ms}, "tracer": {ran: 1, waited: 4 * second}}, 0, "it sleeps"},
		{queues{"tracer": {ran: 1, waited: 4 * second, waits: true}}, 10 * second, "it waits since, and main has ended"},
		{queues{"tracer": {ran: 1, waited: 4 * second, waits: true}}, 10 * second, "it waits still"},
		{queues{"tracer": {ran: 2, waited: 25 * second, waits: true}}, second, "it has run after 21 s"},
		{queues{"tracer": {ran: 9, waited: 25 * second, waits: true}}, 0, "it runs"},
		{nil, 0, "nobody tells"},
	}
	var before queues
	for _, l := range looks {
		if slow := l.at.since(before, 10*second); slow != l.slow {
			t.Errorf("%s: %v; want %v", l.what, slow, l.slow)
		}
		before = l.at
	}
}

// Patience is what has passed without what the machine has taken, and no more is taken than has passed.
func TestPatienceIsForTheProgramAlone(t *testing.T) {
	w := &wait{process: &Process{patience: 800 * ms}}
	for _, look := range []struct {
		passed, slow time.Duration
		left         bool
	}{
		{100 * ms, 0, true},
		{1100 * ms, 900 * ms, true},   // 200 ms
		{1200 * ms, 60000 * ms, true}, // none
		{1900 * ms, 0, true},          // 700 ms
		{1960 * ms, 0, false},         // 760 ms: the next look would be late
	} {
		if left := w.counts(look.passed, look.slow); left != look.left {
			t.Errorf("after %v: %v", look.passed, left)
		}
	}
}
