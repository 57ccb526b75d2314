package clock

import (
	"fmt"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A Tree is a program and everything that it has started, on a clock that stands still until Move.
//
// One goroutine, locked to its thread, is the tracer: it calls Start, Wait and Close. Move and Ask are safe for concurrent use.
type Tree struct {
	root     int
	bell     int // see hang
	options  Options
	random   *stream
	threads  map[int]*thread
	gone     map[int]bool // threads that have ended before the one that made them has said so
	timers   map[timerName]*timer
	waits    int64 // and timers, counted: those due at the same time end in the order in which they began
	naps     int   // ended since the tree last rested
	awake    int   // a thread that was so at the last look; 0: there was none
	sockets  *diag
	routes   map[uint64]route // of the sockets it had at the last look, by inode; none: it is no connection
	unsettle func()           // see settle

	mu    sync.Mutex
	now   time.Duration
	skew  time.Duration
	nudge time.Duration // by which programs are ahead: see look and isRead
	reads int           // of a clock, since the last Move
	asked chan Rest     // nil: nobody asks
	over  bool          // the bell is gone
}

// A thread of the tree.
type thread struct {
	tid, pid int
	fresh    bool   // it has not had its first stop
	told     bool   // the one that made it has said so
	wait     *wait  // in a call that the clock ends; nil: in none
	again    *wait  // it was interrupted, and may come again
	ended    bool   // and its process has others
	kicked   int    // signals of ours on their way
	reads    int    // of a clock in a row
	switches string // at the first look: see rests
}

// Start starts a command, in a group of its own if it asks for a session. The goroutine must be locked to its thread, and must
// call Wait and Close.
func Start(cmd *exec.Cmd, o Options) (*Tree, error) {
	sockets, err := openDiag()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSockets, err)
	}
	t := &Tree{options: o, skew: o.Skew, random: newStream(o.Seed), threads: map[int]*thread{}, gone: map[int]bool{}, timers: map[timerName]*timer{}, sockets: sockets}
	hush()
	t.unsettle = settle()
	if t.bell, err = hang(); err == nil {
		if err = t.start(cmd); err == nil {
			return t, nil
		}
		kill(t.bell)
	}
	t.unsettle()
	sockets.close()
	return nil, err
}

func (t *Tree) start(cmd *exec.Cmd) error {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Ptrace = true
	if a := cmd.SysProcAttr; a.Setsid {
		// Linux gives each session its turn (autogroup). 6.18 lets one that is tied to a busy processor wait for seconds.
		a.Setsid, a.Setpgid = false, true
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	t.root = cmd.Process.Pid
	err := t.adopt(t.root)
	if err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	return err
}

// adopt takes the first process, which has stopped before its first instruction.
func (t *Tree) adopt(pid int) error {
	if err := stopped(pid); err != nil {
		return fmt.Errorf("%w: %w", ErrTracing, err)
	}
	const options = unix.PTRACE_O_EXITKILL | unix.PTRACE_O_TRACESYSGOOD | unix.PTRACE_O_TRACESECCOMP |
		unix.PTRACE_O_TRACECLONE | unix.PTRACE_O_TRACEFORK | unix.PTRACE_O_TRACEVFORK | unix.PTRACE_O_TRACEEXEC
	if err := unix.PtraceSetOptions(pid, options); err != nil {
		return fmt.Errorf("%w: %w", ErrTracing, err)
	}
	if err := install(pid); err != nil {
		return fmt.Errorf("%w: %w", ErrFilter, err)
	}
	if err := t.hide(pid); err != nil {
		return fmt.Errorf("%w: %w", ErrTracing, err)
	}
	t.threads[pid] = &thread{tid: pid, pid: pid, told: true}
	return unix.PtraceCont(pid, 0)
}

// Move moves the clock forward to a time, and sets how far the clock of the day is ahead of it. Waits that end by then end one
// after the other, each when the tree rests.
func (t *Tree) Move(to, skew time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.now, t.skew = max(t.now, to), skew
	t.reads = 0
	t.ring()
}

// Ask returns a channel that hears once when the tree rests and no wait is due. It hears nothing when the program ends.
func (t *Tree) Ask() <-chan Rest {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.asked == nil {
		t.asked = make(chan Rest, 1)
		t.ring()
	}
	return t.asked
}

func (t *Tree) isAsked() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.asked != nil
}

// ring wakes the tracer, which waits for its children and for nothing else. Callers hold the lock.
func (t *Tree) ring() {
	if !t.over {
		_ = unix.Kill(t.bell, unix.SIGUSR1)
	}
}

// Wait serves the tree until its first process has ended. It leaves that to be waited for.
func (t *Tree) Wait() {
	for looks := 0; ; {
		tid, status, ended := t.event(t.isAsked())
		switch {
		case ended:
			return
		case tid != 0:
			t.handle(tid, status)
			looks = 0
		case !t.isAsked():
		case looks > 0 && t.look():
			looks = 0
		default:
			pause(looks)
			looks++
		}
	}
}

// Drain serves what the first process has left behind until it has ended, too, or until a time of the machine: a helper that ends
// when its program does ends a moment later. Callers have called Wait.
func (t *Tree) Drain(until time.Time) {
	for looks := 0; ; looks++ {
		left := false
		for tid := range t.threads {
			if tid == t.root {
				continue
			}
			var status unix.WaitStatus
			switch n, err := unix.Wait4(tid, &status, traced|unix.WNOHANG, nil); {
			case n == tid:
				t.handle(tid, status)
				looks, left = 0, true
			case err == unix.ECHILD:
				delete(t.threads, tid)
			default:
				left = true
			}
		}
		if !left || time.Now().After(until) {
			return
		}
		pause(looks)
	}
}

