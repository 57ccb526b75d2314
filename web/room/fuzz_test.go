package room_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"lockstep/web/room"
)

// Any bytes are a class: four bytes choose a person, a verb and two details. The details take few values, that many entries
// are possible.
func entries(data []byte) (who []room.Who, all []room.Entry) {
	if len(data) > 1600 {
		data = data[:1600]
	}
	verbs := room.Verbs()
	who, all = []room.Who{spectator}, []room.Entry{{Verb: room.VerbOpen, Code: "482913", Name: 7, Run: "run0", Key: key("presenter")}}
	for ; len(data) >= 4; data = data[4:] {
		a, b := int(data[2]), int(data[3])
		w := room.Who{Seat: int(data[0]) % 8}
		if data[0]%3 == 0 {
			w = presenter
		}
		e := room.Entry{Verb: verbs[int(data[1])%len(verbs)], Seat: w.Seat}
		if often := []room.Verb{room.VerbVote, room.VerbMark, room.VerbOwn, room.VerbPlace, room.VerbClaim}; data[1] > 150 {
			e.Verb = often[int(data[1])%len(often)]
		}
		if data[0] > 192 {
			e.Seat = a % 8
		}
		if e.Verb == room.VerbJoin && a%8 > 0 {
			w = spectator
		}
		if fill := samples[e.Verb].fuzz; fill != nil {
			fill(&e, a, b)
		}
		who, all = append(who, w), append(all, e)
	}
	return who, all
}

// The room keeps its invariants under any input.
func FuzzClass(f *testing.F) {
	seed := func(values ...byte) { f.Add(values) }
	verb := func(v room.Verb) byte { return byte(slices.Index(room.Verbs(), v)) }
	join := func(n byte) []byte { return []byte{1, verb(room.VerbJoin), n, 0} }
	class := slices.Concat(join(1), join(2), join(3), join(4))
	seed(class...)
	seed(slices.Concat(class, []byte{0, verb(room.VerbLanes), 2, 1, 0, verb(room.VerbAsk), 1, 3, 3, verb(room.VerbVote), 0, 2, 4, verb(room.VerbVote), 0, 1,
		0, verb(room.VerbPlace), 3, 1, 0, verb(room.VerbRound), 0, 0, 0, verb(room.VerbReveal), 0, 1})...)
	seed(slices.Concat(class, []byte{0, verb(room.VerbAsk), 0, 3, 1, verb(room.VerbVote), 0, 2, 0, verb(room.VerbRound), 0, 0, 0, verb(room.VerbRound), 0, 0,
		2, verb(room.VerbVote), 0, 2, 0, verb(room.VerbReveal), 0, 0, 0, verb(room.VerbEnd), 0, 0})...)
	seed(slices.Concat(class, []byte{0, verb(room.VerbSwitch), 1, 1, 1, verb(room.VerbName), 1, 1, 0, verb(room.VerbChallenge), 0, 0,
		1, verb(room.VerbOwn), 2, 0, 1, verb(room.VerbMark), 2, 9, 0, verb(room.VerbShow), 3, 0, 0, verb(room.VerbHome), 0, 0})...)
	seed(slices.Concat(class, []byte{0, verb(room.VerbLanes), 2, 2, 0, verb(room.VerbAsk), 0, 3, 3, verb(room.VerbVote), 0, 2, 0, verb(room.VerbDrive), 2, 0,
		0, verb(room.VerbRemove), 2, 3, 0, verb(room.VerbLock), 4, 0, 1, verb(room.VerbJoin), 5, 0, 0, verb(room.VerbPair), 9, 0, 0, verb(room.VerbRevoke), 0, 0})...)
	f.Fuzz(func(t *testing.T, data []byte) { play(t, data) })
}

// Five hundred random classes use every verb at least once.
func TestClasses(t *testing.T) {
	done := map[room.Verb]int{}
	chance := rand.New(rand.NewPCG(6, 28))
	for range 500 {
		data := make([]byte, 1000)
		for i := range data {
			data[i] = byte(chance.Uint32())
		}
		for _, e := range play(t, data) {
			done[e.Verb]++
		}
	}
	for _, verb := range room.Verbs() {
		if done[verb] < 10 {
			t.Errorf("%s was done %d times: its sample makes no entry of two bytes, or one that is hardly ever possible", verb, done[verb])
		}
	}
}

