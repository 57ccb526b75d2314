package learn

import (
	"errors"
	"slices"
	"strconv"
	"sync"

	"lockstep/engine/explore"
	"lockstep/engine/lang"
	"lockstep/engine/program"
	"lockstep/engine/redis"
)

// A Learner runs a real program, once for each history of observations, and records what it does next.
type Learner struct {
	launch Launcher

	// Literal: there is but one process, and nobody to compare it with. Its words are taken as they are.
	Literal bool

	// Redis makes the nodes on which scripts are tried; nil: they are the engine's.
	Redis redis.Maker

	// Stopped reports whether nobody waits for what is learned any more; nil: somebody always does.
	Stopped func() bool

	mu        sync.Mutex
	recording *program.Recording
	scripts   struct {
		sync.Mutex
		own redis.Scripts
	}
	tries   sync.Mutex             // of trials
	parked  []*session             // live processes that wait at the door
	known   map[string]bool        // words that do not change from one process to the next
	drawn   map[int64]bool         // lengths of sleeps that the program draws by lot, ms
	samples map[int][]string       // values that processes have made, by the number of their symbol
	locks   []string               // keys by which clients enter, as it is guessed
	polls   bool                   // a client sends again what came to nothing
	apart   int64                  // see replay
	trials  map[string]redis.Trial // of scripts that nobody knows, by their commands
	beside  map[string]bool        // keys that clients make and never give back, while they take another lock and give it back
	freed   map[string]bool        // whether a command gives back what another one has taken, by both, and by the time where it matters
	worked  []said                 // refusals after which clients go on as if they had the lock
	timely  string                 // a value that clients make from the time, alike where they read the same millisecond; "": none is known
	starts  int
	most    int // starts
}

// Bounds on what a Learner does. A caller may lower that of starts.
const (
	MaxStarts = 20_000
	maxParked = 8 // live processes
)

// NewLearner returns a Learner that knows nothing. title says what the launcher starts.
func NewLearner(title string, launch Launcher) *Learner {
	return &Learner{
		launch: launch, recording: &program.Recording{Title: title}, most: MaxStarts,
		known: map[string]bool{}, drawn: map[int64]bool{}, samples: map[int][]string{}, trials: map[string]redis.Trial{}, freed: map[string]bool{}, beside: map[string]bool{},
	}
}

// Program returns what is known of the program by now. Its text may be longer than a scenario's programs may be: see
// program.Recording.
func (l *Learner) Program(name string) *program.Program {
	l.mu.Lock()
	defer l.mu.Unlock()
	p, _ := l.recording.Program(name)
	return p
}

// Recording returns what is known. Callers do not use it while the Learner learns.
func (l *Learner) Recording() *program.Recording { return l.recording }

// Scripts returns the scripts that the program has sent and that are nobody else's.
func (l *Learner) Scripts() redis.Scripts {
	l.scripts.Lock()
	defer l.scripts.Unlock()
	return l.scripts.own
}

// OnServer lets the program send what a real Redis server executes.
func (l *Learner) OnServer() { l.scripts.own = l.scripts.own.OnServer() }

// Starts returns how many processes have been started.
func (l *Learner) Starts() int { return l.starts }

// Close ends every process.
func (l *Learner) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.parked {
		s.process.Kill()
	}
	l.parked = nil
}

// errStopped says that nobody waits for what is learned any more.
var errStopped = errors.New("learn: nobody waits any more")

// ErrSpent says that the program has been started as often as it may be.
var ErrSpent = errors.New("learn: no more starts")

// mostAtOnce bounds the processes that go on at once: with more, each would take long to send its next command.
const mostAtOnce = 8

// Learn records what the program does after the history of each gap. hands runs the pieces; nil: one after another. A history
// must end where the recording does.
func (l *Learner) Learn(gaps []explore.Gap, hands func(n int, work func(i int))) error {
	if hands == nil {
		hands = func(n int, work func(i int)) {
			for i := range n {
				work(i)
			}
		}
	}
	problems := make([]error, len(gaps))
	at := min(len(gaps), mostAtOnce)
	hands(at, func(i int) {
		for ; i < len(gaps); i += at {
			problems[i] = l.learn(gaps[i].History, int64(gaps[i].Clock))
		}
	})
	var wrong []*guessError
	for _, err := range problems {
		guess := (*guessError)(nil)
		switch {
		case errors.As(err, &guess):
			wrong = append(wrong, guess)
		case err != nil:
			return err
		}
	}
	l.forget(wrong)
	return nil
}

