package course

import (
	"slices"

	"lockstep/engine"
	"lockstep/engine/check"
)

// A Standing is how far a run has come in a challenge.
type Standing struct {
	Actions int             // since the start; a tick counts one for each second or whatever the challenge's tick is
	Broken  bool            // a property is violated
	Foul    *engine.Refusal // why the run does not count; nil: it does

	ticks, crashes, nodeCrashes int
}

// Judge looks at what a run has done since the challenge's start, until it breaks
// the lock. What counts are the explorer's own actions within the challenge's
// bounds: nobody can be faster than the shortest way it finds. A pause is taken out
// first, as not to step a client is the same, and a note.
func (c *Challenge) Judge(run *engine.Run) Standing {
	j := &judge{challenge: c, run: engine.NewRun(c.Start.Header, check.All()...)}
	defer func() { j.run.World().Close() }()
	start, actions := c.Start.Actions(), run.Actions()
	same := func(a, b engine.Action) bool { return a.String() == b.String() }
	began := run.Header()
	if began.String() != c.Start.Header.String() || len(actions) < len(start) || !slices.EqualFunc(actions[:len(start)], start, same) {
		return Standing{Foul: engine.Refuse("This run does not begin as the challenge does.", "这次运行的起点与挑战不同。")}
	}
	for i, a := range actions {
		if a.Verb == engine.VerbPause || a.Verb == engine.VerbResume || a.Verb == engine.VerbNote {
			continue
		}
		if i >= len(start) {
			if j.Foul = j.foul(a); j.Foul != nil {
				return j.Standing
			}
			j.count(a)
		}
		if _, err := j.run.Do(a); err != nil {
			j.Foul = engine.Refuse("Without its pauses this run cannot go on: %s. Here not to step a client is pause enough.",
				"去掉停顿之后，这次运行无法继续：%s。在这里，不执行某个客户端就已经是停顿。", err)
			return j.Standing
		}
		if j.Broken = slices.ContainsFunc(c.Properties, func(name string) bool { return violated(j.run.World(), name) }); j.Broken {
			return j.Standing
		}
	}
	return j.Standing
}

type judge struct {
	Standing
	challenge *Challenge
	run       *engine.Run // what counts of the run that is judged
	downSince int         // ticks before the latest crash of a node
}

// count adds an action to what has been used.
func (j *judge) count(a engine.Action) {
	switch a.Verb {
	case engine.VerbTick:
		n := int(a.Time / j.challenge.bounds.Tick)
		j.ticks += n
		j.Actions += n
		return
	case engine.VerbStep:
		j.Actions += max(1, a.Count)
		return
	case engine.VerbCrash:
		j.crashes++
	case engine.VerbRedisCrash:
		j.nodeCrashes++
		j.downSince = j.ticks
	}
	j.Actions++
}

// foul says why an action is none of the challenge's.
func (j *judge) foul(a engine.Action) *engine.Refusal {
	b, w := j.challenge.bounds, j.run.World()
	switch a.Verb {
	case engine.VerbStep:
		return nil
	case engine.VerbSpawn:
		return j.foulSpawn(a)
	case engine.VerbTick:
		return j.foulTick(a.Time)
	case engine.VerbCrash:
		if j.crashes >= b.Crashes {
			return engine.Refuse("Clients that crash in this challenge: at most %d.", "在这个挑战里，崩溃的客户端至多 %d 个。", b.Crashes)
		}
		return nil
	case engine.VerbDeliver, engine.VerbReceive:
		if c := w.Client(a.Client); !b.Replies && c != nil && c.Live() {
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
		if j.ticks-j.downSince < b.RestartDelay {
			return engine.Refuse("In this challenge a Redis node is back after %d ticks at the earliest.", "在这个挑战里，Redis 节点最早在 %d 个时钟滴答之后重启。", b.RestartDelay)
		}
		return nil
	}
	return engine.Refuse("%s is no part of this challenge: what counts are steps, time, and the faults that it names.", "%s 不属于这个挑战：只能执行步骤、让时间流逝，以及使用挑战允许的故障。", string(a.Verb))
}

func (j *judge) foulSpawn(a engine.Action) *engine.Refusal {
	header, b := j.run.Header(), j.challenge.bounds
	switch {
	case a.Program != "" && a.Program != header.Program:
		return engine.Refuse("%s runs %s; this challenge is about %s.", "%s 运行的是 %s；这个挑战针对的是 %s。", a.Client, a.Program, header.Program)
	case a.Options != engine.Options{}:
		return engine.Refuse("In this challenge %s has no options of its own.", "在这个挑战里，%s 不能有自己的选项。", a.Client)
	case len(j.run.World().Clients()) >= b.Clients:
		return engine.Refuse("This challenge is about %d clients.", "这个挑战只有 %d 个客户端。", b.Clients)
	}
	return nil
}

func (j *judge) foulTick(d engine.Time) *engine.Refusal {
	b := j.challenge.bounds
	switch {
	case d%b.Tick != 0:
		return engine.Refuse("In this challenge time passes by %s each.", "在这个挑战里，时间每次流逝 %s。", engine.Duration(b.Tick))
	case j.ticks+int(d/b.Tick) > b.Ticks:
		return engine.Refuse("In this challenge at most %s pass.", "在这个挑战里，至多流逝 %s。", engine.Duration(b.Tick*engine.Time(b.Ticks)))
	case b.Delays != 0:
		return nil
	}
	for _, c := range j.run.World().Clients() {
		if call, _ := c.InFlight(); call != nil {
			return engine.Refuse("In this challenge no message is under way while time passes: %s's is.", "在这个挑战里，时间流逝时不能有消息在途：%s 的还在途中。", c.Name)
		}
		if c.Orphan() != nil {
			return engine.Refuse("In this challenge no message is under way while time passes: %s's is.", "在这个挑战里，时间流逝时不能有消息在途：%s 的还在途中。", c.Name)
		}
	}
	return nil
}
