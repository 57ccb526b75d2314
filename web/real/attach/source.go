package attach

import (
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"lockstep/engine"
	"lockstep/engine/cli"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
	"lockstep/engine/learn"
	"lockstep/engine/program"
	"lockstep/engine/redis"
	"lockstep/web/live"
	"lockstep/web/refusal"
)

// A source is a real program, and what is known of it.
type source struct {
	name   string
	byHand bool
	redis  cli.Redis // of the runs of its clients; nil: they have the engine's

	mu      sync.Mutex // one learns at a time
	learner *learn.Learner

	known   atomic.Pointer[program.Program]
	scripts atomic.Pointer[redis.Scripts]
}

func newSource(name, title string, launch learn.Launcher, byHand bool, real cli.Redis) *source {
	s := &source{name: name, byHand: byHand, redis: real, learner: learn.NewLearner(title, launch)}
	if s.learner.Literal = byHand; real != nil {
		s.learner.OnServer()
		s.learner.Redis = real.New
	}
	s.note()
	return s
}

// note keeps what is known by now, for those who do not wait until something is learned.
func (s *source) note() {
	scripts := s.learner.Scripts()
	s.scripts.Store(&scripts)
	s.known.Store(s.learner.Program(s.name))
}

// mostRestarts bounds how often one press begins again: the next one may.
const mostRestarts = 5

// learn learns what the program does after the history of a gap, and after each beginning of it that is unknown.
func (s *source) learn(gap explore.Gap) error {
	history, restarts := gap.History, 0
	for n := 0; n <= len(history); n++ {
		if _, known := s.learner.Recording().At(history[:n]); known {
			continue
		}
		if s.redis != nil && s.redis.Err() != nil {
			return s.redis.Err()
		}
		before := s.learner.Recording()
		err := s.learner.Learn([]explore.Gap{{History: history[:n:n], Clock: gap.Clock}}, nil)
		s.note()
		if err != nil {
			return err
		}
		if s.learner.Recording() != before { // it has forgotten what it knew, some of which was a wrong guess
			if restarts++; restarts > mostRestarts {
				return nil
			}
			n = -1
		}
	}
	return nil
}

// sources are the real programs of a command line, by the names of their recordings. They are what web's sessions learn from.
type sources map[string]*source

var _ live.Learner = sources(nil)

// all returns what is known of each program.
func (all sources) all() (programs []*program.Program) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		programs = append(programs, all[name].known.Load())
	}
	return programs
}

// Knows reports whether a recording is one of a source, and no reader's edited text.
func (all sources) Knows(p *program.Program) bool {
	s := all[p.Name]
	return s != nil && s.known.Load().Extends(p)
}

// ByHand reports whether somebody has started the program by hand.
func (all sources) ByHand(p *program.Program) bool {
	s := all[p.Name]
	return s != nil && s.byHand
}

// Learn runs a program for gaps at which a recording ends.
func (all sources) Learn(p *program.Program, gaps []explore.Gap) (*program.Program, error) {
	s := all[p.Name]
	for _, gap := range gaps {
		gap.History = slices.Clone(gap.History)
		if err := s.alone(gap); err != nil {
			return s.known.Load(), told(err)
		}
	}
	return s.known.Load(), nil
}

// alone learns one gap while nobody else learns of the program: a press waits for one, and not for a whole lookahead.
func (s *source) alone(gap explore.Gap) error {
	if !s.byHand {
		s.mu.Lock()
	} else if !s.mu.TryLock() { // the one process goes on elsewhere
		return errElsewhere
	}
	defer s.mu.Unlock()
	return s.learn(gap)
}

// Grant lets a run execute the scripts that the programs have sent: their user has more rights than a script.
func (all sources) Grant(e *engine.Run) {
	var scripts redis.Scripts
	for _, s := range all {
		scripts = scripts.Join(*s.scripts.Load())
		if s.redis != nil {
			e.Serve(s.redis.New)
		}
	}
	if scripts.Len() > 0 || scripts.Wide() {
		e.Bring(scripts)
	}
}

// close ends every process that waits.
func (all sources) close() {
	for _, s := range all {
		s.mu.Lock()
		s.learner.Close()
		s.mu.Unlock()
	}
}

// told returns an error with the sentence that a page shows.
func told(err error) error {
	var deviation *learn.Deviation
	var text interface{ In(lang.Language) string }
	switch {
	case errors.As(err, &deviation):
		return refusal.New(refusal.Unprocessable, refusal.Refused, "real.deviates", deviation)
	case errors.As(err, &text):
		return refusal.New(refusal.Unprocessable, refusal.Refused, "", lang.Both(text.In(lang.English), text.In(lang.Chinese)))
	case errors.Is(err, learn.ErrSpent):
		return errSpent
	}
	return err
}

var errSpent = refusal.Declare(refusal.Unprocessable, refusal.Limit, "real.spent", learn.MaxStarts)