// play lets people try what the bytes say, and returns the entries that the room allowed.
func play(t *testing.T, data []byte) (log []room.Entry) {
	who, all := entries(data)
	r := room.New()
	placed := 0
	removed := map[int]bool{}
	for i, e := range all {
		if err := r.Can(who[i], e); err != nil {
			if !slices.Contains(room.Refusals, err.(room.Refusal)) {
				t.Fatalf("%s is refused with %v, which is not in the list", e.Verb, err)
			}
			continue
		}
		r.Apply(e)
		log = append(log, e)
		switch e.Verb {
		case room.VerbLanes:
			placed = 0
		case room.VerbPlace:
			placed++
		case room.VerbRemove:
			for _, number := range e.Seats {
				removed[number] = true
			}
		}
		sane(t, r, placed)
		forgets(t, r, removed)
	}
	again := room.New()
	for _, e := range log {
		again.Apply(written(t, e))
	}
	if !reflect.DeepEqual(r, again) {
		t.Fatal("the log, written down and read back, is another room")
	}
	keepsSecrets(t, log)
	return log
}

// forgets checks that no trace of a removed seat is left.
func forgets(t *testing.T, r *room.Room, removed map[int]bool) {
	v := r.View(presenter)
	for number := range removed {
		if r.You(number) != nil || r.Sandbox(number) != "" || v.Driver == number {
			t.Fatalf("seat %d was removed, and is there", number)
		}
		if slices.ContainsFunc(v.Seats, func(s room.Seat) bool { return s.Seat == number }) ||
			slices.ContainsFunc(v.Ranking, func(p room.Place) bool { return p.Seat == number }) ||
			slices.ContainsFunc(v.Lanes, func(l room.Lane) bool { return slices.Contains(l.Team, number) }) {
			t.Fatalf("seat %d was removed, and the view has it: %+v", number, v)
		}
		if err := r.MayAct(seat(number), "own1", number, "tick", ""); err == nil {
			t.Fatalf("seat %d was removed, and acts", number)
		}
	}
	if v.Run != r.Base() && !slices.ContainsFunc(v.Seats, func(s room.Seat) bool { return r.MayLook(room.Who{Seat: s.Seat}, v.Run, s.Seat) == nil }) {
		t.Fatalf("the room shows %s, which is nobody's who is there", v.Run)
	}
}

// sane checks that everybody whom a room names is there, and that everything is within its bounds.
func sane(t *testing.T, r *room.Room, placed int) {
	v := r.View(presenter)
	if v.Driver != 0 && r.You(v.Driver) == nil {
		t.Fatalf("seat %d drives, and is not there", v.Driver)
	}
	if v.Until != 0 && !v.Timed || v.Until > (255*20_000+room.MaxTimer*60_000) {
		t.Fatalf("a timer until %d, for nothing or too long: %+v", v.Until, v)
	}
	if r.Seats() != len(v.Seats) || len(v.Desk.Seats) != len(v.Seats) || v.Desk.Remotes < 0 || v.Desk.Remotes >= room.MaxKeys {
		t.Fatalf("%d seats, of which the view has %d and the desk %+v", r.Seats(), len(v.Seats), v.Desk)
	}
	lanes := map[int]string{}
	for i, s := range v.Seats {
		lanes[s.Seat] = s.Lane
		if v.Desk.Seats[i].Seat != s.Seat {
			t.Fatalf("the desk has seat %d where the view has %d", v.Desk.Seats[i].Seat, s.Seat)
		}
	}
	held := 0
	for _, l := range v.Lanes {
		if len(l.Team) > v.Size+placed {
			t.Fatalf("%d seats hold %s, in teams of %d and with %d moved", len(l.Team), l.Client, v.Size, placed)
		}
		for _, number := range l.Team {
			if lanes[number] != l.Client {
				t.Fatalf("seat %d is in the team of %s and holds %s", number, l.Client, lanes[number])
			}
		}
		held += len(l.Team)
	}
	for _, s := range v.Seats {
		if s.Lane != "" {
			held--
		}
		if s.Name.English == "" || s.Name.Chinese == "" {
			t.Fatalf("seat %d has no name", s.Seat)
		}
	}
	if held != 0 {
		t.Fatal("a seat holds a lane that is not there")
	}
	if p := v.Poll; p != nil {
		if (p.Answer != nil) != (p.Phase == room.Revealed) || (r.Poll().Counts() != nil) != (p.Phase == room.Revealed) {
			t.Fatalf("in phase %s the answer is %v", p.Phase, p.Answer)
		}
		if open := p.Phase == room.First || p.Phase == room.Second; open && p.Cast > p.Voters {
			t.Fatalf("%d of %d have voted", p.Cast, p.Voters)
		}
		for _, s := range v.Seats {
			for _, choice := range r.You(s.Seat).Cast {
				if choice < room.None || choice >= len(p.Choices) {
					t.Fatalf("seat %d has voted for %d", s.Seat, choice)
				}
			}
		}
		if a := p.Answer; a != nil {
			total := 0
			for _, n := range a.Counts[len(a.Counts)-1] {
				total += n
			}
			if total != p.Cast || len(a.Counts) != p.Round {
				t.Fatalf("%d votes, counted %v in round %d", p.Cast, a.Counts, p.Round)
			}
		}
	}
	for i, p := range v.Ranking {
		if i > 0 && (p.Actions < v.Ranking[i-1].Actions || (p.Rank == v.Ranking[i-1].Rank) != (p.Actions == v.Ranking[i-1].Actions)) {
			t.Fatalf("ranking %+v", v.Ranking)
		}
	}
}

