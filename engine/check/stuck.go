package check

import (
	"fmt"
	"slices"
	"strconv"

	"lockstep/engine"
	"lockstep/engine/lang"
	"lockstep/engine/redis"
)

// Bounds on a continuation. Where they do not suffice, the check claims
// nothing.
const (
	most    = 600              // actions
	rests   = 100              // waits of one client until the horizon
	keyWork = 4                // to look at a key's value, in units
	pause   = engine.Time(1e3) // least wait between two attempts, ms: timestamps are in seconds
)

// Naps is how often a real program that reads its clock wakes until the horizon, at least: somebody has to learn what it does
// each time.
const Naps = 4

// Stuck is violated while nobody is in the critical section, and a client that waits for the lock, or gave up waiting, could
// never get it however long it asked.
//
// The engine judges it after every action while a client waits and something may stand in the way. It tries continuations
// on a copy of the world: one client alone goes on asking for the lock, then every client that wants it does. Paused clients
// resume, messages in flight arrive in turn, and time passes until every timeout, skew, TTL and stored time lies behind.
// Where no client gets in by then, none ever will.
//
// These continuations are fair, and a deadlock has to withstand them. The explorer tries the others.
var Stuck = Property{
	Property: engine.Property{Name: "stuck", Explain: blame, Judge: judgeStuck},

	Holds:       lang.Both("some client can always get in", "总有客户端还能进入"),
	Goal:        lang.Both("nobody can ever get in", "再也没有客户端能进入"),
	Harm:        lang.Both("a deadlock", "死锁"),
	Now:         waitingNow,
	Broken:      lang.Both("Nobody can get in any more", "死锁"),
	Reachable:   lang.Both("From here, the lock can be stuck for good in %s.", "从这里起，只要 %s，就可能死锁。"),
	Unreachable: lang.Both("From here, nothing gets the lock stuck for good within these bounds: %s.", "从这里起，在这些范围内不会死锁：%s。"),
	Chinese:     InChinese{"死锁", "出现死锁", "不会出现死锁"},
	Flag:        lang.Both("stuck: {clients}", "死锁：{clients}"),
}

func judgeStuck(w *engine.World, latest []engine.Event, before []engine.Violation) []engine.Violation {
	waiting := Waiting(w.Clients())
	var found []engine.Violation
	for _, c := range waiting {
		if v := find(before, c.Name); v != nil {
			found = append(found, *v)
		}
	}
	if len(found) > 0 && len(found) == len(waiting) && !byHand(w, latest) {
		return found // as before
	}
	found = nil
	if free(w, latest) || !Deadlocked(w) {
		return nil
	}
	for _, c := range waiting {
		if v := find(before, c.Name); v != nil {
			found = append(found, *v)
			continue
		}
		v := engine.Violation{
			Clients: []string{c.Name},
			Text:    lang.Both(c.Name+" waits for a lock that it can never get", c.Name+" 等待的锁永远也得不到"),
			Cleared: c.Name + " 不再处于死锁",
		}
		if c.Status == engine.Finished {
			v.English, v.Chinese = c.Name+" was turned away from a lock that nobody can ever get", c.Name+" 没有等到锁，而这把锁谁也永远得不到"
		}
		found = append(found, v)
	}
	return found
}

// byHand reports whether a command typed by hand, a failover, or a crash that
// loses data has changed a stored value. Nothing else ends a deadlock.
func byHand(w *engine.World, latest []engine.Event) bool {
	return slices.ContainsFunc(latest, func(e engine.Event) bool {
		return len(e.Changes) > 0 && (e.Kind == engine.Failover || e.Kind == engine.Crash || e.Call != nil && w.Client(e.Call.Client).Program == nil)
	})
}

// free reports whether nobody stands in the way of the lock and no attempt
// fails: then no continuation is necessary.
func free(w *engine.World, latest []engine.Event) bool {
	for i := range w.Nodes() {
		if w.Down(i) || w.Size(i) > 0 {
			return false
		}
	}
	return !slices.ContainsFunc(latest, func(e engine.Event) bool { return e.Kind == engine.AcquireFailed || e.Kind == engine.Error })
}

// Waiting returns the clients that want the lock, as long as nobody is in the
// critical section or about to release the lock.
func Waiting(clients []*engine.Client) []*engine.Client {
	var waiting []*engine.Client
	for _, c := range clients {
		switch {
		case c.Status == engine.Inside || c.Status == engine.Releasing:
			return nil
		case c.Program == nil:
		case wants(c):
			waiting = append(waiting, c)
		}
	}
	return waiting
}

// wants reports whether a client waits for the lock, or gave up waiting.
func wants(c *engine.Client) bool {
	return c.Status == engine.Waits || c.Status == engine.Asleep && !(c.Program.Recorded() && c.Lease != nil) || c.Status == engine.Finished && c.Lease == nil && !content(c)
}

