package metrics

import (
	"math"
	"os"
	"strconv"
	"strings"
)

const (
	tick = 100 // a second, which Linux promises to programs on all machines
	proc = "/proc/self/"
)

// Process adds what Linux says about this process.
func (s *Set) Process() {
	add := func(kind Kind, name, help string, read func() float64) {
		s.Family(kind, "process_"+name, help).Reads(read)
	}
	add(Counter, "cpu_seconds_total", "Total user and system CPU time spent in seconds.", func() float64 { return (stat(14) + stat(15)) / tick })
	add(Gauge, "max_fds", "Maximum number of open file descriptors.", func() float64 { return bound("Max open files") })
	add(Gauge, "open_fds", "Number of open file descriptors.", func() float64 {
		files, _ := os.ReadDir(proc + "fd")
		return float64(len(files))
	})
	add(Gauge, "resident_memory_bytes", "Resident memory size in bytes.", func() float64 { return stat(24) * float64(os.Getpagesize()) })
	add(Gauge, "start_time_seconds", "Start time of the process since unix epoch in seconds.", func() float64 { return booted() + stat(22)/tick })
	add(Gauge, "virtual_memory_bytes", "Virtual memory size in bytes.", func() float64 { return stat(23) })
	add(Gauge, "virtual_memory_max_bytes", "Maximum amount of virtual memory available in bytes.", func() float64 { return bound("Max address space") })
}

// stat returns a field of the process, by its number in proc_pid_stat(5).
func stat(number int) float64 {
	text, _ := os.ReadFile(proc + "stat")
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:])) // the second field, a name, may have blanks in it
	if number-3 >= len(fields) {
		return 0
	}
	return parse(fields[number-3])
}

// bound returns the soft limit of that name.
func bound(name string) float64 {
	text, _ := os.ReadFile(proc + "limits")
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, name); ok {
			soft, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
			if soft == "unlimited" {
				return math.MaxUint64
			}
			return parse(soft)
		}
	}
	return 0
}

// booted returns when the machine has started, in seconds since 1970.
func booted() float64 {
	text, _ := os.ReadFile("/proc/stat")
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "btime "); ok {
			return parse(strings.TrimSpace(rest))
		}
	}
	return 0
}

func parse(text string) float64 {
	x, _ := strconv.ParseFloat(text, 64)
	return x
}
