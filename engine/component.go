package engine

import (
	"maps"
	"slices"
	"strconv"
	"unsafe"

	"lockstep/engine/redis"
)

// A world consists of components that meet only when Redis executes a command:
// its clients, and the content of each Redis node. By itself, each is a value
// with a key. Worlds made of components with the same keys, at the same time,
// behave alike. Package explore relies on this: it runs a component once and
// remembers the result.

// Copy returns the client's component.
func (c *Client) Copy() *Client {
	copied := *c
	copied.seen = slices.Clone(c.seen)
	copied.flight = c.flight.fork()
	copied.orphans = forkAll(c.orphans)
	return &copied
}

// Renamed returns the client's component under another name. It rewrites the
// client's observations and messages too, where a name in a text is a name; a
// nil rewrite leaves them.
func (c *Client) Renamed(name string, rewrite func(string) string) *Client {
	r := c.Copy()
	was := r.Name
	r.Name = name
	if rewrite == nil {
		rewrite = func(text string) string { return text }
	}
	grant := func(g *Grant) *Grant {
		if g == nil {
			return nil
		}
		stored := *g.Stored
		stored.Value = rewrite(stored.Value)
		stored.Value = redis.Sorted(stored.Type, stored.Value)
		if stored.Writer == was {
			stored.Writer = name
		}
		return &Grant{g.Node, rewrite(g.Key), &stored, g.Generation}
	}
	r.wrote, r.Grant = grant(r.wrote), grant(r.Grant)
	if r.Removed != nil {
		r.Removed = &Removal{By: rewrite(r.Removed.By), Time: r.Removed.Time}
	}
	r.granted, r.lease = r.granted.Rewritten(rewrite), r.lease.Rewritten(rewrite)
	for i, v := range r.seen {
		r.seen[i] = v.Rewritten(rewrite)
	}
	for _, m := range append(r.orphans, r.flight) {
		if m == nil {
			continue
		}
		call := *m.call
		call.Client, call.Command = name, slices.Clone(call.Command)
		for i, word := range call.Command {
			call.Command[i] = rewrite(word)
		}
		m.call, m.grant = &call, grant(m.grant)
		if m.execution != nil {
			m.execution = &Execution{Order: m.execution.Order, Reply: redis.Reply(rewrite(string(m.execution.Reply))), Recorded: m.execution.Recorded}
		}
	}
	return r
}

// Key returns a string that differs for clients that may behave differently,
// among those with the same name, program, options and clock.
func (c *Client) Key() string {
	var k keyWriter
	k.word(string(c.Status))
	if c.Paused {
		k.word("paused")
	}
	if c.CutOff {
		k.word("cut off")
	}
	for _, m := range c.orphans {
		k.word("orphan", strconv.Itoa(m.node))
		k.word(m.content()...)
	}
	if c.Program == nil {
		if c.Status == Inside {
			k.word("lease", c.Lease.Until.String(), strconv.FormatBool(c.Believes))
			k.grant(c.Grant)
		}
		return k.String()
	}
	if c.Status == Finished {
		k.word(strconv.FormatBool(c.Lease == nil)) // whether it gave up
		if c.Program.Recorded() {
			k.word(strconv.FormatBool(c.Asked))
		}
		return k.String()
	}
	if c.Program.UsesToken() {
		k.word(strconv.Itoa(c.Attempt))
	}
	if c.idle > 0 {
		k.word("idle", strconv.Itoa(c.idle))
	}
	if c.Program.Recorded() && c.Status != Waits { // it may enter again by what it stores now
		k.word("stored")
		k.grant(c.wrote)
		if r := c.Removed; r != nil {
			k.word("robbed", r.Time.String())
		}
	}
	if c.Asked && c.Program.Recorded() {
		k.word("asked")
	}
	switch c.Status {
	case Waits:
		k.grant(c.wrote)
		if r := c.Removed; r != nil {
			k.word("robbed", r.Time.String()) // the remover makes no difference to what follows
		}
	case Asleep:
		k.word(c.Until.String())
	case Inside, Releasing, Crashed, Failed:
		if c.Sleeps() {
			k.word("until", c.Until.String())
		}
		if c.Lease != nil {
			k.word("lease", c.lease.String(), strconv.FormatBool(c.Believes))
			if c.Status == Inside && c.granted != c.lease {
				k.word("granted", c.granted.String())
			}
			k.grant(c.Grant)
		}
	}
	if g := c.Grant; g != nil && c.Program.UsesStorage() {
		k.word("generation", strconv.Itoa(g.Generation))
	}
	if g := c.wrote; g != nil && c.Status == Waits && c.Program.UsesStorage() {
		k.word("generation", strconv.Itoa(g.Generation))
	}
	if c.Options.AcquireTimeout > 0 && (c.Status == Waits || c.Status == Asleep) {
		k.word("began", c.began.String())
	}
	if c.Status == Waits || c.Status == Inside || c.Status == Releasing || c.Status == Asleep && c.Program.Recorded() {
		for _, v := range c.seen {
			k.word(v.String())
		}
		if c.flight != nil && c.flight.answered() {
			k.word("answered", c.flight.failure)
			if c.flight.execution != nil {
				k.word(string(c.flight.execution.Reply))
			}
		}
	}
	return k.String()
}

