package web

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"lockstep/views"
)

// queue is how many frames may wait for a viewer. One that reads more slowly is
// dropped; it connects again and is told what it has missed.
const queue = 64

// A viewer is one socket. A goroutine reads what it asks for, and another one writes
// what it is told, which is there only while there is something to write: most
// viewers watch, and most of the time nothing happens.
type viewer struct {
	server   *Server
	language views.Language
	surface  surface
	key      string // by which its room knows it; empty: it has none
	run      *run
	hub      *hub         // its room; nil: none
	owner    int          // the seat whose own the run is; 0: everybody's
	lane     atomic.Value // of a phone: the client that it is
	away     bool         // it looks at something else than the driver; the room's lock guards it
	heard    *news        // what it was told of its room last; the room's lock guards it
	own      seatMessage  // what it was told of itself; the room's lock guards it
	socket   socket
	address  string // under which it is counted
	drop     func() // closes the socket, once
	slow     atomic.Bool

	mu      sync.Mutex // a lock under which no other is taken
	waiting []frame    // what is not written yet; the first is being written
	ended   bool       // nothing more is taken
	writer  sync.WaitGroup
	pings   *time.Timer
}

func (s *Server) newViewer(l views.Language, on socket) *viewer {
	v := &viewer{server: s, language: l, surface: onPage, socket: on, drop: sync.OnceFunc(func() { _ = on.Close() })}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.pings = time.AfterFunc(pingTime, v.ping)
	return v
}

// audience are the viewers who are told the same as this one.
func (v *viewer) audience() audience {
	lane, _ := v.lane.Load().(string)
	return audience{v.language, v.surface, lane}
}

// send never waits: whoever holds the run's lock calls it.
func (v *viewer) send(f frame) {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch {
	case v.ended:
	case len(v.waiting) == queue:
		v.slow.Store(true)
		v.drop()
	default:
		if v.waiting = append(v.waiting, f); len(v.waiting) == 1 {
			v.writer.Go(v.server.survives(v.write, v.drop))
		}
	}
}

// write sends what waits until nothing does.
func (v *viewer) write() {
	v.mu.Lock()
	f, ok := v.waiting[0], true
	v.mu.Unlock()
	for ok {
		if err := v.socket.Send(f); err != nil {
			v.drop() // the reader notices, and comes to an end
		}
		f, ok = v.written()
	}
}

// written forgets the first frame, and gives the next one if there is one.
func (v *viewer) written() (next frame, ok bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.waiting) == 1 {
		v.waiting = nil
		return frame{}, false
	}
	v.waiting = slices.Delete(v.waiting, 0, 1)
	return v.waiting[0], true
}

// ping asks now and then whether the viewer is still there.
func (v *viewer) ping() {
	v.send(ping)
	v.mu.Lock()
	defer v.mu.Unlock()
	if !v.ended {
		v.pings.Reset(pingTime)
	}
}

// end closes the socket, when all that was said before is written.
func (v *viewer) end() {
	v.mu.Lock()
	v.ended = true
	v.pings.Stop()
	v.mu.Unlock()
	v.writer.Wait()
	v.drop()
}

// leave ends a socket of a server that ends: its page is told to connect again, and
// has a moment to hear it.
func (v *viewer) leave() {
	v.socket.Leave()
	time.AfterFunc(controlTime, v.drop)
}
