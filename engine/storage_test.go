package engine_test

import (
	"fmt"
	"testing"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/program"
)

// What the storage keeps is bounded by the clients of a run, however often they read, write and begin again: a session for each,
// which a new life ends.
func TestTheStorageKeepsOneSessionForEachClient(t *testing.T) {
	source := "def acquire(c):\n    return True\ndef work(c, lease):\n    for turn in range(8):\n" +
		"        n = c.storage.read(fence=turn)\n        c.storage.write(9000000000000000000 + turn, commit=False)\n    c.storage.commit()\ndef release(c, lease):\n    c.delete(\"lock.foo\")\n"
	p, err := program.Parse("reader", source)
	if err != nil {
		t.Fatal(err)
	}
	w := engine.New(engine.Header{Program: "reader", Own: []*program.Program{p}})
	defer w.Close()
	do := func(a engine.Action) {
		t.Helper()
		if _, err := w.Apply(a, engine.MaxActionWork); err != nil {
			t.Fatal(err)
		}
	}
	empty := w.Store(1)
	for i := range engine.MaxClients {
		do(engine.Action{Verb: engine.VerbSpawn, Client: fmt.Sprintf("C%d", i+1)})
	}
	for range 3 {
		for i := range engine.MaxClients {
			name := fmt.Sprintf("C%d", i+1)
			do(engine.Action{Verb: engine.VerbStep, Client: name, Count: 2})
			do(engine.Action{Verb: engine.VerbCrash, Client: name})
			do(engine.Action{Verb: engine.VerbRestart, Client: name})
			do(engine.Action{Verb: engine.VerbStep, Client: name, Count: 2})
		}
	}
	full := w.Store(1)
	if _, staged := w.Number(); len(staged) != engine.MaxClients {
		t.Errorf("%d transactions are open, not one for each of %d clients", len(staged), engine.MaxClients)
	}
	const share = 100
	if more := full.Size() - empty.Size(); more <= 0 || more > engine.MaxClients*share {
		t.Errorf("the sessions of %d clients take %d bytes, more than %d each", engine.MaxClients, more, share)
	}
	for i := range engine.MaxClients {
		name := fmt.Sprintf("C%d", i+1)
		do(engine.Action{Verb: engine.VerbCrash, Client: name})
		do(engine.Action{Verb: engine.VerbRestart, Client: name})
	}
	if _, staged := w.Number(); len(staged) > 0 {
		t.Errorf("a new life has the transaction of an earlier one: %v", staged)
	}
}

// A copy of a world shares nothing that changes: what happens in the copy's storage does not happen in the world's.
func TestACopyHasItsOwnStorage(t *testing.T) {
	w := engine.New(engine.Header{Program: "set-px-fencing-write"}, check.All()...)
	defer w.Close()
	for _, a := range []engine.Action{{Verb: engine.VerbSpawn, Client: "C1"}, {Verb: engine.VerbStep, Client: "C1", Count: 2}} {
		if _, err := w.Apply(a, engine.MaxActionWork); err != nil {
			t.Fatal(err)
		}
	}
	key := w.Store(1).Key()
	twin := w.Fork()
	if _, err := twin.Apply(engine.Action{Verb: engine.VerbStep, Client: "C1"}, engine.MaxActionWork); err != nil {
		t.Fatal(err)
	}
	if n, _ := twin.Number(); n != 1 {
		t.Errorf("the copy's storage holds %d, not 1", n)
	}
	twin.Close()
	if n, _ := w.Number(); n != 0 || w.Store(1).Key() != key {
		t.Error("a write in a copy has changed the world")
	}
}

// A copy of a world costs work for each session that it takes along.
func TestACopyPaysForTheStoragesSessions(t *testing.T) {
	copied := func(work string) int64 {
		p, err := program.Parse("worker", "def acquire(c):\n    return True\ndef work(c, lease):\n    "+work+"\ndef release(c, lease):\n    c.delete(\"lock.foo\")\n")
		if err != nil {
			t.Fatal(err)
		}
		w := engine.New(engine.Header{Program: "worker", Own: []*program.Program{p}})
		defer w.Close()
		for i := range engine.MaxClients {
			for _, a := range []engine.Action{{Verb: engine.VerbSpawn, Client: fmt.Sprintf("C%d", i+1)}, {Verb: engine.VerbStep, Client: fmt.Sprintf("C%d", i+1), Count: 1}} {
				if _, err := w.Apply(a, engine.MaxActionWork); err != nil {
					t.Fatal(err)
				}
			}
		}
		fork := w.Fork()
		defer fork.Close()
		return fork.Meter().Work()
	}
	if with, without := copied("c.storage.read()"), copied(`c.get("nothing")`); with-without < engine.MaxClients {
		t.Errorf("a copy with %d sessions costs %d units, one with none %d", engine.MaxClients, with, without)
	}
}
