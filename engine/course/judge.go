package course

import (
	"slices"
	"strconv"

	"lockstep/engine"
)

// A Standing tells how far a run has come in a challenge.
type Standing struct {
	Actions int             // since the start, as the explorer counts them
	Broken  bool            // a property is violated
	Foul    *engine.Refusal // why the run does not count; nil: it counts

	ticks, crashes, nodeCrashes int
}

// Judge looks at a run's actions since the challenge's start, until they break
// the lock. It counts the explorer's own transitions within the challenge's
// bounds, one each: nobody can be faster than a shortest counterexample. A step
// with three commands therefore counts three, and a tick one for each second,
// or for each tick of the challenge. Where replies take time, a step that
// brings a request and its reply counts two. Judge first takes out notes and
// pauses: not stepping a client has the same effect as a pause.
func (c *Challenge) Judge(run *engine.Run) Standing {
	start, actions := c.Start.Actions(), run.Actions()
	same := func(a, b engine.Action) bool { return a.String() == b.String() }
	began := run.Header()
	if began.String() != c.Start.Header.String() || len(actions) < len(start) || !slices.EqualFunc(actions[:len(start)], start, same) {
		return Standing{Foul: engine.Refuse("This run does not begin as the challenge does.", "这次运行的起点与挑战不同。")}
	}
	j := &judge{challenge: c, run: c.begun(c.properties()...)}
	defer func() { j.run.World().Close() }()
	for _, a := range actions[len(start):] {
		if j.act(a); j.Broken || j.Foul != nil {
			return j.Standing
		}
	}
	if violates(run.World().Events(), c.Properties...) {
		j.Foul = engine.Refuse("What broke the lock here is a pause. In this challenge only a client that has a command in flight, or is in the critical section, can stand still: do not step it.",
			"在这里，攻破锁的是停顿。在这个挑战里，只有命令在途或身处临界区的客户端才能停住：不对它执行步骤就行。")
	}
	return j.Standing
}

type judge struct {
	Standing
	challenge *Challenge
	run       *engine.Run // the counted part of the run
}

// act judges an action, transition by transition.
func (j *judge) act(a engine.Action) {
	w, moves := j.run.World(), 1
	switch a.Verb {
	case engine.VerbPause, engine.VerbNote:
		return
	case engine.VerbResume:
		if c := w.Client(a.Client); c != nil && !c.Paused { // act has taken its pause out
			return
		}
	case engine.VerbStep:
		moves, a.Count = max(1, a.Count), 0
	case engine.VerbTick:
		tick := j.challenge.bounds.Tick
		if a.Time%tick != 0 {
			j.Foul = engine.Refuse("In this challenge time passes by %s each.", "在这个挑战里，时间每次流逝 %s。", engine.Duration(tick))
			return
		}
		moves, a.Time = int(a.Time/tick), tick
	}
	for i := range moves {
		if i > 0 && a.Verb == engine.VerbStep && !sends(w.Client(a.Client)) {
			return // it ends where nothing is in flight, as the run's own step did
		}
		if j.move(a); j.Broken || j.Foul != nil {
			return
		}
	}
}

// sends reports whether a client has a command in flight, or its reply.
func sends(c *engine.Client) bool {
	call, _ := c.InFlight()
	return call != nil
}

// move judges a single transition.
func (j *judge) move(a engine.Action) {
	if j.Foul = j.foul(a); j.Foul != nil {
		return
	}
	j.count(a)
	events, err := j.run.Do(a)
	if err != nil {
		j.Foul = engine.Refuse("Without its pauses this run cannot go on: %s. Here not to step a client is pause enough.",
			"去掉停顿之后，这次运行无法继续：%s。在这里，不执行某个客户端就已经是停顿。", err)
		return
	}
	j.Broken = violates(events, j.challenge.Properties...)
}

// count adds a transition to the totals.
func (j *judge) count(a engine.Action) {
	j.Actions++
	switch a.Verb {
	case engine.VerbStep:
		if call, replied := j.run.World().Client(a.Client).InFlight(); j.challenge.bounds.Replies && call != nil && !replied {
			j.Actions++
		}
	case engine.VerbTick:
		j.ticks++
	case engine.VerbCrash:
		j.crashes++
	case engine.VerbRedisCrash:
		j.nodeCrashes++
	}
}

