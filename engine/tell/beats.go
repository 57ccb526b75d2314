package tell

import (
	"slices"

	"lockstep/engine"
	"lockstep/engine/lang"
	"lockstep/engine/redis"
)

// clock notes how wrong a client's clock is, and tells that the client believes again.
func (t *teller) clock(e *engine.Event) {
	a := t.actor(e.Lane)
	if a.skew = e.Skew; e.Kind == engine.Spawn {
		if e.Spawned != nil {
			a.skew = e.Spawned.Skew
		}
		return
	}
	if e.Believes != nil && *e.Believes {
		a.believes = true
		t.say(e, "%s's clock was set, and %s believes in its lease again", "%s 的时钟被调整，%s 又自认为持有锁", a.name, a.name)
	}
}

// ahead tells whose clock is wrong, as two clients disagree whether a lease is over.
func (t *teller) ahead(e *engine.Event, a, of *actor) bool {
	for _, who := range []*actor{a, of} {
		switch {
		case who.skew > 0:
			t.say(e, "%s's clock is %s ahead", "%s 的时钟快了 %s", who.name, seconds(who.skew))
		case who.skew < 0:
			t.say(e, "%s's clock is %s behind", "%s 的时钟慢了 %s", who.name, seconds(-who.skew))
		}
	}
	return a.skew != 0 || of.skew != 0
}

// deliver tells what a command did to a lock.
func (t *teller) deliver(e *engine.Event) {
	a := t.actor(e.Call.Client)
	granting := t.granting(e)
	for i := range e.Changes {
		c := &e.Changes[i]
		if (c.Old != nil && c.Old.Counted) || (c.New != nil && c.New.Counted) {
			continue
		}
		switch foreign := c.Old != nil && c.Old.Writer != a.name; {
		case foreign && c.New == nil:
			t.removes(e, a, t.actor(c.Old.Writer), c.Old)
		case foreign && c.New.Writer == a.name:
			t.overwrites(e, a, t.actor(c.Old.Writer), c, granting)
		case c.New == nil:
			t.releases(e, a)
		case c.Old == nil && a.gone:
			t.and(e, false, "Redis %s", "Redis %s", mark(e, lang.Both("still executed it", "还是执行了它")))
		}
	}
	if granting != nil && !t.many {
		t.takes(e, a, granting)
	}
}

// lapse tells that the lease of somebody who is not inside has run out, unless that has been told.
func (t *teller) lapse(e *engine.Event, of *actor) {
	if of.lapsed {
		return
	}
	of.lapsed = true
	switch {
	case of.gone:
		t.open(e, "%s", "%s", lease(e, lang.Format("%s's lease ran out", "%s 的租约到期", of.name)))
	case !of.entered:
		t.open(e, "%[2]s before it was inside", "%[1]s 还没进去，%[3]s", of.name, lease(e, lang.Both(of.name+"'s lease ran out", "")), lease(e, lang.Both("", "租约就到期了")))
	default:
		t.open(e, "%s", "%s", lease(e, lang.Both("The lease ran out", "租约到期")))
	}
}

// removes tells that somebody removed another's value: one that was over, or a lock.
func (t *teller) removes(e *engine.Event, a, of *actor, old *engine.Stored) {
	if of.over(e.Time, old) {
		if !of.in {
			t.lapse(e, of)
		}
		t.told[e.Seq] = true
		t.taker = ""
		return
	}
	what := own(e)
	switch {
	case !a.left && t.ahead(e, a, of):
		t.open(e, "By %[1]s's clock, %[3]s's lease was over, so %[2]s removed its lock", "按 %[1]s 的时钟，%[3]s 的租约已到期，于是 %[2]s 删掉了 %[3]s 的锁", a.name, what, of.name)
	case a.left && !a.parting:
		t.open(e, "%[1]s left, and %[2]s removed %[3]s's lock", "%[1]s 离开，%[2]s 删掉了 %[3]s 的锁", a.name, its(e), of.name)
	case !a.left:
		t.open(e, "%[1]s had seen the old lock, too: %[2]s now removed %[3]s's lock", "%[1]s 之前看到的也是旧锁，%[2]s 这时删掉的却是 %[3]s 的锁", a.name, its(e), of.name)
	case t.taker == of.name:
		t.open(e, "%[2]s removed it", "%[2]s 删掉了 %[3]s 的锁", a.name, what, of.name)
	default:
		t.open(e, "%[2]s removed %[3]s's lock", "%[2]s 删掉了 %[3]s 的锁", a.name, what, of.name)
	}
	a.parting = true
	t.taker = ""
}

