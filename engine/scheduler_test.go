package engine_test

import (
	"testing"

	"lockstep/engine"
)

// auto plays a run by the scheduler.
func auto(t *testing.T, s engine.Scheduler, actions int) *engine.Run {
	t.Helper()
	run := playText(t, "program naive\nspawn C1 C2 C3\n").Run
	for range actions {
		a, ok := s.Next(run.World())
		if !ok {
			break
		}
		if _, err := run.Do(a); err != nil {
			t.Fatalf("the scheduler chose %s: %v", a, err)
		}
	}
	return run
}

// Round-robin takes the client that has waited longest, and lets time pass only when nobody can go on.
func TestRoundRobin(t *testing.T) {
	run := auto(t, engine.Scheduler{}, 9)
	want := []string{"spawn C1", "spawn C2", "spawn C3", "step C1", "step C2", "step C3", "step C1", "step C1", "tick 1s", "step C2", "step C3", "step C2"}
	for i, a := range run.Actions() {
		if a.String() != want[i] {
			t.Errorf("action %d is %s, want %s", i+1, a, want[i])
		}
	}
}

// A seed gives one schedule, whatever runs came before; another seed gives
// another.
func TestSeeds(t *testing.T) {
	random := func(seed uint64) string {
		return auto(t, engine.Scheduler{Random: true, Seed: seed}, 40).Scenario().String()
	}
	if first, again := random(7), random(7); first != again {
		t.Error("one seed gives two schedules")
	}
	different := 0
	for seed := range uint64(10) {
		if random(seed) != random(seed+1) {
			different++
		}
	}
	if different < 9 {
		t.Errorf("of 10 pairs of seeds only %d differ", different)
	}
}

// The scheduler has no next action where nobody can ever go on.
func TestSchedulerEnds(t *testing.T) {
	run := playText(t, "program naive\nspawn C1\nstep C1 3\nstep C1\nstep C1\n").Run
	if a, ok := (engine.Scheduler{}).Next(run.World()); ok {
		t.Errorf("everybody is done, and the scheduler chose %s", a)
	}
}

// An instant in three days is further than a tick goes: the scheduler goes there day by day.
func TestSchedulerGoesFar(t *testing.T) {
	run := playText(t, "do A1 SET k v EX 250000\n").Run
	want := []string{"tick 86400s", "tick 86400s", "tick 77200s"}
	for _, tick := range want {
		a, ok := engine.Scheduler{}.Next(run.World())
		if _, err := run.Do(a); !ok || err != nil || a.String() != tick {
			t.Fatalf("the scheduler chose %s (%v), want %s", a, err, tick)
		}
	}
	if a, ok := (engine.Scheduler{}).Next(run.World()); ok {
		t.Errorf("the key is gone, and the scheduler chose %s", a)
	}
}
