package explore

// A memo is one worker's memory of what it has learned: numbers by numbers. The
// zero memo is empty. A key is never 0.
type memo struct {
	slots []entry // a power of two
	used  int
}

type entry struct{ key, value uint64 }

func (m *memo) get(key uint64) (uint64, bool) {
	if len(m.slots) == 0 {
		return 0, false
	}
	mask := uint64(len(m.slots) - 1)
	for i := key * 0x9e3779b97f4a7c15 >> 20; ; i++ {
		switch e := &m.slots[i&mask]; e.key {
		case key:
			return e.value, true
		case 0:
			return 0, false
		}
	}
}

func (m *memo) put(key, value uint64) {
	if 2*m.used >= len(m.slots) {
		old := m.slots
		m.slots, m.used = make([]entry, max(256, 2*len(old))), 0
		for _, e := range old {
			if e.key != 0 {
				m.put(e.key, e.value)
			}
		}
	}
	mask := uint64(len(m.slots) - 1)
	for i := key * 0x9e3779b97f4a7c15 >> 20; ; i++ {
		if e := &m.slots[i&mask]; e.key == 0 {
			*e = entry{key, value}
			m.used++
			return
		}
	}
}

func (m *memo) bytes() int64 { return 16 * int64(len(m.slots)) }
