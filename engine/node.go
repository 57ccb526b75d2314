package engine

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/lang"
	"lockstep/engine/program"
	"lockstep/engine/redis"
)

// A node is one Redis server of the run. The server keeps the values; stored
// mirrors them with what Redis does not know: who wrote a value, and by which
// command.
type node struct {
	name    string
	makes   redis.Maker
	server  redis.Node // nil: nobody has asked it since it was made or copied
	clock   Time       // of the server
	part    bool       // the server has only the keys that it was asked for
	stored  map[string]*Stored
	shared  bool               // a memory or the replica has the same map: own copies it before a change
	replica map[string]*Stored // what its replica has; nil: nothing
	first   Time               // at which a key expires; 0: none does
	down    bool
	lost    bool // it went down without its data
	since   Time // when down: true time of its crash
	grants  int  // given so far
}

func (n *node) fork() *node {
	twin := *n
	twin.server, twin.stored, twin.shared = nil, maps.Clone(n.stored), false // nobody changes the replica's map
	return &twin
}

// crowded is how many keys a server may hold before the node remakes it when its clock moves: it would look through all of
// them.
const crowded = 32

// ask executes a command at a time. Most copies of a world ask few of their nodes, and those for few keys. A server
// costs as much as fifty commands: ask makes one when it needs it, and gives it a key when a command names the key.
func (n *node) ask(now Time, command []string) redis.Reply {
	if n.server != nil && n.clock < now && len(n.stored) > crowded {
		n.rest()
	}
	if n.server == nil {
		n.server, n.part = n.makes.New(int64(now)), len(n.stored) > 0
	} else if n.clock < now {
		n.server.Advance(int64(now - n.clock))
	}
	n.clock = now
	if n.part {
		named := redis.Keys(command)
		if redis.Reaches(command) {
			named = n.keys()
		}
		for _, key := range named {
			if s := n.stored[key]; s != nil && !n.server.Has(key) {
				n.server.Put(key, redis.Content{Value: s.Value, Type: s.Type, Expires: int64(s.Expires)})
			}
		}
	}
	return n.server.Do(command...)
}

// own gives the node its own map of stored values, before a change.
func (w *World) own(n *node) {
	if n.shared {
		w.meter.Spend(keptWork * int64(len(n.stored)))
		n.stored, n.shared = maps.Clone(n.stored), false
	}
}

// store sets or removes a key's value.
func (w *World) store(n *node, key string, s *Stored) {
	w.own(n)
	old := n.stored[key]
	if s == nil {
		delete(n.stored, key)
	} else {
		n.stored[key] = s
	}
	switch {
	case s != nil && s.Expires > 0 && (n.first == 0 || s.Expires <= n.first):
		n.first = s.Expires
	case old != nil && old.Expires > 0 && old.Expires == n.first:
		w.meter.Spend(int64(len(n.stored)))
		n.first = firstExpiry(n.stored)
	}
}

// firstExpiry returns the first time at which a key expires; 0: none does.
func firstExpiry(stored map[string]*Stored) Time {
	first := Time(0)
	for _, s := range stored {
		if s.Expires > 0 && (first == 0 || s.Expires < first) {
			first = s.Expires
		}
	}
	return first
}

// rest gives the node's server back.
func (n *node) rest() {
	if n.server != nil {
		n.server.Close()
		n.server = nil
	}
}

// send puts a client's next command in flight.
func (w *World) send(c *Client, op program.Op) {
	command, err := w.check(op.Command, c.Program.Recorded())
	if err != nil {
		w.fail(c, c.Line, err.Text)
		return
	}
	c.idle = 0
	c.Asked = c.Asked || slices.ContainsFunc(redis.Keys(command), c.Program.Guards)
	if c.Since == 0 && c.Status == Waits && (c.Asked || !c.Program.Recorded()) {
		c.Since = w.now
	}
	c.flight = w.message(c.Name, op.Node, op.Try, command)
	w.emit(Event{Lane: c.Name, Kind: Send, Call: c.flight.call})
}