// keepsSecrets plays a class again with other secrets: keys, votes before they are revealed, the roster, the progress in a
// sandbox. Nobody else can tell the two classes apart.
func keepsSecrets(t *testing.T, log []room.Entry) {
	if at := slices.IndexFunc(log, func(e room.Entry) bool { return e.Verb == room.VerbReveal }); at >= 0 {
		log = log[:at]
	}
	shown := slices.ContainsFunc(log, func(e room.Entry) bool { return strings.HasPrefix(e.Run, "own") && e.Verb == room.VerbShow })
	r, twin := room.New(), room.New()
	for _, e := range log {
		other := e
		if e.Key != "" {
			other.Key = room.HashKey(e.Key)
		}
		if e.Roster != "" {
			other.Roster = "other " + e.Roster
		}
		if e.Verb == room.VerbVote {
			other.Choice = len(r.Poll().Question().Choices) - 1 - e.Choice
		}
		if e.State != "" {
			other.State = map[room.State]room.State{room.Safe: room.Broken, room.Broken: room.Stuck, room.Stuck: room.Safe}[e.State]
		}
		if e.Verb == room.VerbOwn && !shown {
			other.Run = "other-" + e.Run
			if e.From != "" {
				other.From = "other-" + e.From
			}
		}
		r.Apply(e)
		twin.Apply(other)
		text := marshalled(t, r.View(spectator))
		if told := marshalled(t, twin.View(spectator)); text != told {
			t.Fatalf("after %+v a spectator can tell what is a secret\n%s\n%s", e, text, told)
		}
		p, q := r.View(presenter), twin.View(presenter)
		if p.Desk, q.Desk = nil, nil; marshalled(t, p) != text || marshalled(t, q) != text {
			t.Fatalf("after %+v the presenter sees more than the desk\n%s", e, text)
		}
	}
	for _, s := range r.View(spectator).Seats {
		v := r.View(seat(s.Seat))
		if v.You = nil; v.Desk != nil || marshalled(t, v) != marshalled(t, r.View(spectator)) {
			t.Fatalf("seat %d sees more than itself", s.Seat)
		}
		for _, secret := range []string{`"key"`, `"roster"`} {
			if text := marshalled(t, r.View(spectator)); strings.Contains(text, secret) {
				t.Fatalf("a spectator sees %s: %s", secret, text)
			}
		}
	}
	if marshalled(t, r) != "{}" || r.Poll() != nil && marshalled(t, r.Poll()) != "{}" {
		t.Fatal("a room can be marshalled, with all that it knows")
	}
}

// A log may be damaged, or come from a newer server. It folds to its end, and impossible entries change nothing.
func FuzzDamagedLog(f *testing.F) {
	for _, e := range []room.Entry{
		{Verb: room.VerbVote, Seat: 9}, {Verb: room.VerbAsk, Poll: question(room.Network, 2)}, {Verb: "shout"}, {Verb: room.VerbPlace, Seat: -1, Lane: "C1"},
		{Verb: room.VerbReveal, Choice: 70}, {Verb: room.VerbMark, Seat: 1, Solved: true}, {Verb: room.VerbLanes, Lanes: []string{"", ""}, Size: -4},
	} {
		f.Add([]byte(marshalled(f, e)+"\n"+marshalled(f, e)), []byte("some class or other, of so many bytes"))
	}
	f.Fuzz(func(t *testing.T, lines, data []byte) {
		r := room.New()
		apply := func(e room.Entry) {
			// When a part of the log is full, Can refuses an entry that was accepted before.
			before, possible := r.View(presenter), false
			for number := range 9 {
				for _, err := range []error{r.Can(room.Who{Presenter: true, Seat: number}, e), r.Can(seat(number), e)} {
					possible = possible || err == nil || errors.Is(err, room.ErrBusy) || errors.Is(err, room.ErrLong)
				}
			}
			r.Apply(e)
			after := r.View(presenter)
			if after.Entries != before.Entries+1 || r.Len() != after.Entries {
				t.Fatalf("%d entries and one more are %d", before.Entries, after.Entries)
			}
			if after.Entries = before.Entries; !possible && !reflect.DeepEqual(before, after) {
				t.Fatalf("%+v was not possible, and has changed the room", e)
			}
			sane(t, r, r.Len())
		}
		_, all := entries(data)
		for _, e := range all {
			apply(e)
		}
		if len(lines) > 2000 {
			return
		}
		for line := range strings.Lines(string(lines)) {
			var e room.Entry
			if json.Unmarshal([]byte(line), &e) == nil {
				apply(e)
			}
		}
	})
}
