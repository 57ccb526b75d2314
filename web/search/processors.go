package search

import (
	"runtime"
	"sync"

	"lockstep/engine/explore"
)

// oneProcessor returns the runtime of a search that leaves processors for a class: one worker, which yields its processor
// whenever it reports its progress.
func oneProcessor(progress func(explore.Figures) bool) explore.Runtime {
	return explore.Runtime{Progress: func(f explore.Figures) bool {
		runtime.Gosched()
		return progress(f)
	}}
}

// AllProcessors returns the runtime of a search that uses the whole machine. progress may be nil.
func AllProcessors(progress func(explore.Figures) bool) explore.Runtime {
	return explore.Runtime{Go: together, Workers: runtime.GOMAXPROCS(0), Progress: progress}
}

// together does n pieces of work at once. It panics if one of them panics, so the panic ends the caller's request and not
// the process.
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