// content reports whether a real program has ended without having looked at the lock: it never wanted it.
func content(c *engine.Client) bool {
	return c.Program.Recorded() && c.Status == engine.Finished && !c.Asked
}

// Deadlocked tries the continuations, with and without the requests left in
// flight by lives that have ended: a late DEL may free the lock, a late SETNX
// may take it. Without a waiting client there is no deadlock.
func Deadlocked(w *engine.World) bool {
	deadlocked, _ := DeadlockedAt(nil, w) // without a pace nothing ends it
	return deadlocked
}

// DeadlockedAt does what Deadlocked does, at a pace.
func DeadlockedAt(pace engine.Pace, w *engine.World) (bool, error) {
	waiting := Waiting(w.Clients())
	for _, c := range waiting {
		if gets, err := ObtainableAt(pace, w, c); gets || err != nil {
			return false, err
		}
	}
	if len(waiting) == 0 {
		return false, nil
	}
	orphans := false
	for _, c := range w.Clients() {
		orphans = orphans || c.Orphan() != nil
	}
	gets, err := reaches(pace, w.Fork(), false)
	if orphans && !gets && err == nil {
		gets, err = reaches(pace, w.Fork(), true)
	}
	return !gets && err == nil, err
}

// A GapError says that nobody knows whether a client gets the lock: what a client would do is missing in the recording of its
// program.
type GapError struct{ Client *engine.Client }

func (e *GapError) Error() string {
	return "check: the recording of " + e.Client.Name + "'s program ends here"
}

// ObtainableAt reports whether a client gets the lock if it goes on alone, at a
// pace.
func ObtainableAt(pace engine.Pace, w *engine.World, c *engine.Client) (bool, error) {
	return reaches(pace, w.Alone(c), false)
}

// reaches reports whether a client gets in when everybody in f goes on. It
// closes f.
func reaches(pace engine.Pace, f *engine.World, orphans bool) (bool, error) {
	defer f.Close()
	c := continuation{world: f, pace: pace}
	c.report()
	for i := range f.Nodes() {
		if f.Down(i) {
			c.do(engine.Action{Verb: engine.VerbRedisRestart, Node: i + 1})
		}
	}
	end := Horizon(f)
	for _, client := range f.Clients() {
		if client.Program != nil {
			c.goesOn(client, orphans, end-f.Now())
		}
	}
	for c.actions < most && !c.undecided {
		if c.round() {
			return true, c.ended
		}
		if c.moved {
			continue
		}
		due := f.Due()
		if due == 0 || f.Now() > end {
			if c.restart() {
				continue
			}
			return c.undecided || everybody(f, content), c.ended // nobody waits any more
		}
		c.do(engine.Action{Verb: engine.VerbTick, Time: min(due-f.Now(), engine.MaxTick)})
		c.actions++
	}
	return true, c.ended // it stays undecided, and the check claims nothing
}

// everybody reports whether all clients with a program are so.
func everybody(w *engine.World, are func(*engine.Client) bool) bool {
	return !slices.ContainsFunc(w.Clients(), func(c *engine.Client) bool { return c.Program != nil && !are(c) })
}

// A continuation is a copy of a world in which everybody goes on.
type continuation struct {
	world     *engine.World
	actions   int  // steps and ticks
	moved     bool // a client has, in the latest round
	again     bool // real programs that went away have been started again
	undecided bool // the copy has met a bound, and nobody may use it any more
	pace      engine.Pace
	told      int64 // work reported to the pace so far
	ended     error // why the pace ended it
}

// do does one action. Callers choose possible ones only, and so only a bound refuses one. A script whose effect is not
// recorded, and a command that is not executed as Redis would, leave the question undecided.
func (c *continuation) do(a engine.Action) {
	if c.undecided {
		return
	}
	_, err := c.world.Apply(a, engine.MaxActionWork)
	c.undecided = err != nil || c.world.Unrecorded() || c.world.Unable() != nil
	c.report()
}

// report tells the pace the work since the last report.
func (c *continuation) report() {
	if c.pace == nil {
		return
	}
	if c.ended = c.pace(c.world.Meter().Effort() - c.told); c.ended != nil {
		c.undecided = true
	}
	c.told = c.world.Meter().Effort()
}

// goesOn lets a client ask on until the horizon, which is so far ahead. It may change the copy freely: the question is whether
// asking on would help.
func (c *continuation) goesOn(client *engine.Client, orphans bool, ahead engine.Time) {
	client.Options.Blocking, client.Options.AcquireTimeout = new(true), 0
	client.Options.Retry = max(client.Options.Retry, pause, ahead/rests)
	client.Nap = max(pause, ahead/Naps)
	for orphans && client.Orphan() != nil && !c.undecided {
		c.do(engine.Action{Verb: engine.VerbDeliver, Client: client.Name})
	}
	if client.Paused {
		c.do(engine.Action{Verb: engine.VerbResume, Client: client.Name})
	}
	if client.Status == engine.Finished && wants(client) {
		c.do(engine.Action{Verb: engine.VerbRestart, Client: client.Name})
	}
}

