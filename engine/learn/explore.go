package learn

import (
	"errors"
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
	"lockstep/engine/program"
	"lockstep/engine/redis"
)

// A Result is what a Test has found out.
type Result struct {
	Verdict   Verdict
	Question  explore.Question // with the program as it was learned
	Answer    *explore.Answer  // of the last search
	Deviation *Deviation       // with NotAFunction
	Fault     *Fault           // with Faulty
	Spent     bool             // with Budget: the starts ran out, not the search
	Worked    []Refused        // refusals after which clients go on as if they had the lock
	Timely    string           // a value that clients make from the time, alike where they read the same millisecond; "": none is known
	Locks     []string         // keys by which clients enter, where that is a guess
	Clock     bool             // the processes were Clocked
	Endless   bool             // with AutoTick: no key of a client that is alone expires
	Polls     bool             // a client sends again what came to nothing
	Histories int              // after which it is known what the program does
	Starts    int
	Rounds    int // searches
	recording *program.Recording
	Replays   int     // of the counterexample, with all processes alive
	Another   *Result // what came of the search for another cause; nil: nobody searched

	// Portable: the counterexample's text plays anywhere, without the program and its scripts.
	Portable bool

	again bool // it is the search for another cause
}

// A Refused is a command that was not granted the lock, with its reply.
type Refused struct{ Command, Reply string }

// A Verdict is how a test ended.
type Verdict string

// The verdicts.
const (
	Holds        Verdict = "holds"
	Violated     Verdict = "violated"
	Budget       Verdict = "budget"
	Stopped      Verdict = "stopped"
	NotAFunction Verdict = "not-a-function-of-its-replies"
	Faulty       Verdict = "cannot-be-tested"
)

// A Test asks a question about a real program.
type Test struct {
	Question explore.Question // its Program is the learned one
	Name     string           // of the program
	Budget   explore.Budget
	Runtime  explore.Runtime
	Replays  int  // how often a counterexample is replayed before it is told; at least 1
	Starts   int  // most starts; 0: MaxStarts
	Clock    bool // processes are Clocked
	Again    bool // after a counterexample, it looks for one with another cause
	AutoTick bool // a tick ends just past the first expiry of the lock that a client alone takes

	// Progress receives the state of the test between two searches; nil: nobody asks.
	Progress func(r *Result)
}

// Run explores everything that can happen to clients of the program, and runs it wherever the exploration needs to know what
// it does. A counterexample has been replayed with all processes alive. Errors are mistakes in the question, or of the
// machine.
func (t *Test) Run(l *Learner) (*Result, error) {
	if t.Starts > 0 {
		l.most = min(l.most, t.Starts)
	}
	l.Redis = t.Question.Redis
	r := &Result{Question: t.Question, Clock: t.Clock, Answer: &explore.Answer{}}
	r.Question.Clocked = t.Clock
	defer func() { r.recording = l.recording }()
	err := t.run(l, r)
	if err == nil && r.Verdict == Violated && t.Again {
		err = t.again(l, r)
	}
	r.Starts, r.Histories = l.starts, l.recording.Size()
	deviation, fault, failure, unable := (*Deviation)(nil), (*Fault)(nil), (*explore.FailureError)(nil), (*explore.UnableError)(nil)
	switch {
	case l.Stopped != nil && l.Stopped(): // its processes were ended from outside, and what they did counts nothing
		r.Verdict, err = Stopped, nil
	case errors.As(err, &failure):
		r.Verdict, r.Fault, err = Faulty, &Fault{Text: lang.Both(strings.TrimSuffix(failure.Sentence(lang.English), "."), strings.TrimSuffix(failure.Sentence(lang.Chinese), "。"))}, nil
	case errors.As(err, &unable):
		r.Verdict, r.Fault, err = Faulty, t.unable(unable), nil
	case errors.As(err, &deviation):
		r.Verdict, r.Deviation, err = NotAFunction, deviation, nil
	case errors.As(err, &fault):
		r.Verdict, r.Fault, err = Faulty, fault, nil
	case err == ErrSpent:
		r.Verdict, r.Spent, err = Budget, true, nil
	}
	for _, c := range l.worked {
		r.Worked = append(r.Worked, Refused{redis.Label(c.words), c.seen})
	}
	r.Timely = l.timely
	r.Polls, r.Locks = l.polls, slices.Sorted(slices.Values(l.locks))
	if p := l.Program(t.Name); r.Question.Program == nil || r.Verdict == NotAFunction || r.Verdict == Faulty {
		r.Question.Program = p
	}
	return r, err
}

