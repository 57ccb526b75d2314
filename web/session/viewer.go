package session

import (
	"errors"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"lockstep/engine/lang"
	"lockstep/web/present"
	"lockstep/web/refusal"
)

// Queue is how many frames may wait for a viewer. One that reads more slowly is
// dropped; it connects again and is told what it has missed.
const Queue = 64

// A Viewer is one socket. A goroutine reads what it asks for, and another one writes
// what it is told, which is there only while there is something to write: most
// viewers watch, and most of the time nothing happens.
type Viewer struct {
	manager  *Manager
	language lang.Language
	surface  Surface
	key      string // by which its room knows it; empty: it has none
	run      *Run
	live     *LiveRoom    // its room; nil: none
	owner    int          // the seat whose own the run is; 0: everybody's
	lane     atomic.Value // of a phone: the client that it is
	away     bool         // it looks at something else than the driver; the room's lock guards it
	heard    *news        // what it was told of its room last; the room's lock guards it
	own      present.Seat // what it was told of itself; the room's lock guards it
	socket   Socket
	network  string // whose it is
	person   string
	ahead    chan arrival // a message that came while the one before was waited for; nil: nobody listens
	drop     func()       // closes the socket, once
	slow     atomic.Bool

	mu      sync.Mutex    // a lock under which no run's and no room's is taken
	waiting []Frame       // what is not written yet; the first is being written
	since   time.Time     // it is being written
	room    chan struct{} // is closed when little waits any more; nil: nobody waits for that
	ended   bool          // nothing more is taken
	writer  sync.WaitGroup
	pings   *time.Timer
}

// A Look is what a viewer looks at, and as whom.
type Look struct {
	Language        lang.Language
	Surface         Surface
	Run             *Run
	Room            *LiveRoom // nil: none
	Key             string    // by which the room knows them; empty: it does not
	Network, Person string    // for which the limits count them
}

// NewViewer returns the viewer who has a socket.
func (m *Manager) NewViewer(at Look, on Socket) *Viewer {
	v := &Viewer{
		manager: m, language: at.Language, surface: at.Surface, run: at.Run, live: at.Room, key: at.Key, network: at.Network, person: at.Person,
		socket: on, drop: sync.OnceFunc(func() { _ = on.Close() }),
	}
	if at.Run != nil {
		v.owner = at.Run.Place().Seat
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.pings = time.AfterFunc(pingTime, m.Survives(v.ping, v.drop))
	return v
}

// An arrival is what Receive has brought.
type arrival struct {
	data []byte
	err  error
}

// receive gives the next message: one that was listened for, or one that comes.
func (v *Viewer) receive() ([]byte, error) {
	if v.ahead == nil {
		return v.socket.Receive()
	}
	next := <-v.ahead
	v.ahead = nil
	return next.data, next.err
}

// listen takes the next message in while somebody waits for the one before, so that it is known when the socket ends.
// It is for the goroutine that reads.
func (v *Viewer) listen(ended func()) {
	if v.ahead != nil {
		return
	}
	next := make(chan arrival, 1)
	v.ahead = next
	go v.manager.Survives(func() {
		data, err := v.socket.Receive()
		if err != nil && !errors.Is(err, ErrBinary) && !refusal.Is(err, refusal.TooFast) {
			ended()
		}
		next <- arrival{data, err}
	}, func() { v.drop(); next <- arrival{err: net.ErrClosed} })()
}

// audience are the viewers who are told the same as this one.
func (v *Viewer) audience() Audience {
	lane, _ := v.lane.Load().(string)
	return Audience{v.language, v.surface, lane}
}

// Send never waits: whoever holds the run's lock calls it. A viewer that does not read is dropped when too much waits
// for it or, when too much waits for everybody, as soon as it has not read for a moment.
func (v *Viewer) Send(f Frame) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.ended {
		return
	}
	fits := f.hold(v.manager.Limits.Frames, v.network)
	if len(v.waiting) == Queue || !fits && len(v.waiting) > 0 && time.Since(v.since) > stalled {
		f.release(v.manager.Limits.Frames)
		v.slow.Store(true)
		v.drop()
		return
	}
	if v.waiting = append(v.waiting, f); len(v.waiting) == 1 {
		v.since = time.Now()
		v.writer.Go(v.manager.Survives(v.write, v.giveUp))
	}
}

// reply sends what only this viewer has asked for, or reports that there is no room for it.
func (v *Viewer) reply(f Frame) bool {
	shares := v.manager.Limits.Frames
	if f.Size() > smallFrame && !shares.Take(v.network, f.Size()) {
		v.manager.Refused("frames")
		return false
	}
	v.Send(f)
	if f.Size() > smallFrame { // it is counted as sent by now
		shares.Give(v.network, f.Size())
	}
	return true
}

// welcome sends what somebody is told who comes, or lets them go again where there is no room for it.
func (v *Viewer) welcome(f Frame) {
	if !v.reply(f) {
		v.drop()
	}
}

const (
	pingTime   = 25 * time.Second
	leaveTime  = time.Second     // for a page to hear that it is to connect again
	stalled    = 2 * time.Second // after which a viewer does not read
	smallFrame = 4 << 10         // bytes, for which there is always room
	mostAsked  = 4               // frames that may wait for a viewer who asks for more
)

// waitForReader returns when little waits for the viewer: whoever does not read is not answered on and on.
func (v *Viewer) waitForReader() {
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
func (v *Viewer) write() {
	v.mu.Lock()
	f, ok := v.waiting[0], true
	v.mu.Unlock()
	for ok {
		send := v.socket.Ping
		if f != (Frame{}) {
			send = func() error { return v.socket.Send(f) }
		}
		if err := send(); err != nil {
			v.drop() // the reader notices, and comes to an end
		}
		f, ok = v.written()
	}
}

// giveUp forgets what waits, as nobody writes it.
func (v *Viewer) giveUp() {
	v.drop()
	v.mu.Lock()
	defer v.mu.Unlock()
	v.ended = true
	for _, f := range v.waiting {
		f.release(v.manager.Limits.Frames)
	}
	v.waiting = nil
	if v.room != nil {
		close(v.room)
		v.room = nil
	}
}

// written forgets the first frame, and gives the next one if there is one.
func (v *Viewer) written() (next Frame, ok bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.waiting[0].release(v.manager.Limits.Frames)
	v.since = time.Now()
	if v.room != nil && len(v.waiting) <= mostAsked+1 {
		close(v.room)
		v.room = nil
	}
	if len(v.waiting) == 1 {
		v.waiting = nil
		return Frame{}, false
	}
	v.waiting = slices.Delete(v.waiting, 0, 1)
	return v.waiting[0], true
}

// ping asks now and then whether the viewer is still there.
func (v *Viewer) ping() {
	v.Send(Frame{})
	v.mu.Lock()
	defer v.mu.Unlock()
	if !v.ended {
		v.pings.Reset(pingTime)
	}
}

// End closes the socket, when all that was said before is written.
func (v *Viewer) End() {
	v.mu.Lock()
	v.ended = true
	v.pings.Stop()
	v.mu.Unlock()
	v.writer.Wait()
	v.drop()
}

// leave ends a socket of a server that ends: its page is told to connect again, and
// has a moment to hear it.
func (v *Viewer) leave() {
	v.socket.Leave()
	time.AfterFunc(leaveTime, v.manager.Survives(v.drop, func() {}))
}

// CountSlow counts a viewer that was dropped because it did not read.
func (m *Manager) CountSlow(v *Viewer) {
	if v.slow.Load() {
		m.Slow()
	}
}

// Drop closes the socket.
func (v *Viewer) Drop() { v.drop() }