// Compose returns a world made of components, at a time. It judges the
// properties, and keeps no log without any. Callers close it.
func Compose(h Header, now Time, stores []Store, clients []*Client, properties ...Property) *World {
	w := &World{header: h, now: now, told: now, mute: len(properties) == 0, meter: Meter{most: MaxQuestionWork}, judge: newJudge(properties)}
	if last := len(stores) - 1; last >= 0 && stores[last].Storage {
		w.storage = stores[last].storage.fork()
		stores = stores[:last]
	}
	for i, s := range stores {
		n := &node{name: nodeName(i, len(stores)), makes: h.Redis, stored: make(map[string]*Stored, len(s.Stored)), down: s.Down, lost: s.Lost, since: s.Since, grants: s.Grants, replica: s.Replica}
		maps.Copy(n.stored, s.Stored)
		n.first = firstExpiry(n.stored)
		w.nodes = append(w.nodes, n)
	}
	for _, c := range clients {
		w.clients = append(w.clients, c.Copy())
	}
	return w
}

// Alone returns a world in the same state in which only that client goes on.
func (w *World) Alone(c *Client) *World { return w.fork([]*Client{c}) }

// An Answer is the outcome of a command for its client: a reply and the stored
// value, or a failure.
type Answer struct {
	Reply   redis.Reply
	Failure string
	Wrote   *Grant // nil: nothing by which a client could hold the lock
}

// Key returns a string that differs for different answers.
func (a Answer) Key() string {
	var k keyWriter
	k.word(string(a.Reply), a.Failure)
	if k.grant(a.Wrote); a.Wrote != nil {
		k.word("generation", strconv.Itoa(a.Wrote.Generation))
	}
	return k.String()
}

// Size returns about how many bytes the answer takes in memory.
func (a Answer) Size() int64 {
	return int64(unsafe.Sizeof(a)) + allocated(string(a.Reply)) + a.Wrote.size()
}

// Serve lets a client's request arrive and withholds the answer: its command in
// flight, or with orphan the oldest request from a life that has ended.
func (w *World) Serve(client int, orphan bool) Answer {
	c := w.clients[client]
	before, m := c.wrote, c.flight
	if orphan {
		m = c.oldest()
	}
	w.deliver(m)
	w.judge.update(w)
	a := Answer{Failure: m.failure}
	if m.execution != nil {
		a.Reply = m.execution.Reply
	}
	if c.wrote != before {
		a.Wrote = &Grant{c.wrote.Node, c.wrote.Key, &Stored{Value: c.wrote.Stored.Value, Writer: c.Name}, c.wrote.Generation}
	}
	return a
}

// Answered returns the client's component with the answer to its command in
// flight on its way.
func (c *Client) Answered(a Answer) *Client {
	answered := c.Copy()
	if answered.flight.failure = a.Failure; a.Failure == "" {
		answered.flight.execution = &Execution{Reply: a.Reply}
	}
	if a.Wrote != nil {
		answered.wrote = a.Wrote
	}
	return answered
}

// content returns the words of a message. A write adds its grant, which the
// storage is judged by, and a request from a life before the present one says so.
func (m *message) content() []string {
	words := m.call.Command
	if m.grant != nil {
		words = append(slices.Clone(words), strconv.Itoa(m.grant.Node), m.grant.Key, strconv.Itoa(m.grant.Generation))
	}
	if m.past {
		words = append(slices.Clone(words), "past")
	}
	return words
}

// Request returns the command that Serve would let arrive, and its node,
// counted from 0, or -1 for the storage; nothing where no such request is in
// flight.
func (c *Client) Request(orphan bool) (command []string, node int) {
	m := c.flight
	if orphan {
		m = nil
		if len(c.orphans) > 0 {
			m = c.orphans[0]
		}
	}
	if m == nil || m.answered() {
		return nil, 0
	}
	return m.content(), m.node
}