func (w *World) message(client string, node int, try bool, command []string) *message {
	w.calls++
	return &message{call: &Call{ID: w.calls, Client: client, Node: w.nodes[node].name, Command: command}, node: node, try: try}
}

// deliver lets a request arrive: Redis executes it and its reply sets out. A
// node that is down refuses the connection.
func (w *World) deliver(m *message) {
	if m.node == toStorage {
		w.arrive(m)
		return
	}
	n := w.nodes[m.node]
	if n.down {
		w.lose(m, "refused", "connection refused")
		return
	}
	w.meter.Spend(commandUnits(m.call.Command))
	execution, content, ok := w.execute(n, m.call.Command)
	switch {
	case w.unable != nil:
		w.lose(m, unexecuted, unexecuted)
		return
	case !ok:
		w.lose(m, unrecorded, unrecorded)
		return
	}
	m.execution = execution
	changes := w.changed(n, m, content)
	for _, change := range changes {
		c := w.Client(m.call.Client)
		// The grant is the value in the lock's key. A counter that the same
		// script or the next command adds to, such as a fencing token's, is
		// none.
		if change.New != nil && change.New.Order == w.order && !change.New.Counted && c.flight == m && c.Program.Guards(change.Key) {
			n.grants++
			c.wrote = &Grant{m.node, change.Key, change.New, n.grants}
		}
	}
	w.recordRemovals(m, changes)
	w.emit(Event{Lane: n.name, Kind: Deliver, Call: m.call, Execution: m.execution, Changes: changes})
	w.emit(Event{Lane: n.name, Kind: Reply, Call: m.call, Execution: m.execution})
}

// recordRemovals marks each client that is not in yet and whose stored value
// somebody has removed: it has not heard of that, and may still get in.
func (w *World) recordRemovals(m *message, changes []Change) {
	for _, change := range changes {
		if change.New != nil || change.Old.Writer == m.call.Client {
			continue
		}
		c := w.Client(change.Old.Writer)
		if c == nil {
			continue
		}
		if g := c.Unconfirmed(); g != nil && g.Node == m.node && g.Key == change.Key && g.Stored.Value == change.Old.Value {
			c.Removed = &Removal{By: m.call.Client, Time: w.now}
		}
	}
}

// lose takes a message off the network; its client will see failure instead of
// a reply.
func (w *World) lose(m *message, what, failure string) {
	m.failure = failure
	e := Event{Lane: m.call.Client, Kind: Drop, Call: m.call, Execution: m.execution, Lost: what}
	if what == unexecuted {
		e.Text, e.chinese = w.unable.English, w.unable.Chinese
	}
	w.emit(e)
}

// changed brings the mirror up to date with the keys that a command and its script named. content returns what a key holds now.
func (w *World) changed(n *node, m *message, content func(key string) (redis.Content, bool)) []Change {
	var changes []Change
	keys := redis.Keys(m.call.Command)
	if n.server != nil {
		keys = append(slices.Clip(keys), n.server.Touched()...)
	}
	for i, key := range keys {
		if slices.Contains(keys[:i], key) {
			continue
		}
		old := n.stored[key]
		stores := redis.Stores(m.call.Command, m.execution.Reply, key)
		is, ok := content(key)
		same := ok && old != nil && old.Value == is.Value && old.Type == is.Type && !stores
		switch {
		case !ok && old == nil, same && old.Expires == Time(is.Expires):
			continue
		case !ok:
			w.store(n, key, nil)
			changes = append(changes, Change{Key: key, Old: old})
		default:
			now := &Stored{Value: is.Value, Type: is.Type, Writer: m.call.Client, Order: m.execution.Order, Expires: Time(is.Expires), Counted: redis.Counts(m.call.Command, key)}
			if same { // only its expiry changed
				now.Writer, now.Order, now.Counted = old.Writer, old.Order, old.Counted
			}
			w.store(n, key, now)
			changes = append(changes, Change{Key: key, Old: old, New: now})
		}
	}
	return changes
}