func (t *Test) run(l *Learner, r *Result) error {
	if t.AutoTick {
		if err := t.tick(l, r); err != nil {
			return err
		}
	}
	return t.search(l, r, 1)
}

// again looks for a counterexample with another cause. Where a lease has lapsed, it lapses in another way: not under a client that is
// inside, if it was overrun, and not while a message is on its way, if that was late.
func (t *Test) again(l *Learner, r *Result) error {
	first := &r.Answer.Counterexamples[0]
	r.Another = &Result{Question: r.Question, Clock: t.Clock, Answer: &explore.Answer{}, recording: l.recording, again: true}
	switch {
	case first.Overrun:
		r.Another.Question.InTime = true
		return t.search(l, r.Another, 1)
	case first.Cause.Kind == engine.Expire && r.Question.Delays != 0:
		r.Another.Question.Delays = 0
		return t.search(l, r.Another, 1)
	}
	return t.search(l, r.Another, 2)
}

// search searches until it has a verdict. With two causes, it wants the second.
func (t *Test) search(l *Learner, r *Result, causes int) error {
	for {
		r.Question.Program, r.Question.Scripts = searchable(l.Program(t.Name)), l.Scripts()
		r.Question.Symmetry = r.Question.Symmetric()
		a, err := r.Question.Search(t.Budget, t.Runtime, causes)
		if unable := (*explore.UnableError)(nil); errors.As(err, &unable) {
			return err
		}
		if whole := err != nil || a.Bound != explore.OfRecording; whole && !l.recording.Has(program.Enter) && l.recording.Size() > 0 {
			return t.nobodyEnters(l)
		}
		if err != nil {
			return err
		}
		r.Rounds++
		r.Answer = a
		r.Starts, r.Histories = l.starts, l.recording.Size()
		if t.Progress != nil {
			t.Progress(r)
		}
		if key := l.noLock(a.Bound != explore.OfRecording); key != "" {
			l.ignore(key)
			l.forget([]*guessError{{}})
			continue
		}
		if a.Bound == explore.OfRecording {
			if err := l.Learn(a.Gaps, t.Runtime.Go); err != nil {
				return err
			}
			continue
		}
		if found := len(a.Counterexamples); causes > 1 && found > 0 {
			if a.Counterexamples = a.Counterexamples[1:]; found == 1 && a.Verdict == explore.Violated {
				a.Verdict = explore.Holds
			}
		}
		if why := t.unsure(l, Verdict(a.Verdict)); why.English != "" {
			return &Fault{Text: why}
		}
		switch a.Verdict {
		case explore.Holds:
			r.Verdict = Holds
		case explore.Violated:
			err := t.replay(l, r)
			if wrong := (*guessError)(nil); errors.As(err, &wrong) {
				l.forget([]*guessError{wrong})
				continue
			}
			return err
		case explore.Stopped:
			r.Verdict = Stopped
		default:
			r.Verdict = Budget
		}
		return nil
	}
}

// unable returns the fault of a program with a command that is not executed as Redis would.
func (t *Test) unable(e *explore.UnableError) *Fault {
	why := lang.Both(e.Sentence(lang.English), e.Sentence(lang.Chinese))
	if t.Question.Redis == nil && e.Wide {
		why = lang.Format("%s; a real Redis executes it: --redis-server redis-server", "%s；真实的 Redis 可以执行：--redis-server redis-server", why)
	}
	return &Fault{Text: why}
}

// withMarkers returns a reason why a guess of who is inside does not do, with what a program can do about it.
func withMarkers(english, chinese string, arguments ...any) lang.Text {
	return lang.Format(english+". Publish enter and leave on the channel lockstep to say where the critical section is", chinese+"。请在频道 lockstep 上发布 enter 和 leave，说明临界区在哪里", arguments...)
}

