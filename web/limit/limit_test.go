package limit

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestNetwork(t *testing.T) {
	for address, want := range map[string]string{
		"192.0.2.7": "192.0.2.7", "::ffff:192.0.2.7": "192.0.2.7", "2001:db8:1:2ff::1": "2001:db8:1:200::/56",
		"2001:db8:1:200:ffff::9": "2001:db8:1:200::/56", "2001:db8:1:300::1": "2001:db8:1:300::/56", "fe80::1%eth0": "fe80::/56",
	} {
		if got := Network(netip.MustParseAddr(address)); got != want {
			t.Errorf("%s is in the network %s, not %s", address, got, want)
		}
	}
	if got := Network(netip.Addr{}); got == "" {
		t.Error("no address is in no network")
	}
}

// Rates allow a burst, then a number per second. They forget names that have been inactive for long.
func TestRates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := NewRates(2, 3)
		r.forget = 3
		var told []bool
		for range 5 {
			told = append(told, r.Allow("ann"))
		}
		time.Sleep(time.Second)
		for range 3 {
			told = append(told, r.Allow("ann"))
		}
		if want := []bool{true, true, true, false, false, true, true, false}; !slices.Equal(told, want) {
			t.Errorf("Ann may %v, want %v", told, want)
		}
		r.Charge("bob", 13) // ten more than fit
		if r.Owes("bob") == 0 || r.Owes("ann") > 0 {
			t.Error("Bob owes nothing, or Ann does")
		}
		time.Sleep(4900 * time.Millisecond)
		if r.Owes("bob") == 0 {
			t.Error("Bob owes nothing any more after 4.9 s")
		}
		time.Sleep(200 * time.Millisecond)
		if r.Owes("bob") > 0 {
			t.Error("Bob owes something after 5.1 s")
		}
		time.Sleep(time.Minute)
		for i := range 3 {
			r.Allow(fmt.Sprint(i))
		}
		if len(r.of) > 3 {
			t.Errorf("%d are remembered", len(r.of))
		}
		for range 3 { // her burst is spent, and half a second gives one back
			r.Allow("ann")
		}
		time.Sleep(500 * time.Millisecond)
		r.sweep()
		if r.Allow("ann"); r.Allow("ann") {
			t.Error("Ann was forgotten, and has a whole burst again")
		}
	})
}

// A network never holds more than its bound, nor more than it leaves for others. The next network finds room.
func TestShares(t *testing.T) {
	s := NewShares(10, 20)
	for _, step := range []struct {
		network string
		n       int64
		force   bool
		fits    bool
	}{{"a", 10, false, true}, {"a", 1, false, false}, {"b", 6, false, false}, {"b", 5, false, true}, {"c", 1, false, true}, {"c", 2, false, false}, {"c", 2, true, false}, {"c", -2, true, true}} {
		take := s.Take
		if step.force {
			take = s.Force
		}
		if got := take(step.network, step.n); got != step.fits {
			t.Errorf("%d for %s: %v", step.n, step.network, got)
		}
	}
	s.Give("a", 10)
	s.Give("b", 5)
	s.Give("c", 1)
	if s.Held() != 0 || len(s.of) != 0 {
		t.Errorf("%d are held by %v", s.Held(), s.of)
	}
}

// What a person may not take is not held for their network either.
func TestARefusedPersonHoldsNothing(t *testing.T) {
	s := NewPersonShares(NewShares(10, 100), NewShares(3, 100))
	if s.Take("class", "ann", 4) || s.Held() != 0 {
		t.Errorf("ann may have 3, asks for 4, and %d are held", s.Held())
	}
	if !s.Take("class", "ann", 3) || !s.Take("class", "bob", 3) || s.Held() != 6 {
		t.Errorf("ann and bob have 3 each, and %d are held", s.Held())
	}
	s.Force("class", "ann", -3)
	if !s.Take("class", "ann", 3) {
		t.Error("ann has given 3 back, and gets none")
	}
}

