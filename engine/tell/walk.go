package tell

import (
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/lang"
)

// A teller goes through the events of a run, up to a violation, and tells what somebody did to a lock.
type teller struct {
	events  []engine.Event
	v       *engine.Violation
	end     int // sequence number of the violation
	who     map[string]*actor
	said    []sentence
	told    map[int]bool
	taker   string        // whose lock it is, by what has been told last; empty: nobody's, or "it" could mean another
	drifted bool          // a losing write over a holder's value has been told
	many    bool          // there are several nodes
	under   *engine.Event // the execution of a command that has been told to be on its way; nil: none
}

// An actor is a client.
type actor struct {
	name         string
	skew         engine.Time
	in           bool
	believes     bool
	paused       bool
	gone         bool        // it has crashed, or its program has stopped
	entered      bool        // it has been inside
	until        engine.Time // by its own clock, its lease ends; 0: never, or it has none
	lapsed       bool        // its lease has been told to be over
	left         bool
	granted      *engine.Event // the execution that gave it the lock; nil: it has none
	parting      bool          // that has been told
	sent         map[int]engine.Time
	foreignWrite bool // it has written over another's value without getting the lock
}

func (t *teller) actor(name string) *actor {
	a := t.who[name]
	if a == nil {
		a = &actor{name: name, sent: map[int]engine.Time{}}
		t.who[name] = a
	}
	return a
}

// over reports whether the lease under which somebody wrote a value has run out by the writer's own clock.
func (a *actor) over(at engine.Time, old *engine.Stored) bool {
	switch {
	case a.in:
		return !a.believes
	case a.entered:
		return a.until != 0 && at+a.skew >= a.until
	}
	return old.Expires != 0 && at >= old.Expires
}

// walk tells one event after the other.
func (t *teller) walk() {
	for i := range t.events[:t.end-1] {
		e := &t.events[i]
		if e.Kind == engine.Deliver && e.Call.Node != "redis" {
			t.many = true
		}
	}
	for i := range t.events[:t.end-1] {
		e := &t.events[i]
		switch e.Kind {
		case engine.Spawn, engine.Skew:
			t.clock(e)
		case engine.Send:
			t.actor(e.Lane).sent[e.Call.ID] = e.Time
		case engine.Deliver:
			t.deliver(e)
		case engine.Enter:
			t.enter(e)
		case engine.Renew:
			t.renew(e)
		case engine.Expire:
			t.expire(e)
		case engine.Leave:
			t.leave(e)
		case engine.Pause, engine.Resume:
			t.actor(e.Lane).paused = e.Kind == engine.Pause
		case engine.Crash:
			t.crash(e)
		case engine.Failover:
			t.failover(e)
		case engine.Drop:
			t.drop(e)
		case engine.Error:
			t.actor(e.Lane).gone = true
			t.and(e, false, "%s's program stopped", "%s 的程序停了", e.Lane)
		case engine.Done:
			t.done(e)
		case engine.Read, engine.Write, engine.Stage, engine.Commit:
			t.storage(e)
		}
		if e.Seq == t.v.Cause && !t.told[e.Seq] && t.owed(e) {
			t.cause(e)
		}
	}
}

// cause tells the cause, of which nothing else here knows what to tell.
func (t *teller) cause(e *engine.Event) {
	if e.Kind == engine.Deliver && writes(e) {
		t.say(e, "%s took the key", "%s 占了键", own(e))
		return
	}
	t.say(e, "%s", "%s", t.sentence(e))
}

// owed reports whether nothing later tells a cause: a client that has got the lock is told to have it when it is inside, and some
// violations name their cause themselves.
func (t *teller) owed(e *engine.Event) bool {
	if t.v.Property == "bounded-wait" || t.v.Property == "unattended" {
		return false
	}
	switch e.Kind {
	case engine.Expire, engine.Enter, engine.Done:
		return false
	case engine.Deliver:
		return t.granting(e) == nil && !t.late(e)
	}
	return true
}

// sentence returns an event's own sentence.
func (t *teller) sentence(e *engine.Event) lang.Text {
	return lang.Both(e.Sentence(lang.English), e.Sentence(lang.Chinese))
}

// granting returns the entering that an execution led to, the client's next, where the execution wrote the value; nil: none.
func (t *teller) granting(e *engine.Event) *engine.Event {
	if !writes(e) {
		return nil
	}
	for i := e.Seq; i < t.end-1; i++ {
		switch n := &t.events[i]; {
		case n.Kind == engine.Enter && n.Lane == e.Call.Client:
			return n
		case (n.Kind == engine.AcquireFailed || n.Kind == engine.Crash) && n.Lane == e.Call.Client, n.Kind == engine.Deliver && n.Call.Client == e.Call.Client && writes(n):
			return nil
		}
	}
	return nil
}

// late reports whether a client enters right after an execution that gave it nothing, which is then told.
func (t *teller) late(e *engine.Event) bool {
	for i := e.Seq; i < t.end-1 && t.events[i].Action == e.Action; i++ {
		if t.events[i].Kind == engine.Enter && t.events[i].Lane == e.Call.Client {
			return true
		}
	}
	return false
}

// writes reports whether a command has stored a value that may be a lock.
func writes(e *engine.Event) bool {
	return slices.ContainsFunc(e.Changes, func(c engine.Change) bool {
		return c.New != nil && c.New.Writer == e.Call.Client && !c.New.Counted && (c.Old == nil || c.Old.Value != c.New.Value || c.Old.Order != c.New.Order)
	})
}

// robs returns the first command of a client from an event on that removes another's value; nil: there is none.
func (t *teller) robs(client string, from int) *engine.Event {
	for i := from; i < t.end-1; i++ {
		e := &t.events[i]
		if e.Kind == engine.Enter && e.Lane == client {
			return nil
		}
		if e.Kind == engine.Deliver && e.Call.Client == client && slices.ContainsFunc(e.Changes, func(c engine.Change) bool { return c.New == nil && c.Old.Writer != client }) {
			return e
		}
	}
	return nil
}

// command names a command without its arguments: DEL, or a script's name.
func command(e *engine.Event) lang.Text {
	words := strings.Fields(e.Call.Label())
	name := words[0]
	if name == "EVAL" && len(words) > 1 {
		name = words[1]
	}
	return lang.Both(name, name)
}

// own names a command with its client: C1's DEL.
func own(e *engine.Event) lang.Text {
	return mark(e, lang.Format("%s's %s", "%s 的 %s", e.Call.Client, command(e)))
}

// its names the command of a client that has just been named.
func its(e *engine.Event) lang.Text { return mark(e, lang.Format("its %s", "它的 %s", command(e))) }

// others returns who is inside besides a client.
func (t *teller) others(client string) (inside []string) {
	for name, a := range t.who {
		if a.in && name != client {
			inside = append(inside, name)
		}
	}
	slices.Sort(inside)
	return inside
}

// violates reports whether a client's entering begins the violation.
func (t *teller) violates(e *engine.Event) bool {
	return e.Action == t.events[t.end-1].Action && t.together() && slices.Contains(t.v.Clients, e.Lane)
}

// together reports whether the violation is that clients are inside at once.
func (t *teller) together() bool {
	return t.v.Property == "mutual-exclusion" || t.v.Property == "overlap"
}

// stored reports whether the violation is about what the protected resource has taken.
func (t *teller) stored() bool { return t.v.Property == "stale-write" || t.v.Property == "lost-update" }

// other returns the client of the violation that is not this one.
func (t *teller) other(client string) string {
	for _, c := range t.v.Clients {
		if c != client {
			return c
		}
	}
	return client
}