// overwrites tells that somebody wrote over another's value: one that was over, or a lock, and whether that got the lock.
func (t *teller) overwrites(e *engine.Event, a, of *actor, c *engine.Change, granting *engine.Event) {
	what := own(e)
	switch live := !of.over(e.Time, c.Old); {
	case !live:
		if !of.in {
			t.lapse(e, of)
		}
	case granting == nil && c.Old.Value == c.New.Value:
		t.open(e, "%[1]s%[2]swrote its own %[3]s over %[4]s's, although %[5]s did not get the lock", "%[1]s%[2]s用自己的 %[3]s 改写了 %[4]s 的，尽管 %[5]s 并没有拿到锁",
			what, t.slow(e, a), short(c.New.Value, lang.Both("value", "值")), of.name, a.name)
		t.drifted = true
	case granting == nil:
		t.open(e, "%[2]s%[3]swrote %[4]s over %[5]s, although %[1]s did not get the lock", "%[2]s%[3]s把 %[5]s 改成了 %[4]s，尽管 %[1]s 并没有拿到锁",
			a.name, what, t.slow(e, a), short(c.New.Value, lang.Both("its own value", "自己的值")), t.whose(of, c.Old))
		a.foreignWrite, t.drifted = true, true
	case t.ahead(e, a, of):
		t.open(e, "By %[1]s's clock, %[3]s's lease was over, so %[2]s took the lock from it", "按 %[1]s 的时钟，%[3]s 的租约已到期，于是 %[2]s 从 %[3]s 手里拿走了锁", a.name, what, of.name)
	default:
		t.open(e, "%[3]s still believed in its lease, but %[2]s took the lock from it", "%[3]s 还自认为持有锁，%[2]s 却把锁拿走了", a.name, what, of.name)
	}
	t.told[e.Seq] = true
}

// slow returns how long a command was on its way, as an insertion; nothing: no time.
func (t *teller) slow(e *engine.Event, a *actor) lang.Text {
	if d := e.Time - a.sent[e.Call.ID]; d > 0 {
		return lang.Format(", %s on its way, ", " 在路上走了 %s，", seconds(d))
	}
	return lang.Both(" ", " ")
}

// short returns a value, or other words for a long one.
func short(value string, other lang.Text) lang.Text {
	if q := redis.Quote([]string{value}); len(q) <= 24 {
		return lang.Both(q, q)
	}
	return other
}

// whose names somebody's value: C2's 1006.
func (t *teller) whose(of *actor, s *engine.Stored) lang.Text {
	return lang.Format("%s's %s", "%s 的 %s", of.name, short(s.Value, lang.Both("value", "值")))
}

// releases tells that somebody gave the lock back, where that matters: somebody acts on it although it is gone.
func (t *teller) releases(e *engine.Event, a *actor) {
	a.granted = nil
	t.taker = ""
	if t.v.Property == "stuck" || t.lets(e) {
		t.open(e, "%s left and gave the lock back", "%s 离开并释放了锁", a.name)
	}
}

// lets reports whether somebody enters later without a value of their own.
func (t *teller) lets(after *engine.Event) bool {
	for i := after.Seq; i < t.end-1; i++ {
		if e := &t.events[i]; e.Kind == engine.Enter && t.grantOf(e) == nil {
			return true
		}
	}
	return false
}

