package explore

import (
	"math/bits"
	"slices"
	"strings"

	"lockstep/engine"
)

// Clients that differ only in their names can change places: their futures are
// the same with the names changed. Among all the states that arise from one
// another in this way the search keeps one, the canonical one. Its clients are
// in the order of their components without names. Where that leaves a choice,
// it is the state with the least numbers.
//
// Redis nodes cannot change places: a program visits them in their order, and a
// request to the second node is not one to the third.

// Symmetric reports whether the clients differ only in their names and their clocks. A text of the program that may be a
// client's name, or become one, distinguishes them: names have no order in a program, and no parts. A recording may show an
// order of names. The clients of a run are never alike.
func (q Question) Symmetric() bool {
	return q.From == nil && !q.Program.SeesOrder() && !slices.ContainsFunc(q.Program.Literals(), func(text string) bool { return strings.Contains(text, "C") })
}

// canonical replaces a state by the one that stands for all that are like it.
func (t *transitions) canonical(s *state) {
	if t.simple && t.sort(s) {
		return
	}
	n := len(t.names)
	var order [maxClients]uint8 // the client for each place
	for i := range n {
		order[i] = uint8(i)
	}
	for i := 1; i < n; i++ {
		for j := i; j > 0 && t.swapped(s, order[j-1], order[j]); j-- {
			order[j-1], order[j] = order[j], order[j-1]
		}
	}
	mentioned := t.mentioned(s)
	if mentioned == 0 || !t.tied(s, &order, mentioned) {
		t.rename(s, &order)
		return
	}
	best := state{ticks: ^uint32(0)}
	t.permute(s, &order, mentioned, 0, &best)
	*s = best
}

// sort is the fast path of canonical for components without names, clients that are all alike, and one store that names at most
// one of them. It reports whether it applies.
func (t *transitions) sort(s *state) bool {
	named := t.store(s.stores[0]).named
	if named&(named-1) != 0 {
		return false
	}
	ids := s.clients[:len(t.names)]
	who := bits.TrailingZeros32(named) // the client that the store names; 32: none
	at := who
	for i := 1; i < len(ids); i++ {
		for j := i; j > 0 && ids[j-1] < ids[j]; j-- {
			ids[j-1], ids[j] = ids[j], ids[j-1]
			switch at {
			case j:
				at = j - 1
			case j - 1:
				at = j
			}
		}
	}
	if named == 0 {
		return true
	}
	for at > 0 && ids[at-1] == ids[at] {
		at--
	}
	if at != who {
		code := uint64(0)
		for j := range ids {
			code |= uint64(j) << (4 * j)
		}
		change := uint64(who ^ at)
		code ^= change<<(4*who) | change<<(4*at) // the two change places
		s.stores[0] = t.renamed(effectRenameStore, code, s.stores[0], func() uint32 { return t.components.renameStore(s.stores[0], code) })
	}
	return true
}

// swapped reports whether two neighbours stand in the wrong order.
func (t *transitions) swapped(s *state, a, b uint8) bool {
	return t.variant[a] == t.variant[b] && t.class(s, a) < t.class(s, b)
}

// class returns a client's component without the name, or 0, the last, for a client that is not there.
func (t *transitions) class(s *state, i uint8) uint32 {
	id := s.clients[i]
	if id == 0 {
		return 0
	}
	return t.info(id).class
}

// mentioned returns the clients whose names are in what is stored or in another client, a bit each.
func (t *transitions) mentioned(s *state) uint32 {
	who := uint32(0)
	for n := range t.nodes {
		who |= t.store(s.stores[n]).named
	}
	if t.byName {
		for i := range t.names {
			if id := s.clients[i]; id != 0 {
				who |= t.info(id).named
			}
		}
	}
	return who
}

