package process

import "time"

// A wait is how long Next waits for a program. What the machine keeps the program waiting for a processor does not count: a busy
// machine makes nobody impatient.
type wait struct {
	process *Process
	begun   time.Time
	timer   *time.Timer // nil: it waits for ever
}

// mostPatience bounds a wait, in times of its length, whatever the machine does.
const mostPatience = 10

func (p *Process) waits() *wait {
	w := &wait{process: p, begun: time.Now()}
	if p.patience > 0 {
		w.timer = time.NewTimer(p.patience)
	}
	return w
}

func (w *wait) stop() {
	if w.timer != nil {
		w.timer.Stop()
	}
}

// over returns a channel that hears when the time is over; nil: it never is.
func (w *wait) over() <-chan time.Time {
	if w.timer == nil {
		return nil
	}
	return w.timer.C
}

// longer lets a wait that is over go on for as long as the machine has been slow since it was last asked, and reports whether it
// does.
func (w *wait) longer() bool {
	p := w.process
	queued := p.queued()
	slow := queued - p.slow
	if p.slow = queued; slow <= p.patience/100 || time.Since(w.begun) > mostPatience*p.patience {
		return false
	}
	w.timer.Reset(slow)
	return true
}

// queued returns how long the program and Lockstep have waited for a processor by now, each the thread of it that has waited
// longest.
func (p *Process) queued() time.Duration {
	if p.child == nil || p.child.tree == nil {
		return 0
	}
	return p.child.tree.queued() + ownQueued()
}
