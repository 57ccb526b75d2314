package check

import (
	"fmt"
	"strings"

	"lockstep/engine"
)

// rounds bounds the continuation that is tried; where it does not suffice,
// nothing is claimed.
const rounds = 200

// Stuck is judged when an attempt has failed or a client has stopped, and nobody
// is in the critical section. A continuation is then tried on a copy of the
// world: what is paused goes on, what is in flight arrives in turn, time passes
// from one awakening to the next until every timeout, skew and TTL there is lies
// behind. Where nobody gets in by then, nobody ever will.
//
// It is one fair continuation, not all of them. What is fair to everybody is
// what a deadlock has to withstand; the explorer tries the others.
var Stuck = engine.Property{Name: "stuck", Judge: func(w *engine.World, latest []engine.Event, before []engine.Violation) []engine.Violation {
	var waiting []string
	for _, c := range w.Clients() {
		switch {
		case c.Program == nil:
		case c.Status == engine.Inside || c.Status == engine.Releasing:
			return nil
		case c.Status == engine.Waits || c.Status == engine.Asleep || gaveUp(latest, c.Name):
			waiting = append(waiting, c.Name)
		}
	}
	if len(waiting) == 0 {
		return nil
	}
	if !asks(w, latest) {
		return before
	}
	if len(before) > 0 && find(before, waiting...) != nil {
		return before
	}
	if acquirable(w) {
		return nil
	}
	cause, why := culprit(w)
	return []engine.Violation{{
		Clients: waiting, Cause: cause,
		English: fmt.Sprintf("%s can never get the lock%s", strings.Join(waiting, " and "), why.english),
		Chinese: fmt.Sprintf("%s 永远得不到锁%s", strings.Join(waiting, "、"), why.chinese),
	}}
}}

// asks reports events after which a lock that could be had may have become one
// that cannot: a failed attempt, or the end of a client that leaves a key behind.
func asks(w *engine.World, latest []engine.Event) bool {
	ended := false
	for i := range latest {
		switch latest[i].Kind {
		case engine.AcquireFailed:
			return true
		case engine.Crash, engine.Restart, engine.Error, engine.Done:
			ended = true
		}
	}
	for i := range w.Nodes() {
		if ended && len(w.Keys(i)) > 0 {
			return true
		}
	}
	return false
}

func gaveUp(latest []engine.Event, client string) bool {
	for i := range latest {
		if latest[i].Kind == engine.Done && latest[i].GaveUp && latest[i].Lane == client {
			return true
		}
	}
	return false
}

// acquirable tries the continuation, with and without the requests that crashed
// clients left in flight: a late DEL may free the lock, a late SETNX may take it.
func acquirable(w *engine.World) bool {
	orphans := false
	for _, c := range w.Clients() {
		orphans = orphans || c.Orphan() != nil
	}
	return reachable(w, false) || orphans && reachable(w, true)
}

func reachable(w *engine.World, orphans bool) bool {
	f := w.Fork()
	defer f.Close()
	horizon := f.Now()
	for i := range f.Nodes() {
		if f.Down(i) {
			apply(f, engine.Action{Verb: engine.VerbRedisRestart, Node: i + 1})
		}
		for _, key := range f.Keys(i) {
			horizon = max(horizon, f.Stored(i, key).Expires)
		}
	}
	for _, c := range f.Clients() {
		if c.Program == nil {
			continue
		}
		horizon = max(horizon, f.Now()+c.Options.Timeout+3*c.Options.Retry+2*max(c.Skew, -c.Skew))
		for orphans && c.Orphan() != nil {
			apply(f, engine.Action{Verb: engine.VerbDeliver, Client: c.Name})
		}
		if c.Paused {
			apply(f, engine.Action{Verb: engine.VerbResume, Client: c.Name})
		}
		if c.Status == engine.Finished && c.Lease == nil {
			apply(f, engine.Action{Verb: engine.VerbRestart, Client: c.Name}) // it gave up: would another attempt succeed?
		}
	}
	for range rounds {
		moved := false
		for _, c := range f.Clients() {
			if call, _ := c.InFlight(); call != nil && c.Program != nil {
				apply(f, engine.Action{Verb: engine.VerbStep, Client: c.Name})
				moved = true
			}
			if c.Lease != nil && (c.Status == engine.Inside || c.Status == engine.Releasing) {
				return true
			}
		}
		if moved {
			continue
		}
		due := f.Due()
		if due == 0 || f.Now() > horizon {
			return false
		}
		apply(f, engine.Action{Verb: engine.VerbTick, Time: due - f.Now()})
	}
	return true
}

func apply(f *engine.World, a engine.Action) {
	// Only possible actions are chosen, so a refusal would be a mistake of this file.
	if _, err := f.Apply(a); err != nil {
		panic("check: " + err.Error())
	}
}

type because struct{ english, chinese string }

// culprit finds who left the lock behind: the writer of a key that is no longer there to delete it.
func culprit(w *engine.World) (cause int, why because) {
	for i := range w.Nodes() {
		for _, key := range w.Keys(i) {
			s := w.Stored(i, key)
			writer := w.Client(s.Writer)
			if writer == nil || writer.Live() {
				continue
			}
			cause = last(w, func(e *engine.Event) bool {
				return e.Lane == s.Writer && (e.Kind == engine.Crash || e.Kind == engine.Error || e.Kind == engine.Done)
			})
			return cause, because{
				fmt.Sprintf(": %s still holds %s, and %s, which wrote it, is gone", key, s.Value, s.Writer),
				fmt.Sprintf("：%[1]s 的值还是 %[2]s，而写入它的 %[3]s 已经不在了", key, s.Value, s.Writer),
			}
		}
	}
	return 0, because{}
}
