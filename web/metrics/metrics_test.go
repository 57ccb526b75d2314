package metrics

import (
	"math"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestText(t *testing.T) {
	var s Set
	asked := s.Family(Counter, "requests_total", "Requests.", "method", "route")
	asked.With("GET", "/b").Inc()
	asked.With("GET", "/a").Inc()
	asked.With("GET", "/b").Inc()
	asked.With("A\"\\\n", "").Inc()
	s.Family(Counter, "never_total", "Nobody has counted.", "kind")
	s.Family(Gauge, "open", "Open \\ and\nclosed.").With().Dec()
	for part, value := range map[string]float64{"none": math.NaN(), "most": math.Inf(1), "least": math.Inf(-1), "big": 64 << 20, "half": .5, "long": 1e21} {
		s.Family(Gauge, "measured", "Read when somebody asks.", "part").Reads(func() float64 { return value }, part)
	}
	took := s.Histogram("seconds", "How long.", []float64{.001, .5, 2.5}, "route")
	for _, x := range []float64{0, .001, .0011, .5, 2, 3, 1000} {
		took.Observe(x, "/a")
	}
	const want = `# HELP measured Read when somebody asks.
# TYPE measured gauge
measured{part="big"} 6.7108864e+07
measured{part="half"} 0.5
measured{part="least"} -Inf
measured{part="long"} 1e+21
measured{part="most"} +Inf
measured{part="none"} NaN
# HELP open Open \\ and\nclosed.
# TYPE open gauge
open -1
# HELP requests_total Requests.
# TYPE requests_total counter
requests_total{method="A\"\\\n",route=""} 1
requests_total{method="GET",route="/a"} 1
requests_total{method="GET",route="/b"} 2
# HELP seconds How long.
# TYPE seconds histogram
seconds_bucket{route="/a",le="0.001"} 2
seconds_bucket{route="/a",le="0.5"} 4
seconds_bucket{route="/a",le="2.5"} 5
seconds_bucket{route="/a",le="+Inf"} 7
seconds_sum{route="/a"} 1005.5021
seconds_count{route="/a"} 7
`
	if got := string(s.Text()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if n := asked.With("GET", "/b").Value(); n != 2 {
		t.Errorf("two requests are %v", n)
	}
}

func TestWrongLabels(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a family takes any number of labels")
		}
	}()
	new(Set).Family(Counter, "a", "", "b").With("c", "d")
}

// Many count at once while somebody reads.
func TestAtOnce(t *testing.T) {
	var s Set
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 100 {
				s.Family(Counter, "a", "A.", "b").With("c").Inc()
				s.Histogram("d", "D.", []float64{1}, "e").Observe(2, "f")
				s.Text()
			}
		})
	}
	all.Wait()
	if text := string(s.Text()); !strings.Contains(text, "a{b=\"c\"} 800\n") || !strings.Contains(text, "d_sum{e=\"f\"} 1600\n") {
		t.Error(text)
	}
}

// Each source is one that this runtime measures, and what is measured is plausible.
func TestRuntimeAndProcess(t *testing.T) {
	runtime.GC() // before the first one nothing is freed,
	runtime.GC() // and the second one has swept what the first has found
	for _, n := range runtimeNumbers {
		if n.name != "go_memstats_heap_released_bytes" && sumOf(n.sources) <= 0 {
			t.Errorf("%s is %v: %v", n.name, sumOf(n.sources), n.sources)
		}
	}
	var s Set
	s.Runtime()
	s.Process()
	between := func(name string, least, most float64) {
		t.Helper()
		f := s.families[name]
		if f == nil {
			t.Errorf("%s is not measured", name)
		} else if x := f.With().Value(); x < least || x > most {
			t.Errorf("%s is %v, want %v to %v", name, x, least, most)
		}
	}
	now := float64(time.Now().Unix())
	between("go_goroutines", 1, 1000)
	between("go_memstats_last_gc_time_seconds", now-60, now+60)
	if text := string(s.Text()); !strings.Contains(text, `go_info{version="`+runtime.Version()+`"} 1`) || !strings.Contains(text, `go_gc_duration_seconds{quantile="0.75"} `) || !strings.Contains(text, "go_gc_duration_seconds_count ") {
		t.Error(text)
	}
	if runtime.GOOS != "linux" {
		return
	}
	between("process_cpu_seconds_total", 0, 3600)
	between("process_open_fds", 3, 1000)
	between("process_max_fds", 16, math.MaxUint64)
	between("process_resident_memory_bytes", 1<<20, 1<<33)
	between("process_virtual_memory_bytes", 1<<20, 1<<45)
	between("process_virtual_memory_max_bytes", 1<<20, math.MaxUint64)
	between("process_start_time_seconds", now-3600, now+60)
}