// grantOf returns the execution by which a client that enters has the lock; nil: there is none.
func (t *teller) grantOf(enter *engine.Event) *engine.Event {
	for i := enter.Seq - 2; i >= 0; i-- {
		e := &t.events[i]
		if e.Lane == enter.Lane && (e.Kind == engine.Leave || e.Kind == engine.AcquireFailed) {
			return nil
		}
		if e.Kind == engine.Deliver && e.Call.Client == enter.Lane && writes(e) {
			return e
		}
	}
	return nil
}

// takes tells that somebody has got the lock, after another one had it.
func (t *teller) takes(e *engine.Event, a *actor, enter *engine.Event) {
	a.granted = e
	a.lapsed, a.left, a.parting = false, false, false
	first := t.taker == "" && len(t.said) == 0
	switch {
	case first, t.violates(enter), t.open1(e):
	case t.under != nil:
		t.say(e, "Before the %[2]s arrived, %[1]s took the lock", "%[2]s 还没到，%[1]s 就拿到了锁", a.name, command(t.under))
	default:
		t.and(e, false, "%s took the lock", "%s 拿到了锁", a.name)
	}
	t.under = nil
	t.taker = a.name
}

// open1 reports whether a sentence about this very execution is open: it has told that the lock changed hands.
func (t *teller) open1(e *engine.Event) bool {
	n := len(t.said)
	return n > 0 && t.said[n-1].open && t.said[n-1].seq == e.Seq && t.overwrote(e)
}

func (t *teller) overwrote(e *engine.Event) bool {
	return slices.ContainsFunc(e.Changes, func(c engine.Change) bool {
		return c.Old != nil && c.New != nil && !c.Old.Counted && c.Old.Writer != e.Call.Client && !t.actor(c.Old.Writer).lapsed && !t.actor(c.Old.Writer).over(e.Time, c.Old)
	})
}

// enter tells that somebody is inside, where that breaks the lock, or where they have not got it.
func (t *teller) enter(e *engine.Event) {
	a := t.actor(e.Lane)
	a.in, a.entered, a.believes, a.until, a.left = true, true, *e.Believes, e.Lease.Until, false
	me := a.name
	granted := t.grantOf(e)
	late := !a.believes && !a.lapsed && !t.stored()
	defer func() { a.lapsed = !a.believes && (late || a.lapsed) }()
	if late {
		t.open(e, "%s went in with %s", "%s 进去时，%s", me, lease(e, lang.Both("a lease that had run out", "租约已经到期")))
	}
	switch others := t.others(a.name); {
	case granted == nil:
		asked := t.reply(a.name, e.Seq)
		if asked == nil {
			t.and(e, false, "%s went in without the lock", "%s 没拿到锁就进去了", me)
		} else {
			t.say(asked, "%[2]s found no lock, and %[1]s went in without one", "%[2]s 没有读到锁，%[1]s 没拿到锁就进去了", a.name, own(asked))
		}
		if t.violates(e) {
			t.open(e, "%s was in there, too", "%s 也在里面", t.other(a.name))
		}
	case t.violates(e) && len(others) > 0 && a.lapsed:
		t.say(e, "%s went in all the same, beside %s", "%s 还是进了临界区，和 %s 同时在里面", me, t.other(a.name))
	case t.violates(e) && len(others) > 0:
		t.beside(e, a, granted)
	case a.lapsed && !late:
		t.say(e, "%s went in all the same", "%s 还是进去了", me)
	case t.many:
		t.and(e, false, "%s got a majority and went in", "%s 拿到多数票，进去了", me)
	}
}

// beside tells the end of a story about two inside.
func (t *teller) beside(e *engine.Event, a *actor, granted *engine.Event) {
	me, other := a.name, t.other(a.name)
	switch n := len(t.said); {
	case t.many:
		t.and(e, false, "%s got a majority, too, and went in beside %s", "%s 也拿到了多数票，进了临界区，和 %s 同时在里面", me, other)
	case a.foreignWrite:
		t.say(e, "At %[3]s that was over, and %[1]s went in beside %[2]s", "到 %[3]s，这个值也过期了，%[1]s 就进了临界区，和 %[2]s 同时在里面", me, other, e.When(e.Time))
	case n > 0 && t.said[n-1].open:
		t.and(e, false, "%s went in beside %s", "%s 也进了临界区，和 %s 同时在里面", me, other)
	default:
		t.say(e, "%s took the lock and went in beside %s", "%s 拿到锁，也进了临界区，和 %s 同时在里面", me, other)
	}
	t.told[granted.Seq] = true
}

