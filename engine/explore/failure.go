package explore

import (
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/lang"
	"lockstep/engine/redis"
)

// A FailureError reports a program that stops with an error: a lock that nobody
// can use allows no verdict. A program that stops because its Redis node is
// down has not failed: its client is gone, as after a crash.
type FailureError struct {
	Scenario *engine.Scenario // the shortest path to it
	Client   string
	Early    bool // the search ended before it had seen whether a violation is as near
	event    *engine.Event
}

func (e *FailureError) Error() string { return e.Sentence(lang.English) }

// Fault says that a program fails on a way that the search has met.
func (e *FailureError) Fault() lang.Fault {
	return lang.Fault{Key: "explore.failure", Args: []any{e}}
}

// Sentence tells the failure in one language.
func (e *FailureError) Sentence(in lang.Language) string { return e.event.Sentence(in) }

// An UnableError reports a client's command that Lockstep does not execute as Redis does: there is no verdict.
type UnableError struct {
	Client string
	engine.Unable
}

func (e *UnableError) Error() string { return e.Sentence(lang.English) }

// Fault says that there is no verdict.
func (e *UnableError) Fault() lang.Fault { return lang.Fault{Args: []any{e}} }

// Sentence tells who has sent which command, and why nobody can tell what Redis does.
func (e *UnableError) Sentence(in lang.Language) string {
	return lang.Format("%s sends %s, and %s", "%s 发送了 %s，%s", e.Client, redis.Label(e.Command), e.Text).In(in)
}

// cannot keeps a command, once.
func (c *components) cannot(e UnableError) {
	if !slices.ContainsFunc(c.unable, func(o UnableError) bool { return o.Error() == e.Error() }) {
		c.unable = append(c.unable, e)
	}
}

// first returns the same one of the commands that nobody can execute in every search.
func (c *components) first() error {
	least := slices.MinFunc(c.unable, func(a, b UnableError) int { return strings.Compare(a.Error(), b.Error()) })
	return &least
}

// try lets one client take the lock alone. A program that fails there has no
// lock to explore. A question from a run skips it, because the run has tried
// the program. A recorded program has been tried by who recorded it.
func (s *setup) try(a *account) (err error) {
	m := &meter{account: a}
	if s.From == nil && !s.Program.Recorded() && !a.within(func() { err = s.alone(m) }) {
		return errEnded
	}
	m.publish()
	a.memory.Store(0) // the run is garbage
	return err
}

func (s *setup) alone(m *meter) error {
	const most = 500 // actions
	w := engine.New(s.header)
	defer w.Close()
	next := engine.Action{Verb: engine.VerbSpawn, Client: s.names[0], Options: s.options[0]}
	for range most {
		effort, bytes := w.Meter().Effort(), w.Meter().Bytes()
		_, err := w.Apply(next, engine.MaxActionWork)
		m.hold(w.Meter().Bytes() - bytes)
		m.spend(w.Meter().Effort() - effort)
		if err != nil {
			return engine.Refuse("%s cannot be tried, not even with a single client: %s", "%s 无法试运行，哪怕只有一个客户端：%s", s.Program.Name, err)
		}
		if why := w.Unable(); why != nil {
			return &UnableError{s.names[0], *why}
		}
		switch c := w.Clients()[0]; {
		case c.Status == engine.Inside:
			return nil
		case !c.Live():
			for _, e := range w.Events() {
				if e.Kind == engine.Error {
					return &FailureError{Client: e.Lane, event: &e}
				}
			}
			return neverAcquires(s)
		}
		ok := false
		if next, ok = (engine.Scheduler{}).Next(w); !ok {
			break
		}
	}
	return neverAcquires(s)
}

func neverAcquires(s *setup) error {
	return engine.Refuse("%s never acquires the lock, not even for a single client", "%s 永远获取不到锁，哪怕只有一个客户端", s.Program.Name)
}