// begins returns the order in which turns begin. Each turn ends before the next begins.
func begins(t *testing.T, q *Turns, all []*Turn) string {
	t.Helper()
	var order []string
	for range all {
		for _, turn := range all {
			if turn.running {
				order = append(order, turn.person)
				turn.End(nil)
				break
			}
		}
	}
	return strings.Join(order, " ")
}

// A class gets its turns while somebody asks a hundred times, from another network or from the class's own, and under
// any number of names.
func TestTurnsAreFair(t *testing.T) {
	join := func(q *Turns, network, person string) *Turn {
		turn, err := q.Join(t.Context(), network, person)
		if err != nil {
			t.Fatalf("%s: %v", person, err)
		}
		return turn
	}
	q := NewTurns(1, 100)
	var all []*Turn
	for _, who := range []string{"evil eve", "evil eve", "evil mal", "evil eve", "school ann", "school bob", "school ann", "home cat"} {
		network, person, _ := strings.Cut(who, " ")
		all = append(all, join(q, network, person))
	}
	var places []int
	for _, turn := range all {
		places = append(places, turn.place)
	}
	if want := []int{0, 5, 3, 7, 1, 4, 6, 2}; !slices.Equal(places, want) {
		t.Errorf("their places are %v, want %v", places, want)
	}
	if got, want := begins(t, q, all), "eve ann cat mal bob eve ann eve"; got != want {
		t.Errorf("they begin in the order %s, want %s", got, want)
	}
}

// One network leaves a turn for other networks.
func TestOneNetworkLeavesATurn(t *testing.T) {
	q := NewTurns(2, 10)
	var all []*Turn
	for _, who := range []string{"evil eve", "evil mal", "school ann", "school bob"} {
		network, person, _ := strings.Cut(who, " ")
		turn, err := q.Join(t.Context(), network, person)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, turn)
	}
	running := func() (who []string) {
		for _, turn := range all {
			if turn.running {
				who = append(who, turn.person)
			}
		}
		return who
	}
	if got := running(); !slices.Equal(got, []string{"eve", "ann"}) {
		t.Errorf("at once go on %q", got)
	}
	all[0].End(nil)
	if got := running(); !slices.Equal(got, []string{"mal", "ann"}) {
		t.Errorf("then %q", got)
	}
}

// A full line makes room for a person of another network.
func TestAFullLineMakesRoom(t *testing.T) {
	q := NewTurns(1, 4)
	var evil []*Turn
	for i := range 5 {
		turn, err := q.Join(t.Context(), "evil", fmt.Sprint("eve-", i))
		if err != nil {
			t.Fatal(err)
		}
		evil = append(evil, turn)
	}
	if _, err := q.Join(t.Context(), "evil", "eve-5"); !errors.Is(err, ErrFull) {
		t.Fatalf("one more of the same network is told %v", err)
	}
	for _, person := range []string{"ann", "bob"} {
		if _, err := q.Join(t.Context(), "school", person); err != nil {
			t.Errorf("%s finds no place: %v", person, err)
		}
	}
	if _, err := q.Join(t.Context(), "school", "cat"); !errors.Is(err, ErrFull) {
		t.Errorf("a third one of the school, of four: %v", err)
	}
	for i, turn := range evil {
		if gone := errors.Is(context.Cause(turn), ErrFull); gone != (i >= 3) {
			t.Errorf("the place of %s: %v", turn.person, context.Cause(turn))
		}
	}
}

