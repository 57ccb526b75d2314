package metrics

import (
	"bytes"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// runtimeNumbers are sums of what the Go runtime measures, under the names by which Prometheus' own client knows them.
var runtimeNumbers = []struct {
	kind       Kind
	name, help string
	sources    []string
}{
	{Gauge, "go_gc_gogc_percent", "Heap size target percentage configured by the user, otherwise 100. This value is set by the GOGC environment variable, and the runtime/debug.SetGCPercent function. Sourced from /gc/gogc:percent.", []string{"/gc/gogc:percent"}},
	{Gauge, "go_gc_gomemlimit_bytes", "Go runtime memory limit configured by the user, otherwise math.MaxInt64. This value is set by the GOMEMLIMIT environment variable, and the runtime/debug.SetMemoryLimit function. Sourced from /gc/gomemlimit:bytes.", []string{"/gc/gomemlimit:bytes"}},
	{Gauge, "go_goroutines", "Number of goroutines that currently exist.", []string{"/sched/goroutines:goroutines"}},
	{Gauge, "go_memstats_alloc_bytes", "Number of bytes allocated in heap and currently in use. Equals to /memory/classes/heap/objects:bytes.", []string{"/memory/classes/heap/objects:bytes"}},
	{Counter, "go_memstats_alloc_bytes_total", "Total number of bytes allocated in heap until now, even if released already. Equals to /gc/heap/allocs:bytes.", []string{"/gc/heap/allocs:bytes"}},
	{Gauge, "go_memstats_buck_hash_sys_bytes", "Number of bytes used by the profiling bucket hash table. Equals to /memory/classes/profiling/buckets:bytes.", []string{"/memory/classes/profiling/buckets:bytes"}},
	{Counter, "go_memstats_frees_total", "Total number of heap objects frees. Equals to /gc/heap/frees:objects + /gc/heap/tiny/allocs:objects.", []string{"/gc/heap/frees:objects", "/gc/heap/tiny/allocs:objects"}},
	{Gauge, "go_memstats_gc_sys_bytes", "Number of bytes used for garbage collection system metadata. Equals to /memory/classes/metadata/other:bytes.", []string{"/memory/classes/metadata/other:bytes"}},
	{Gauge, "go_memstats_heap_alloc_bytes", "Number of heap bytes allocated and currently in use, same as go_memstats_alloc_bytes. Equals to /memory/classes/heap/objects:bytes.", []string{"/memory/classes/heap/objects:bytes"}},
	{Gauge, "go_memstats_heap_idle_bytes", "Number of heap bytes waiting to be used. Equals to /memory/classes/heap/released:bytes + /memory/classes/heap/free:bytes.", []string{"/memory/classes/heap/released:bytes", "/memory/classes/heap/free:bytes"}},
	{Gauge, "go_memstats_heap_inuse_bytes", "Number of heap bytes that are in use. Equals to /memory/classes/heap/objects:bytes + /memory/classes/heap/unused:bytes", []string{"/memory/classes/heap/objects:bytes", "/memory/classes/heap/unused:bytes"}},
	{Gauge, "go_memstats_heap_objects", "Number of currently allocated objects. Equals to /gc/heap/objects:objects.", []string{"/gc/heap/objects:objects"}},
	{Gauge, "go_memstats_heap_released_bytes", "Number of heap bytes released to OS. Equals to /memory/classes/heap/released:bytes.", []string{"/memory/classes/heap/released:bytes"}},
	{Gauge, "go_memstats_heap_sys_bytes", "Number of heap bytes obtained from system. Equals to /memory/classes/heap/objects:bytes + /memory/classes/heap/unused:bytes + /memory/classes/heap/released:bytes + /memory/classes/heap/free:bytes.", []string{"/memory/classes/heap/objects:bytes", "/memory/classes/heap/unused:bytes", "/memory/classes/heap/released:bytes", "/memory/classes/heap/free:bytes"}},
	{Counter, "go_memstats_mallocs_total", "Total number of heap objects allocated, both live and gc-ed. Semantically a counter version for go_memstats_heap_objects gauge. Equals to /gc/heap/allocs:objects + /gc/heap/tiny/allocs:objects.", []string{"/gc/heap/allocs:objects", "/gc/heap/tiny/allocs:objects"}},
	{Gauge, "go_memstats_mcache_inuse_bytes", "Number of bytes in use by mcache structures. Equals to /memory/classes/metadata/mcache/inuse:bytes.", []string{"/memory/classes/metadata/mcache/inuse:bytes"}},
	{Gauge, "go_memstats_mcache_sys_bytes", "Number of bytes used for mcache structures obtained from system. Equals to /memory/classes/metadata/mcache/inuse:bytes + /memory/classes/metadata/mcache/free:bytes.", []string{"/memory/classes/metadata/mcache/inuse:bytes", "/memory/classes/metadata/mcache/free:bytes"}},
	{Gauge, "go_memstats_mspan_inuse_bytes", "Number of bytes in use by mspan structures. Equals to /memory/classes/metadata/mspan/inuse:bytes.", []string{"/memory/classes/metadata/mspan/inuse:bytes"}},
	{Gauge, "go_memstats_mspan_sys_bytes", "Number of bytes used for mspan structures obtained from system. Equals to /memory/classes/metadata/mspan/inuse:bytes + /memory/classes/metadata/mspan/free:bytes.", []string{"/memory/classes/metadata/mspan/inuse:bytes", "/memory/classes/metadata/mspan/free:bytes"}},
	{Gauge, "go_memstats_next_gc_bytes", "Number of heap bytes when next garbage collection will take place. Equals to /gc/heap/goal:bytes.", []string{"/gc/heap/goal:bytes"}},
	{Gauge, "go_memstats_other_sys_bytes", "Number of bytes used for other system allocations. Equals to /memory/classes/other:bytes.", []string{"/memory/classes/other:bytes"}},
	{Gauge, "go_memstats_stack_inuse_bytes", "Number of bytes obtained from system for stack allocator in non-CGO environments. Equals to /memory/classes/heap/stacks:bytes.", []string{"/memory/classes/heap/stacks:bytes"}},
	{Gauge, "go_memstats_stack_sys_bytes", "Number of bytes obtained from system for stack allocator. Equals to /memory/classes/heap/stacks:bytes + /memory/classes/os-stacks:bytes.", []string{"/memory/classes/heap/stacks:bytes", "/memory/classes/os-stacks:bytes"}},
	{Gauge, "go_memstats_sys_bytes", "Number of bytes obtained from system. Equals to /memory/classes/total:byte.", []string{"/memory/classes/total:bytes"}},
	{Gauge, "go_sched_gomaxprocs_threads", "The current runtime.GOMAXPROCS setting, or the number of operating system threads that can execute user-level Go code simultaneously. Sourced from /sched/gomaxprocs:threads.", []string{"/sched/gomaxprocs:threads"}},
	{Gauge, "go_threads", "Number of OS threads created.", []string{"/sched/threads/total:threads"}},
}

// Runtime adds what the Go runtime says about itself.
func (s *Set) Runtime() {
	s.Family(Gauge, "go_info", "Information about the Go environment.", "version").Reads(func() float64 { return 1 }, runtime.Version())
	for _, n := range runtimeNumbers {
		s.Family(n.kind, n.name, n.help).Reads(func() float64 { return sumOf(n.sources) })
	}
	s.Family(Gauge, "go_memstats_last_gc_time_seconds", "Number of seconds since 1970 of last garbage collection.").Reads(func() float64 {
		var stats debug.GCStats
		debug.ReadGCStats(&stats)
		return float64(stats.LastGC.UnixNano()) / 1e9
	})
	s.family(&Family{kind: summary, name: "go_gc_duration_seconds", help: "A summary of the wall-time pause (stop-the-world) duration in garbage collection cycles."}).With()
}

func sumOf(sources []string) float64 {
	samples := make([]metrics.Sample, len(sources))
	for i, name := range sources {
		samples[i].Name = name
	}
	metrics.Read(samples)
	sum := 0.0
	for _, s := range samples {
		if s.Value.Kind() == metrics.KindUint64 { // a runtime that does not know a name says KindBad
			sum += float64(s.Value.Uint64())
		}
	}
	return sum
}

// pauses writes the series of a summary: how long the runtime has stopped everything.
func pauses(b *bytes.Buffer, name string) {
	stats := debug.GCStats{PauseQuantiles: make([]time.Duration, 5)}
	debug.ReadGCStats(&stats)
	for i, quantile := range []string{"0", "0.25", "0.5", "0.75", "1"} {
		line(b, name, []string{`quantile="` + quantile + `"`}, stats.PauseQuantiles[i].Seconds())
	}
	line(b, name+"_sum", nil, stats.PauseTotal.Seconds())
	line(b, name+"_count", nil, float64(stats.NumGC))
}