// reply returns the last command whose reply a client had before an event.
func (t *teller) reply(client string, before int) *engine.Event {
	for i := before - 2; i >= 0; i-- {
		if e := &t.events[i]; e.Kind == engine.Deliver && e.Call.Client == client {
			return e
		}
	}
	return nil
}

// expire tells that a lease has run out.
func (t *teller) expire(e *engine.Event) {
	if e.Believes != nil { // a client's own clock
		a := t.actor(e.Lane)
		a.believes = *e.Believes
		switch {
		case *e.Believes:
			t.say(e, "%s believes in its lease again", "%s 又自认为持有锁", a.name)
		case !a.lapsed && a.paused:
			t.open(e, "%s stood still while %s", "%s 停顿的时候，%s", a.name, lease(e, lang.Both("its lease ran out", "租约到期了")))
		case !a.lapsed:
			t.open(e, "%s stayed inside %s", "%s 还在临界区里，%s", a.name, lease(e, lang.Both("past its lease", "租约就到期了")))
		}
		a.lapsed = true
		return
	}
	for _, c := range e.Changes {
		if a := t.actor(c.Old.Writer); !a.in && !a.lapsed && !c.Old.Counted {
			if a.gone && t.v.Property != "stuck" || a.left || !a.entered {
				t.lapse(e, a)
			}
		}
	}
}

// renew tells that a client believes again.
func (t *teller) renew(e *engine.Event) {
	a := t.actor(e.Lane)
	a.until = e.Lease.Until
	if e.Believes == nil || !*e.Believes {
		return
	}
	a.believes = true
	if asked := t.reply(a.name, e.Seq); asked != nil {
		t.told[e.Seq] = true
		t.say(asked, "%[2]s was answered as if the lock were its own, and %[1]s believes in it again", "Redis 对 %[2]s 照样回复成功，%[1]s 又自认为持有锁", a.name, own(asked))
		if t.together() && len(t.others(a.name)) > 0 {
			t.open(e, "So does %s", "%s 也是", t.other(a.name))
		}
	}
}

// leave tells how a client left whose command will do harm.
func (t *teller) leave(e *engine.Event) {
	a := t.actor(e.Lane)
	a.in, a.left = false, true
	robs := t.robs(a.name, e.Seq)
	if robs == nil {
		return
	}
	saw := lang.Text{}
	for i := e.Seq; i < robs.Seq; i++ {
		if n := &t.events[i]; n.Kind == engine.Deliver && n.Call.Client == a.name && len(n.Changes) == 0 && n.Seq != robs.Seq {
			saw = lang.Both(" and saw its own value", "，也看到了自己的值")
		}
	}
	delay := engine.Time(0)
	for i := e.Seq - 1; i < robs.Seq; i++ {
		if n := &t.events[i]; n.Kind == engine.Send && n.Call.ID == robs.Call.ID {
			delay = robs.Time - n.Time
		}
	}
	switch {
	case a.believes && delay > 0:
		t.say(e, "%[1]s left in time%[4]s, but %[2]s was %[3]s on its way", "%[1]s 按时离开了%[4]s，但%[2]s 在路上走了 %[3]s", a.name, its(robs), seconds(delay), saw)
		a.parting = true
	case delay > 0 || t.taken(e.Seq, robs.Seq):
		what := mark(robs, command(robs))
		t.then(e, lang.Format(", then left and sent %s", "，然后离开，发出 %s", what), lang.Format("%s left and sent %s", "%s 离开，发出 %s", a.name, what))
		a.parting, t.under = true, robs
	}
}

// taken reports whether somebody gets the lock between two events.
func (t *teller) taken(from, to int) bool {
	for i := from; i < to-1; i++ {
		if e := &t.events[i]; e.Kind == engine.Deliver && t.granting(e) != nil {
			return true
		}
	}
	return false
}
