package testtools

import "runtime"

// Allocated returns how many bytes some work takes from memory. The work runs three times, and the least counts: what another
// goroutine takes meanwhile, what is made once, and what a collection has emptied from a pool are not the work's own.
func Allocated(work func()) uint64 {
	least := ^uint64(0)
	for range 3 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		work()
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return least
}
