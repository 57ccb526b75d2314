package engine

import "slices"

// A memory holds a world as it was before an action. Nobody writes through the pointers in its events, grants and
// stored values, and so the memory shares them.
type memory struct {
	World
	nodes   []node
	clients []Client
}

// remember keeps the world as it is. A copy without a log is discarded when an action fails, and needs no memory.
func (w *World) remember() *memory {
	if w.mute {
		return nil
	}
	m := &memory{World: *w, nodes: make([]node, len(w.nodes)), clients: make([]Client, len(w.clients))}
	m.storage, m.judge.open = w.storage.fork(), slices.Clone(w.judge.open)
	for i, n := range w.nodes {
		n.shared = true
		m.nodes[i] = *n
		m.nodes[i].server = nil
	}
	for i, c := range w.clients {
		m.clients[i] = *c
		m.clients[i].flight, m.clients[i].orphans = c.flight.fork(), forkAll(c.orphans) // a client's observations only ever grow
	}
	return m
}

// units returns the work of remember: there may be much in flight, and many locks under which somebody has written.
func (m *memory) units() int64 {
	if m == nil {
		return 0
	}
	units := 2*len(m.nodes) + 4*len(m.clients) + len(m.storage.last) + len(m.storage.sessions)
	for i := range m.clients {
		units += messageWork * len(m.clients[i].orphans)
	}
	return int64(units)
}

// restore resets the world to a memory. Its Redis nodes start again at their next command, from their stored values.
func (w *World) restore(m *memory) {
	if m == nil {
		w.meter.acting = false
		return
	}
	for i := range m.nodes {
		w.nodes[i].rest()
		*w.nodes[i] = m.nodes[i]
	}
	m.meter.effort = w.meter.effort
	*w = m.World
	for i := range m.clients {
		*w.clients[i] = m.clients[i]
	}
}