// restart restarts the real programs that have ended without the lock, once, and reports whether there are any: a recorded
// client ends when it is turned away, and somebody starts its program again.
func (c *continuation) restart() (any bool) {
	if c.again {
		return false
	}
	c.again = true
	for _, client := range c.world.Clients() {
		if client.Program != nil && client.Program.Recorded() && client.Status == engine.Finished && wants(client) {
			c.do(engine.Action{Verb: engine.VerbRestart, Client: client.Name})
			any = true
		}
	}
	return any
}

// round delivers a command for each client that has one in flight, and reports whether a client is in.
func (c *continuation) round() bool {
	c.moved = false
	for _, client := range c.world.Clients() {
		if call, _ := client.InFlight(); call != nil && client.Program != nil && client.Live() {
			c.do(engine.Action{Verb: engine.VerbStep, Client: client.Name})
			c.actions, c.moved = c.actions+1, true
		}
		if client.Missing {
			c.undecided, c.ended = true, &GapError{client}
		}
		if client.Lease != nil && (client.Status == engine.Inside || client.Status == engine.Releasing) {
			return true
		}
	}
	return false
}

// Horizon returns the true time after which nothing known now can change any
// more.
func Horizon(f *engine.World) engine.Time {
	end := f.Now()
	for _, c := range f.Clients() {
		if c.Program != nil {
			end = max(end, f.Now()+c.Options.Timeout+3*max(c.Options.Retry, pause)+2*max(c.Skew, -c.Skew))
		}
	}
	ahead := end - f.Now()
	for i := range f.Nodes() {
		for _, s := range f.All(i) {
			f.Meter().Spend(int64(keyWork + len(s.Value)/16))
			if end = max(end, s.Expires); s.Value == "" || s.Value[0] > '9' {
				continue // no number begins with this
			}
			// A value may be a time, in seconds or in milliseconds.
			n, err := strconv.ParseInt(s.Value, 10, 64)
			for _, t := range []engine.Time{engine.Time(n) * 1000, engine.Time(n)} {
				if err == nil && t > f.Now() && t < f.Now()+engine.MaxTick {
					end = max(end, t+ahead)
				}
			}
		}
	}
	return end
}

// blame finds the client that left the lock behind: the writer of a key that
// the waiting client asked for, and the event that left the key without an
// owner.
func blame(w *engine.World, v *engine.Violation) {
	asked := last(w, func(e *engine.Event) bool { return e.Kind == engine.Deliver && e.Call.Client == v.Clients[0] })
	for i := range w.Nodes() {
		for _, key := range keys(w, i, asked) {
			s := w.Stored(i, key)
			if s == nil {
				continue
			}
			w.Meter().Spend(int64(len(w.Events())))
			if v.Cause = leftBehind(w, s); v.Cause > 0 {
				name, value := redis.Quote([]string{key}), redis.Quote([]string{s.Value})
				v.English += fmt.Sprintf(": %s still holds %s, written by %s", name, value, s.Writer)
				v.Chinese += fmt.Sprintf("：%s 的值还是 %s，由 %s 写入", name, value, s.Writer)
				return
			}
		}
	}
}

// leftBehind returns the event that left a stored value without an owner: the end of the life that wrote it, the loss of
// a reply that ended it, the failover that brought it back or, where that was over, the arrival of the late command.
func leftBehind(w *engine.World, s *engine.Stored) int {
	written, back := executed(w, s.Order), broughtBack(w, s)
	for i, e := range w.Events()[written:] {
		if e.Lane == s.Writer && (e.Kind == engine.Error || e.Kind == engine.Done) && w.Events()[written+i-1].Lost == "reply" {
			return max(e.Seq-1, back) // without that reply it ends
		}
		if e.Lane == s.Writer && (e.Kind == engine.Crash || e.Kind == engine.Error || e.Kind == engine.Done) {
			return max(e.Seq, back)
		}
	}
	if back > 0 {
		return back
	}
	if writer := w.Client(s.Writer); writer != nil && writer.Program != nil && !writer.Live() {
		return written
	}
	return 0
}

// keys returns the keys that the command of a deliver event named, or all keys
// where there is none.
func keys(w *engine.World, node, deliver int) []string {
	if deliver == 0 {
		return w.Keys(node)
	}
	return redis.Keys(w.Events()[deliver-1].Call.Command)
}
