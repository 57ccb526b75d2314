package process

import (
	"errors"
	"net/netip"
	"time"

	"lockstep/engine/lang"
	"lockstep/engine/learn"
	"lockstep/web/real/clock"
)

// LacksClock says why no program can have a clock of its own on this machine; nil: programs can.
func LacksClock() *lang.Text {
	err := clock.Lacks()
	if err == nil {
		return nil
	}
	var text lang.Text
	switch {
	case errors.Is(err, clock.ErrSystem):
		text = lang.Both("only Linux on amd64 has such a clock", "只有 amd64 上的 Linux 有这样的时钟")
	case errors.Is(err, clock.ErrFilter):
		text = lang.Both("this machine does not let a process filter the system calls of its children (seccomp)", "这台机器不允许进程限制其子进程的系统调用（seccomp）")
	case errors.Is(err, clock.ErrProc):
		text = lang.Both("/proc does not tell what a process waits for", "从 /proc 看不出进程在等什么")
	case errors.Is(err, clock.ErrSockets):
		text = lang.Both("the kernel does not tell what its connections have sent (sock_diag)", "从内核查不到各个连接发送了多少数据（sock_diag）")
	default:
		text = lang.Both("this machine does not let a process trace its children; a container needs SYS_PTRACE", "这台机器不允许进程跟踪其子进程；容器需要 SYS_PTRACE")
	}
	return &text
}

var _ learn.Clocked = (*Process)(nil)

// timed is what a Process on a clock of its own knows of that. Times are ms.
type timed struct {
	first  int64         // what the program read at its start
	apart  time.Duration // how far its clock is beyond the whole milliseconds
	now    int64         // how long it has run
	rest   *clock.Rest   // it rests since; nil: it may go on
	moving bool          // the clock has moved for what comes next
}

// goesOn notes that the program has been told something.
func (t *timed) goesOn() { t.rest, t.moving = nil, false }

// begin starts the program, on a clock of its own if the options say so.
func (p *Process) begin(c *child, options Options) (err error) {
	if !options.Clock {
		return c.cmd.Start()
	}
	door, err := netip.ParseAddrPort(p.Address())
	if err != nil {
		return err
	}
	tree, err := clock.Start(c.cmd, clock.Options{Seed: options.seed, Skew: time.Duration(p.timed.first)*time.Millisecond + p.timed.apart, Door: door, Idle: p.idle})
	p.mu.Lock()
	defer p.mu.Unlock()
	c.clock = tree
	return err
}

// onClock reports whether the program is on a clock of its own.
func (p *Process) onClock() bool { return p.child != nil && p.child.clock != nil }

// rests returns a channel that hears when the program rests on its clock; nil: it does already, or has none.
func (p *Process) rests() <-chan clock.Rest {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.onClock() || p.timed.rest != nil || p.exited {
		return nil
	}
	return p.child.clock.Ask()
}

// Set sets the clock that the program reads. It does nothing for a program on the machine's.
func (p *Process) Set(own int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.onClock() {
		return
	}
	t := &p.timed
	t.moving, t.rest = true, nil
	t.now = max(t.now, own-t.first)
	p.child.clock.Move(time.Duration(t.now)*time.Millisecond, time.Duration(own-t.now)*time.Millisecond+t.apart)
}

// idle reports whether the front has done everything that the program has asked for by now.
func (p *Process) idle() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.timed.moving {
		return false
	}
	for _, c := range p.connections {
		if len(c.out) > 0 || c.writing || c.in.ear.heard.Load() != clock.Received(c.socket) {
			return false
		}
	}
	return true
}

// wholeMillis returns a length in ms, rounded up.
func wholeMillis(d time.Duration) int64 { return int64((d + time.Millisecond - 1) / time.Millisecond) }
