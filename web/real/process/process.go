package process

import (
	"errors"
	"net"
	"slices"
	"sync"
	"time"

	"lockstep/engine/learn"
	"lockstep/engine/redis"
	"lockstep/web/recovery"
)

// A Process is a program and the Redis that it finds. One goroutine calls its methods, but Kill may come from any.
type Process struct {
	listener net.Listener
	patience time.Duration // 0: for ever
	child    *child        // nil: somebody else starts the program

	queues, ownQueues queues // at the last look, of the program and of Lockstep: see slow
	looked            time.Time

	trace func(connection int64, sent []string, answer string) // what tests look at; "" is the door

	wake    chan struct{}  // something has changed for Next
	running sync.WaitGroup // every goroutine of the process
	kill    sync.Once

	mu          sync.Mutex
	connections []*connection
	scripts     scripts
	named       int64 // the last CLIENT ID
	aside       int   // see maxAside
	door        bool  // a command has been at the door
	shown       *held // what Next returned last
	stale       bool
	fault       *fault
	stranger    *fault      // what a stranger did, or the program itself
	forget      func() bool // the end of Options.Until no longer kills it; nil: it never did
	timed       timed
	killed      bool
	exited      bool
	code        int
	probe       string        // the address from which watch knocks
	drained     chan struct{} // closed when the probe has been accepted
	deaf        chan struct{} // closed when nothing is accepted any more
}

var _ learn.Process = (*Process)(nil)

// A held command stands at the door. Its connection waits for the reply.
type held struct {
	command []string
	by      *connection
	queued  [][]string // the commands of a transaction
}

// Listen returns a process for a program that somebody starts by hand, and that connects to Address. Its end cannot be seen:
// Next waits for its next command for as long as Patience says, by default for ever.
func Listen(options Options) (*Process, error) {
	return listen(options)
}

func listen(options Options) (*Process, error) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, startError("cannot listen on 127.0.0.1: %v", "无法在 127.0.0.1 上监听：%v", err)
	}
	p := &Process{listener: listener, patience: options.Patience, trace: options.trace, wake: make(chan struct{}, 1), drained: make(chan struct{}), deaf: make(chan struct{})}
	p.start(p.accept)
	return p, nil
}

// Address returns the host and port of the program's Redis.
func (p *Process) Address() string { return p.listener.Addr().String() }

// URL returns the address as REDIS_URL tells it.
func (p *Process) URL() string { return "redis://" + p.Address() }

// Stale reports whether the program has given up waiting for a command at the door: it has closed the connection before
// Answer or Cut, or without reading the reply. It stays true, for what such a program does depends on how long Lockstep took.
func (p *Process) Stale() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.look()
	return p.stale
}

// look notes whether the program still waits for the command that Next returned. The news of a closed connection may be on
// its way to read.
func (p *Process) look() {
	if h := p.shown; h != nil && h.by.held == h && !waits(h.by.socket) {
		h.by.gone()
	}
}

// Next waits until the program has a command at the door or has ended. An Arrival with a Fault, and one that says Ended,
// leave nothing running.
func (p *Process) Next() learn.Arrival {
	wait := p.waits()
	defer wait.stop()
	p.mu.Lock()
	p.look()
	p.timed.moving = false
	p.mu.Unlock()
	for {
		arrival, ok := p.arrival()
		if ok {
			if arrival.Ended || arrival.Fault != nil {
				p.Kill()
				arrival.Said = p.child.said()
			}
			return arrival
		}
		select {
		case <-p.wake:
		case rest := <-p.rests():
			p.mu.Lock()
			p.timed.rest = &rest
			p.mu.Unlock()
		case <-wait.look():
			if !wait.longer() {
				p.losePatience()
			}
		}
	}
}

// arrival returns what the program does next, if that is known already.
func (p *Process) arrival() (learn.Arrival, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.fault != nil:
		return learn.Arrival{Fault: &p.fault.Text}, true
	case p.killed && !p.exited:
		return learn.Arrival{Ended: true, Code: -1}, true
	}
	rest, onClock := p.timed.rest, p.onClock()
	if at := p.atDoor(); len(at) > 0 && (!onClock || rest != nil) {
		p.shown = at[0].held
		return learn.Arrival{Command: slices.Clone(p.shown.command), Read: onClock && rest.Read}, true
	}
	switch {
	case rest == nil || p.exited:
	case !rest.Asleep:
		p.fault = waitsForNothing()
		return learn.Arrival{Fault: &p.fault.Text}, true
	default:
		return learn.Arrival{Asleep: true, For: wholeMillis(rest.Until - rest.Now), Read: rest.Read}, true
	}
	if !p.exited || len(p.connections) > 0 {
		return learn.Arrival{}, false
	}
	if p.stranger != nil && !p.door && !p.stale {
		p.fault = p.stranger
		return learn.Arrival{Fault: &p.fault.Text}, true
	}
	return learn.Arrival{Ended: true, Code: p.code}, true
}

func (p *Process) losePatience() {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case len(p.atDoor()) > 0 && p.onClock() && p.timed.rest == nil:
		p.fail(neverRests(p.patience))
	case len(p.atDoor()) > 0: // it came at the last moment
	case p.stranger != nil && !p.door:
		p.fail(p.stranger)
	case slices.ContainsFunc(p.connections, func(c *connection) bool { return c.in.begun.Load() }):
		p.fail(sendsHalf(p.patience))
	case p.named == 0:
		p.fail(neverConnects(p.patience, p.Address()))
	default:
		p.fail(sendsNothing(p.patience))
	}
}

