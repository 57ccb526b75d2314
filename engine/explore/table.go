package explore

import (
	"hash/maphash"
	"unsafe"
)

// A table keeps values by keys, in insertion order. It knows its memory to the byte, and grows without copying, except
// for four bytes a place: a map does neither. The zero table is empty.
type table[K comparable, V any] struct {
	list[pair[K, V]]
	places []uint32 // by the hash of a key: 1 + its index in the list; a power of two
}

type pair[K comparable, V any] struct {
	key   K
	value V
}

var seed = maphash.MakeSeed()

// get returns the value of a key, or nil. The value never moves.
func (t *table[K, V]) get(key K) *V {
	if len(t.places) == 0 {
		return nil
	}
	mask := uint64(len(t.places) - 1)
	for i := maphash.Comparable(seed, key); ; i++ {
		place := t.places[i&mask]
		if place == 0 {
			return nil
		}
		if p := t.at(int(place - 1)); p.key == key {
			return &p.value
		}
	}
}

// put adds a new key.
func (t *table[K, V]) put(m *meter, key K, value V) *V {
	if 4*(t.length+1) > 3*len(t.places) {
		was := int64(len(t.places))
		now := max(16, 2*was)
		m.hold(4 * now)
		t.places = make([]uint32, now)
		for i := range t.length {
			t.place(t.at(i).key, i)
		}
		m.release(4 * was)
	}
	t.add(m, pair[K, V]{key, value})
	t.place(key, t.length-1)
	return &t.at(t.length - 1).value
}

func (t *table[K, V]) place(key K, at int) {
	mask := uint64(len(t.places) - 1)
	i := maphash.Comparable(seed, key)
	for t.places[i&mask] != 0 {
		i++
	}
	t.places[i&mask] = uint32(at + 1)
}

// reset empties the table. A small one keeps its memory.
func (t *table[K, V]) reset(m *meter) {
	if t.length > chunkSize {
		m.release(4*int64(len(t.places)) + t.bytes())
		*t = table[K, V]{}
		return
	}
	clear(t.places)
	t.length = 0
}

// A list never moves its elements.
type list[E any] struct {
	chunks []*[chunkSize]E
	length int
}

const chunkSize = 256

func (l *list[E]) add(m *meter, e E) {
	if l.length == len(l.chunks)*chunkSize {
		m.hold(chunkBytes[E]())
		l.chunks = append(l.chunks, new([chunkSize]E))
	}
	l.chunks[l.length/chunkSize][l.length%chunkSize] = e
	l.length++
}

func (l *list[E]) at(i int) *E { return &l.chunks[i/chunkSize][i%chunkSize] }

// bytes returns how much memory the list has set aside.
func (l *list[E]) bytes() int64 { return int64(len(l.chunks)) * chunkBytes[E]() }

// chunkBytes returns the size of a chunk, with the pointer to it.
func chunkBytes[E any]() int64 {
	var e E
	return chunkSize*int64(unsafe.Sizeof(e)) + 16
}
