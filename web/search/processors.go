package search

import (
	"runtime"
	"sync"

	"lockstep/engine/explore"
)

// oneProcessor is the runtime of a search beside which a class goes on: one worker, which lets others use its processor
// whenever it reports its progress.
func oneProcessor(progress func(explore.Figures) bool) explore.Runtime {
	return explore.Runtime{Progress: func(f explore.Figures) bool {
		runtime.Gosched()
		return progress(f)
	}}
}

// AllProcessors is the runtime of a search that has the machine to itself; progress may be nil.
func AllProcessors(progress func(explore.Figures) bool) explore.Runtime {
	return explore.Runtime{Go: together, Workers: runtime.GOMAXPROCS(0), Progress: progress}
}

// together does pieces of work at once. A panic in one of them becomes the caller's: it ends the request, not the
// process.
func together(n int, work func(i int)) {
	var (
		all    sync.WaitGroup
		once   sync.Once
		reason any
	)
	for i := range n {
		all.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					once.Do(func() { reason = r })
				}
			}()
			work(i)
		})
	}
	all.Wait()
	if reason != nil {
		panic(reason)
	}
}
