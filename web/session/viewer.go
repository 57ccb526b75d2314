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

// Queue is how many frames may wait for a viewer. A viewer that reads more slowly is dropped. It connects again and is
// told what it has missed.
const Queue = 64

// A Viewer is one socket. One goroutine reads the viewer's requests. Another one writes, and exists only while a frame
// waits: most viewers watch, and most of the time nothing happens.
type Viewer struct {
	manager  *Manager
	language lang.Language
	surface  Surface
	key      string // that its room knows; empty: it has none
	run      *Run
	live     *LiveRoom    // nil: none
	owner    int          // the seat whose sandbox the run is; 0: none
	lane     atomic.Value // the client that a phone is
	away     bool         // it looks at something else than the driver; the room's lock guards this field and the next three
	until    int64        // the end of the timer that it knows; 0: none
	heard    *news        // the last news about its room
	own      present.Seat // the last news about itself
	socket   Socket
	network  string // the network and the person that limits count
	person   string
	ahead    chan arrival // a message that comes while another request waits; nil: nobody listens
	drop     func()       // closes the socket, once
	slow     atomic.Bool

	mu      sync.Mutex    // no lock of a run or a room is taken under it
	waiting []Frame       // the frames that are not written; the first is being written
	since   time.Time     // when the writing of the first began
	room    chan struct{} // closes when few frames wait; nil: nobody waits for that
	ended   bool          // it takes no more frames
	writer  sync.WaitGroup
	pings   *time.Timer
	beats   int // since the last ping; -1: the viewer wants none
}

// A Look tells the run, the room and the person of a viewer.
type Look struct {
	Language        lang.Language
	Surface         Surface
	Run             *Run
	Room            *LiveRoom // nil: none
	Key             string    // that the room knows; empty: none
	Network, Person string    // that the limits count
	Beats           bool      // it wants a beat every beatTime
}

// NewViewer returns the viewer of a socket.
func (m *Manager) NewViewer(at Look, on Socket) *Viewer {
	v := &Viewer{
		manager: m, language: at.Language, surface: at.Surface, run: at.Run, live: at.Room, key: at.Key, network: at.Network, person: at.Person,
		socket: on, drop: sync.OnceFunc(func() { _ = on.Close() }), beats: -1,
	}
	first := pingTime
	if at.Beats {
		v.beats, first = 0, beatTime
	}
	if at.Run != nil {
		v.owner = at.Run.Place().Seat
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.pings = time.AfterFunc(first, m.Survives(v.ping, v.drop))
	return v
}

// An arrival is the outcome of a Receive.
type arrival struct {
	data []byte
	err  error
}

// receive returns the next message, which listen may have received already.
func (v *Viewer) receive() ([]byte, error) {
	if v.ahead == nil {
		return v.socket.Receive()
	}
	next := <-v.ahead
	v.ahead = nil
	return next.data, next.err
}

// listen receives the next message while a request waits, so the end of the socket ends the request too. Only the
// goroutine that reads calls it.
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

// audience returns the audience of the viewer.
func (v *Viewer) audience() Audience {
	lane, _ := v.lane.Load().(string)
	return Audience{v.language, v.surface, lane}
}

// Send never waits, because its callers hold a run's lock. It drops a viewer that does not read: when Queue frames wait
// for the viewer, or when the shares are full and the viewer has not read for a moment.
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

// reply sends an answer to this viewer alone, and reports whether the shares have room for it.
func (v *Viewer) reply(f Frame) bool {
	shares := v.manager.Limits.Frames
	if f.Size() > smallFrame && !shares.Take(v.network, f.waits()) {
		v.manager.Refused("frames")
		return false
	}
	v.Send(f)
	if f.Size() > smallFrame { // Send has counted it
		shares.Give(v.network, f.waits())
	}
	return true
}

// welcome sends a greeting, or drops the viewer where there is no room for it.
func (v *Viewer) welcome(f Frame) {
	if !v.reply(f) {
		v.drop()
	}
}

const (
	beatTime   = 5 * time.Second // between two beats, which cost a viewer 17 bytes each
	pingTime   = 25 * time.Second
	leaveTime  = time.Second     // in which a page hears that it connects again
	stalled    = 2 * time.Second // after which a viewer counts as not reading
	smallFrame = 4 << 10         // bytes; there is always room for such a frame
	mostAsked  = 4               // frames that may wait before the next request is read
)

// waitForReader returns when few frames wait for the viewer. A viewer who does not read gets no further answers.
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

// write sends the waiting frames until none is left.
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
			v.drop() // the reading goroutine notices, and ends
		}
		f, ok = v.written()
	}
}

// giveUp forgets the waiting frames, because nobody writes them.
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

// written forgets the first frame, and returns the next one, if there is one.
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

// A beat tells a page that the connection holds: a browser answers pings and tells its page nothing of them. A beat is as
// small as a ping, and like a ping it does not count.
var beat = Frame{&frame{text: []byte(`{"type":"beat"}`)}}

// ping asks every pingTime whether the viewer is still there. A viewer who wants beats gets one every beatTime.
func (v *Viewer) ping() {
	next := pingTime
	if v.beats >= 0 {
		v.Send(beat)
		next = beatTime
		v.beats = (v.beats + 1) % int(pingTime/beatTime)
	}
	if v.beats <= 0 {
		v.Send(Frame{})
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if !v.ended {
		v.pings.Reset(next)
	}
}

// End closes the socket after the waiting frames are written.
func (v *Viewer) End() {
	v.mu.Lock()
	v.ended = true
	v.pings.Stop()
	v.mu.Unlock()
	v.writer.Wait()
	v.drop()
}

// leave tells the viewer's page to connect again, because the server ends. It closes the socket after a moment.
func (v *Viewer) leave() {
	v.socket.Leave()
	time.AfterFunc(leaveTime, v.manager.Survives(v.drop, func() {}))
}

// CountSlow counts a viewer that was dropped for not reading.
func (m *Manager) CountSlow(v *Viewer) {
	if v.slow.Load() {
		m.Slow()
	}
}

// Drop closes the socket.
func (v *Viewer) Drop() { v.drop() }