// Answer sends the reply to the command that Next returned. It does nothing if that command is stale.
func (p *Process) Answer(reply redis.Reply) {
	p.mu.Lock()
	defer p.mu.Unlock()
	h := p.shown
	p.shown = nil
	p.timed.goesOn()
	if h == nil || h.by.held != h {
		return
	}
	c := h.by
	if ended(c.socket) {
		c.gone()
		return
	}
	c.held = nil
	c.unheard = true
	c.send(h.answer(reply, c.resp3))
	c.serve()
}

// Cut closes every connection of the program, which may connect again. The commands that wait get no reply. It first waits
// until the program waits for them, where the system tells: phpredis, for one, looks whether its connection is closed just
// before it waits, and hangs if it is.
func (p *Process) Cut() {
	if p.child != nil {
		p.child.tree.rest(time.Now().Add(settling))
	}
	p.cut()
}

func (p *Process) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shown = nil
	defer p.timed.goesOn()
	for len(p.connections) > 0 {
		c := p.connections[0]
		c.held = nil
		c.abort()
	}
}

// Kill ends the program, everything that it has started, its connections and its listener, and returns when nothing is
// left.
func (p *Process) Kill() {
	p.kill.Do(func() {
		p.listener.Close()
		p.mu.Lock()
		p.killed = true
		forget := p.forget
		p.mu.Unlock()
		if forget != nil {
			forget()
		}
		p.child.kill() // before it can lose a connection, end, and leave children without a parent
		p.cut()
		p.running.Wait()
		p.wakeUp()
	})
}

// fail makes a fault of the program what Next returns from now on. Nothing more is read from it. Its connections stay open
// until Kill.
func (p *Process) fail(f *fault) {
	if p.fault == nil && !p.killed {
		p.fault = f
	}
	p.wakeUp()
}

func (p *Process) wakeUp() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// start runs a goroutine of the process.
func (p *Process) start(do func()) {
	p.running.Add(1)
	go recovery.Func(func() { defer p.running.Done(); do() }, func(mistake any) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.fail(mistaken(mistake))
	})()
}

// accept takes the program's connections until the listener closes.
func (p *Process) accept() {
	defer close(p.deaf)
	for {
		c, err := p.listener.Accept()
		if err != nil {
			if !errors.Is(err, net.ErrClosed) {
				panic(err)
			}
			return
		}
		p.connect(c.(*net.TCPConn))
	}
}

func (p *Process) connect(socket *net.TCPConn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.probe != "" && socket.RemoteAddr().String() == p.probe:
		close(p.drained)
		fallthrough
	case p.over():
		socket.Close()
		return
	}
	p.named++
	c := newConnection(p, socket, p.named)
	p.connections = append(p.connections, c)
	p.start(c.read)
	p.start(c.write)
	if len(p.connections) > maxConnections {
		p.sweep(slices.DeleteFunc(slices.Clone(p.connections), func(c *connection) bool { return !ended(c.socket) }))
	}
	if len(p.connections) > maxConnections && !p.hangUp() {
		p.fail(tooManyConnections())
	}
	if !p.byHand() {
		p.besides(c)
	}
}

// byHand reports whether somebody else starts the program, at some time. Until it has sent its first command, anybody may
// connect to its port by mistake, and a connection that never sends one is nobody's.
func (p *Process) byHand() bool { return p.child == nil && p.patience == 0 }

// hangUp closes the oldest connection that is closing anyway, or has sent no command to a program's port, and reports whether
// there was one.
func (p *Process) hangUp() bool {
	i := slices.IndexFunc(p.connections, func(c *connection) bool { return c.leaving || !c.spoke })
	if i < 0 || !p.byHand() {
		return false
	}
	p.connections[i].abort()
	return true
}

// besides counts what the program does besides sending commands to the door.
func (p *Process) besides(by *connection) {
	switch p.aside++; {
	case p.aside <= maxAside:
	case p.byHand() && !p.door: // it may be somebody who looks whether the port answers
		p.aside = 0
		by.leave()
	default:
		p.fail(tooMuchAside())
	}
}

// over reports whether nothing that the program does counts any more.
func (p *Process) over() bool { return p.fault != nil || p.killed }

// arrived notes that a command has come to the door.
func (p *Process) arrived() {
	p.aside = 0
	p.door = true
	p.wakeUp()
	at := p.atDoor()
	if len(at) < 2 {
		return
	}
	p.sweep(at)
	if at = p.atDoor(); len(at) > 1 {
		p.fail(severalThreads(len(at)))
	}
}

// sweep drops those of some connections that the program has closed, before read hears of it.
func (p *Process) sweep(some []*connection) {
	for _, c := range some {
		if !waits(c.socket) {
			c.gone()
		}
	}
}

// atDoor returns the connections that have a command at the door.
func (p *Process) atDoor() []*connection {
	var at []*connection
	for _, c := range p.connections {
		if c.held != nil {
			at = append(at, c)
		}
	}
	return at
}
