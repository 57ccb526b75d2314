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
	Before  bool            // the run has not come to the start yet
	Foul    *engine.Refusal // why the run does not count; nil: it counts

	ticks, crashes, losses, nodeCrashes, failovers int
}

// Judge looks at a run's actions since the challenge's start, until they break
// the lock. It counts the explorer's own transitions within the challenge's
// bounds, one each: nobody can be faster than a shortest counterexample. A step
// with three commands therefore counts three, and a tick one for each second,
// or for each tick of the challenge. Where replies take time, a step that
// brings a request and its reply counts two. Judge first takes out notes and
// pauses: not stepping a client has the same effect as a pause.
func (c *Challenge) Judge(run *engine.Run) Standing {
	u := c.Umpire(run)
	defer u.Close()
	return u.Standing
}

// An Umpire stands at the end of a run that takes a challenge. It knows the
// run's standing, and says which actions may follow.
type Umpire struct{ judge }

// Umpire judges a run as Judge does, and stays for questions. Its caller closes it.
func (c *Challenge) Umpire(run *engine.Run) *Umpire {
	u := &Umpire{judge{challenge: c}}
	start, actions := c.Start.Actions(), run.Actions()
	same := func(a, b engine.Action) bool { return a.String() == b.String() }
	began, both := run.Header(), min(len(start), len(actions))
	switch {
	case began.String() != c.Start.Header.String() || !slices.EqualFunc(actions[:both], start[:both], same):
		u.Foul = engine.Refuse("This run does not begin as the challenge does.", "这次运行的起点与挑战不同。")
		return u
	case both < len(start):
		u.Before = true
		return u
	}
	u.run = c.begun(c.properties()...)
	for _, a := range actions[len(start):] {
		if u.act(a); u.Broken || u.Foul != nil {
			return u
		}
	}
	if violates(run.World().Events(), c.Properties...) {
		u.Foul = engine.Refuse("What broke the lock here is a pause. In this challenge only a client that has a command in flight, or is in the critical section, can stand still: do not step it.",
			"在这里，攻破锁的是停顿。在这个挑战里，只有命令在途或身处临界区的客户端才能停住：不对它执行步骤就行。")
	}
	return u
}

// Close releases what the umpire holds.
func (u *Umpire) Close() {
	if u.run != nil {
		u.run.World().Close()
	}
}

// Effort returns the work that the umpire has done, in the engine's units.
func (u *Umpire) Effort() int64 {
	if u.run == nil {
		return 0
	}
	return u.run.World().Meter().Effort()
}

// Allows returns nil if the challenge allows all of these actions now, one after
// the other, or the *engine.Refusal of the first that it does not. Whether the
// engine can do them is another matter. A run that has broken the lock, or that
// does not count, may do anything: there is nothing left to lose.
func (u *Umpire) Allows(actions ...engine.Action) error {
	switch {
	case u.Before:
		return engine.Refuse("The challenge begins after action %d: go there first.", "挑战从第 %d 个动作之后开始：请先到那里。", u.challenge.Begins())
	case u.Broken || u.Foul != nil:
		return nil
	}
	if foul := u.try(actions); foul != nil {
		return foul
	}
	return nil
}

// try looks for a foul in actions. It does each only when another follows, and takes all of them back.
func (u *Umpire) try(actions []engine.Action) *engine.Refusal {
	before, takeBack := u.Standing, func() {}
	defer func() {
		takeBack()
		u.Standing = before
	}()
	var last *engine.Action
	for _, a := range actions {
		if a.Verb == engine.VerbPause {
			return engine.Refuse("In this challenge nobody is paused: a client that you do not step stands still.", "在这个挑战里不需要暂停：不对某个客户端执行步骤，它就停在那里。")
		}
		part, moves, foul := u.parts(a)
		if foul != nil {
			return foul
		}
		for i := range moves {
			if last != nil {
				if before == u.Standing { // the first that it does
					now, _ := u.run.Do() // nothing is never refused
					takeBack = now.TakeBack
				}
				if u.move(*last); u.Broken || u.Foul != nil {
					return nil // the rest makes no difference, or the engine refuses it
				}
			}
			if !u.knows(part) {
				return nil // the engine refuses it
			}
			if i > 0 && a.Verb == engine.VerbStep && !sends(u.run.World().Client(a.Client)) {
				last = nil
				break
			}
			if foul := u.foul(part); foul != nil {
				return foul
			}
			last = &part
		}
	}
	return nil
}

// Allows returns nil if the challenge allows all of these actions at the end of a run, as Umpire.Allows does.
func (c *Challenge) Allows(run *engine.Run, actions ...engine.Action) error {
	u := c.Umpire(run)
	defer u.Close()
	return u.Allows(actions...)
}

// OtherProgram returns the refusal of a run of the challenge under another program.
func (c *Challenge) OtherProgram() error {
	return engine.Refuse("This challenge is about %s as it is; other programs run in the playground.", "这个挑战针对的是 %s 本身；其他程序请在实验台中运行。", c.Start.Header.Program)
}

