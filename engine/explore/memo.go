package explore

// A memo keeps the effects that one worker knows: numbers by numbers. The zero memo is empty. A key is never 0.
//
// It consists of tables that grow one at a time: little is there twice while a table moves into a larger one.
type memo [memoTables]memoTable

const (
	memoBits   = 4
	memoTables = 1 << memoBits
	entrySize  = 16 // bytes
)

type memoTable struct {
	slots []entry // a power of two
	used  int
}

type entry struct{ key, value uint64 }

func (m *memo) get(key uint64) (uint64, bool) {
	h := key * 0x9e3779b97f4a7c15
	p := &m[h>>(64-memoBits)]
	if len(p.slots) == 0 {
		return 0, false
	}
	mask := uint64(len(p.slots) - 1)
	for i := h >> 20; ; i++ {
		switch e := &p.slots[i&mask]; e.key {
		case key:
			return e.value, true
		case 0:
			return 0, false
		}
	}
}

// put adds a new key.
func (m *memo) put(by *meter, key, value uint64) {
	h := key * 0x9e3779b97f4a7c15
	p := &m[h>>(64-memoBits)]
	if 2*p.used >= len(p.slots) {
		p.grow(by)
	}
	p.place(h>>20, entry{key, value})
	p.used++
}

func (p *memoTable) grow(by *meter) {
	old := p.slots
	size := max(16, 2*len(old))
	by.hold(entrySize * int64(size))
	p.slots = make([]entry, size)
	for _, e := range old {
		if e.key != 0 {
			p.place(e.key*0x9e3779b97f4a7c15>>20, e)
		}
	}
	by.release(entrySize * int64(len(old)))
}

func (p *memoTable) place(at uint64, e entry) {
	mask := uint64(len(p.slots) - 1)
	for p.slots[at&mask].key != 0 {
		at++
	}
	p.slots[at&mask] = e
}
