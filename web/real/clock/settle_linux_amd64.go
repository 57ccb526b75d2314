package clock

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// settle makes what the calling thread starts run on one processor, and at the same addresses each time, as far as the system
// lets it. It returns how to go back.
func settle() func() {
	const ask, noRandomize = 0xffffffff, 0x0040000 // ADDR_NO_RANDOMIZE
	before, _, errno := unix.RawSyscall(unix.SYS_PERSONALITY, ask, 0, 0)
	if errno == 0 {
		_, _, _ = unix.RawSyscall(unix.SYS_PERSONALITY, before|noRandomize, 0, 0)
	}
	var all, one unix.CPUSet
	pinned := unix.SchedGetaffinity(0, &all) == nil && all.Count() > 1
	if pinned {
		one.Set(nth(&all, int(started.Add(1))%all.Count()))
		pinned = unix.SchedSetaffinity(0, &one) == nil
	}
	return func() {
		if errno == 0 {
			_, _, _ = unix.RawSyscall(unix.SYS_PERSONALITY, before, 0, 0)
		}
		if pinned {
			_ = unix.SchedSetaffinity(0, &all)
		}
	}
}

// started counts trees: neighbours run on different processors.
var started atomic.Uint32

func nth(set *unix.CPUSet, n int) int {
	for cpu := 0; ; cpu++ {
		if set.IsSet(cpu) {
			if n == 0 {
				return cpu
			}
			n--
		}
	}
}

// hush keeps the kernel from sending this process a signal for each stop of a child: the tracer waits for stops, and a signal
// would cost as much as the stop itself.
var hush = sync.OnceFunc(func() {
	const noChildStop = 1 // SA_NOCLDSTOP
	var action struct{ handler, flags, restorer, mask uintptr }
	_, _, errno := unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(unix.SIGCHLD), 0, uintptr(unsafe.Pointer(&action)), unsafe.Sizeof(action.mask), 0, 0)
	if errno == 0 {
		action.flags |= noChildStop
		_, _, _ = unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(unix.SIGCHLD), uintptr(unsafe.Pointer(&action)), 0, unsafe.Sizeof(action.mask), 0, 0)
	}
})