// Offers reports whether the umpire's challenge may ever allow an action such as this one.
func (u *Umpire) Offers(a engine.Action) bool { return u.challenge.Offers(a) }

// Offers reports whether the challenge may ever allow an action such as this one.
func (c *Challenge) Offers(a engine.Action) bool {
	b := c.bounds
	switch a.Verb {
	case engine.VerbStep, engine.VerbNote:
		return true
	case engine.VerbSpawn:
		return b.Clients > c.begins.clients
	case engine.VerbTick:
		return b.Ticks > 0 && a.Time%b.Tick == 0
	case engine.VerbCrash:
		return b.Crashes > 0
	case engine.VerbResume:
		return c.begins.paused
	case engine.VerbDeliver:
		return b.Replies || b.Crashes > 0 || c.begins.orphaned
	case engine.VerbReceive:
		return b.Replies
	case engine.VerbDrop:
		return b.Losses > 0
	case engine.VerbRedisCrash:
		return b.NodeCrashes > 0 && a.Lose == b.Lose
	case engine.VerbRedisRestart:
		return b.NodeCrashes > 0
	case engine.VerbFailover:
		return b.Failovers > 0
	}
	return false
}

type judge struct {
	Standing
	challenge *Challenge
	run       *engine.Run // the counted part of the run
}

// act judges an action, transition by transition.
func (j *judge) act(a engine.Action) {
	part, moves, foul := j.parts(a)
	j.Foul = foul
	for i := range moves {
		if i > 0 && a.Verb == engine.VerbStep && !sends(j.run.World().Client(a.Client)) {
			return // it ends where nothing is in flight, as the run's own step did
		}
		if j.move(part); j.Broken || j.Foul != nil {
			return
		}
	}
}

// parts returns the transition that an action consists of, and how many of it at
// most. What has no effect on the challenge has none.
func (j *judge) parts(a engine.Action) (part engine.Action, moves int, foul *engine.Refusal) {
	moves = 1
	switch a.Verb {
	case engine.VerbPause, engine.VerbNote:
		return a, 0, nil
	case engine.VerbResume:
		if c := j.run.World().Client(a.Client); c != nil && !c.Paused { // its pause has been taken out
			return a, 0, nil
		}
	case engine.VerbStep:
		moves, a.Count = max(1, a.Count), 0
	case engine.VerbTick:
		b := j.challenge.bounds
		if a.Time%b.Tick != 0 && b.Ticks > 0 {
			return a, 0, engine.Refuse("In this challenge time passes by %s each.", "在这个挑战里，时间每次流逝 %s。", engine.Duration(b.Tick))
		}
		moves, a.Time = max(1, int(a.Time/b.Tick)), b.Tick
	}
	return a, moves, nil
}

// knows reports whether the run has the client and the node that an action names.
func (j *judge) knows(a engine.Action) bool {
	w := j.run.World()
	named := a.Client != "" && a.Verb != engine.VerbSpawn && a.Verb != engine.VerbDo
	return a.Node <= len(w.Nodes()) && (!named || w.Client(a.Client) != nil)
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
	done, err := j.run.Do(a)
	if err != nil {
		j.Foul = engine.Refuse("Without its pauses this run cannot go on: %s. Here not to step a client is pause enough.",
			"去掉停顿之后，这次运行无法继续：%s。在这里，不执行某个客户端就已经是停顿。", err)
		return
	}
	j.Broken = violates(done.Events, j.challenge.Properties...)
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
	case engine.VerbDrop:
		j.losses++
	case engine.VerbFailover:
		j.failovers++
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
		if b.Crashes == 0 {
			return engine.Refuse("In this challenge no client crashes.", "在这个挑战里，客户端不会崩溃。")
		}
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
	case engine.VerbDrop:
		switch c := w.Client(a.Client); {
		case b.Losses == 0:
			return engine.Refuse("In this challenge no message is lost.", "在这个挑战里，消息不会丢失。")
		case j.losses >= b.Losses:
			return engine.Refuse("Messages that are lost in this challenge: at most %d.", "在这个挑战里，丢失的消息至多 %d 条。", b.Losses)
		case c.Orphan() != nil:
			return engine.Refuse("In this challenge an old request of %s need not be lost: do not deliver it.", "在这个挑战里，不必丢弃 %s 以前的请求：不送达它就行。", a.Client)
		}
		return nil
	case engine.VerbRedisCrash:
		if b.NodeCrashes == 0 {
			return engine.Refuse("In this challenge no Redis node crashes.", "在这个挑战里，Redis 节点不会宕机。")
		}
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
	case engine.VerbFailover:
		if b.Failovers == 0 {
			return engine.Refuse("In this challenge no replica takes over.", "在这个挑战里，不会切换到副本。")
		}
		if j.failovers >= b.Failovers {
			return engine.Refuse("Failovers in this challenge: at most %d.", "在这个挑战里，故障转移至多 %d 次。", b.Failovers)
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
	if b.Ticks == 0 {
		return engine.Refuse("In this challenge no time passes.", "在这个挑战里，时间不流逝。")
	}
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