// foul says why the challenge does not allow a transition.
func (j *judge) foul(a engine.Action) *engine.Refusal {
	b, w := j.challenge.bounds, j.run.World()
	switch a.Verb {
	case engine.VerbStep, engine.VerbResume:
		return nil
	case engine.VerbSpawn:
		return j.foulSpawn(a)
	case engine.VerbTick:
		return j.foulTick()
	case engine.VerbCrash:
		if j.crashes >= b.Crashes {
			return engine.Refuse("Clients that crash in this challenge: at most %d.", "在这个挑战里，崩溃的客户端至多 %d 个。", b.Crashes)
		}
		return nil
	case engine.VerbDeliver, engine.VerbReceive:
		// The request of an ended life travels alone.
		if c := w.Client(a.Client); !b.Replies && c.Live() && (a.Verb == engine.VerbReceive || c.Orphan() == nil) {
			return engine.Refuse("In this challenge a reply takes no time: step %s, and its command and the reply are delivered at once.",
				"在这个挑战里，回复不花时间：对 %s 执行一步，命令和回复就会一起送达。", a.Client)
		}
		return nil
	case engine.VerbRedisCrash:
		if j.nodeCrashes >= b.NodeCrashes {
			return engine.Refuse("Redis nodes that crash in this challenge: at most %d.", "在这个挑战里，宕机的 Redis 节点至多 %d 个。", b.NodeCrashes)
		}
		if a.Lose != b.Lose {
			if b.Lose {
				return engine.Refuse("In this challenge a Redis node that crashes loses its data.", "在这个挑战里，宕机的 Redis 节点会丢失数据。")
			}
			return engine.Refuse("In this challenge a Redis node that crashes keeps its data.", "在这个挑战里，宕机的 Redis 节点会保留数据。")
		}
		return nil
	case engine.VerbRedisRestart:
		if b.NodeCrashes == 0 {
			break
		}
		if w.Now() < w.Store(max(0, a.Node-1)).Since+engine.Time(b.RestartDelay)*b.Tick {
			return engine.Refuse("In this challenge a Redis node is back after %d ticks at the earliest.", "在这个挑战里，Redis 节点最早在时钟推进 %d 次之后重启。", b.RestartDelay)
		}
		return nil
	}
	return engine.Refuse("%s is no part of this challenge: what counts are steps, time, and the faults that it names.", "%s 不属于这个挑战：只能执行步骤、让时间流逝，以及使用挑战允许的故障。", string(a.Verb))
}

func (j *judge) foulSpawn(a engine.Action) *engine.Refusal {
	header, w := j.run.Header(), j.run.World()
	next := 1
	for w.Client("C"+strconv.Itoa(next)) != nil {
		next++
	}
	switch {
	case a.Program != "" && a.Program != header.Program:
		return engine.Refuse("%s runs %s; this challenge is about %s.", "%s 运行的是 %s；这个挑战针对的是 %s。", a.Client, a.Program, header.Program)
	case a.Options != engine.Options{}:
		return engine.Refuse("In this challenge %s has no options of its own.", "在这个挑战里，%s 不能有自己的选项。", a.Client)
	case len(w.Clients()) >= j.challenge.bounds.Clients:
		return engine.Refuse("This challenge is about %d clients.", "这个挑战只有 %d 个客户端。", j.challenge.bounds.Clients)
	case a.Client != "C"+strconv.Itoa(next): // a program can tell clients apart by their names
		return engine.Refuse("The next client of this challenge is C%d.", "这个挑战的下一个客户端是 C%d。", next)
	}
	return nil
}

func (j *judge) foulTick() *engine.Refusal {
	b := j.challenge.bounds
	if j.ticks >= b.Ticks {
		return engine.Refuse("In this challenge at most %s pass.", "在这个挑战里，至多流逝 %s。", engine.Duration(b.Tick*engine.Time(b.Ticks)))
	}
	if b.Delays == 0 {
		for _, c := range j.run.World().Clients() {
			if sends(c) || c.Orphan() != nil {
				return engine.Refuse("In this challenge no message is under way while time passes: %s's is.", "在这个挑战里，时间流逝时不能有消息在途中：%s 的还在途中。", c.Name)
			}
		}
	}
	return nil
}