// tied reports whether two neighbours could change places and the state would show it.
func (t *transitions) tied(s *state, order *[maxClients]uint8, mentioned uint32) bool {
	for i := 1; i < len(t.names); i++ {
		a, b := order[i-1], order[i]
		if (mentioned>>a|mentioned>>b)&1 == 1 && t.variant[a] == t.variant[b] && t.class(s, a) == t.class(s, b) {
			return true
		}
	}
	return false
}

// permute tries every order of the tied clients. Those that nobody mentions stay in their order among themselves: it makes no
// difference.
func (t *transitions) permute(s *state, order *[maxClients]uint8, mentioned uint32, place int, best *state) {
	n := len(t.names)
	if place == n {
		t.spend(orderWork * int64(n))
		to := *s
		t.rename(&to, order)
		if less(&to, best) {
			*best = to
		}
		return
	}
	sorted := *order
	unmentioned := false
	for from := place; from < n; from++ {
		who := sorted[from]
		if t.variant[who] != t.variant[sorted[place]] || t.class(s, who) != t.class(s, sorted[place]) {
			break
		}
		if mentioned>>who&1 == 0 {
			if unmentioned {
				continue
			}
			unmentioned = true
		}
		next := sorted
		copy(next[place+1:from+1], sorted[place:from])
		next[place] = who
		t.permute(s, &next, mentioned, place+1, best)
	}
}

func less(a, b *state) bool {
	if b.ticks == ^uint32(0) {
		return true
	}
	if c := slices.Compare(a.clients[:], b.clients[:]); c != 0 {
		return c < 0
	}
	return slices.Compare(a.stores[:], b.stores[:]) < 0
}

// rename moves every client to its place in the order, under the name of that place.
func (t *transitions) rename(s *state, order *[maxClients]uint8) {
	moved, code := uint32(0), uint64(0)
	for to, from := range order[:len(t.names)] {
		code |= uint64(to) << (4 * from)
		if to != int(from) {
			moved |= 1 << from
		}
	}
	if moved == 0 {
		return
	}
	was := *s
	for to, from := range order[:len(t.names)] {
		id := was.clients[from]
		if t.byName && id != 0 {
			id = t.renamed(effectRename, code, id, func() uint32 { return t.components.rename(int(from), id, code) })
		}
		s.clients[to] = id
	}
	for n := range t.nodes {
		if store := s.stores[n]; t.store(store).named&moved != 0 {
			s.stores[n] = t.renamed(effectRenameStore, code, store, func() uint32 { return t.components.renameStore(store, code) })
		}
	}
}

// renamed returns a component under other names.
func (t *transitions) renamed(effect, code uint64, id uint32, rename func() uint32) uint32 {
	key := effect | code<<24 | uint64(id)
	value, ok := t.memo.get(key)
	if !ok {
		value = t.remember(key, func() uint64 { return uint64(rename()) })
	}
	return uint32(value)
}

// rename returns client i with the names moved as the code says: name j goes to place code>>4j&15.
func (c *components) rename(i int, id uint32, code uint64) uint32 {
	return c.client(c.clients[id].part.Renamed(c.names[code>>(4*i)&15], c.rewriter(code)))
}

func (c *components) renameStore(id uint32, code uint64) uint32 {
	return c.store(c.stores[id].part.Renamed(c.rewriter(code)))
}

func (c *components) rewriter(code uint64) func(string) string {
	var pairs []string
	for j, name := range c.names {
		pairs = append(pairs, name, c.names[code>>(4*j)&15])
	}
	return strings.NewReplacer(pairs...).Replace
}

// without returns a client's key without its own name, and who else is named in it.
func (c *components) without(p *engine.Client) (key string, others uint32) {
	var pairs []string
	text := c.key(p)
	for j, name := range c.names {
		if name == p.Name {
			pairs = append(pairs, name, "\x01")
			continue
		}
		pairs = append(pairs, name, "\x02")
		if strings.Contains(text, name) {
			others |= 1 << j
		}
	}
	return strings.NewReplacer(pairs...).Replace(text), others
}
