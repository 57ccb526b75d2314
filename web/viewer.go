package web

import (
	"errors"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"lockstep/views"
	"lockstep/web/present"
	"lockstep/web/refusal"
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
	own      present.Seat // what it was told of itself; the room's lock guards it
	socket   socket
	visitor               // whose it is
	ahead    chan arrival // a message that came while the one before was waited for; nil: nobody listens
	drop     func()       // closes the socket, once
	slow     atomic.Bool

	mu      sync.Mutex    // a lock under which no run's and no room's is taken
	waiting []frame       // what is not written yet; the first is being written
	since   time.Time     // it is being written
	room    chan struct{} // is closed when little waits any more; nil: nobody waits for that
	ended   bool          // nothing more is taken
	writer  sync.WaitGroup
	pings   *time.Timer
}

func (s *Server) newViewer(l views.Language, on socket) *viewer {
	v := &viewer{server: s, language: l, surface: onPage, socket: on, drop: sync.OnceFunc(func() { _ = on.Close() })}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.pings = time.AfterFunc(pingTime, s.survives(v.ping, v.drop))
	return v
}

// An arrival is what Receive has brought.
type arrival struct {
	data []byte
	err  error
}

// receive gives the next message: one that was listened for, or one that comes.
func (v *viewer) receive() ([]byte, error) {
	if v.ahead == nil {
		return v.socket.Receive()
	}
	next := <-v.ahead
	v.ahead = nil
	return next.data, next.err
}

// listen takes the next message in while somebody waits for the one before, so that it is known when the socket ends.
// It is for the goroutine that reads.
func (v *viewer) listen(ended func()) {
	if v.ahead != nil {
		return
	}
	ahead := make(chan arrival, 1)
	v.ahead = ahead
	go v.server.survives(func() {
		data, err := v.socket.Receive()
		if err != nil && !errors.Is(err, errBinary) && !refusal.Is(err, refusal.TooFast) {
			ended()
		}
		ahead <- arrival{data, err}
	}, func() { v.drop(); ahead <- arrival{err: net.ErrClosed} })()
}

// audience are the viewers who are told the same as this one.
func (v *viewer) audience() audience {
	lane, _ := v.lane.Load().(string)
	return audience{v.language, v.surface, lane}
}

// send never waits: whoever holds the run's lock calls it. A viewer that does not read is dropped when too much waits
// for it or, when too much waits for everybody, as soon as it has not read for a moment.
func (v *viewer) send(f frame) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.ended {
		return
	}
	fits := f.hold(v.server.guard.frames, v.network)
	if len(v.waiting) == queue || !fits && len(v.waiting) > 0 && time.Since(v.since) > stalled {
		f.release(v.server.guard.frames)
		v.slow.Store(true)
		v.drop()
		return
	}
	if v.waiting = append(v.waiting, f); len(v.waiting) == 1 {
		v.since = time.Now()
		v.writer.Go(v.server.survives(v.write, v.giveUp))
	}
}

// reply sends what only this viewer has asked for, or reports that there is no room for it.
func (v *viewer) reply(f frame) bool {
	shares := v.server.guard.frames
	if f.size > smallFrame && !shares.Take(v.network, f.size) {
		v.server.refused("frames")
		return false
	}
	v.send(f)
	if f.size > smallFrame { // it is counted as sent by now
		shares.Give(v.network, f.size)
	}
	return true
}

// welcome sends what somebody is told who comes, or lets them go again where there is no room for it.
func (v *viewer) welcome(f frame) {
	if !v.reply(f) {
		v.drop()
	}
}

const (
	stalled    = 2 * time.Second // after which a viewer does not read
	smallFrame = 4 << 10         // bytes, for which there is always room
	mostAsked  = 4               // frames that may wait for a viewer who asks for more
)

// waitForReader returns when little waits for the viewer: whoever does not read is not answered on and on.
func (v *viewer) waitForReader() {
	v.mu.Lock()
	if len(v.waiting) <= mostAsked || v.ended {
		v.mu.Unlock()
		return
	}
	v.room = make(chan struct{})
	room := v.room
	v.mu.Unlock()
	<-room
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

// giveUp forgets what waits, as nobody writes it.
func (v *viewer) giveUp() {
	v.drop()
	v.mu.Lock()
	defer v.mu.Unlock()
	v.ended = true
	for _, f := range v.waiting {
		f.release(v.server.guard.frames)
	}
	v.waiting = nil
	if v.room != nil {
		close(v.room)
		v.room = nil
	}
}

// written forgets the first frame, and gives the next one if there is one.
func (v *viewer) written() (next frame, ok bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.waiting[0].release(v.server.guard.frames)
	v.since = time.Now()
	if v.room != nil && len(v.waiting) <= mostAsked+1 {
		close(v.room)
		v.room = nil
	}
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
	time.AfterFunc(controlTime, v.server.survives(v.drop, func() {}))
}
