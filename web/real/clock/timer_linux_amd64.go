package clock

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A timer is one of the kernel's, on our clock: the call that sets it sets nothing, and when its time has come, the tracer does
// what the kernel would.
type timer struct {
	timerName
	until  time.Duration // as now
	every  time.Duration // 0: it goes off once
	number int64         // as that of a wait
}

// A timerName is how a process names one of its timers.
type timerName struct {
	pid  int
	kind timerKind
	id   uint64
}

type timerKind uint8

const (
	ofProcess    timerKind = iota // alarm, setitimer
	ofDescriptor                  // timerfd_create
	ofPOSIX                       // timer_create
)

// maxTimers bounds the timers of a tree. More run on the machine's clock.
const maxTimers = 1000

// times answers a call that is about a timer.
func (t *Tree) times(th *thread, regs *unix.PtraceRegs) (result int64, done bool) {
	name := timerName{pid: th.pid, id: regs.Rdi}
	switch regs.Orig_rax {
	case unix.SYS_ALARM:
		name.id = 0
		left := t.left(name)
		t.set(name, time.Duration(uint32(regs.Rdi))*time.Second, 0)
		return int64((left + time.Second - 1) / time.Second), true
	case unix.SYS_GETITIMER:
		if regs.Rdi != unix.ITIMER_REAL {
			return 0, false
		}
		return t.tellTimer(th, regs.Rsi, name, time.Microsecond), true
	case unix.SYS_SETITIMER:
		if regs.Rdi != unix.ITIMER_REAL {
			return 0, false
		}
		return t.setsTimer(th, name, regs.Rsi, regs.Rdx, time.Microsecond, 0)
	}
	clock, ok := uint64(0), false
	switch regs.Orig_rax {
	case unix.SYS_TIMERFD_GETTIME, unix.SYS_TIMERFD_SETTIME:
		name.kind = ofDescriptor
		clock, ok = name.clockOfDescriptor()
	case unix.SYS_TIMER_GETTIME, unix.SYS_TIMER_SETTIME, unix.SYS_TIMER_DELETE:
		name.kind = ofPOSIX
		var p posixTimer
		p, ok = name.posix()
		clock = p.clock
	}
	now, runs := t.on(clock)
	if !ok || !runs {
		return 0, false
	}
	switch regs.Orig_rax {
	case unix.SYS_TIMER_DELETE:
		delete(t.timers, name)
		return 0, false
	case unix.SYS_TIMERFD_GETTIME, unix.SYS_TIMER_GETTIME:
		return t.tellTimer(th, regs.Rsi, name, time.Nanosecond), true
	}
	if regs.Rsi&absolute == 0 {
		now = 0
	}
	return t.setsTimer(th, name, regs.Rdx, regs.R10, time.Nanosecond, now)
}

// setsTimer sets a timer to what a struct itimerspec or itimerval says, which is an interval and a time after since, and writes
// what it was.
func (t *Tree) setsTimer(th *thread, name timerName, from, old uint64, unit, since time.Duration) (result int64, done bool) {
	every, length := th.length(from, unit), th.length(from+16, unit)
	if every == unknown || length == unknown || t.timers[name] == nil && len(t.timers) >= maxTimers {
		return 0, false
	}
	if old != 0 {
		if result := t.tellTimer(th, old, name, unit); result != 0 {
			return result, true
		}
	}
	if name.kind == ofDescriptor && !name.calms() {
		return 0, false
	}
	if length > 0 {
		length = max(length-since, 1)
	}
	t.set(name, length, every)
	return 0, true
}

// set sets a timer; length 0: to nothing.
func (t *Tree) set(name timerName, length, every time.Duration) {
	delete(t.timers, name)
	if length == 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.waits++
	t.timers[name] = &timer{name, t.now + min(length, math.MaxInt64-t.now), every, t.waits}
}

