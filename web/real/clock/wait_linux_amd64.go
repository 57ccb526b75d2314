package clock

import (
	"encoding/binary"
	"math"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// A wait is a call that ends at a time on the clock, unless something else ends it first.
type wait struct {
	length time.Duration
	until  time.Duration // as now
	number int64         // in the order of their beginning
	before unix.PtraceRegs
	result int64         // what the call returns when its time is over
	left   uintptr       // where the call writes how much is left of it; 0: nowhere
	unit   time.Duration // in which it does
	fired  bool
}

// booted is how long the machine seems to run at time 0.
const booted = 1000 * time.Second

// monotonic returns the time on the clocks that never go back.
func (t *Tree) monotonic() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return booted + t.now + t.nudge
}

// realtime returns the time since the beginning of 1970.
func (t *Tree) realtime() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.now + t.skew + t.nudge
}

// enters answers a call that the filter has stopped, or lets it wait.
func (t *Tree) enters(th *thread) {
	var regs unix.PtraceRegs
	if unix.PtraceGetRegs(th.tid, &regs) != nil {
		return // it is gone
	}
	if result, done := t.answers(th, &regs); done {
		skip(th, &regs, result)
	} else {
		th.wait, th.again = t.begins(th, &regs), nil
	}
	th.resume(0)
}

// skip lets a call return without executing it.
func skip(th *thread, regs *unix.PtraceRegs, result int64) {
	regs.Orig_rax, regs.Rax = ^uint64(0), uint64(result)
	_ = unix.PtraceSetRegs(th.tid, regs)
}

// begins makes a call with a time-out one without, and returns when it is to end; nil: it ends at once.
func (t *Tree) begins(th *thread, regs *unix.PtraceRegs) *wait {
	w := &wait{before: *regs, unit: time.Nanosecond}
	length, timeout, forever := w.asks(t, th, regs)
	switch {
	case length == unknown: // none of ours, or a bad address, which the kernel names
		return nil
	case length <= 0 && (timeout == nil || regs.Orig_rax == unix.SYS_FUTEX): // it is over
		skip(th, regs, w.result)
		return nil
	case length <= 0: // the kernel looks once, as it would
		return nil
	}
	t.mu.Lock()
	w.length, w.until = length, t.now+min(length, math.MaxInt64-t.now)
	t.mu.Unlock()
	if a := th.again; a != nil && same(&a.before, &w.before) {
		w.until = a.until
	}
	t.waits++
	w.number = t.waits
	th.reads = 0
	if timeout != nil {
		*timeout = forever
	} else {
		regs.Orig_rax = unix.SYS_PAUSE
	}
	if unix.PtraceSetRegs(th.tid, regs) != nil {
		return nil
	}
	return w
}

// absolute is the flag of a call whose time is not a length: TIMER_ABSTIME, TFD_TIMER_ABSTIME.
const absolute = 1

// unknown is the length of a wait that cannot be read.
const unknown = time.Duration(math.MinInt64)

// asks returns how long a call is to wait, and the argument that says so, with its value for a wait without an end. No argument
// says so for a call that only sleeps.
func (w *wait) asks(t *Tree, th *thread, regs *unix.PtraceRegs) (length time.Duration, timeout *uint64, forever uint64) {
	switch regs.Orig_rax {
	case unix.SYS_POLL:
		return time.Duration(int32(regs.Rdx)) * time.Millisecond, &regs.Rdx, math.MaxUint64
	case unix.SYS_EPOLL_WAIT, unix.SYS_EPOLL_PWAIT:
		return time.Duration(int32(regs.R10)) * time.Millisecond, &regs.R10, math.MaxUint64
	case unix.SYS_EPOLL_PWAIT2:
		return th.length(regs.R10, time.Nanosecond), &regs.R10, 0
	case unix.SYS_PPOLL:
		w.left = uintptr(regs.Rdx)
		return th.length(regs.Rdx, time.Nanosecond), &regs.Rdx, 0
	case unix.SYS_PSELECT6:
		w.left = uintptr(regs.R8)
		return th.length(regs.R8, time.Nanosecond), &regs.R8, 0
	case unix.SYS_SELECT:
		w.left, w.unit = uintptr(regs.R8), time.Microsecond
		return th.lengthOfSelect(regs.R8), &regs.R8, 0
	case unix.SYS_RT_SIGTIMEDWAIT:
		w.result = -int64(unix.EAGAIN)
		return th.length(regs.Rdx, time.Nanosecond), &regs.Rdx, 0
	case unix.SYS_FUTEX:
		w.result = -int64(unix.ETIMEDOUT)
		return w.ofFutex(t, th, regs), &regs.R10, 0
	case unix.SYS_NANOSLEEP:
		w.left = uintptr(regs.Rsi)
		return th.length(regs.Rdi, time.Nanosecond), nil, 0
	case unix.SYS_CLOCK_NANOSLEEP:
		now, ok := t.on(regs.Rdi)
		length = th.length(regs.Rdx, time.Nanosecond)
		switch {
		case length == unknown || !ok:
			return unknown, nil, 0
		case regs.Rsi&absolute == 0:
			w.left = uintptr(regs.R10)
		default:
			length -= now
		}
		return length, nil, 0
	}
	return unknown, nil, 0
}

