package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Linux gives in /proc what a process uses. Other systems do not, and have no measurement beside a hostile visitor.

// tick is the unit in which Linux counts processor time for everybody.
const tick = 10 * time.Millisecond

// forgetPeak resets the peak of a process's memory.
func forgetPeak(pid int) error {
	return os.WriteFile(inProc(pid, "clear_refs"), []byte("5"), 0)
}

// peak returns the most memory that a process has used since the last reset, in bytes.
func peak(pid int) (int64, error) {
	text, err := os.ReadFile(inProc(pid, "status"))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) == 3 && fields[0] == "VmHWM:" {
			kilobytes, err := strconv.ParseInt(fields[1], 10, 64)
			return kilobytes << 10, err
		}
	}
	return 0, fmt.Errorf("%s names no VmHWM", inProc(pid, "status"))
}

// used returns how much processor time a process has used.
func used(pid int) (time.Duration, error) {
	text, err := os.ReadFile(inProc(pid, "stat"))
	if err != nil {
		return 0, err
	}
	_, after, _ := strings.Cut(string(text), ") ") // the name of the program may have spaces
	return ticks(strings.Fields(after), 11, 12)
}

// usedByAll returns how much processor time all processes of this machine have used.
func usedByAll() (time.Duration, error) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0, err
	}
	all, _, _ := strings.Cut(string(text), "\n")
	return ticks(strings.Fields(all), 1, 2, 3, 6, 7) // user, nice, system, irq, softirq
}

// ticks adds up processor times by their places in a line.
func ticks(fields []string, places ...int) (sum time.Duration, err error) {
	for _, place := range places {
		if place >= len(fields) {
			return 0, fmt.Errorf("a line of /proc ends before its field %d: %q", place, fields)
		}
		n, err := strconv.ParseInt(fields[place], 10, 64)
		if err != nil {
			return 0, err
		}
		sum += time.Duration(n) * tick
	}
	return sum, nil
}

func inProc(pid int, file string) string { return filepath.Join("/proc", strconv.Itoa(pid), file) }

// spending is how much processor time several processes have used by a moment.
type spending struct {
	when time.Time
	of   map[string]time.Duration // by what the process is called
	all  time.Duration
}

// spend reads all of them at once.
func spend(processes map[string]int) (s spending, err error) {
	s.when, s.of = time.Now(), map[string]time.Duration{}
	if s.all, err = usedByAll(); err != nil {
		return s, err
	}
	for name, pid := range processes {
		if s.of[name], err = used(pid); err != nil {
			return s, err
		}
	}
	return s, nil
}

// since returns each share of the processor time since then, in percent of one processor.
func (s spending) since(before spending, names ...string) string {
	lasted := s.when.Sub(before.when)
	share := func(d time.Duration) string { return fmt.Sprintf("%.0f%%", 100*float64(d)/float64(lasted)) }
	others := s.all - before.all
	var said []string
	for _, name := range names {
		own := s.of[name] - before.of[name]
		others -= own
		said = append(said, name+" "+share(own))
	}
	return strings.Join(append(said, "others "+share(max(0, others))), ", ")
}
