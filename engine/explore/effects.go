package explore

import (
	"slices"

	"lockstep/engine"
)

// spawn returns client i as it begins.
func (c *components) spawn(i int, ticks uint32) uint32 {
	w := c.compose(c.time(ticks), nil)
	defer c.close(w)
	must(w, engine.Action{Verb: engine.VerbSpawn, Client: c.names[i], Program: c.program, Options: c.options[i]})
	return c.client(w.Clients()[0])
}

// An outcome is the effect of executing a command.
type outcome struct {
	answer, store uint32
	lost          bool  // a failure stands for the reply, and the client sees it at once
	removes       uint8 // 1 + the client whose stored value is gone; 0: nobody else's
	violates      bool
}

// serve executes the command of client i on a node.
func (c *components) serve(i int, id uint32, orphan bool, store, ticks uint32) outcome {
	node := int(c.clients[id].place(orphan))
	w := c.compose(c.time(ticks), c.on(node, store), c.as(i, id))
	defer c.close(w)
	answer := w.Serve(0, orphan)
	if w.Unrecorded() {
		c.gap(c.as(i, id))
	}
	if why := w.Unable(); why != nil {
		c.cannot(UnableError{c.names[i], *why})
	}
	after := w.Store(node)
	out := outcome{answer: c.answer(answer), store: c.store(after), lost: answer.Failure != "", violates: violated(w)}
	for key, old := range c.stores[store].part.Stored {
		if j := slices.Index(c.names, old.Writer); j >= 0 && j != i && after.Stored[key] == nil {
			out.removes = max(out.removes, uint8(j+1))
		}
	}
	return out
}

// interact executes the command of client i on a value that client j wrote, with both in the world. It returns what client j
// becomes, and whether that is a violation.
func (c *components) interact(i int, idI uint32, orphan bool, j int, idJ uint32, store, ticks uint32) (after uint32, violates bool) {
	w := c.compose(c.time(ticks), c.on(int(c.clients[idI].place(orphan)), store), c.as(i, idI), c.as(j, idJ))
	defer c.close(w)
	w.Serve(0, orphan)
	return c.client(w.Clients()[1]), violated(w)
}

// replied returns client i with a reply on its way to it.
func (c *components) replied(i int, id, answer uint32) uint32 {
	return c.client(c.as(i, id).Answered(c.answers[answer]))
}

// receive lets client i run on with a reply.
func (c *components) receive(i int, id, answer, ticks uint32) (after uint32, violates bool) {
	w := c.compose(c.time(ticks), nil, c.as(i, id).Answered(c.answers[answer]))
	defer c.close(w)
	must(w, engine.Action{Verb: engine.VerbReceive, Client: c.names[i]})
	return c.client(w.Clients()[0]), violated(w)
}

// act does something to client i alone: a step out of the critical section, a crash, a resume, the passing of a tick.
func (c *components) act(i int, id, ticks uint32, a engine.Action) (after uint32, violates bool) {
	w := c.compose(c.time(ticks), nil, c.as(i, id))
	defer c.close(w)
	a.Client = c.names[i]
	must(w, a)
	return c.client(w.Clients()[0]), violated(w)
}

// forget returns client i without its oldest orphan, which has been delivered.
func (c *components) forget(i int, id, ticks uint32) uint32 {
	w := c.compose(c.time(ticks), nil, c.as(i, id))
	defer c.close(w)
	w.Serve(0, true)
	return c.client(w.Clients()[0])
}

// onStore does something to a Redis node alone.
func (c *components) onStore(store, ticks uint32, a engine.Action) uint32 {
	w := engine.Compose(c.header, c.time(ticks), []engine.Store{c.stores[store].part}, nil)
	defer c.close(w)
	must(w, a)
	return c.store(w.Store(0))
}

// must does the action of an effect. Only possible actions are chosen, so only a bound of the engine refuses one. Then the
// effect is undecided.
func must(w *engine.World, a engine.Action) {
	if err := w.Can(a); err != nil {
		panic("explore: " + a.String() + ": " + err.Error())
	}
	if _, err := w.Apply(a, engine.MaxActionWork); err != nil {
		panic(undecided{})
	}
}
