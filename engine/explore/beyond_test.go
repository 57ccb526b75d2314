package explore_test

import (
	"slices"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/program"
)

// These tests look for claims of the course's table that no property of package
// check states: among all schedules (naive_test.go), or in the continuation of
// a counterexample.

// "naive-timeout: gives up although the lock was free in between." A state does
// not include the past, and so the test also distinguishes states by it: by the
// clients that were refused the lock before it became free.
func TestGivesUpTooEarly(t *testing.T) {
	// Two attempts, 5 s apart: the program gives up after 5 s.
	q := claim{program: "naive-timeout", bounds: "clients=3 ticks=1 tick=5s delays=0"}.question(t)
	all := growTelling(t, q, func(w *engine.World) string { return strings.Join(freeInBetween(w), " ") })
	m := all.first(t, q, func(w *engine.World) bool {
		return slices.ContainsFunc(freeInBetween(w), func(name string) bool {
			return w.Client(name).Status == engine.Finished && w.Client(name).Lease == nil
		})
	})
	if m == nil {
		t.Fatal("nobody gives up although the lock was free in between")
	}
	if len(m.schedule) != 10 {
		t.Errorf("%d actions:\n%s", len(m.schedule), m)
	}
}

// freeInBetween returns the clients that were refused the lock, and went on
// waiting when its holder deleted it.
func freeInBetween(w *engine.World) []string {
	var refused, missed []string
	for _, e := range w.Events() {
		switch e.Kind {
		case engine.AcquireFailed:
			refused = append(refused, e.Lane)
		case engine.Deliver:
			if len(e.Changes) > 0 && e.Changes[0].New == nil {
				missed = append(missed, refused...)
			}
		case engine.Done:
			refused = slices.DeleteFunc(refused, func(name string) bool { return name == e.Lane })
		}
	}
	slices.Sort(missed)
	return slices.Compact(missed)
}

// "getset-nil-lost: a key that nobody holds." The client whose GETSET created
// the key sleeps, and the last reply it heard is the nil that it took for a
// defeat. A getset that knows the meaning of nil never ends there.
func TestKeyThatNobodyHolds(t *testing.T) {
	nobodys := func(w *engine.World) bool {
		s := w.Stored(0, "lock.foo")
		return s != nil && slices.ContainsFunc(w.Clients(), func(c *engine.Client) bool {
			return c.Status == engine.Asleep && c.Replied.IsNil() && s.Writer == c.Name
		})
	}
	const bounds = "clients=2 ticks=1 tick=3s timeout=1s"
	q := claim{program: "getset-nil-lost", bounds: bounds}.question(t)
	m := grow(t, q).first(t, q, nobodys)
	if m == nil {
		t.Fatal("there is no key that nobody holds")
	}
	if len(m.schedule) != 9 {
		t.Errorf("%d actions:\n%s", len(m.schedule), m)
	}
	q = claim{program: "getset", bounds: bounds}.question(t)
	if m := grow(t, q).first(t, q, nobodys); m != nil {
		t.Errorf("getset leaves such a key too:\n%s", m)
	}
}

// "getset-compare-delete: the rightful owner cannot release (a phantom lock)."
// From the losing GETSET that the search finds, the owner goes on alone.
func TestPhantomLock(t *testing.T) {
	q := claim{program: "getset-compare-delete", property: "lease-drift", bounds: "delays=1"}.question(t)
	found := search(t, q).Counterexamples[0]
	run := replay(t, "phantom", q.Property, found).Run
	owner := run.World().Client(found.Clients[0])
	for owner.Live() {
		if _, err := run.Do(engine.Action{Verb: engine.VerbStep, Client: owner.Name}); err != nil {
			t.Fatal(err)
		}
	}
	if owner.Replied.Plain() != "0" {
		t.Errorf("%s has deleted its lock: %s", owner.Name, owner.Replied.Plain())
	}
	if s := run.World().Stored(0, "lock.foo"); s == nil || s.Writer == owner.Name {
		t.Errorf("%s has left, and the key is %+v", owner.Name, s)
	}
}

// "redlock: skipping the elapsed-time check enters on an expired lease." Without it
// a client whose requests took as long as the lease is in the critical section and
// has never believed that it may be.
func TestEntersOnAnExpiredLease(t *testing.T) {
	expired := func(w *engine.World) bool {
		return slices.ContainsFunc(w.Events(), func(e engine.Event) bool { return e.Kind == engine.Enter && !*e.Believes })
	}
	q := claim{program: "redlock", bounds: "clients=1 nodes=3 ticks=1 timeout=1s"}.question(t)
	if m := grow(t, q).first(t, q, expired); m != nil {
		t.Errorf("redlock enters on an expired lease:\n%s", m)
	}
	const check = " and c.now_ms() < until"
	if !strings.Contains(q.Program.Source, check) {
		t.Fatal("redlock has no such check")
	}
	var err error
	if q.Program, err = program.Parse("unchecked", strings.Replace(q.Program.Source, check, "", 1)); err != nil {
		t.Fatal(err)
	}
	m := grow(t, q).first(t, q, expired)
	if m == nil {
		t.Fatal("the program enters on no expired lease")
	}
	if len(m.schedule) != 5 {
		t.Errorf("%d actions:\n%s", len(m.schedule), m)
	}
}