// pause lets the tree, which is on the same processor, go on before the tracer looks at it again: at first for as long as it
// has something to do, and for longer if it does not come to rest.
func pause(looks int) {
	const quick = 20
	if looks < quick {
		_, _, _ = unix.RawSyscall(unix.SYS_SCHED_YIELD, 0, 0, 0)
		return
	}
	nap(min(50*time.Microsecond<<min(looks-quick, 10), time.Millisecond))
}

func nap(d time.Duration) {
	spec := unix.NsecToTimespec(d.Nanoseconds())
	_ = unix.Nanosleep(&spec, nil)
}

// Close ends what is left of the tree.
func (t *Tree) Close() {
	t.mu.Lock()
	t.over = true
	t.mu.Unlock()
	_ = unix.Kill(t.bell, unix.SIGKILL)
	for _, th := range t.threads {
		if th.pid != t.root { // which has ended, and its number may be another one's by now
			_ = unix.Kill(th.pid, unix.SIGKILL)
		}
	}
	for {
		var status unix.WaitStatus
		tid, err := unix.Wait4(-1, &status, traced, nil)
		switch {
		case err == unix.EINTR:
		case err != nil:
			t.sockets.close()
			t.unsettle()
			return
		case status.Stopped(): // one that was not known yet
			_ = unix.Kill(tid, unix.SIGKILL)
		}
	}
}

// traced waits for what this thread traces. A child that it has started and does not trace is somebody else's to wait for:
// WCLONE leaves it out.
const traced = unix.WCLONE | unix.WNOTHREAD

// event returns the next stop or end of a thread, or that the root has ended. tid 0: somebody has rung or, if the tracer is not
// to wait, there is none by now.
func (t *Tree) event(atOnce bool) (tid int, status unix.WaitStatus, ended bool) {
	for {
		next, code, err := peek(atOnce)
		switch {
		case err != nil, next == t.root && code <= cldDumped:
			return 0, 0, true
		case next == 0:
			return 0, 0, false
		}
		n, err := unix.Wait4(next, &status, traced|unix.WNOHANG, nil)
		switch {
		case err != nil || n == 0:
			continue
		case n == t.bell:
			if status.Stopped() {
				_ = unix.PtraceCont(n, 0)
			}
			return 0, 0, false
		case n == t.root && !status.Stopped(): // a signal has ended it since the look: nobody will hear of it again
			return 0, 0, true
		}
		return n, status, false
	}
}

// cldDumped is the last of the codes that tell the end of a process; the others tell a stop.
const cldDumped = 3

// peek returns the next child with news, and what they are; 0: there is none by now.
func peek(atOnce bool) (tid int, code int32, err error) {
	options := unix.WEXITED | unix.WSTOPPED | traced | unix.WNOWAIT
	if atOnce {
		options |= unix.WNOHANG
	}
	for {
		var info unix.Siginfo
		err = unix.Waitid(unix.P_ALL, 0, &info, options, nil)
		if err != unix.EINTR {
			return childOf(&info), info.Code, err
		}
	}
}

// handle lets a thread go on after a stop.
func (t *Tree) handle(tid int, status unix.WaitStatus) {
	if !status.Stopped() {
		if th := t.threads[tid]; th != nil {
			delete(t.threads, tid)
			if !th.told {
				t.gone[tid] = true
			}
			t.forget(th.pid)
		}
		return
	}
	th := t.threads[tid]
	if th == nil {
		th = t.born(tid)
	}
	signal := status.StopSignal()
	switch {
	case signal == unix.SIGTRAP|0x80:
		t.returns(th)
		_ = unix.PtraceCont(tid, 0)
	case signal == unix.SIGTRAP && status.TrapCause() > 0:
		t.happens(th, status.TrapCause())
	case signal == unix.SIGSTOP && th.fresh:
		th.fresh = false
		th.resume(0)
	case signal == unix.SIGSTOP && th.kicked > 0:
		th.kicked--
		th.resume(0)
	default:
		th.resume(int(signal))
	}
}

// makes notes that a thread of the tree has made another one, which may have lived and ended by now.
func (t *Tree) makes(tid int) {
	if t.gone[tid] {
		delete(t.gone, tid)
		return
	}
	th := t.threads[tid]
	if th == nil {
		th = t.born(tid)
	}
	th.told = true
}

func (t *Tree) born(tid int) *thread {
	th := &thread{tid: tid, pid: processOf(tid), fresh: true}
	t.threads[tid] = th
	return th
}

// resume lets a thread go on. In a call that the clock ends, it stops again where the call does.
func (th *thread) resume(signal int) {
	if th.wait != nil {
		_ = unix.PtraceSyscall(th.tid, signal)
		return
	}
	_ = unix.PtraceCont(th.tid, signal)
}

// happens handles a stop that an option of ptrace asks for.
func (t *Tree) happens(th *thread, cause int) {
	switch cause {
	case unix.PTRACE_EVENT_SECCOMP:
		t.enters(th)
		return
	case unix.PTRACE_EVENT_CLONE, unix.PTRACE_EVENT_FORK, unix.PTRACE_EVENT_VFORK:
		if n, err := unix.PtraceGetEventMsg(th.tid); err == nil {
			t.makes(int(n))
		}
	case unix.PTRACE_EVENT_EXEC:
		if former, err := unix.PtraceGetEventMsg(th.tid); err == nil && int(former) != th.tid {
			delete(t.threads, int(former))
		}
		*th = thread{tid: th.tid, pid: th.pid, told: th.told}
		_ = t.hide(th.tid)
	}
	_ = unix.PtraceCont(th.tid, 0)
}
