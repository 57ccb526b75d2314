package learn

import (
	"crypto/sha1"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/engine/lang"
	"lockstep/engine/program"
	"lockstep/engine/redis"
)

// A guessError says that the Learner has learned from a wrong guess, and has to forget what it knows.
type guessError struct {
	markers bool    // the program has markers
	drawn   []int64 // lengths of its sleeps that it draws by lot, though two processes have drawn the same one, ms
}

func (*guessError) Error() string { return "learn: what is known was a wrong guess" }

// follow leads a session along a known history, at the end of which its clock says own.
func (l *Learner) follow(s *session, history []string, own int64) error {
	for len(s.history) < len(history) {
		n := len(s.history)
		l.mu.Lock()
		op, _ := l.recording.At(history[:n])
		markers := l.recording.Markers
		l.mu.Unlock()
		seen := history[n]
		marker := markerOf(op.Kind)
		switch {
		case op.Kind == program.Command:
			if err := s.arrives(op); err != nil {
				return err
			}
			l.tell(s, history, own)
			if err := s.answer(seen); err != nil {
				return err
			}
		case op.Kind == program.Sleep:
			if err := s.arrives(op); err != nil {
				return err
			}
			l.tell(s, history, own)
		case marker != "" && markers:
			if err := s.arrives(program.Op{Kind: program.Command, Command: []string{"PUBLISH", channel, marker}}); err != nil {
				return err
			}
			l.tell(s, history, own)
			s.process.Answer(":0\r\n")
		}
		s.observe(seen)
	}
	return nil
}

// tell sets the clock of a session to what its process may read after its next observation.
func (l *Learner) tell(s *session, history []string, own int64) {
	s.set(l.reads(history, len(s.history)+1, own, max(s.clock, s.wakes())))
}

// begins returns what the clock of a process says at the start of a history, at the end of which it says own.
func (l *Learner) begins(history []string, own int64) int64 {
	return l.reads(history, 0, own, int64(engine.Start))
}

// reads returns what a process reads on its clock after n observations of a history, at the end of which it says own, or else if
// it does not look. A client enters and wants the lock at the instant of its latest reply: the process knows nothing of that.
func (l *Learner) reads(history []string, n int, own, otherwise int64) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	for ; n < len(history); n++ {
		switch op, _ := l.recording.At(history[:n]); {
		case op.Kind == program.Clock:
			now, _ := strconv.ParseInt(history[n], 10, 64)
			return now
		case op.Kind != program.Want && (op.Kind != program.Enter || l.recording.Markers):
			return otherwise
		}
	}
	return own
}

// The markers: messages that a program publishes when it enters and leaves.
const (
	channel     = "lockstep"
	enterMarker = "enter"
	leaveMarker = "leave"
)

func markerOf(kind program.OpKind) string {
	switch kind {
	case program.Enter:
		return enterMarker
	case program.Leave:
		return leaveMarker
	}
	return ""
}

// arrives waits until the process does what an operation says.
func (s *session) arrives(op program.Op) error {
	a := s.process.Next()
	switch {
	case a.Fault != nil:
		return s.faulty(*a.Fault)
	case op.Kind == program.End && a.Ended && a.Code == op.Code:
		return nil
	case op.Kind == program.Sleep && a.Asleep && (op.For == 0 || op.For == length(a)):
		return nil
	case op.Kind == program.Sleep && a.Asleep:
		return &guessError{drawn: []int64{op.For, length(a)}}
	case a.Command != nil && s.matches(op, asRecorded(a.Command)):
		return nil
	}
	return s.deviates(op, a)
}

// asRecorded returns a command as a recording has it: a script has its name, or its SHA-1.
func asRecorded(command []string) []string {
	words := slices.Clone(command)
	words[0] = strings.ToUpper(words[0])
	for i, part := range redis.Parts(words)[1:] { // of a transaction
		if i < len(words)-2 {
			words[1+i] = redis.Quote(asRecorded(part))
		}
	}
	if words[0] != "EVAL" || len(words) < 2 {
		return words
	}
	if name := redis.ScriptName(words[1]); name != "" {
		words[1] = name
		return words
	}
	sum := sha1.Sum([]byte(words[1]))
	words[0], words[1] = "EVALSHA", hex.EncodeToString(sum[:])
	return words
}

