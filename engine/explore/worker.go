package explore

import (
	"unsafe"
)

// A worker expands states, one piece after another, and keeps those that it met
// first.
type worker[K packed] struct {
	*transitions
	search   *search[K]
	queue    list[K]
	before   list[K] // queue, as it was when this level began: others read it meanwhile
	ends     []int   // of each level, in queue
	piece    piece   // the piece in work
	slab     []K     // for each shard the states that wait for it
	filled   [shards]int
	batch    int // states that go to a shard at once
	fresh    []K
	findings []finding[K]
	to       state
}

const (
	leastBatch = 64   // states that go to a shard at once, where there are few
	mostBatch  = 4096 // the same where there are millions: then a shard stays near the processor
)

func newWorker[K packed](s *search[K]) *worker[K] {
	return &worker[K]{transitions: newTransitions(s.components), search: s, ends: []int{0}}
}

// begin visits the first state.
func (w *worker[K]) begin() {
	w.prepare()
	s := w.components.begin()
	w.visit(&s)
	w.flushAll()
}

// work takes pieces until there are none left. It leaves out states beyond the budget.
func (w *worker[K]) work() {
	w.within(func() {
		w.prepare()
		w.piece = piece{}
		for !decided(w.expandPieces) {
			w.search.undecided.Store(true)
			w.piece.from++
		}
		w.flushAll()
	})
	w.publish()
}

// expandPieces expands the states of its piece and then of further ones, until there are none left or it cannot decide
// one.
func (w *worker[K]) expandPieces() {
	s := w.search
	for {
		for ; w.piece.from < w.piece.to; w.piece.from++ {
			w.expand(s.workers[w.piece.worker].before.at(w.piece.from))
		}
		if w.piece.to > 0 && w.settle() != nil {
			panic(ending{})
		}
		i := int(s.next.Add(1)) - 1
		if i >= len(s.pieces) || s.outgrown.Load() {
			w.piece = piece{}
			return
		}
		w.piece = s.pieces[i]
	}
}

// prepare makes room for batches in a size that suits the number of states.
func (w *worker[K]) prepare() {
	batch := leastBatch
	for batch < mostBatch && batch < int(w.states.Load())>>11 {
		batch *= 2
	}
	if batch == w.batch {
		return
	}
	w.hold(batchBytes[K](batch))
	w.slab, w.fresh = make([]K, shards*batch), make([]K, 0, batch)
	w.release(batchBytes[K](w.batch))
	w.batch = batch
}

// discard drops the batches, and returns how many bytes they took.
func (w *worker[K]) discard() int64 {
	bytes := batchBytes[K](w.batch)
	w.slab, w.fresh, w.batch = nil, nil, 0
	return bytes
}

// batchBytes returns the size of batches.
func batchBytes[K packed](size int) int64 {
	var k K
	return int64((shards+1)*size) * int64(unsafe.Sizeof(k))
}

// expand finds the successors of a state.
func (w *worker[K]) expand(k *K) {
	var s state
	unpack(&w.search.layout, w.setup, k, &s)
	enabled := w.enabled(&s)
	w.tries += int64(len(enabled))
	for i := range enabled {
		m := &enabled[i]
		if m.violates {
			w.find(finding[K]{state: *k, byMove: true, rank: w.rank(&s)})
		}
		if w.Symmetry || m.kind == kindTick {
			w.successor(&w.to, &s, m)
			w.visit(&w.to)
			continue
		}
		to, fits := w.search.patched(*k, &s, m)
		w.offer(to, fits)
	}
}

