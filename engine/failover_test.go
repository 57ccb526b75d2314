package engine_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/check"
)

// A held value is what a test knows of a key.
type held struct {
	value   string
	expires engine.Time
}

func heldIn(w *engine.World, node int) map[string]held {
	all := map[string]held{}
	for key, s := range w.All(node) {
		all[key] = held{s.Value, s.Expires}
	}
	return all
}

// After a failover a node holds what it held when the clock last moved while it was up, without what has expired since. A
// copy of the world, a world made of components, and a run that has taken actions back say the same. Redis answers from it.
func TestAReplicaHasWhatWasThereWhenTheClockLastMoved(t *testing.T) {
	failovers, reverted := 0, 0
	for seed := range uint64(30) {
		random := rand.New(rand.NewPCG(seed, 1))
		run := engine.NewRun(engine.Header{Nodes: 2}, check.All()...)
		w := run.World()
		replica := []map[string]held{{}, {}}
		for range 300 {
			key := fmt.Sprintf("k%d", random.IntN(6))
			a := engine.Action{Verb: engine.VerbDo, Client: "A"}
			switch n := random.IntN(20); {
			case n < 4:
				a = engine.Action{Verb: engine.VerbTick, Time: engine.Time(1 + random.IntN(1500))}
			case n < 6:
				a = engine.Action{Verb: engine.VerbFailover, Node: 1 + random.IntN(2)}
			case n == 6:
				a = engine.Action{Verb: engine.VerbRedisCrash, Node: 1 + random.IntN(2), Lose: random.IntN(2) == 0}
			case n == 7:
				a = engine.Action{Verb: engine.VerbRedisRestart, Node: 1 + random.IntN(2)}
			case n < 11:
				a.Command = []string{"DEL", key}
			case n < 15:
				a.Command = []string{"SET", key, fmt.Sprint(random.IntN(9))}
			default:
				a.Command = []string{"SET", key, fmt.Sprint(random.IntN(9)), "PX", fmt.Sprint(1 + random.IntN(4000))}
			}
			if random.IntN(5) == 0 {
				tick := engine.Action{Verb: engine.VerbTick, Time: 10}
				done, err := run.Do(tick, engine.Action{Verb: engine.VerbFailover}, tick)
				if err != nil {
					t.Fatal(err)
				}
				done.TakeBack()
				w = run.World()
			}
			if w.Can(a) != nil {
				continue
			}
			twin := w.Fork()
			stores := []engine.Store{w.Store(0), w.Store(1)}
			made := engine.Compose(run.Header(), w.Now(), stores, nil)
			done, err := run.Do(a)
			if err != nil {
				t.Fatal(err)
			}
			switch a.Verb {
			case engine.VerbTick:
				for i := range replica {
					if !w.Down(i) {
						replica[i] = heldIn(w, i)
					}
				}
			case engine.VerbFailover:
				i := a.Node - 1
				failovers++
				maps.DeleteFunc(replica[i], func(_ string, h held) bool { return h.expires > 0 && h.expires <= w.Now() })
				if got := heldIn(w, i); !maps.Equal(got, replica[i]) || w.Down(i) {
					t.Fatalf("seed %d: after %s node %d holds %v, and its replica had %v", seed, a, a.Node, got, replica[i])
				}
				if len(done.Events[0].Changes) > 0 {
					reverted++
				}
				for _, other := range []*engine.World{twin, made} {
					if _, err := other.Apply(a, engine.MaxActionWork); err != nil || other.Store(i).Key() != w.Store(i).Key() {
						t.Fatalf("seed %d: a copy holds %q after %s, and the world %q (%v)", seed, other.Store(i).Key(), a, w.Store(i).Key(), err)
					}
				}
				if i == 0 {
					for key, h := range replica[0] {
						done, err := run.Do(engine.Action{Verb: engine.VerbDo, Client: "A", Command: []string{"GET", key}})
						if err != nil {
							t.Fatal(err)
						}
						if got := done.Events[len(done.Events)-1].Execution.Reply.Plain(); got != h.value {
							t.Fatalf("seed %d: Redis answers %s, and its replica had %v", seed, got, h)
						}
					}
				}
			}
			twin.Close()
			made.Close()
		}
		w.Close()
	}
	if failovers < 300 || reverted < 100 {
		t.Errorf("only %d failovers, of which %d changed something", failovers, reverted)
	}
}

// A failover of a full node counts every key that it takes away or brings back, in work and in bytes, as a crash does.
func TestAFailoverCountsWhatItChanges(t *testing.T) {
	var lines []string
	for i := range engine.MaxKeys {
		lines = append(lines, fmt.Sprintf("do A SET key%02d %s", i, strings.Repeat("v", 400)))
	}
	cost := func(last string) (work, bytes int64, changes int) {
		w := after(t, engine.Header{}, lines...)
		defer w.Close()
		work, bytes = w.Meter().Work(), w.Meter().Bytes()
		if err := do(w, last); err != nil {
			t.Fatal(err)
		}
		events := w.Events()
		return w.Meter().Work() - work, w.Meter().Bytes() - bytes, len(events[len(events)-1].Changes)
	}
	work, bytes, changes := cost("redis failover")
	crash, size, _ := cost("redis crash lose")
	if changes != engine.MaxKeys || work < crash || work > 2*crash || bytes < size*9/10 {
		t.Errorf("a failover that loses %d keys costs %d units and %d bytes; a crash %d and %d", changes, work, bytes, crash, size)
	}
	if idle, _, none := cost("tick 1s"); none != 0 || idle > 1000 {
		t.Errorf("a tick, after which the replica has them, costs %d units", idle)
	}
	// A run that fails over again and again meets a bound, and stays as it was.
	w := after(t, engine.Header{}, lines...)
	defer w.Close()
	var err error
	for i := 0; err == nil && i < engine.MaxActions; i++ {
		before := w.Meter().Bytes()
		if err = do(w, []string{"redis failover", lines[i%len(lines)], "tick 1ms"}[i%3]); err != nil && w.Meter().Bytes() != before {
			t.Error("a refused action has grown the run")
		}
	}
	if err == nil || w.Meter().Bytes() > engine.MaxBytes || len(w.Events()) > engine.MaxEvents {
		t.Errorf("%v, with %d bytes and %d events", err, w.Meter().Bytes(), len(w.Events()))
	}
}

// With several keys, the event names each that differs in the order of their names, and says how.
func TestAFailoverTellsEachKey(t *testing.T) {
	w := after(t, engine.Header{}, "do A SET back 1 PX 9000", "do A SET changed 1", "do A SET forever 1", "do A SET same 1", "tick 1s",
		"do A DEL back", "do A SET changed 2", "do A PEXPIRE forever 500", "do A SET lost 1", "do A SET same 1", "redis failover")
	defer w.Close()
	events := w.Events()
	e := events[len(events)-1]
	const want = "Redis fails over to its replica, which lags: back is back; it holds 1, written by A; changed is again 1, written by A; forever never expires there; lost is gone; it held 1, written by A."
	if got := e.Sentence("en"); got != want {
		t.Errorf("%s\nnot\n%s", got, want)
	}
	if keys := w.Keys(0); !slices.Equal(keys, []string{"back", "changed", "forever", "same"}) {
		t.Errorf("it holds %v", keys)
	}
}