// forget forgets what is known, if some of it was a wrong guess.
func (l *Learner) forget(wrong []*guessError) {
	for _, w := range wrong {
		l.recording = &program.Recording{Title: l.recording.Title, Markers: w.markers || l.recording.Markers}
		for _, length := range w.drawn {
			l.drawn[length] = true
		}
	}
}

// learn goes on from a history until the program waits for an observation, or has come to its end.
func (l *Learner) learn(history []string, own int64) error {
	s, err := l.take(history, own)
	if err != nil {
		return err
	}
	keep := false
	defer func() { l.put(s, keep) }()
	if err := l.follow(s, history, own); err != nil {
		return err
	}
	for {
		if len(s.history) >= program.MaxOperations {
			return s.faulty(lang.Format("it does more than %d operations in one life", "它一次运行做了超过 %d 个操作", program.MaxOperations))
		}
		op, err := l.next(s)
		if err != nil {
			return err
		}
		l.mu.Lock()
		known, learned := l.recording.At(s.history)
		if !learned { // otherwise another worker was faster
			l.recording.Add(slices.Clone(s.history), op)
		}
		l.polls = l.polls || op.Kind == program.Again
		l.mu.Unlock()
		if learned && !alikeOps(known, op) {
			return &Deviation{History: slices.Clone(s.history), Want: shown(known), Got: shown(op)}
		}
		switch op.Kind {
		case program.Command, program.Sleep:
			keep = !s.spent
			return nil
		case program.Again:
			if l.Literal { // nobody can start it again: it waits where it does again what it did
				s.back(len(s.history) - op.Back)
				keep = true
			}
			return nil
		case program.End:
			return nil
		}
		if err := l.follow(s, append(slices.Clone(s.history), s.result(op)), s.clock); err != nil {
			return err
		}
		if l.Literal && op.Kind == program.Enter { // its next command may take as long as somebody's work
			keep = true
			return nil
		}
	}
}

// take returns a session whose history is the longest beginning of another one: a process that waits, or a new one.
func (l *Learner) take(history []string, own int64) (*session, error) {
	for {
		s := l.nearest(history)
		switch {
		case s == nil:
			return l.start(l.begins(history, own), 0)
		case !s.process.Stale():
			return s, nil
		}
		s.process.Kill()
	}
}

// nearest returns the parked session that has come furthest on the way along a history; nil: none is on it.
func (l *Learner) nearest(history []string) *session {
	l.mu.Lock()
	defer l.mu.Unlock()
	best := -1
	for i, s := range l.parked {
		n := len(s.history)
		if n <= len(history) && slices.Equal(s.history, history[:n]) && (best < 0 || n > len(l.parked[best].history)) {
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	s := l.parked[best]
	l.parked = slices.Delete(l.parked, best, best+1)
	return s
}

// start starts a process.
func (l *Learner) start(own, apart int64) (*session, error) {
	if l.Stopped != nil && l.Stopped() {
		return nil, errStopped
	}
	l.mu.Lock()
	if l.starts >= l.most {
		l.mu.Unlock()
		return nil, ErrSpent
	}
	l.starts++
	name := "C" + strconv.Itoa(l.starts) // no two processes have the same: a name may be part of a word
	l.mu.Unlock()
	p, err := l.launch(name, own, apart)
	if err != nil {
		return nil, unstarted(err)
	}
	s := newSession(p, name, nil)
	s.clock = own
	s.value = func(symbol string) string { return l.sample(s, symbol) }
	return s, nil
}

// put parks a session, or ends its process.
func (l *Learner) put(s *session, keep bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if keep {
		l.parked = append(l.parked, s)
		if len(l.parked) <= maxParked {
			return
		}
		s = l.parked[0]
		l.parked = l.parked[1:]
	}
	s.process.Kill()
}