// next returns what a session does after its history.
func (l *Learner) next(s *session) (program.Op, error) {
	l.mu.Lock()
	at, markers := l.place(s.history), l.recording.Markers
	l.mu.Unlock()
	if key := at.lockKey(l); !markers && !at.inside && key != "" {
		return l.enters(key), nil
	}
	a := s.process.Next()
	if a.Fault != nil {
		return program.Op{}, s.faulty(*a.Fault)
	}
	if key := at.swapped(); !markers && !at.inside && key != "" {
		got := a.Command != nil && redis.Releases(l.full(asRecorded(a.Command)), key)
		if !got {
			var err error
			if got, err = l.steals(s, &at); err != nil {
				return program.Op{}, err
			}
		}
		if got {
			return l.enters(key), nil
		}
	}
	switch {
	case a.Read && !at.told:
		return program.Op{Kind: program.Clock}, nil
	case !markers && !at.inside && a.Command != nil && at.goesOn(l, asRecorded(a.Command)):
		works, err := l.works(s)
		if err != nil {
			return program.Op{}, err
		}
		if works {
			l.mu.Lock()
			l.worked = append(l.worked, at.commands[len(at.commands)-1])
			l.mu.Unlock()
			return l.enters(at.refused(l)), nil
		}
	case a.Asleep:
		return l.sleep(s, a)
	case a.Ended && at.inside && !at.held: // it may take its time before its end
		return at.out(), nil
	case a.Ended && !at.sent:
		return program.Op{}, silent(a)
	case a.Ended:
		return program.Op{Kind: program.End, Code: a.Code, Text: lastLine(a.Said)}, nil
	}
	words := asRecorded(a.Command)
	if words[0] == "PUBLISH" && len(words) == 3 && words[1] == channel {
		if l.Literal && !markers && words[2] == enterMarker && at.inside && len(at.commands) == 0 {
			// Nobody can start it again to learn it, and the guess was right.
			l.mu.Lock()
			l.recording.Markers = true
			l.mu.Unlock()
			s.process.Answer(":0\r\n")
			return l.next(s)
		}
		return at.marker(words[2], markers)
	}
	if words[0] == "EVALSHA" {
		l.scripts.Lock()
		l.scripts.own = l.scripts.own.With(a.Command[1])
		l.scripts.Unlock()
	}
	if why := l.refuses(a.Command, words); why != nil {
		return program.Op{}, s.faulty(*why)
	}
	if !markers && at.inside {
		releases, err := at.releases(l, s, words)
		if err != nil {
			return program.Op{}, err
		}
		if releases {
			return at.out(), nil
		}
	}
	switch {
	case at.left && l.wants(words):
		return program.Op{Kind: program.Want}, nil
	}
	symbols, err := l.symbols(s, words)
	if err != nil {
		return program.Op{}, err
	}
	if back := at.repeats(l, symbols); back > 0 {
		again, err := l.asksOn(s, back)
		if again || err != nil {
			return program.Op{Kind: program.Again, Back: back}, err
		}
	}
	return program.Op{Kind: program.Command, Command: symbols}, nil
}

// goesOn reports whether a client deletes a lock that it did not get.
func (p *place) goesOn(l *Learner, words []string) bool {
	key := p.refused(l)
	return key != "" && deletes(words, key)
}

// works lets a twin go on after a refusal, up to the command that deletes the lock. It reports whether the twin takes itself for a
// holder: it is content with its end then, or goes on to something else. One that asks again has only tidied up.
func (l *Learner) works(s *session) (bool, error) {
	if l.Literal { // there is no other process
		return false, nil
	}
	twin, a, err := l.twin(s, 0, 0)
	if err != nil {
		return false, err
	}
	defer l.put(twin, false)
	if a.Command == nil {
		return false, nil
	}
	reply := redis.Reply(":1\r\n")
	if n := len(redis.Queued(a.Command)); n > 0 {
		reply = redis.Reply("*" + strconv.Itoa(n) + "\r\n" + strings.Repeat(":1\r\n", n))
	}
	twin.process.Answer(reply)
	b := twin.process.Next()
	return b.Fault == nil && !(b.Ended && b.Code != 0) && !b.Asleep && (b.Command == nil || !l.wants(asRecorded(b.Command))), nil
}