func TestTurnsEnd(t *testing.T) {
	q := NewTurns(1, 10)
	first, _ := q.Join(t.Context(), "n", "ann")
	second, _ := q.Join(t.Context(), "n", "bob")
	ctx, cancel := context.WithCancel(t.Context())
	third, _ := q.Join(ctx, "n", "cat")
	cancel()
	if err := third.Wait(nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled request is told %v", err)
	}
	third.End(nil)
	replaced := errors.New("replaced")
	q.Of("n", "ann", replaced)
	if err := first.Wait(nil); !errors.Is(err, replaced) || second.running {
		t.Errorf("a turn that is replaced ends with %v; the next one begins %v, before it is done", err, second.running)
	}
	first.End(nil)
	if !second.running {
		t.Error("the next one does not begin")
	}
	q.Close()
	if _, err := q.Join(t.Context(), "n", "dan"); !errors.Is(err, ErrClosed) || !errors.Is(context.Cause(second), ErrClosed) {
		t.Errorf("after the end: %v, %v", err, context.Cause(second))
	}
}

// While all slots are taken, waits get their slots in turn by network and by person. A wait that ended is passed over.
func TestSlotsAreFair(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewSlots(SlotsOptions{Most: 1, Each: 1})
		first, err := s.take(t.Context(), "evil", "eve")
		if err != nil {
			t.Fatal(err)
		}
		order := make(chan string, 10)
		wait := func(ctx context.Context, network, person string) {
			go func() {
				u, err := s.take(ctx, network, person)
				if err != nil {
					order <- fmt.Sprint(person, " not: ", err)
					return
				}
				order <- person
				u.end()
			}()
			synctest.Wait()
		}
		leaving, leave := context.WithCancel(t.Context())
		for _, person := range []string{"eve", "eve", "mal", "eve"} {
			wait(t.Context(), "evil", person)
		}
		wait(leaving, "school", "zoe")
		for _, person := range []string{"ann", "bob", "ann"} {
			wait(t.Context(), "school", person)
		}
		wait(t.Context(), "home", "cat")
		leave()
		synctest.Wait()
		first.end()
		synctest.Wait()
		close(order)
		var got []string
		for who := range order {
			got = append(got, who)
		}
		if got[0] != "zoe not: context canceled" {
			t.Errorf("a wait that ended is told %q", got[0])
		}
		at := func(who string, nth int) int {
			for i, name := range got {
				if name == who {
					if nth--; nth == 0 {
						return i
					}
				}
			}
			t.Fatalf("%s does not come to a slot: %q", who, got)
			return 0
		}
		// The two networks that have not been served come before the one that has.
		if at("cat", 1) > 2 || min(at("ann", 1), at("bob", 1)) > 2 || at("mal", 1) > at("eve", 1) || at("bob", 1) > at("ann", 2) {
			t.Errorf("they come to their slots in the order %q", got)
		}
		if len(s.waiting) != 0 || s.waits != 0 || s.taken != 0 || len(s.running) != 0 {
			t.Errorf("afterwards %d networks wait, and %d slots are taken", len(s.waiting), s.taken)
		}
	})
}

// A slot that is used for too long does not keep others waiting, and counts only once when it ends.
func TestSlotsLapse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewSlots(SlotsOptions{Most: 1, Each: 1, Lapse: time.Second})
		slow, err := s.take(t.Context(), "n", "slow")
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		next, err := s.take(t.Context(), "n", "next")
		if took := time.Since(began); err != nil || took != time.Second {
			t.Errorf("the next one waits for %s: %v", took, err)
		}
		slow.end()
		if s.taken != 1 {
			t.Errorf("%d slots are taken while one is", s.taken)
		}
		next.end()
		last, _ := s.take(t.Context(), "n", "last")
		go s.close()
		if _, err := s.take(t.Context(), "n", "never"); !errors.Is(err, ErrClosed) {
			t.Errorf("a wait at the end is told %v", err)
		}
		last.end()
		if s.taken != 0 {
			t.Errorf("%d slots are taken in the end", s.taken)
		}
	})
}

