package process

import (
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"syscall"

	"lockstep/engine/redis"
)

// A connection is one of the program's. Its lock is the process'.
type connection struct {
	process *Process
	socket  *net.TCPConn
	in      reader
	more    chan struct{} // there is something to write, or the connection has ended

	id      int64
	name    string
	resp3   bool
	queue   [][]string // commands that wait for the one at the door
	waiting int        // bytes of them
	held    *held
	multi   *transaction // nil: no transaction is open
	out     []byte
	spoke   bool // it has sent a command
	unheard bool // the last reply is to a command from the door
	writing bool // out that is no longer there is on its way to the socket
	leaving bool // it closes when everything is written
	closed  bool
}

func newConnection(p *Process, socket *net.TCPConn, id int64) *connection {
	return &connection{process: p, socket: socket, in: newReader(socket), more: make(chan struct{}, 1), id: id}
}

// read takes commands until the connection ends.
func (c *connection) read() {
	for c.take(c.in.command()) {
	}
	if !c.leaves() {
		return
	}
	// Closing with unread bytes would take the last answer away from the other side. Its own close ends this.
	_, _ = io.CopyN(io.Discard, c.in.in, maxRequest)
	c.process.mu.Lock()
	defer c.process.mu.Unlock()
	if !c.closed {
		c.gone()
	}
}

// leaves reports whether the connection closes when the program has read its last reply.
func (c *connection) leaves() bool {
	c.process.mu.Lock()
	defer c.process.mu.Unlock()
	return c.leaving && !c.closed
}

// take puts a command into the queue. It reports whether to go on.
func (c *connection) take(words []string, err error) bool {
	p := c.process
	p.mu.Lock()
	defer p.mu.Unlock()
	if c.closed || p.over() {
		return false
	}
	var wrong *fault
	var other *stranger
	switch {
	case err == nil && p.byHand() && !c.spoke && c.in.typed && !isKnown(words[0]): // EHLO, or another protocol in lines
		c.send(failure("ERR Lockstep does not know what Redis answers to " + words[0][:min(len(words[0]), 32)]))
		c.leave()
		return false
	case err == nil:
		c.meets()
	case errors.As(err, &wrong) && (p.byHand() || p.child != nil) && !c.spoke: // somebody knocks at each port, or a browser speaks to a peer
		p.stranger = wrong
		c.leave()
		return false
	case errors.As(err, &wrong):
		p.fail(wrong)
		return false
	case errors.As(err, &other):
		p.stranger = other.said
		c.send(other.told)
		c.leave()
		return false
	default:
		// A program that closes a connection before it has read everything resets it.
		p.stale = p.stale || c.unheard && errors.Is(err, syscall.ECONNRESET)
		c.gone()
		return false
	}
	c.queue = append(c.queue, words)
	c.waiting += size(words)
	if c.held != nil && (len(c.queue) > maxPipelined || c.waiting > maxWaiting) {
		p.fail(tooManyPipelined())
		return false
	}
	c.serve()
	return !c.leaving && !p.over()
}

// meets notes that the connection speaks the protocol.
func (c *connection) meets() {
	if !c.spoke && c.process.byHand() {
		c.process.besides(c)
	}
	c.spoke = true
}

// isKnown reports whether a command is one that the front or the door answers.
func isKnown(name string) bool {
	_, known := redis.Takes(name, 1)
	return known || aside[strings.ToUpper(name)] != nil
}

// serve answers the commands in the queue up to the first one that goes to the door.
func (c *connection) serve() {
	for c.held == nil && len(c.queue) > 0 && !c.leaving && !c.process.over() {
		words := c.queue[0]
		c.queue = c.queue[1:]
		c.waiting -= size(words)
		answer, atDoor := c.handle(words)
		if c.process.trace != nil {
			c.process.trace(c.id, words, answer)
		}
		if atDoor != nil {
			atDoor.by = c
			c.held = atDoor
			c.process.arrived()
			return
		}
		c.unheard = false
		c.send(answer)
		c.process.besides(c)
	}
}

func (c *connection) send(raw string) {
	if c.closed {
		return
	}
	c.out = append(c.out, raw...)
	if len(c.out) > maxUnread {
		c.process.fail(readsNothing())
		return
	}
	c.wakeUp()
}

func (c *connection) wakeUp() {
	select {
	case c.more <- struct{}{}:
	default:
	}
}

// write sends what is to be sent, so that nobody who holds the lock waits for a program that does not read.
func (c *connection) write() {
	for range c.more {
		for {
			raw, ok := c.unsent()
			if !ok {
				return
			}
			if len(raw) == 0 {
				break
			}
			if _, err := c.socket.Write(raw); err != nil {
				return // read notices
			}
		}
	}
}

// unsent takes what is to be sent. ok is false when nothing more will be.
func (c *connection) unsent() (raw []byte, ok bool) {
	c.process.mu.Lock()
	defer c.process.mu.Unlock()
	raw, c.out = c.out, nil
	c.writing = len(raw) > 0
	if len(raw) == 0 && c.leaving && !c.closed {
		_ = c.socket.CloseWrite()
		return nil, false
	}
	return raw, !c.closed
}

// leave closes the connection when everything is written.
func (c *connection) leave() {
	c.leaving = true
	c.queue = nil
	c.wakeUp()
}

// gone notes that the program has closed the connection. A command at the door is no longer waited for.
func (c *connection) gone() {
	if c.held != nil {
		c.process.stale = true
		c.held = nil
	}
	c.end()
}

// abort closes the connection as a broken network does.
func (c *connection) abort() {
	_ = c.socket.SetLinger(0)
	c.end()
}

func (c *connection) end() {
	c.closed = true
	c.queue, c.out = nil, nil
	c.socket.Close()
	c.wakeUp()
	p := c.process
	p.connections = slices.DeleteFunc(p.connections, func(other *connection) bool { return other == c })
	p.wakeUp()
}

// size returns the bytes that a command takes while it waits.
func size(words []string) int {
	n := 0
	for _, word := range words {
		n += len(word) + 16
	}
	return n
}
