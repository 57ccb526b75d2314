package clock

import (
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// A rule says which calls of a system call stop for the tracer. The others run as if nobody looked.
type rule struct {
	call int
	when condition
	arg  int // of the condition
}

type condition int

const (
	always   condition = iota
	finite             // the argument is a number of milliseconds above 0: neither "at once" nor "for ever"
	given              // the argument points somewhere
	ofFutex            // the operation waits, and its time-out is given
	ofSocket           // the option is a time-out
)

// rules are the calls that read a clock, wait for a time, are about a timer or ask for randomness. Package clock says which it
// leaves out.
var rules = []rule{
	{unix.SYS_CLOCK_GETTIME, always, 0},
	{unix.SYS_FUTEX, ofFutex, 3},
	{unix.SYS_EPOLL_WAIT, finite, 3},
	{unix.SYS_EPOLL_PWAIT, finite, 3},
	{unix.SYS_EPOLL_PWAIT2, given, 3},
	{unix.SYS_POLL, finite, 2},
	{unix.SYS_PPOLL, given, 2},
	{unix.SYS_SELECT, given, 4},
	{unix.SYS_PSELECT6, given, 4},
	{unix.SYS_CLOCK_NANOSLEEP, always, 0},
	{unix.SYS_NANOSLEEP, always, 0},
	{unix.SYS_RT_SIGTIMEDWAIT, given, 2},
	{unix.SYS_GETTIMEOFDAY, always, 0},
	{unix.SYS_TIME, always, 0},
	{unix.SYS_GETRANDOM, always, 0},
	{unix.SYS_SETSOCKOPT, ofSocket, 0},
	{unix.SYS_ALARM, always, 0},
	{unix.SYS_GETITIMER, always, 0},
	{unix.SYS_SETITIMER, always, 0},
	{unix.SYS_TIMERFD_GETTIME, always, 0},
	{unix.SYS_TIMERFD_SETTIME, always, 0},
	{unix.SYS_TIMER_DELETE, always, 0},
	{unix.SYS_TIMER_GETTIME, always, 0},
	{unix.SYS_TIMER_SETTIME, always, 0},
	{unix.SYS_IO_URING_SETUP, always, 0},
}

// Operations of futex that wait.
const (
	futexWait          = 0
	futexLock          = 6
	futexWaitBitset    = 9
	futexWaitRequeue   = 11
	futexLock2         = 13
	futexCommand       = 0x7f  // the operation without its flags
	futexClockRealtime = 0x100 // one of the flags
)

var waitingFutexes = []uint32{futexWait, futexWaitBitset, futexLock, futexWaitRequeue, futexLock2}

// Options of sockets that bound a wait.
var boundingOptions = []uint32{unix.SO_RCVTIMEO, unix.SO_SNDTIMEO, unix.SO_RCVTIMEO_NEW, unix.SO_SNDTIMEO_NEW}

// The layout of struct seccomp_data.
const (
	atCall = 0
	atArch = 4
	atArgs = 16
)

const auditArch = 0xc000003e // AUDIT_ARCH_X86_64

// filter returns the rules as a program for seccomp.
func filter() []bpf.RawInstruction {
	allow, trace := bpf.RetConstant{Val: unix.SECCOMP_RET_ALLOW}, bpf.RetConstant{Val: unix.SECCOMP_RET_TRACE}
	load := func(off uint32) bpf.Instruction { return bpf.LoadAbsolute{Off: off, Size: 4} }
	low := func(arg int) bpf.Instruction { return load(uint32(atArgs + 8*arg)) }
	high := func(arg int) bpf.Instruction { return load(uint32(atArgs + 8*arg + 4)) }
	is := func(v uint32, skip int) bpf.Instruction { // goes on if it is, or skips
		return bpf.JumpIf{Cond: bpf.JumpEqual, Val: v, SkipFalse: uint8(skip)}
	}
	pointer := func(arg int) []bpf.Instruction {
		return []bpf.Instruction{
			low(arg), bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: 0, SkipTrue: 3},
			high(arg), bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: 0, SkipTrue: 1},
			allow, trace,
		}
	}
	anyOf := func(values []uint32, then []bpf.Instruction) []bpf.Instruction {
		var all []bpf.Instruction
		for i, v := range values {
			all = append(all, bpf.JumpIf{Cond: bpf.JumpEqual, Val: v, SkipTrue: uint8(len(values) - i)})
		}
		return append(append(all, allow), then...)
	}
	program := []bpf.Instruction{load(atArch), is(auditArch, 1), bpf.Jump{Skip: 1}, allow}
	for _, r := range rules {
		var does []bpf.Instruction
		switch r.when {
		case always:
			does = []bpf.Instruction{trace}
		case finite:
			does = []bpf.Instruction{low(r.arg), is(0, 1), allow, bpf.JumpIf{Cond: bpf.JumpGreaterOrEqual, Val: 1 << 31, SkipFalse: 1}, allow, trace}
		case given:
			does = pointer(r.arg)
		case ofFutex:
			does = append([]bpf.Instruction{low(1), bpf.ALUOpConstant{Op: bpf.ALUOpAnd, Val: futexCommand}}, anyOf(waitingFutexes, pointer(r.arg))...)
		case ofSocket:
			does = append([]bpf.Instruction{low(1), is(unix.SOL_SOCKET, 1), bpf.Jump{Skip: 1}, allow, low(2)}, anyOf(boundingOptions, []bpf.Instruction{trace})...)
		}
		program = append(append(program, load(atCall), is(uint32(r.call), len(does))), does...)
	}
	raw, err := bpf.Assemble(append(program, allow))
	if err != nil {
		panic(err) // the rules are wrong
	}
	return raw
}
