package clock

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"time"

	"golang.org/x/sys/unix"
)

// answers answers a call that asks for the time or for randomness, and those that would make the machine's time count.
func (t *Tree) answers(th *thread, regs *unix.PtraceRegs) (result int64, done bool) {
	switch regs.Orig_rax {
	case unix.SYS_CLOCK_GETTIME:
		now, ok := t.on(regs.Rdi)
		if !ok {
			return 0, false
		}
		t.isRead(th)
		return th.tell(uintptr(regs.Rsi), now, time.Nanosecond), true
	case unix.SYS_GETTIMEOFDAY:
		t.isRead(th)
		if regs.Rdi == 0 {
			return 0, true
		}
		return th.tell(uintptr(regs.Rdi), t.realtime(), time.Microsecond), true
	case unix.SYS_TIME:
		t.isRead(th)
		seconds := floor(t.realtime(), time.Second)
		if regs.Rdi != 0 {
			var b [8]byte
			binary.LittleEndian.PutUint64(b[:], uint64(seconds))
			if write(th.tid, uintptr(regs.Rdi), b[:]) != nil {
				return -int64(unix.EFAULT), true
			}
		}
		return seconds, true
	case unix.SYS_GETRANDOM:
		n := int(min(regs.Rsi, maxRandom))
		if n > 0 && write(th.tid, uintptr(regs.Rdi), t.random.next(n)) != nil {
			return -int64(unix.EFAULT), true
		}
		return int64(n), true
	case unix.SYS_SETSOCKOPT: // a socket waits for as long as it takes
		return 0, true
	case unix.SYS_IO_URING_SETUP:
		return -int64(unix.ENOSYS), true
	}
	return t.times(th, regs)
}

// maxRandom bounds the bytes of one call: a program asks for the rest again.
const maxRandom = 64 << 10

// on returns the time on a clock of the kernel, if it is one that goes on while a program does nothing.
func (t *Tree) on(clock uint64) (now time.Duration, ok bool) {
	switch clock {
	case unix.CLOCK_REALTIME, unix.CLOCK_REALTIME_COARSE, unix.CLOCK_REALTIME_ALARM, unix.CLOCK_TAI:
		return t.realtime(), true
	case unix.CLOCK_MONOTONIC, unix.CLOCK_MONOTONIC_RAW, unix.CLOCK_MONOTONIC_COARSE, unix.CLOCK_BOOTTIME, unix.CLOCK_BOOTTIME_ALARM:
		return t.monotonic(), true
	}
	return 0, false
}

// isRead notes that a thread has read a clock. One that asks again and again waits until it is later, and gets a nanosecond.
func (t *Tree) isRead(th *thread) {
	const patient = 10_000
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reads++
	if th.reads++; th.reads >= patient {
		th.reads = 0
		t.nudge++
	}
}

// tell writes a time to the memory of a thread, in seconds and parts of a unit. It returns what the call returns.
func (th *thread) tell(at uintptr, now, unit time.Duration) int64 {
	seconds := floor(now, time.Second)
	var b [16]byte
	binary.LittleEndian.PutUint64(b[:], uint64(seconds))
	binary.LittleEndian.PutUint64(b[8:], uint64((now-time.Duration(seconds)*time.Second)/unit))
	if write(th.tid, at, b[:]) != nil {
		return -int64(unix.EFAULT)
	}
	return 0
}

// floor divides and rounds down: a clock may be before 1970.
func floor(d, unit time.Duration) int64 {
	n := int64(d / unit)
	if d < 0 && d%unit != 0 {
		n--
	}
	return n
}

// A stream is randomness that is the same in each run with the same seed.
type stream struct{ of *rand.ChaCha8 }

func newStream(seed string) *stream { return &stream{rand.NewChaCha8(sha256.Sum256([]byte(seed)))} }

func (s *stream) next(n int) []byte {
	b := make([]byte, n)
	_, _ = s.of.Read(b)
	return b
}
