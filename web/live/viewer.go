package live

import (
	"context"
	"errors"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"lockstep/engine/lang"
	"lockstep/web/refusal"
)

// Queue is how many frames may wait for a viewer. A viewer that reads more slowly is dropped. It connects again and is
// told what it has missed.
const Queue = 64

// A Viewer is one socket. One goroutine reads the viewer's requests. Another one writes, and exists only while a frame
// waits: most viewers watch, and most of the time nothing happens.
type Viewer struct {
	Look
	home   *Runs
	owner  int          // the seat whose sandbox the run is; 0: none
	lane   atomic.Value // the client that a phone is
	socket Socket
	ahead  chan arrival // a message that comes while another request waits; nil: nobody listens
	drop   func()       // closes the socket, once
	slow   atomic.Bool

	mu      sync.Mutex    // no lock of a run or a room is taken under it
	waiting []Frame       // the frames that are not written; the first is being written
	since   time.Time     // when the writing of the first began
	room    chan struct{} // closes when few frames wait; nil: nobody waits for that
	ended   bool          // it takes no more frames
	writer  sync.WaitGroup
	pings   *time.Timer
	beats   int // since the last ping; -1: the viewer wants none
}

// A Look tells the run and the person of a viewer.
type Look struct {
	Language        lang.Language
	Surface         Surface
	Run             *Run
	Key             string // that the room knows; empty: none
	Network, Person string // that the limits count
	Beats           bool   // it wants a beat every beatTime
}

// NewViewer returns the viewer of a socket.
func (g *Runs) NewViewer(at Look, on Socket) *Viewer {
	v := &Viewer{
		Look: at, home: g, socket: on, drop: sync.OnceFunc(func() { _ = on.Close() }), beats: -1,
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
	v.pings = time.AfterFunc(first, g.Survives(v.ping, v.drop))
	return v
}

// An arrival is the outcome of a Receive.
type arrival struct {
	data []byte
	err  error
}

// Serve answers the viewer's messages until the socket ends, or a message is too large to skip. read reads a message, and
// returns the id of its request and what does it. The request is done in a turn of its own: while it waits for the turn or
// has it, Serve listens to the socket, and when the socket ends, the request ends.
func (v *Viewer) Serve(read func(message []byte) (id string, do func(context.Context) (answer any, err error), err error)) {
	for {
		data, err := v.receive()
		if refusal.Is(err, refusal.TooFast) {
			v.Send(Encode(NewErrorMessage(err, v.Language)))
			err = nil
		}
		var id string
		var do func(context.Context) (any, error)
		switch {
		case err == nil:
			id, do, err = read(data)
		case !errors.Is(err, ErrBinary) && !IsUnread(err):
			return
		}
		unread := IsUnread(err)
		var answer any
		if err == nil {
			answer, err = v.inTurn(do)
		}
		if err != nil {
			f := NewErrorMessage(err, v.Language)
			f.ID = id
			answer = f
		}
		if answer != nil && !v.reply(Encode(answer)) {
			busy := NewErrorMessage(ErrAnswers, v.Language)
			busy.ID = id
			v.Send(Encode(busy))
		}
		if unread {
			return
		}
		v.waitForReader()
	}
}

func (v *Viewer) inTurn(do func(context.Context) (any, error)) (answer any, err error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	a := v.home.Work.Asker(ctx, v.Network, v.Person)
	defer a.Done()
	a.Waits = func() { v.listen(cancel) }
	if err := a.Begin(); err != nil {
		return nil, err
	}
	return do(a.Context())
}

// IsUnread reports whether the rest of a message is not read. The socket then has to end.
func IsUnread(err error) bool { return errors.Is(err, ErrLarge) || errors.Is(err, ErrReading) }

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
	go v.home.Survives(func() {
		data, err := v.socket.Receive()
		if err != nil && !errors.Is(err, ErrBinary) && !refusal.Is(err, refusal.TooFast) {
			ended()
		}
		next <- arrival{data, err}
	}, func() { v.drop(); next <- arrival{err: net.ErrClosed} })()
}

// Owner returns the seat whose sandbox the viewer looks at; 0: none.
func (v *Viewer) Owner() int { return v.owner }

// Lane returns the client that a phone is; empty: it is none.
func (v *Viewer) Lane() string {
	lane, _ := v.lane.Load().(string)
	return lane
}

// Wear makes a phone a client before it hears of the run.
func (v *Viewer) Wear(lane string) { v.lane.Store(lane) }

// Audience identifies the viewers who are told the same.
func (v *Viewer) Audience() Audience { return Audience{v.Language, v.Surface, v.Lane()} }

// Send never waits, because its callers hold a run's lock. It drops a viewer that does not read: when Queue frames wait
// for the viewer, or when the shares are full and the viewer has not read for a moment.
func (v *Viewer) Send(f Frame) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.ended {
		return
	}
	fits := f.hold(v.home.Limits.Frames, v.Network)
	if len(v.waiting) == Queue || !fits && len(v.waiting) > 0 && time.Since(v.since) > stalled {
		f.release(v.home.Limits.Frames)
		v.slow.Store(true)
		v.drop()
		return
	}
	if v.waiting = append(v.waiting, f); len(v.waiting) == 1 {
		v.since = time.Now()
		v.writer.Go(v.home.Survives(v.write, v.giveUp))
	}
}

// reply sends an answer to this viewer alone, and reports whether the shares have room for it.
func (v *Viewer) reply(f Frame) bool {
	shares := v.home.Limits.Frames
	if f.Size() > smallFrame && !shares.Take(v.Network, f.waits()) {
		v.home.Refused("frames")
		return false
	}
	v.Send(f)
	if f.Size() > smallFrame { // Send has counted it
		shares.Give(v.Network, f.waits())
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
		f.release(v.home.Limits.Frames)
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
	v.waiting[0].release(v.home.Limits.Frames)
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
	time.AfterFunc(leaveTime, v.home.Survives(v.drop, func() {}))
}

// CountSlow counts a viewer that was dropped for not reading.
func (g *Runs) CountSlow(v *Viewer) {
	if v.slow.Load() {
		g.Slow()
	}
}

// Drop closes the socket.
func (v *Viewer) Drop() { v.drop() }
