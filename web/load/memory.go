package main

import (
	"fmt"
	"time"
)

const (
	viewerMemory = 16 << 10 // bytes
	roomMemory   = 1 << 10  // bytes; near enough to zero
)

// fewAtOnce is how many people arrive at once where the arrival is not measured.
const fewAtOnce = 20

// memories measures the memory of idle viewers and of empty rooms: heap and goroutine
// stacks after a garbage collection. Beside it stands the growth of the process, which
// includes uncollected garbage and leaves out the kernel's buffers.
func memories(c class) ([]row, error) {
	s, err := c.serve()
	if err != nil {
		return nil, err
	}
	defer s.kill()
	r, err := s.opens(begins...)
	if err != nil {
		return nil, err
	}
	defer r.end()
	if err := r.fills(10, "page", nil); err != nil { // the first ones allocate what all share
		return nil, err
	}
	viewers, err := s.spends(fmt.Sprintf("an idle viewer, of %d", c.viewers), c.viewers, viewerMemory, func() error {
		for come := 0; come < c.viewers; come += fewAtOnce {
			if err := r.fills(min(fewAtOnce, c.viewers-come), "page", nil); err != nil {
				return err
			}
		}
		return nil
	})
	r.end()
	s.kill()
	if err != nil {
		return nil, err
	}
	rooms, err := c.emptyRooms()
	return []row{viewers, rooms}, err
}

// emptyRooms measures rooms whose presenter opened them, saw the page and left.
func (c class) emptyRooms() (row, error) {
	s, err := c.serve()
	if err != nil {
		return row{}, err
	}
	defer s.kill()
	visit := func(n int) error {
		for i := range n {
			presenter := newVisitor(s.url(), i)
			_, run, err := presenter.opens(begins...)
			if err == nil {
				_, _, err = presenter.get(run)
			}
			presenter.leaves()
			if err != nil {
				return err
			}
		}
		return nil
	}
	if err := visit(100); err != nil { // the runs that were looked at last stay in memory, a bounded number of them
		return row{}, err
	}
	return s.spends(fmt.Sprintf("an idle room, of %d", c.idle), c.idle, roomMemory, func() error { return visit(c.idle) })
}

// memory is what a server uses, in bytes.
type memory struct {
	heap, stacks float64 // what is in them
	process      float64
}

func (m memory) used() float64 { return m.heap + m.stacks }

// memory polls until the garbage was collected twice, which the polling itself
// causes, and returns the smallest figure.
func (s *server) memory() (least memory, err error) {
	time.Sleep(time.Second) // what waits a moment, as the rooms' messages do, is over
	collected := 0.0
	for began := time.Now(); time.Since(began) < patience; {
		m, err := s.metrics()
		if err != nil {
			return least, err
		}
		now := memory{m["go_memstats_heap_alloc_bytes"], m["go_memstats_stack_inuse_bytes"], m["process_resident_memory_bytes"]}
		switch cycles := m["go_gc_duration_seconds_count"]; {
		case collected == 0:
			collected = cycles
		case cycles >= collected+4:
			return least, nil
		}
		if least == (memory{}) || now.used() < least.used() {
			least = now
		}
	}
	return least, fmt.Errorf("no garbage was collected for %s", patience)
}

// spends measures how much more memory a server needs for each of n, which do brings.
func (s *server) spends(what string, n int, bound float64, do func() error) (r row, err error) {
	before, err := s.memory()
	if err != nil {
		return r, err
	}
	if err := do(); err != nil {
		return r, err
	}
	after, err := s.memory()
	each := func(before, after float64) float64 { return (after - before) / float64(n) / 1024 }
	used := each(before.used(), after.used())
	return row{
		what: what, target: fmt.Sprintf("< %.0f KB", bound/1024), misses: used >= bound/1024,
		figure: fmt.Sprintf("%.1f KB (heap %.1f, stacks %.1f); the process %.1f KB, %.1f MB in all", used,
			each(before.heap, after.heap), each(before.stacks, after.stacks), each(before.process, after.process), after.process/(1<<20)),
	}, err
}