// One network cannot take all slots, and another network gets one at once.
func TestOneNetworkLeavesASlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewSlots(SlotsOptions{Most: 3, Each: 2})
		var given atomic.Int32
		for i := range 5 {
			go func() {
				if _, err := s.take(t.Context(), "evil", fmt.Sprint(i)); err == nil {
					given.Add(1)
				} else if !errors.Is(err, ErrClosed) {
					t.Error(err)
				}
			}()
		}
		synctest.Wait()
		if given.Load() != 2 || s.waits != 3 {
			t.Errorf("one network has %d slots, and %d wait", given.Load(), s.waits)
		}
		if _, err := s.take(t.Context(), "school", "ann"); err != nil {
			t.Error(err)
		}
		s.close()
	})
}

// A full line refuses the last wait of the network with the most waits.
func TestSlotsWithAFullLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewSlots(SlotsOptions{Most: 1, Each: 1, Longest: 3})
		told := make(chan string, 10)
		join := func(network, person string) {
			go func() {
				switch _, err := s.take(t.Context(), network, person); {
				case errors.Is(err, ErrFull):
					told <- person
				case err != nil && !errors.Is(err, ErrClosed):
					t.Error(err)
				}
			}()
			synctest.Wait()
		}
		for _, person := range []string{"eve", "eve", "eve", "eve", "eve"} { // one has the slot, three wait
			join("evil", person)
		}
		join("school", "ann")
		join("school", "bob")
		synctest.Wait()
		if len(told) != 3 || <-told != "eve" || <-told != "eve" || <-told != "bob" { // Bob would have as many as Eve
			t.Errorf("%d more are sent away", len(told))
		}
		s.close()
	})
}

// A request does a little work at once. For more it becomes one of a few, yields the processor now and then, and ends
// at a bound.
func TestWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := NewWork(2)
		ann, bob := w.Asker(t.Context(), "n", "ann"), w.Asker(t.Context(), "n", "bob")
		if err := errors.Join(ann.Begin(), ann.Spend(lightWork)); err != nil || w.processors.taken != 1 || w.heavy.taken != 0 {
			t.Fatalf("a little work: %v, with %d processors, and %d of the few", err, w.processors.taken, w.heavy.taken)
		}
		if err := ann.Spend(1); err != nil || w.processors.taken != 1 || w.heavy.taken != 1 {
			t.Fatalf("a little more: %v, with %d processors, and %d of the few", err, w.processors.taken, w.heavy.taken)
		}
		goesOn := make(chan error)
		go func() { goesOn <- bob.Begin() }()
		synctest.Wait()
		if err := ann.Spend(1); err != nil || bob.slot != nil {
			t.Errorf("Ann does not go on within her slice: %v", err)
		}
		go func() { goesOn <- ann.Spend(sliceWork) }()
		err := <-goesOn
		synctest.Wait()
		if err != nil || bob.slot == nil || ann.slot != nil {
			t.Errorf("Bob does not come to his turn: %v", err)
		}
		other := w.Asker(t.Context(), "other", "dan")
		if err := other.Begin(); err != nil { // the other processor is free for them
			t.Error(err)
		}
		other.Done()
		bob.Done()
		if err := <-goesOn; err != nil || ann.slot == nil {
			t.Errorf("Ann does not go on after Bob: %v", err)
		}
		ann.Rest()
		if w.processors.taken != 0 || w.heavy.taken != 0 {
			t.Errorf("while Ann rests there are %d processors taken, and %d of the few", w.processors.taken, w.heavy.taken)
		}
		var few []*Asker
		for range heavyEach {
			a := w.Asker(t.Context(), "n", "cat")
			if err := a.Turn(); err != nil {
				t.Fatal(err)
			}
			a.yield()
			few = append(few, a)
		}
		waited := false
		bob.Waits = func() { waited = true }
		go func() { goesOn <- bob.Turn() }()
		synctest.Wait()
		if bob.heavy != nil || !waited {
			t.Error("one network has another heavy request")
		}
		few[0].Done()
		if err := <-goesOn; err != nil || bob.heavy == nil {
			t.Errorf("the next one does not begin: %v", err)
		}
		for _, a := range append(few, bob) {
			a.Done()
		}
		if err := ann.Spend(MostWork); !errors.Is(err, ErrTooMuch) {
			t.Errorf("a request above MostWork: %v", err)
		}
		ann.Done()
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if err := w.Asker(gone, "other", "dan").Spend(1); !errors.Is(err, context.Canceled) {
			t.Errorf("a cancelled request is told %v", err)
		}
		if w.processors.taken != 0 || w.heavy.taken != 0 {
			t.Errorf("in the end there are %d processors taken, and %d of the few", w.processors.taken, w.heavy.taken)
		}
	})
}