// receive lets the answer to the client's command arrive: a reply, or the
// failure that stands for a lost message. The client runs on. A failure stops
// it unless its program handles failures.
func (w *World) receive(c *Client) {
	m := c.flight
	c.flight = nil
	failure := m.failure
	if failure == "" {
		c.Replied = m.execution.Reply
		failure = c.Replied.Err()
		w.emit(Event{Lane: c.Name, Kind: Receive, Call: m.call, Execution: m.execution})
	}
	switch {
	case c.Program == nil:
	case m.failure == unrecorded:
		c.CutOff = true
		w.fail(c, c.Line, notRecorded().Text)
	case m.failure == unexecuted:
		c.CutOff = true
		w.fail(c, c.Line, notExecuted().Text)
	case c.Program.Recorded() && m.failure == "":
		w.observe(c, program.String(c.Replied.String()))
	case c.Program.Recorded():
		w.observe(c, program.Failure())
	case failure == "":
		w.observe(c, value(c.Replied))
	case m.try:
		w.observe(c, program.Failure())
	default:
		c.CutOff = m.failure != ""
		w.fail(c, c.Line, lang.Format("%s: %s", "%s：%s", m.call.Label(), failure))
	}
}

// value converts a reply for a program.
func value(r redis.Reply) program.Value {
	if n, ok := r.Int(); ok {
		return program.Int(n)
	}
	if text, ok := r.Text(); ok {
		return program.String(text)
	}
	return program.None
}

// crashNode crashes a Redis node; restartNode starts it again.
func (w *World) crashNode(n *node, lose bool) {
	n.down, n.lost, n.since = true, lose, w.now
	var changes []Change
	if lose {
		n.rest()
		for _, key := range n.keys() {
			changes = append(changes, Change{Key: key, Old: n.stored[key]})
		}
		n.stored, n.shared, n.first = map[string]*Stored{}, false, 0
	}
	w.emit(Event{Lane: n.name, Kind: Crash, Text: keepOrLose(lose), Changes: changes})
}

func (w *World) restartNode(n *node) {
	n.down, n.since = false, 0
	w.emit(Event{Lane: n.name, Kind: Restart, Text: keepOrLose(n.lost)})
}

// replicate lets the node's replica catch up. It shares the map: the node copies its own before the next change.
func (n *node) replicate() {
	if !n.down {
		n.replica, n.shared = n.stored, true
	}
}

// failover lets the node's replica take over, whether the node is down or not. The replica lags: it has what the node had
// when the clock last moved, without what has expired since. Everything later has never happened: keys are gone, have
// their former value again, or are back.
func (w *World) failover(n *node) {
	w.meter.Spend(keptWork * int64(len(n.stored)+len(n.replica)))
	taken := make(map[string]*Stored, len(n.replica))
	for key, s := range n.replica {
		switch now := n.stored[key]; {
		case s.Expires > 0 && s.Expires <= w.now:
		case now != nil && now.alike(s):
			taken[key] = now
		default:
			taken[key] = s
		}
	}
	var changes []Change
	for key, old := range n.stored {
		if now := taken[key]; now != old {
			changes = append(changes, Change{Key: key, Old: old, New: now})
		}
	}
	for key, now := range taken {
		if n.stored[key] == nil {
			changes = append(changes, Change{Key: key, New: now})
		}
	}
	w.meter.Spend(dueWork * int64(len(changes)))
	slices.SortFunc(changes, func(a, b Change) int { return strings.Compare(a.Key, b.Key) })
	n.rest()
	n.stored, n.first = taken, firstExpiry(taken)
	n.down, n.lost, n.since = false, false, 0
	n.replicate()
	w.emit(Event{Lane: n.name, Kind: Failover, Changes: changes})
}

// alike reports whether two values differ at most in the command that wrote them.
func (s *Stored) alike(other *Stored) bool {
	return s.Value == other.Value && s.Type == other.Type && s.Writer == other.Writer && s.Expires == other.Expires && s.Counted == other.Counted
}

func keepOrLose(lose bool) string {
	if lose {
		return "lose"
	}
	return "keep"
}

// nodeName labels the lanes of Redis: a single one is redis, several are
// numbered.
func nodeName(i, of int) string {
	if of == 1 {
		return "redis"
	}
	return "redis" + strconv.Itoa(i+1)
}
