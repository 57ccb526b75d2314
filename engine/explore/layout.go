package explore

import "math/bits"

// maxClients and maxNodes bound a state.
const (
	maxClients = 16
	maxNodes   = 10
)

// A state is one moment of the world: numbers of components, and the used part
// of the bounds.
type state struct {
	clients [maxClients]uint32
	stores  [maxNodes]uint32
	ticks   uint32 // the time that has passed, in units of Tick
	moves   uint32 // ticks that have passed, where they have several lengths
	crashes uint32
	delays  uint32 // ticks that have passed while a request was in flight
	faults  uint32 // crashes of Redis nodes
	losses  uint32 // messages that are lost
	takes   uint32 // failovers
}

// A packed state is as many words as its numbers need. It is never all zero,
// because no store is number 0.
type packed interface {
	~[1]uint64 | ~[2]uint64 | ~[4]uint64
}

// A field is the place of a number in a packed state. No field crosses a word
// boundary.
type field struct {
	word  uint8
	shift uint8
	mask  uint32
}

// A layout holds the places of all numbers.
type layout struct {
	clients [maxClients]field
	stores  [maxNodes]field
	ticks   field
	moves   field
	crashes field
	delays  field
	faults  field
	losses  field
	takes   field
	words   int
	bits    int // of all fields together
}

// arrange returns a layout with room for that many components of each kind, and
// as much more as fits into the narrowest table. It returns false where not
// even four words are enough.
func arrange(s *setup, clients, stores int) (layout, bool) {
	for _, size := range []struct{ words, bits int }{{1, narrowBits}, {1, 64}, {2, 64}, {4, 64}} {
		best, ok := layout{}, false
		for extra := 0; ; extra++ { // as wide as possible: numbers then seldom outgrow it
			forClients, forStores := min(clientBits, width(clients)+extra), min(lowBits, width(stores)+extra)
			l, fits := fit(s, size.words, size.bits, forClients, forStores)
			if !fits {
				break
			}
			if best, ok = l, true; forClients == clientBits && forStores == lowBits {
				break
			}
		}
		if ok {
			return best, true
		}
	}
	return layout{}, false
}

func width(most int) int { return bits.Len(uint(most)) }

// fit puts every field into the first word that has room.
func fit(s *setup, words, most, forClients, forStores int) (layout, bool) {
	l := layout{words: words}
	var used [4]int
	put := func(f *field, width int) bool {
		for word := range words {
			if used[word]+width <= most {
				*f = field{uint8(word), uint8(used[word] & 63), uint32(1)<<width - 1}
				used[word] += width
				l.bits += width
				return true
			}
		}
		return false
	}
	for i := range s.names {
		if !put(&l.clients[i], forClients) {
			return l, false
		}
	}
	for i := range s.nodes {
		if !put(&l.stores[i], forStores) {
			return l, false
		}
	}
	fits := put(&l.ticks, width(s.furthest())) && put(&l.moves, width(s.mostMoves())) && put(&l.crashes, width(s.Crashes)) && put(&l.delays, width(max(0, s.Delays))) && put(&l.faults, width(s.NodeCrashes)) && put(&l.losses, width(s.Losses)) && put(&l.takes, width(s.Failovers))
	return l, fits
}

func get[K packed](k *K, f field) uint32 { return uint32((*k)[f.word]>>f.shift) & f.mask }

// set overwrites a field, and reports whether the number fits.
func set[K packed](k *K, f field, n uint32) bool {
	(*k)[f.word] = (*k)[f.word]&^(uint64(f.mask)<<f.shift) | uint64(n&f.mask)<<f.shift
	return n <= f.mask
}

func pack[K packed](l *layout, s *setup, from *state) (k K, fits bool) {
	fits = set(&k, l.ticks, from.ticks) && set(&k, l.moves, from.moves) && set(&k, l.crashes, from.crashes) && set(&k, l.delays, from.delays) && set(&k, l.faults, from.faults) && set(&k, l.losses, from.losses) && set(&k, l.takes, from.takes)
	for i := range s.names {
		fits = set(&k, l.clients[i], from.clients[i]) && fits
	}
	for i := range s.nodes {
		fits = set(&k, l.stores[i], from.stores[i]) && fits
	}
	return k, fits
}

func unpack[K packed](l *layout, s *setup, k *K, to *state) {
	to.ticks, to.moves, to.crashes, to.delays = get(k, l.ticks), get(k, l.moves), get(k, l.crashes), get(k, l.delays)
	to.faults, to.losses, to.takes = get(k, l.faults), get(k, l.losses), get(k, l.takes)
	for i := range s.names {
		to.clients[i] = get(k, l.clients[i])
	}
	for i := range s.nodes {
		to.stores[i] = get(k, l.stores[i])
	}
}

// digestOf returns a number in which every bit depends on every bit of a packed
// state.
func digestOf[K packed](k *K) uint64 {
	h := mix((*k)[0])
	for i := 1; i < len(*k); i++ {
		h = mix(h ^ (*k)[i] + 0x9e3779b97f4a7c15)
	}
	return h
}
