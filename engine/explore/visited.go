package explore

import "sync"

// The states that have been met, by extendible hashing: blocks of a fixed size,
// and directories that say by the next bits of a state's digest which block it is
// in. A block that is full is split in two. So nothing is ever copied into
// something larger: what is set aside is used, and no garbage is left.
type visited[K packed] [shards]shard[K]

const (
	shardBits = 8
	shards    = 1 << shardBits
	blockBits = 8
	blockSize = 1 << blockBits        // states of one block
	blockFull = blockSize / 8 * 7     // states at which it is split
	firstBit  = shardBits + blockBits // of a digest: the first one a directory reads
)

// A shard is used by one worker at a time.
type shard[K packed] struct {
	sync.Mutex
	depth     uint8    // the directory has 1<<depth entries
	directory []uint32 // the block of each
	blocks    []*[blockSize]K
	fill      []fill // of each block
	spare     *[blockSize]K
	touched   uint64 // of no meaning
}

type fill struct {
	used  uint16
	depth uint8 // the bits of a digest that all states of the block share
}

func shardOf(digest uint64) int { return int(digest & (shards - 1)) }

// add reports whether the state is new.
func (s *shard[K]) add(k K, digest uint64) bool {
	if s.directory == nil {
		s.directory, s.blocks, s.fill, s.spare = make([]uint32, 1), []*[blockSize]K{new([blockSize]K)}, make([]fill, 1), new([blockSize]K)
	}
	block := s.directory[digest>>firstBit&(1<<s.depth-1)]
	if !place(s.blocks[block], k, digest) {
		return false
	}
	if s.fill[block].used++; s.fill[block].used == blockFull {
		s.split(block, digest)
	}
	return true
}

// touch has the place of a state fetched, so that a batch waits for memory once
// and not for each of its states.
func (s *shard[K]) touch(digest uint64) {
	if s.directory != nil {
		s.touched ^= s.blocks[s.directory[digest>>firstBit&(1<<s.depth-1)]][digest>>shardBits&(blockSize-1)][0]
	}
}

// place puts a state into the first free place from where its digest points,
// unless it is there.
func place[K packed](block *[blockSize]K, k K, digest uint64) bool {
	var free K
	for i := digest >> shardBits; ; i++ {
		switch at := &block[i&(blockSize-1)]; *at {
		case k:
			return false
		case free:
			*at = k
			return true
		}
	}
}

// split makes two blocks of one by the next bit of the digests.
func (s *shard[K]) split(block uint32, digest uint64) {
	depth := s.fill[block].depth
	if depth == s.depth {
		s.directory = append(s.directory, s.directory...)
		s.depth++
	}
	sibling := uint32(len(s.blocks))
	s.blocks = append(s.blocks, new([blockSize]K))
	shared := digest >> firstBit & (1<<depth - 1)
	for i := shared | 1<<depth; i < 1<<s.depth; i += 1 << (depth + 1) {
		s.directory[i] = sibling
	}
	*s.spare = *s.blocks[block]
	clear(s.blocks[block][:])
	s.fill[block] = fill{depth: depth + 1}
	s.fill = append(s.fill, fill{depth: depth + 1})
	var free K
	for i := range s.spare {
		k := s.spare[i]
		if k == free {
			continue
		}
		to, d := block, digestOf(&k)
		if d>>firstBit>>depth&1 == 1 {
			to = sibling
		}
		place(s.blocks[to], k, d)
		s.fill[to].used++
	}
	if s.fill[block].used == blockFull || s.fill[sibling].used == blockFull { // all went one way
		if s.fill[sibling].used == blockFull {
			block = sibling
		}
		s.split(block, digest)
	}
}