// Wrong codes slow down only the network that tries them, and there only codes that have not opened before.
func TestGuesses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, w := NewGuesses(60), NewWork(2)
		try := func(network, person, code string) bool {
			return g.Try(w.Asker(t.Context(), network, person).Context(), code)
		}
		g.Right("school", "434063")
		for range 3000 {
			g.Wrong("school")
		}
		began := time.Now()
		for _, free := range [][2]string{{"school", "434063"}, {"home", "434063"}, {"home", "111111"}} {
			if !try(free[0], "eve", free[1]) || time.Since(began) > 0 {
				t.Errorf("the code %s waits in the network %s", free[1], free[0])
			}
		}
		for range 10 {
			if !try("school", "eve", "222222") {
				t.Error("a code never comes to its turn")
			}
		}
		if took := time.Since(began); took < 4*time.Second || took > 6*time.Second {
			t.Errorf("ten codes of a network that guesses take %s", took)
		}
		for i := range networksKept + 5 {
			g.Right(fmt.Sprint(i), "1")
		}
		for i := range openedKept + 5 {
			g.Right("school", fmt.Sprint(i))
		}
		if len(g.opened) > networksKept || len(g.opened["school"]) > openedKept {
			t.Errorf("%d networks are kept, one with %d codes", len(g.opened), len(g.opened["school"]))
		}
	})
}

// Many waits do not block one more code. A person with their own name gets a turn at once; a person without one comes
// before the longest waits. When a code has opened, it opens for everybody who waits with the same code.
func TestARightCodeBesideManyGuesses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, w := NewGuesses(60), NewWork(2)
		for range 3000 {
			g.Wrong("school")
		}
		began := time.Now()
		tells := make(chan string, 1000)
		try := func(person, code string) {
			go func() {
				if g.Try(w.Asker(t.Context(), "school", person).Context(), code) {
					tells <- fmt.Sprintf("%s %s %s", person, code, time.Since(began))
				} else {
					tells <- "refused"
				}
			}()
			synctest.Wait()
		}
		for i := range 100 { // one of them is looked up at once
			try("school", fmt.Sprint(i))
		}
		if n := len(tells); n != 100-codesWaiting {
			t.Errorf("of a hundred codes at once %d do not wait", n)
		}
		try("school", "434063") // the first of a class, who has no name yet
		try("ann", "777777")
		for len(tells) > 0 {
			<-tells
		}
		time.Sleep(600 * time.Millisecond)
		if got := <-tells; !strings.HasPrefix(got, "ann 777777 500ms") {
			t.Errorf("first comes %q", got)
		}
		try("bob", "434063")
		time.Sleep(500 * time.Millisecond)
		if got := <-tells; !strings.HasPrefix(got, "bob 434063 1s") {
			t.Errorf("then comes %q", got)
		}
		g.Right("school", "434063")
		synctest.Wait()
		if got := <-tells; !strings.HasPrefix(got, "school 434063 1.1s") {
			t.Errorf("with the code that has opened comes %q", got)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		g.line.mu.Lock()
		defer g.line.mu.Unlock()
		if len(g.waiting) > 0 || g.line.waits > 0 || g.line.taken > 0 {
			t.Errorf("afterwards %d codes wait", len(g.waiting))
		}
	})
}
