package explore

import (
	"math"
	"sync"
	"unsafe"
)

// visited keeps the visited states by extendible hashing: blocks have a fixed
// size, and directories select a state's block by some bits of its digest. A
// full block splits in two. Nothing is ever copied into something larger, and
// all the memory is in use.
//
// States go to one of the shards in batches, and one worker at a time uses a
// shard. A batch finds its shard near the processor, and waits for memory once
// for many states.
type visited[K packed] interface {
	// shard returns the shard of a state.
	shard(k K) int

	// add puts states into their shard, appends the new ones to fresh, and
	// returns by how many bytes the shard has grown.
	add(shard int, states, fresh []K) ([]K, int64)
}

const (
	shardBits = 8
	shards    = 1 << shardBits
	blockBits = 9
	blockSize = 1 << blockBits    // states of one block
	blockFull = blockSize / 8 * 7 // states at which it splits
	touchSize = 64                // states whose places are fetched at once
)

func newVisited[K packed](l *layout) visited[K] {
	if l.bits <= narrowBits {
		if v, ok := any(&narrow{bits: l.bits}).(visited[K]); ok {
			return v
		}
	}
	return new(wide[K])
}

// wide keeps states as they are.
type wide[K packed] [shards]shard[K]

// shares gives the shards uneven shares of the states, the last twice that of
// the first. The blocks of even shards would all split at the same time and
// leave half of the memory empty.
var shares = func() (shares [1 << shareBits]uint8) {
	for i := range shares {
		shares[i] = uint8(shards * math.Log2(1+float64(i)/float64(len(shares))))
	}
	return shares
}()

const shareBits = 12

func (v *wide[K]) shard(k K) int { return int(shares[digestOf(&k)&(1<<shareBits-1)]) }

func (v *wide[K]) add(shard int, states, fresh []K) ([]K, int64) {
	spot := func(k *K) uint64 { return digestOf(k) >> shareBits }
	s := &v[shard]
	s.Lock()
	defer s.Unlock()
	before := s.bytes()
	for len(states) > 0 {
		some := states[:min(len(states), touchSize)]
		states = states[len(some):]
		for i := range some {
			s.touch(spot(&some[i]))
		}
		for i := range some {
			if s.add(some[i], spot(&some[i]), spot) {
				fresh = append(fresh, some[i])
			}
		}
	}
	return fresh, s.bytes() - before
}

// narrow keeps half of each state, where states have few bits. Their digest is
// one to one, and a state's shard gives the rest of it.
type narrow struct {
	shards [shards]shard[uint32]
	bits   int
}

// narrowBits is the most bits that a state in a narrow table has: those for a
// shard and for an entry, which is never 0.
const narrowBits = shardBits + 31

func (v *narrow) shard(k [1]uint64) int { return int(scramble(k[0], v.bits) & (shards - 1)) }

func (v *narrow) add(shard int, states, fresh [][1]uint64) ([][1]uint64, int64) {
	spot := func(e *uint32) uint64 { return uint64(*e - 1) }
	s := &v.shards[shard]
	s.Lock()
	defer s.Unlock()
	before := s.bytes()
	var entries [touchSize]uint32
	for len(states) > 0 {
		some := states[:min(len(states), touchSize)]
		states = states[len(some):]
		for i := range some {
			e := uint32(scramble(some[i][0], v.bits)>>shardBits) + 1
			entries[i] = e
			s.touch(uint64(e - 1))
		}
		for i := range some {
			if s.add(entries[i], uint64(entries[i]-1), spot) {
				fresh = append(fresh, some[i])
			}
		}
	}
	return fresh, s.bytes() - before
}

// scramble maps a number with that many bits to another, one to one. Every bit
// depends on every other, and each step can be undone.
func scramble(x uint64, bits int) uint64 {
	mask, half := uint64(1)<<bits-1, bits/2+1
	x ^= x >> half
	x = x * 0xff51afd7ed558ccd & mask
	x ^= x >> half
	x = x * 0xc4ceb9fe1a85ec53 & mask
	return x ^ x>>half
}

// A shard is a part of a table. It finds an entry by its spot, a number: the
// first bits give the place in a block, and the next ones the block.
type shard[E comparable] struct {
	sync.Mutex
	depth     uint8    // the directory has 1<<depth entries
	directory []uint32 // the block for each
	blocks    []*[blockSize]E
	fill      []fill // for each block
	touched   E      // value without meaning
}

type fill struct {
	used  uint16
	depth uint8 // the bits of a spot that all entries of the block share
}

// touch fetches the place of an entry into the processor's cache.
func (s *shard[E]) touch(spot uint64) {
	if s.directory != nil {
		s.touched = s.blocks[s.directory[spot>>blockBits&(1<<s.depth-1)]][spot&(blockSize-1)]
	}
}

// add reports whether an entry is new.
func (s *shard[E]) add(e E, spot uint64, spotOf func(*E) uint64) bool {
	if s.directory == nil {
		s.directory, s.blocks, s.fill = make([]uint32, 1), []*[blockSize]E{new([blockSize]E)}, make([]fill, 1)
	}
	block := s.directory[spot>>blockBits&(1<<s.depth-1)]
	if !place(s.blocks[block], e, spot) {
		return false
	}
	if s.fill[block].used++; s.fill[block].used == blockFull {
		s.split(block, spot, spotOf)
	}
	return true
}

// place puts an entry into the first free place from its spot on, unless it is there.
func place[E comparable](block *[blockSize]E, e E, spot uint64) bool {
	var free E
	for i := spot; ; i++ {
		switch at := &block[i&(blockSize-1)]; *at {
		case e:
			return false
		case free:
			*at = e
			return true
		}
	}
}

// split divides a block in two by the next bit of the spots.
func (s *shard[E]) split(block uint32, spot uint64, spotOf func(*E) uint64) {
	depth := s.fill[block].depth
	if depth == s.depth {
		s.directory = append(s.directory, s.directory...)
		s.depth++
	}
	sibling := uint32(len(s.blocks))
	s.blocks = append(s.blocks, new([blockSize]E))
	shared := spot >> blockBits & (1<<depth - 1)
	for i := shared | 1<<depth; i < 1<<s.depth; i += 1 << (depth + 1) {
		s.directory[i] = sibling
	}
	old := *s.blocks[block]
	clear(s.blocks[block][:])
	s.fill[block] = fill{depth: depth + 1}
	s.fill = append(s.fill, fill{depth: depth + 1})
	var free E
	for i := range old {
		if old[i] == free {
			continue
		}
		to, at := block, spotOf(&old[i])
		if at>>blockBits>>depth&1 == 1 {
			to = sibling
		}
		place(s.blocks[to], old[i], at)
		s.fill[to].used++
	}
	for _, to := range []uint32{block, sibling} {
		if s.fill[to].used == blockFull { // all went to one block
			s.split(to, spot, spotOf)
		}
	}
}

// bytes returns how much memory the shard has set aside.
func (s *shard[E]) bytes() int64 {
	var e E
	return int64(len(s.blocks))*blockSize*int64(unsafe.Sizeof(e)) + 8*int64(cap(s.blocks)) + 4*int64(cap(s.directory)) + 4*int64(cap(s.fill))
}
