package explore

import (
	"unsafe"
)

// A worker looks at states, one piece after another, and keeps those that it met first.
type worker[K packed] struct {
	*learner
	search  *search[K]
	first   bool // it tells how far the search is
	met     list[K]
	before  list[K] // met, as it was when this level began: others read it meanwhile
	ends    []int   // of each level, in met
	batches [shards][]K
	fresh   []K
	finds   []find[K]
	to      state
	batch   int // states that go to a shard at once
	moved   int64
	own     int64 // bytes, as the search counts them
}

const (
	leastBatch = 64   // states that go to a shard at once, where there are few
	mostBatch  = 4096 // and where there are millions: then a shard stays near the processor
)

func newWorker[K packed](s *search[K]) *worker[K] {
	return &worker[K]{learner: newLearner(s.catalog), search: s, first: len(s.workers) == 0, ends: []int{0}, batch: leastBatch}
}

// begin meets the first state.
func (w *worker[K]) begin() {
	s := w.search.catalog.begin()
	w.meet(&s)
	w.flushAll()
}

// work takes pieces until there are none left.
func (w *worker[K]) work() {
	s := w.search
	w.batch = min(mostBatch, max(leastBatch, int(s.states.Load())>>11))
	for s.ended.Load() == nil && !s.outgrown.Load() {
		i := int(s.next.Add(1)) - 1
		if i >= len(s.pieces) {
			break
		}
		p := s.pieces[i]
		for at := p.from; at < p.to; at++ {
			w.expand(s.workers[p.worker].before.at(at))
		}
		s.moves.Add(w.moved)
		w.moved = 0
		bytes := w.bytes()
		s.memory.Add(bytes - w.own)
		w.own = bytes
		s.check(w.first)
	}
	if s.ended.Load() == nil { // what is beyond a budget is not looked at
		w.flushAll()
	}
}

// bytes is what the worker has set aside.
func (w *worker[K]) bytes() int64 {
	var k K
	states := len(w.met.chunks)*chunkSize + cap(w.fresh)
	for i := range w.batches {
		states += cap(w.batches[i])
	}
	return w.memo.bytes() + w.requests.bytes() + int64(states)*int64(unsafe.Sizeof(k))
}

// expand finds the states that come after one.
func (w *worker[K]) expand(k *K) {
	var s state
	unpack(&w.search.layout, w.setup, k, &s)
	moves := w.possible(&s)
	w.moved += int64(len(moves))
	for i := range moves {
		m := &moves[i]
		if m.violates {
			w.find(find[K]{state: *k, byMove: true, rank: w.rank(&s)})
		}
		if w.Symmetry || m.deed == ticks {
			w.after(&w.to, &s, m)
			w.meet(&w.to)
			continue
		}
		to, fits := w.search.patched(*k, &s, m)
		w.offer(to, fits)
	}
}

// patched is what a move makes of a packed state. It does what learner.after does,
// where most of the state stays as it is.
func (s *search[K]) patched(k K, from *state, m *move) (to K, fits bool) {
	fits = true
	switch m.deed {
	case crashesNode:
		set(&k, s.layout.faults, from.faults+1)
	case restartsNode:
	default:
		fits = set(&k, s.layout.clients[m.client], m.id)
	}
	if m.deed == crashes {
		set(&k, s.layout.crashes, from.crashes+1)
	}
	if m.stores {
		fits = set(&k, s.layout.stores[m.node], m.store) && fits
	}
	if m.other > 0 {
		fits = set(&k, s.layout.clients[m.other-1], m.otherID) && fits
	}
	return k, fits
}

// meet puts a state before its shard.
func (w *worker[K]) meet(s *state) {
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
	w.batches[shard] = append(w.batches[shard], k)
	if len(w.batches[shard]) >= w.batch {
		w.flush(shard)
	}
}

func (w *worker[K]) flushAll() {
	for i := range w.batches {
		if len(w.batches[i]) > 0 {
			w.flush(i)
		}
	}
}

// flush puts a batch into its shard. What is new is kept and judged.
func (w *worker[K]) flush(i int) {
	fresh, grown := w.search.visited.add(i, w.batches[i], w.fresh[:0])
	w.fresh = fresh
	w.batches[i] = w.batches[i][:0]
	for i := range w.fresh {
		w.met.add(w.fresh[i])
		w.judge(&w.fresh[i])
	}
	w.search.states.Add(int64(len(w.fresh)))
	w.search.memory.Add(grown)
}

func (w *worker[K]) judge(k *K) {
	inside, failed := 0, false
	for i := range w.names {
		if id := get(k, w.search.layout.clients[i]); id != 0 {
			switch p := w.does(id); {
			case p.inside:
				inside++
			case p.failed:
				failed = true
			}
		}
	}
	failed = failed && w.From == nil // from a run, who has failed is simply gone
	if !failed && (inside < w.property.Inside || !w.lasting) {
		return
	}
	var s state
	unpack(&w.search.layout, w.setup, k, &s)
	if failed || w.violated(&s) {
		w.find(find[K]{state: *k, failed: failed, rank: w.rank(&s)})
	}
}

// find keeps some of what is found on one level.
func (w *worker[K]) find(f find[K]) {
	if f.depth = w.search.looking; !f.byMove {
		f.depth++
	}
	if w.finds = append(w.finds, f); len(w.finds) >= 2*mostFinds {
		w.finds = least(w.finds)
	}
}

// rank orders states by how much there is to tell of them, and then by what they
// mean, not by how they were met.
func (l *learner) rank(s *state) uint64 {
	there := uint64(0)
	h := mix(uint64(s.ticks)<<48 | uint64(s.crashes)<<32 | uint64(s.delays)<<16 | uint64(s.faults))
	for i := range l.names {
		id := s.clients[i]
		h = mix(h ^ l.clientHash(id) + uint64(i))
		if id == 0 {
			continue
		}
		if there += 2; l.does(id).orphan != 0 {
			there += 4
		}
	}
	for n := range l.nodes {
		h = mix(h ^ l.store(s.stores[n]).hash + uint64(n))
	}
	return there<<56 | h>>8
}

func (l *learner) clientHash(id uint32) uint64 {
	if id == 0 {
		return 0
	}
	return l.client(id).hash
}

// A list never moves what is in it.
type list[K packed] struct {
	chunks []*[chunkSize]K
	length int
}

const chunkSize = 4096

func (l *list[K]) add(k K) {
	if l.length == len(l.chunks)*chunkSize {
		l.chunks = append(l.chunks, new([chunkSize]K))
	}
	l.chunks[l.length/chunkSize][l.length%chunkSize] = k
	l.length++
}

func (l *list[K]) at(i int) *K { return &l.chunks[i/chunkSize][i%chunkSize] }
