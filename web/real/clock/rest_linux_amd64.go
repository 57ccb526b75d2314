package clock

import (
	"bytes"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// look does what is due when the tree rests, and reports whether it rests.
func (t *Tree) look() bool {
	if !t.rests() {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	first, until, ok := t.next()
	if ok && until <= t.now {
		first()
		return true
	}
	if ok && until <= t.now+slack && t.naps < maxNaps {
		t.naps++
		t.nudge += until - t.now + 1
		first()
		return true
	}
	if napping := t.first(t.napping); napping != nil && t.naps < maxNaps {
		t.naps++
		if !napping.wait.sleeps() {
			t.nudge++
		}
		napping.fire()
		return true
	}
	t.naps = 0
	t.asked <- Rest{Now: t.now, Asleep: ok, Until: until, Read: t.reads > 0}
	t.asked = nil
	return true
}

// next returns how the wait or the timer ends that ends first, and when.
func (t *Tree) next() (end func(), at time.Duration, ok bool) {
	th, timer := t.first(func(*thread) bool { return true }), t.firstTimer()
	switch {
	case th == nil && timer == nil:
		return nil, 0, false
	case timer == nil || th != nil && (th.wait.until < timer.until || th.wait.until == timer.until && th.wait.number < timer.number):
		return th.fire, th.wait.until, true
	}
	return func() { t.goesOff(timer) }, timer.until, true
}

// A nap ends without the clock: a runtime waits for another of its threads. Where it waits until a time, for the rest of one
// that it has rounded, the clock goes on by a nanosecond. After maxNaps of them without a rest, a tree waits for the time after
// all.
const (
	longestNap = time.Millisecond
	maxNaps    = 100
)

// slack is by how much a wait may be early: one until a time, which a program has worked out from a clock that was a few
// nanoseconds ahead, is due with one for a time. The program then sees a clock that is past the time.
const slack = time.Microsecond

// napping reports whether a thread naps. Go's monitor does for up to 10 ms, and does not ask how much is left of it.
func (t *Tree) napping(th *thread) bool {
	w := th.wait
	if w.length < longestNap {
		return true
	}
	monitor := w.before.Orig_rax == unix.SYS_NANOSLEEP && w.length <= 10*time.Millisecond && w.left == 0
	return monitor && t.hasOther(th)
}

// hasOther reports whether the process of a thread has another one.
func (t *Tree) hasOther(th *thread) bool {
	for _, other := range t.threads {
		if other.pid == th.pid && other != th {
			return true
		}
	}
	return false
}

// sleeps reports whether a wait is for nothing but time.
func (w *wait) sleeps() bool {
	return w.before.Orig_rax == unix.SYS_NANOSLEEP || w.before.Orig_rax == unix.SYS_CLOCK_NANOSLEEP
}

// first returns the thread whose wait ends first, of those threads that count; nil: there is none.
func (t *Tree) first(counts func(*thread) bool) *thread {
	var first *thread
	for _, th := range t.threads {
		w := th.wait
		if w == nil || w.fired || !counts(th) {
			continue
		}
		if first == nil || w.until < first.wait.until || w.until == first.wait.until && w.number < first.wait.number {
			first = th
		}
	}
	return first
}

// fire ends a wait whose time is over.
func (th *thread) fire() {
	th.wait.fired = true
	th.kicked++
	_ = unix.Tgkill(th.pid, th.tid, unix.SIGSTOP)
}

// rests reports whether nothing in the tree goes on.
//
//  1. Each thread is in a system call.
//  2. Each sleeps there, and has done so n times.
//  3. Nothing is in flight to or from its sockets, and those outside have heard everything.
//  4. Each thread still sleeps in a system call, and has not been awake since.
//  5. No stop waits to be handled.
//
// What 3 saw arrive may have woken a thread, and 4 sees that. The order matters: bytes that arrive after a look at them would
// wake a thread after a look at it. 1 says nothing that 4 does not, and costs less than 2.
func (t *Tree) rests() bool {
	if th := t.threads[t.awake]; th != nil && !th.calls() { // it most probably still is awake
		return false
	}
	for _, th := range t.threads {
		if th.kicked > 0 || !th.calls() {
			t.awake = th.tid
			return false
		}
	}
	t.awake = 0
	for _, th := range t.threads {
		if th.switches = th.sleeps(); th.switches == "" {
			return false
		}
	}
	if t.flies() || t.options.Idle != nil && !t.options.Idle() {
		return false
	}
	for _, th := range t.threads {
		if !th.calls() || th.sleeps() != th.switches {
			return false
		}
	}
	news, _, err := peek(true)
	return err == nil && news == 0
}

// calls reports whether a thread is in a system call, and does not wait for a page of its memory. A call that the machine's
// clock may end does not count.
func (th *thread) calls() bool {
	text := told(th.tid, "syscall")
	if len(text) > 0 && text[0] == '-' && th.tid == th.pid && !th.ended { // the first thread of a process stays until the last one ends
		th.ended = bytes.HasPrefix(field(told(th.tid, "status"), "State"), []byte("Z"))
	}
	number, _, _ := bytes.Cut(text, []byte(" "))
	call, err := strconv.Atoi(string(number))
	return th.ended || err == nil && call >= 0 && !onMachine[call]
}

// onMachine are the calls with a time-out that the filter lets pass: hardly a program makes them.
var onMachine = map[int]bool{
	unix.SYS_SEMTIMEDOP: true, unix.SYS_MQ_TIMEDSEND: true, unix.SYS_MQ_TIMEDRECEIVE: true, unix.SYS_RECVMMSG: true,
	unix.SYS_IO_GETEVENTS: true, unix.SYS_IO_PGETEVENTS: true, unix.SYS_FUTEX_WAITV: true,
}

// sleeps returns how often a thread has gone to sleep, or nothing if it is awake or waits for a disk.
func (th *thread) sleeps() string {
	text := told(th.tid, "status")
	if th.ended {
		return "for ever"
	}
	if !bytes.HasPrefix(field(text, "State"), []byte("S")) {
		return ""
	}
	return string(field(text, "voluntary_ctxt_switches")) + "/" + string(field(text, "nonvoluntary_ctxt_switches"))
}

// processOf returns the process of a thread.
func processOf(tid int) int {
	if pid, err := strconv.Atoi(string(field(told(tid, "status"), "Tgid"))); err == nil {
		return pid
	}
	return tid
}

// told returns what a file of /proc tells about a thread, and nothing if the thread is gone. This is asked so often that what
// os.ReadFile does besides would count.
func told(tid int, file string) []byte {
	fd, err := unix.Open("/proc/"+strconv.Itoa(tid)+"/"+file, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer unix.Close(fd)
	text := make([]byte, 4<<10)
	n, _ := unix.Read(fd, text)
	return text[:max(n, 0)]
}

// field returns a field of a status file of /proc.
func field(text []byte, name string) []byte {
	_, after, _ := bytes.Cut(text, []byte("\n"+name+":\t"))
	value, _, _ := bytes.Cut(after, []byte("\n"))
	return value
}