// patched returns the successor of a packed state. It does what transitions.successor does, where most of the state stays as it
// is.
func (s *search[K]) patched(k K, from *state, m *transition) (to K, fits bool) {
	fits = true
	switch m.kind {
	case kindNodeCrash:
		set(&k, s.layout.faults, from.faults+1)
	case kindFailover:
		set(&k, s.layout.takes, from.takes+1)
	case kindNodeRestart:
	default:
		fits = set(&k, s.layout.clients[m.client], m.id)
	}
	switch m.kind {
	case kindCrash:
		set(&k, s.layout.crashes, from.crashes+1)
	case kindDrop:
		set(&k, s.layout.losses, from.losses+1)
	}
	if m.stores {
		fits = set(&k, s.layout.stores[m.node], m.store) && fits
	}
	if m.other > 0 {
		fits = set(&k, s.layout.clients[m.other-1], m.otherID) && fits
	}
	return k, fits
}

// visit hands a state to its shard.
func (w *worker[K]) visit(s *state) {
	if w.Symmetry {
		w.canonical(s)
	}
	w.offer(pack[K](&w.search.layout, w.setup, s))
}

func (w *worker[K]) offer(k K, fits bool) {
	if !fits {
		w.search.outgrown.Store(true)
		return
	}
	shard := w.search.visited.shard(k)
	w.slab[shard*w.batch+w.filled[shard]] = k
	if w.filled[shard]++; w.filled[shard] == w.batch {
		w.flush(shard)
	}
}

func (w *worker[K]) flushAll() {
	for i := range w.filled {
		if w.filled[i] > 0 {
			w.flush(i)
		}
	}
}

// flush puts a batch into its shard. It keeps and judges the new states.
func (w *worker[K]) flush(i int) {
	batch := w.slab[i*w.batch : i*w.batch+w.filled[i]]
	w.filled[i] = 0
	fresh, grown := w.search.visited.add(i, batch, w.fresh[:0])
	w.fresh = fresh
	w.states.Add(int64(len(fresh)))
	w.spend(newWork * int64(len(fresh)))
	w.search.tables.Add(grown)
	w.hold(grown)
	for i := range fresh {
		w.queue.add(&w.meter, fresh[i])
		w.judge(&fresh[i])
	}
}

func (w *worker[K]) judge(k *K) {
	inside, failed := 0, false
	for i := range w.names {
		if id := get(k, w.search.layout.clients[i]); id != 0 {
			switch p := w.info(id); {
			case p.inside:
				inside++
			case p.failed:
				failed = true
			}
		}
	}
	failed = failed && w.From == nil // from a run, a failed client is simply gone
	if !failed && (inside < w.property.Inside || !w.lasting) {
		return
	}
	var s state
	unpack(&w.search.layout, w.setup, k, &s)
	violated := failed
	if !failed && !decided(func() { violated = w.violated(&s) }) {
		w.search.undecided.Store(true)
	}
	if violated {
		w.find(finding[K]{state: *k, failed: failed, rank: w.rank(&s)})
	}
}

// find keeps some findings of one level.
func (w *worker[K]) find(f finding[K]) {
	if f.depth = w.search.expanding; !f.byMove {
		f.depth++
	}
	if w.findings = append(w.findings, f); len(w.findings) >= 2*maxFindings {
		w.findings = least(w.findings)
	}
}

// rank orders states by how much there is to tell about them, and then by their
// meaning, independent of the order of the search.
func (t *transitions) rank(s *state) uint64 {
	there := uint64(0)
	h := mix(uint64(s.ticks)<<48 | uint64(s.takes)<<44 | uint64(s.losses)<<40 | uint64(s.crashes)<<32 | uint64(s.delays)<<16 | uint64(s.moves)<<4 | uint64(s.faults))
	for i := range t.names {
		id := s.clients[i]
		h = mix(h ^ t.clientHash(id) + uint64(i))
		if id == 0 {
			continue
		}
		if there += 2; t.info(id).orphan != 0 {
			there += 4
		}
	}
	for n := range t.nodes {
		h = mix(h ^ t.store(s.stores[n]).hash + uint64(n))
	}
	return there<<56 | h>>8
}

func (t *transitions) clientHash(id uint32) uint64 {
	if id == 0 {
		return 0
	}
	return t.client(id).hash
}
