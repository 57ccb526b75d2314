package process

import "time"

// A wait is how long Next waits for a program. What the machine keeps the program waiting for a processor or a disk does not count:
// a busy machine makes nobody impatient.
type wait struct {
	process *Process
	begun   time.Time
	slow    time.Duration // of that, what the machine has kept the program waiting
	timer   *time.Timer   // of the next look; nil: it waits for ever
}

// mostPatience bounds a wait, in times of its length, whatever the machine does.
const mostPatience = 10

// looks is how often a wait looks at a machine that is not busy. A thread that ends takes what it has waited for with it.
const looks = 8

func (p *Process) waits() *wait {
	w := &wait{process: p, begun: time.Now()}
	if p.patience > 0 {
		w.timer = time.NewTimer(p.patience / looks)
	}
	return w
}

func (w *wait) stop() {
	if w.timer != nil {
		w.timer.Stop()
	}
}

// look returns a channel that hears when it is time for the next look; nil: it never is.
func (w *wait) look() <-chan time.Time {
	if w.timer == nil {
		return nil
	}
	return w.timer.C
}

// longer reports whether the wait goes on.
func (w *wait) longer() bool {
	patience, passed := w.process.patience, time.Since(w.begun)
	if !w.counts(passed, w.process.slow()) || passed > mostPatience*patience {
		return false
	}
	w.timer.Reset(patience / looks)
	return true
}

// counts notes how long the machine has kept the program waiting since the last look, and reports whether patience is left. That
// may be more than has passed: nobody may have looked since before the wait.
func (w *wait) counts(passed, slow time.Duration) bool {
	w.slow = min(w.slow+slow, passed)
	patience := w.process.patience
	return passed-w.slow < patience-patience/(2*looks)
}

// slow returns how long the machine has kept the program waiting since the last look. The program and Lockstep take turns, and
// each waits for as long as the thread of it that has waited longest.
func (p *Process) slow() time.Duration {
	if p.child == nil || p.child.tree == nil {
		return 0
	}
	now := time.Now()
	passed := now.Sub(p.looked)
	before, own := p.queues, p.ownQueues
	p.queues, p.ownQueues, p.looked = p.child.tree.queues(), ownQueues(), now
	return p.queues.since(before, passed) + p.ownQueues.since(own, passed)
}

// queues are what each thread has waited for the machine, by the name of its directory.
type queues map[string]queue

type queue struct {
	ran, waited time.Duration // on a processor, for one
	waits       bool          // for a processor or a disk, just now
	ahead       time.Duration // what it waits since, which the system counts when it has a processor
}

// since returns what the thread has waited that has waited longest since an earlier look. A thread that was not there has begun
// since.
func (q queues) since(before queues, passed time.Duration) (most time.Duration) {
	for name, now := range q {
		then, known := before[name]
		if known && now.waits && now.ran == then.ran && now.waited == then.waited {
			now.ahead = then.ahead + passed
			q[name] = now
		}
		most = max(most, now.waited+now.ahead-then.waited-then.ahead)
	}
	return most
}