// left returns how long it is until a timer goes off; 0: it does not.
func (t *Tree) left(name timerName) time.Duration {
	at := t.timers[name]
	if at == nil {
		return 0
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return max(at.until-t.now, 1)
}

// tellTimer writes the interval of a timer, and when it goes off, to the memory of a thread.
func (t *Tree) tellTimer(th *thread, to uint64, name timerName, unit time.Duration) int64 {
	every := time.Duration(0)
	if at := t.timers[name]; at != nil {
		every = at.every
	}
	if result := th.tell(uintptr(to), every, unit); result != 0 {
		return result
	}
	return th.tell(uintptr(to)+16, t.left(name), unit)
}

// firstTimer returns the timer that goes off first; nil: there is none. A descriptor may have been closed.
func (t *Tree) firstTimer() *timer {
	for {
		first := t.soonest()
		if first == nil || first.kind != ofDescriptor {
			return first
		}
		if _, open := first.clockOfDescriptor(); open {
			return first
		}
		delete(t.timers, first.timerName)
	}
}

func (t *Tree) soonest() *timer {
	var first *timer
	for _, at := range t.timers {
		if first == nil || at.until < first.until || at.until == first.until && at.number < first.number {
			first = at
		}
	}
	return first
}

// goesOff does what the kernel does when the time of a timer has come.
func (t *Tree) goesOff(at *timer) {
	if at.every > 0 {
		at.until += at.every
	} else {
		delete(t.timers, at.timerName)
	}
	ok := true
	switch at.kind {
	case ofProcess:
		ok = unix.Kill(at.pid, unix.SIGALRM) == nil
	case ofDescriptor:
		ok = at.expires()
	case ofPOSIX:
		ok = at.notifies()
	}
	if !ok { // it is no longer there
		delete(t.timers, at.timerName)
	}
}

// forget forgets the timers of a process that has ended.
func (t *Tree) forget(pid int) {
	for _, th := range t.threads {
		if th.pid == pid {
			return
		}
	}
	for name := range t.timers {
		if name.pid == pid {
			delete(t.timers, name)
		}
	}
}

// clockOfDescriptor returns the clock of a timer that is a descriptor.
func (n timerName) clockOfDescriptor() (clock uint64, ok bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/fdinfo/%d", n.pid, n.id))
	if err != nil {
		return 0, false
	}
	_, text, _ = bytes.Cut(text, []byte("clockid: "))
	_, err = fmt.Sscan(string(text), &clock)
	return clock, err == nil
}

// calms makes a descriptor of a timer that has gone off unreadable, as the call does that sets it. Erlang reads none: it sets it
// to nothing.
func (n timerName) calms() bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/fdinfo/%d", n.pid, n.id))
	if err != nil || bytes.Contains(text, []byte("\nticks: 0\n")) {
		return err == nil
	}
	fd, err := descriptor(n.pid, int(n.id))
	if err != nil {
		return false
	}
	defer unix.Close(fd)
	return unix.TimerfdSettime(fd, 0, &unix.ItimerSpec{}, nil) == nil
}

// expires makes a descriptor readable, as a timer does that goes off.
func (n timerName) expires() bool {
	fd, err := descriptor(n.pid, int(n.id))
	if err != nil {
		return false
	}
	defer unix.Close(fd)
	now := unix.ItimerSpec{Value: unix.NsecToTimespec(1)}
	if unix.TimerfdSettime(fd, 0, &now, nil) != nil {
		return false
	}
	for now.Value.Nsec > 0 {
		if unix.TimerfdGettime(fd, &now) != nil {
			return false
		}
	}
	return true
}

// descriptor returns one of ours for the same as one of a process.
func descriptor(pid, fd int) (own int, err error) {
	process, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return 0, err
	}
	defer unix.Close(process)
	return unix.PidfdGetfd(process, fd, 0)
}

// A posixTimer is what the kernel tells about a timer.
type posixTimer struct {
	signal int32
	value  uint64 // which the signal brings
	notify string // signal, none or thread
	whom   string // pid or tid
	target int
	clock  uint64
}

// posix asks the kernel about a timer.
func (n timerName) posix() (p posixTimer, ok bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/timers", n.pid))
	if err != nil {
		return p, false
	}
	_, text, ok = bytes.Cut(text, fmt.Appendf(nil, "ID: %d\n", n.id))
	if !ok {
		return p, false
	}
	_, err = fmt.Sscanf(string(text), "signal: %d/%x\nnotify: %s\nClockID: %d", &p.signal, &p.value, &p.notify, &p.clock)
	how, whom, _ := strings.Cut(p.notify, "/")
	who, target, _ := strings.Cut(whom, ".")
	p.notify, p.whom = how, who
	if err == nil {
		p.target, err = strconv.Atoi(target)
	}
	return p, err == nil
}

// notifies sends the signal of a timer.
func (n timerName) notifies() bool {
	p, ok := n.posix()
	if !ok || p.notify == "none" {
		return ok
	}
	const timerCode = -2 // SI_TIMER
	var info [128]byte
	binary.LittleEndian.PutUint32(info[0:], uint32(p.signal))
	code := int32(timerCode)
	binary.LittleEndian.PutUint32(info[8:], uint32(code))
	binary.LittleEndian.PutUint32(info[16:], uint32(n.id))
	binary.LittleEndian.PutUint64(info[24:], p.value)
	var errno unix.Errno
	if p.whom == "tid" {
		_, _, errno = unix.Syscall6(unix.SYS_RT_TGSIGQUEUEINFO, uintptr(n.pid), uintptr(p.target), uintptr(p.signal), uintptr(unsafe.Pointer(&info)), 0, 0)
	} else {
		_, _, errno = unix.Syscall(unix.SYS_RT_SIGQUEUEINFO, uintptr(n.pid), uintptr(p.signal), uintptr(unsafe.Pointer(&info)))
	}
	return errno == 0
}
