package learn

import (
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
	"lockstep/engine/program"
	"lockstep/engine/redis"
)

// Replay runs actions with every client's process alive at once, against one world. launch starts them; nil: as they were
// started to be learned. Replay returns an error where a process does something else than its recording says.
func (l *Learner) Replay(launch Launcher, header engine.Header, actions []engine.Action) error {
	if launch == nil {
		launch = l.launch
	}
	header.Scripts = l.Scripts()
	world := engine.New(header)
	defer world.Close()
	r := replay{l, launch, map[string]*session{}, header.Redis.New(int64(world.Now())), world.Now(), header.Nodes > 1, map[int][]string{}, l.apart}
	defer r.real.Close()
	defer func() {
		for _, s := range r.live {
			s.process.Kill()
		}
	}()
	for _, a := range actions {
		done, err := world.Apply(a, engine.MaxActionWork)
		if err != nil {
			return err
		}
		for i := range done.Events {
			if err := r.compare(world, &done.Events[i]); err != nil {
				return err
			}
		}
		for _, c := range world.Clients() {
			if c.Program == nil { // a person types its commands
				continue
			}
			if err := r.keepUp(c, int64(world.Now()+c.Skew), done.Events); err != nil {
				return err
			}
		}
	}
	return nil
}

// A replay has a session for each client's life, by its name: C1-1.
//
// The world has symbols where the processes have values of their own. A second Redis executes the commands as the processes
// send them, in the same order and at the same times, and must reply the same: a program that takes its values apart, or
// counts with them, has no symbols.
type replay struct {
	*Learner
	launch Launcher
	live   map[string]*session
	real   redis.Node
	now    engine.Time      // of the real one
	alone  bool             // the second one is no longer like the world's
	sent   map[int][]string // by the number of the call: the command as the process has sent it
	apart  int64            // how far the clock of each life is beyond that of the one before, ns
}

// compare lets the second Redis execute what the world's has executed.
func (r *replay) compare(world *engine.World, e *engine.Event) error {
	if (e.Kind == engine.Crash || e.Kind == engine.Failover) && e.Call == nil && len(e.Changes) > 0 {
		r.alone = true // the second one does not crash
	}
	if e.Kind != engine.Deliver || r.alone {
		return nil
	}
	sent := r.sent[e.Call.ID]
	if world.Client(e.Call.Client).Program == nil {
		sent = e.Call.Command
	}
	if sent == nil {
		return nil
	}
	r.real.Advance(int64(e.Time - r.now))
	r.now = e.Time
	command, refusal := redis.CheckOwn(sent, r.Scripts())
	if refusal != nil {
		return &Fault{Text: refusal.Text}
	}
	got, want := r.real.Do(command...).String(), r.inLife(e.Execution.Reply.String())
	if why := r.real.Unable(); why != nil {
		return &explore.UnableError{Client: e.Call.Client, Unable: engine.Unable{Command: command, Refusal: why}}
	}
	if got == want || command[0] == "HGETALL" && len(got) == len(want) { // its order is that of the values
		return nil
	}
	return &Fault{Text: lang.Format("Redis replies %[1]s to %[2]s, and %[3]s where symbols stand for the values that the clients have made: Lockstep cannot explore a lock that takes these values apart or counts with them",
		"对 %[2]s，Redis 回复 %[1]s；用符号代替客户端自己生成的值时，却回复 %[3]s：锁如果拆开这些值或用它们计算，Lockstep 就无法搜索", got, redis.Label(command), want)}
}

// inLife returns a reply with the values that processes have made in place of the world's.
func (r *replay) inLife(reply string) string {
	var b strings.Builder
	for rest := reply; rest != ""; {
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			b.WriteByte(rest[0])
			rest = rest[1:]
			continue
		}
		rest = rest[len(quoted):]
		value, _ := strconv.Unquote(quoted)
		if life, n, ok := program.Owner(value); ok {
			if s := r.live[life]; s != nil && n <= len(s.own) {
				quoted = strconv.Quote(s.own[n-1])
			}
		}
		b.WriteString(quoted)
	}
	return b.String()
}

// keepUp lets a client's process observe what the client has observed since, by the time own on its clock, and compares what it
// does then.
func (r *replay) keepUp(c *engine.Client, own int64, events []engine.Event) error {
	life := c.Name + "-" + strconv.Itoa(c.Attempt)
	s := r.live[life]
	switch {
	case c.Status == engine.Crashed:
		if s != nil {
			s.process.Kill()
		}
		return nil
	case s == nil:
		began := r.begins(c.History(), own)
		p, err := r.launch(c.Name, began, r.apart*int64(len(r.live)))
		if err != nil {
			return unstarted(err)
		}
		s = newSession(p, c.Name, nil)
		s.clock = began
		s.value = func(symbol string) string { return r.valueOf(c, symbol) }
		r.live[life] = s
	}
	history := c.History()
	if len(history) <= len(s.history) { // it may try again: inside, it has done so in the same action
		again := len(history) < len(s.history)
		for i := range events {
			if e := &events[i]; e.Kind == engine.Receive && e.Lane == c.Name {
				again = true
				if reply, ok := redis.ReadReply(r.inLife(e.Execution.Reply.String())); ok {
					s.process.Answer(reply)
				}
			}
		}
		if again {
			s.back(len(history))
		}
	}
	if err := r.follow(s, history, own); err != nil {
		return err
	}
	op, known := r.recording.At(history)
	if !known || op.Kind != program.Command && op.Kind != program.End {
		return nil
	}
	if err := s.arrives(op); err != nil {
		return err
	}
	if call, replied := c.InFlight(); call != nil && !replied {
		r.sent[call.ID] = asRecorded(s.process.Next().Command)
	}
	return nil
}

// valueOf returns the value that a symbol in a client's recording stands for: the process of another client has made it.
func (r *replay) valueOf(c *engine.Client, symbol string) string {
	owner, n := c.Other(symbol)
	s := r.live[owner]
	switch {
	case n == 0:
		return owner
	case s == nil || n > len(s.own):
		return symbol // an ended life's: nobody knows it any more
	}
	return s.own[n-1]
}

// searchable returns a recording without its text, where that is too long for a run. A search does without, and portable gives
// its counterexample the part that is needed.
func searchable(p *program.Program) *program.Program {
	if len(p.Source) <= engine.MaxText/2 {
		return p
	}
	bare := *p
	bare.Source = p.Source[:strings.IndexByte(p.Source, '\n')+1]
	return &bare
}

// portable gives a scenario all that its text needs to play where the program and its scripts are not: the effects of the
// scripts and, where the text would be too long, only that part of the recording which the run uses. It reports whether the
// text plays, and meets its expectations.
func portable(s *engine.Scenario, recording *program.Recording) bool {
	recorded, histories, err := s.Recorded(check.All()...)
	if err != nil {
		return false
	}
	*s = *recorded
	if plays(s) {
		return true
	}
	part, err := recording.Along(histories).Program(s.Own[0].Name)
	if err != nil {
		return false
	}
	s.Own = []*program.Program{part}
	if recorded, _, err = s.Recorded(check.All()...); err == nil { // there is room for more effects now
		*s = *recorded
	}
	return plays(s)
}

// plays reports whether the text of a scenario plays.
func plays(s *engine.Scenario) bool {
	read, err := engine.Parse("saved", s.String(), nil)
	if err != nil {
		return false
	}
	trace, err := read.Play("saved", check.All()...)
	if err != nil {
		return false
	}
	defer trace.Run.World().Close()
	return len(trace.Unmet) == 0
}