// enters returns the guess that a process is inside now, by a lock with this key.
func (l *Learner) enters(key string) program.Op {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !slices.Contains(l.locks, key) {
		l.locks = append(l.locks, key)
	}
	return program.Op{Kind: program.Enter}
}

// sleep returns how long a process sleeps. Where another process that has observed the same sleeps for another time, both have
// drawn lots, and a recording says only that the client sleeps.
func (l *Learner) sleep(s *session, a Arrival) (program.Op, error) {
	op := program.Op{Kind: program.Sleep, For: length(a)}
	word := "sleep " + strconv.FormatInt(op.For, 10)
	l.mu.Lock()
	known, drawn := l.known[word] || l.Literal, l.drawn[op.For]
	l.mu.Unlock()
	if drawn {
		op.For = 0
	}
	if known || drawn {
		return op, nil
	}
	twin, b, err := l.twin(s, 0, 0)
	if err != nil {
		return op, err
	}
	keep := false
	defer func() { l.put(twin, keep) }()
	if !b.Asleep {
		return op, twin.deviates(op, b)
	}
	keep = true
	if length(b) != op.For {
		op.For = 0
		return op, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.known[word] = true
	return op, nil
}

// twin lets another process observe what that of a session has observed, and returns what it does then. Its clock begins
// later ms after the session's and is apart ns beyond whole milliseconds. Callers put the twin back.
func (l *Learner) twin(s *session, later, apart int64) (*session, Arrival, error) {
	twin, err := l.start(l.begins(s.history, s.clock)+later, apart)
	if err != nil {
		return nil, Arrival{}, err
	}
	if err = l.follow(twin, s.history, s.clock); err == nil {
		a := twin.process.Next()
		if a.Fault == nil {
			return twin, a, nil
		}
		err = twin.faulty(*a.Fault)
	}
	l.put(twin, false)
	return nil, Arrival{}, err
}

// length returns how long a process sleeps, ms.
func length(a Arrival) int64 { return min(max(a.For, 1), program.MaxSleep) }

// Refusals is how often in a row a Learner refuses a client before it believes that the client asks for ever.
const Refusals = 6

// asksOn refuses a client that seems to ask for ever some more times, and reports whether it does the same again each time.
// Its process is of no use afterwards: it has been refused more often than its history says.
func (l *Learner) asksOn(s *session, back int) (bool, error) {
	if l.Literal { // there is no other process
		return true, nil
	}
	s.spent = true
	from := len(s.history) - back
	for range Refusals - 1 {
		for i := from; i < len(s.history); i++ {
			same, err := l.repeatsAt(s, i)
			if !same || err != nil {
				return false, err
			}
			if err := s.answer(s.history[i]); err != nil {
				return false, err
			}
		}
	}
	return l.repeatsAt(s, from)
}

// repeatsAt reports whether a process sends what the recording has at a place in its history. It may have made new values.
func (l *Learner) repeatsAt(s *session, i int) (bool, error) {
	l.mu.Lock()
	op, _ := l.recording.At(s.history[:i])
	l.mu.Unlock()
	a := s.process.Next()
	if a.Fault != nil {
		return false, s.faulty(*a.Fault)
	}
	s.own = s.own[:s.made[i]]
	return a.Command != nil && s.matches(op, asRecorded(a.Command)), nil
}

// out returns how a client goes that is inside: it stays until somebody lets it go on.
func (p *place) out() program.Op {
	if !p.held {
		return program.Op{Kind: program.Hold}
	}
	return program.Op{Kind: program.Leave}
}

// marker returns the operation of a marker.
func (p *place) marker(word string, markers bool) (program.Op, error) {
	switch {
	case !markers:
		return program.Op{}, &guessError{markers: true}
	case word == enterMarker && !p.inside:
		return program.Op{Kind: program.Enter}, nil
	case word == leaveMarker && p.inside:
		return p.out(), nil
	}
	return program.Op{}, &Fault{Text: lang.Format("it publishes the marker %q where it makes no sense: enter comes before leave, and each once", "它在不合适的地方发布了标记 %q：应先 enter 后 leave，各一次", word)}
}