// nobodyEnters says why a question about what clients do inside has no answer.
func (t *Test) nobodyEnters(l *Learner) error {
	if !l.recording.Has(program.Command) {
		return &Fault{Text: lang.Both("it sleeps before it sends a command, and the ticks are too few or too short to wake it: --ticks and --tick allow more",
			"它还没发送命令就休眠了，时钟推进得不够久，叫不醒它：用 --ticks 和 --tick 让时钟多走一些")}
	}
	why := withMarkers("no client ever enters: no command is granted a lock that Lockstep recognizes",
		"没有客户端进入临界区：没有命令获得 Lockstep 认得的锁")
	if command := l.several(); command != "" {
		why = withMarkers("no client ever enters: no command is granted a lock that Lockstep recognizes. %s lets a second client write beside a first one, as a counter does, or a semaphore for several. Lockstep looks for a command that makes a key where there is none, and that refuses everybody else while the key is there",
			"没有客户端进入临界区：没有命令获得 Lockstep 认得的锁。%s 让第二个客户端也能写入，像是计数器，或者允许多个客户端同时持有的信号量。Lockstep 找的命令是：键不存在时创建它，键还在时拒绝其他客户端", command)
	}
	if words, seen := l.recording.Failed(); words != nil { // it fails before it gets there
		why = lang.Format("no client ever enters, and Redis answers %[1]s with %[2]s", "没有客户端进入临界区，而 Redis 对 %[1]s 的回复是 %[2]s", redis.Label(words), seen)
	}
	if code, text := (&Result{recording: l.recording}).ended(); code != 0 {
		why = lang.Format("%s. The program ends with exit code %d: %s", "%s。程序以退出码 %d 结束：%s", why, code, strings.TrimSuffix(text, "."))
	}
	return &Fault{Text: why}
}

// replay replays the counterexample before anybody is told about it.
func (t *Test) replay(l *Learner, r *Result) error {
	header, actions := r.Answer.Counterexamples[0].Scenario.Header, r.Answer.Counterexamples[0].Actions
	l.Close()
	for range max(1, t.Replays) {
		err := l.Replay(nil, header, actions)
		if again := (*guessError)(nil); err != nil && t.Clock && l.apart == 0 && !errors.As(err, &again) {
			l.apart = fraction / 3 // their values may come from the time
			err = l.Replay(nil, header, actions)
		}
		if err != nil {
			return err
		}
		r.Replays++
	}
	r.Verdict = Violated
	r.Portable = portable(r.Answer.Counterexamples[0].Scenario, l.recording)
	return nil
}

// tick lets one client take the lock alone, and makes the tick as long as the life of the key that it stores.
func (t *Test) tick(l *Learner, r *Result) error {
	const most = 100 // commands of a client that is alone
	r.Question.Tick = 1000
	for {
		r.Question.Program, r.Question.Scripts = searchable(l.Program(t.Name)), l.Scripts()
		world := engine.New(r.Question.Header())
		_, err := world.Apply(engine.Action{Verb: engine.VerbSpawn, Client: "C1"}, engine.MaxActionWork)
		for range most {
			if due := firstExpiry(world); due > 0 {
				r.Question.Tick = due - world.Now()
				world.Close()
				return nil
			}
			step := engine.Action{Verb: engine.VerbStep, Client: "C1"}
			if err != nil || world.Can(step) != nil {
				break
			}
			_, err = world.Apply(step, engine.MaxActionWork)
		}
		c := world.Clients()[0]
		missing, gap := c.Missing, explore.Gap{History: c.History(), Clock: c.Came}
		world.Close()
		if !missing || err != nil {
			r.Endless = err == nil
			return err
		}
		if err := l.Learn([]explore.Gap{gap}, nil); err != nil {
			return err
		}
	}
}

// firstExpiry returns when the first key expires; 0: none does.
func firstExpiry(w *engine.World) engine.Time {
	first := engine.Time(0)
	for _, stored := range w.All(0) {
		if stored.Expires > 0 && (first == 0 || stored.Expires < first) {
			first = stored.Expires
		}
	}
	return first
}