// ofFutex returns how long a futex is to wait. Only FUTEX_WAIT says that itself; the others say until when.
func (w *wait) ofFutex(t *Tree, th *thread, regs *unix.PtraceRegs) time.Duration {
	length := th.length(regs.R10, time.Nanosecond)
	switch op := uint32(regs.Rsi); {
	case length == unknown, op&futexCommand == futexWait:
		return length
	case op&futexClockRealtime != 0, op&futexCommand == futexLock:
		return length - t.realtime()
	}
	return length - t.monotonic()
}

func same(a, b *unix.PtraceRegs) bool {
	return a.Rip == b.Rip && a.Rsp == b.Rsp && a.Orig_rax == b.Orig_rax && a.Rdi == b.Rdi && a.Rsi == b.Rsi && a.Rdx == b.Rdx && a.R10 == b.R10 && a.R8 == b.R8
}

// Results of interrupted calls as the kernel knows them before a program sees them: how the call begins again.
const (
	restartFirst  = -512 // ERESTARTSYS
	restartNoHand = -514 // ERESTARTNOHAND: as it was, if no handler has run
	restartLast   = -516 // ERESTART_RESTARTBLOCK
)

// returns handles the end of a call that waits.
func (t *Tree) returns(th *thread) {
	w := th.wait
	th.wait = nil
	var after unix.PtraceRegs
	if w == nil || unix.PtraceGetRegs(th.tid, &after) != nil {
		return
	}
	regs := w.before // the program finds its time-out where it has put it
	regs.Rip, regs.Rcx, regs.R11, regs.Eflags = after.Rip, after.Rcx, after.R11, after.Eflags
	result := int64(after.Rax)
	interrupted := result == -int64(unix.EINTR) || result >= restartLast && result <= restartFirst
	over := interrupted && w.fired
	switch {
	case over:
		result = w.result
		th.nothingReady(w)
	case interrupted && result != -int64(unix.EINTR): // by a signal that is none of ours
		th.again, result = w, restartNoHand
	}
	if w.left != 0 && (!w.sleeps() || interrupted && !over) {
		t.mu.Lock()
		left := max(0, w.until-t.now)
		t.mu.Unlock()
		if over {
			left = 0
		}
		_ = th.tell(w.left, left, w.unit)
	}
	regs.Rax = uint64(result)
	_ = unix.PtraceSetRegs(th.tid, &regs)
}

// nothingReady empties the sets of a select whose time is over. The kernel leaves them as they were for a signal.
func (th *thread) nothingReady(w *wait) {
	if w.before.Orig_rax != unix.SYS_SELECT && w.before.Orig_rax != unix.SYS_PSELECT6 {
		return
	}
	descriptors, _ := strconv.ParseUint(string(field(told(th.tid, "status"), "FDSize")), 10, 64)
	words := (min(uint64(uint32(w.before.Rdi)), descriptors) + 63) / 64
	for _, set := range []uint64{w.before.Rsi, w.before.Rdx, w.before.R10} {
		if set != 0 && words > 0 {
			_ = write(th.tid, uintptr(set), make([]byte, 8*words))
		}
	}
}

// length reads a length of time from the memory of a thread: seconds, and parts of a unit.
func (th *thread) length(at uint64, unit time.Duration) time.Duration {
	seconds, parts, ok := th.numbers(at)
	if !ok || parts >= int64(time.Second/unit) {
		return unknown
	}
	return lengthOf(seconds, parts, unit)
}

// lengthOfSelect reads a length that may have more microseconds than a second has.
func (th *thread) lengthOfSelect(at uint64) time.Duration {
	seconds, micros, ok := th.numbers(at)
	if !ok {
		return unknown
	}
	return lengthOf(min(seconds, math.MaxInt64/2)+micros/1e6, micros%1e6, time.Microsecond)
}

// numbers reads two numbers that are not negative.
func (th *thread) numbers(at uint64) (first, second int64, ok bool) {
	var b [16]byte
	if read(th.tid, uintptr(at), b[:]) != nil {
		return 0, 0, false
	}
	first, second = int64(binary.LittleEndian.Uint64(b[:])), int64(binary.LittleEndian.Uint64(b[8:]))
	return first, second, first >= 0 && second >= 0
}

// lengthOf returns a length, or the greatest that there is.
func lengthOf(seconds, parts int64, unit time.Duration) time.Duration {
	if seconds > int64(math.MaxInt64/time.Second)-1 {
		return math.MaxInt64
	}
	return time.Duration(seconds)*time.Second + time.Duration(parts)*unit
}
