package session

import (
	"container/list"
	"crypto/rand"
	"errors"
	"fmt"
	"math/big"
	"sync"
	"time"

	"lockstep/web/limit"
	"lockstep/web/refusal"
	"lockstep/web/room"
	"lockstep/web/store"
)

// Rooms has the rooms that somebody is in. A room in which nobody is is its log
// and, for a moment, what has been read of it: one page after the other is asked for.
type Rooms struct {
	manager *Manager

	mu     sync.Mutex // a lock under which no room's is taken
	most   int
	open   map[string]*LiveRoom // by code
	unused *list.List           // of *LiveRoom, those that nobody uses, the longest unused first
	spare  int64                // bytes of the logs of these
	swept  bool                 // there will be a sweep
}

// So long a room stays that nobody uses, so many of them, and so many bytes of their logs.
const (
	unusedTime      = 5 * time.Second
	MostUnused      = 32
	MostUnusedBytes = 16 << 20
)

func newRooms(m *Manager) *Rooms {
	return &Rooms{manager: m, most: m.MaxRooms, open: map[string]*LiveRoom{}, unused: list.New()}
}

var (
	ErrNoRoom   = refusal.Declare(refusal.Unprocessable, refusal.Refused, "room.none")
	ErrFullSite = refusal.Declare(refusal.Unavailable, refusal.Refused, "room.full-site") // every place for a room is taken
)

// use returns the room of that code, which stays until done is called. To read a long one is a request that sets off much.
func (g *Rooms) Use(a *limit.Asker, code string) (h *LiveRoom, done func(), err error) {
	if h = g.take(code); h == nil {
		return nil, nil, ErrFullSite
	}
	done = sync.OnceFunc(func() { g.done(h) })
	first, err := h.load(a)
	if first && err == nil {
		err = a.Spend(0)
	}
	if err != nil {
		done()
		return nil, nil, err
	}
	return h, done, nil
}

// take gives the place of a room; nil: there is none left.
func (g *Rooms) take(code string) *LiveRoom {
	g.mu.Lock()
	defer g.mu.Unlock()
	h := g.open[code]
	if h == nil {
		if len(g.open) >= g.most && !g.dropOldest() {
			return nil
		}
		h = newLiveRoom(code, g.manager)
		g.open[code] = h
	}
	if h.idle != nil {
		g.unused.Remove(h.idle)
		h.idle, g.spare, h.counted = nil, g.spare-h.counted, 0
	}
	h.users++
	return h
}

// enter is use for somebody who stays, and counts the room and its log for their network: no network takes the places of all.
func (g *Rooms) Enter(a *limit.Asker, code string) (h *LiveRoom, done func(), err error) {
	if h, done, err = g.Use(a, code); err != nil {
		return nil, nil, err
	}
	if !g.Count(h, a.Network()) {
		done()
		return nil, nil, ErrFullSite
	}
	return h, done, nil
}

func (g *Rooms) Count(h *LiveRoom, network string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if h.network != "" {
		return true
	}
	limits, bytes := g.manager.Limits, h.weight.Load()
	if !limits.Rooms.Take(network, 1) {
		return false
	}
	if !limits.Logs.Take(network, bytes) {
		limits.Rooms.Give(network, 1)
		return false
	}
	h.network, h.counted = network, bytes
	return true
}

// recount counts the log of a room as it is now: those who are in the room stay, whether or not there is room for it.
func (g *Rooms) recount(h *LiveRoom) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if h.network == "" {
		return // it is counted as soon as somebody stays
	}
	bytes := h.weight.Load()
	g.manager.Limits.Logs.Force(h.network, bytes-h.counted)
	h.counted = bytes
}

// networkOf is the network for which a room is counted.
func (g *Rooms) networkOf(h *LiveRoom) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return h.network
}

func (g *Rooms) done(h *LiveRoom) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if h.users--; h.users > 0 {
		return
	}
	if h.network != "" {
		g.manager.Limits.Rooms.Give(h.network, 1)
		g.manager.Limits.Logs.Give(h.network, h.counted)
		h.network = ""
	}
	if h.counted = h.weight.Load(); h.counted == 0 {
		g.forget(h) // there is no such room
		return
	}
	h.unused, h.idle, g.spare = time.Now(), g.unused.PushBack(h), g.spare+h.counted
	for g.unused.Len() > MostUnused || g.spare > MostUnusedBytes {
		g.dropOldest()
	}
	g.sweepLater()
}

func (g *Rooms) sweepLater() {
	if !g.swept && g.unused.Len() > 0 {
		g.swept = true
		time.AfterFunc(unusedTime, g.manager.Survives(g.sweep, func() {}))
	}
}

// sweep forgets those that nobody has used for long.
func (g *Rooms) sweep() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for oldest := g.unused.Front(); oldest != nil && time.Since(oldest.Value.(*LiveRoom).unused) >= unusedTime; oldest = g.unused.Front() {
		g.dropOldest()
	}
	g.swept = false
	g.sweepLater()
}

// dropOldest forgets the room that nobody has used for the longest time, if there is one.
func (g *Rooms) dropOldest() bool {
	oldest := g.unused.Front()
	if oldest == nil {
		return false
	}
	h := g.unused.Remove(oldest).(*LiveRoom)
	h.idle, g.spare = nil, g.spare-h.counted
	g.forget(h)
	return true
}

func (g *Rooms) forget(h *LiveRoom) {
	delete(g.open, h.code)
	h.stop()
}

// here are the rooms that somebody is in, with this server.
func (g *Rooms) here() []*LiveRoom {
	g.mu.Lock()
	defer g.mu.Unlock()
	all := make([]*LiveRoom, 0, len(g.open))
	for _, h := range g.open {
		all = append(all, h)
	}
	return all
}

// of is the room of a code if somebody is in it.
func (g *Rooms) Of(code string) *LiveRoom {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.open[code]
}

// create opens a room under a code that no other room has, and gives the key of
// its presenter. begin makes the run that it shows.
func (g *Rooms) Create(a *limit.Asker, begin func(code string) (*Run, error)) (code, key string, err error) {
	for range 20 {
		code = newCode()
		key = g.manager.RoomKey(code)
		log := store.NewLog[room.Entry](g.manager.Store, RoomLog(code))
		log.Owner = g.manager.Owner(a)
		if err := log.Read(func() {}, func(room.Entry) error { return nil }); err != nil {
			return "", "", err
		}
		if log.Len() > 0 {
			continue
		}
		r, err := begin(code)
		if err != nil {
			return "", "", err
		}
		e := room.Entry{Verb: room.VerbOpen, Code: code, Name: random(room.Names), Run: r.id, Key: room.HashKey(key)}
		switch err := log.Append(e); {
		case err == nil:
			return code, key, nil
		case !errors.Is(err, store.ErrBehind):
			return "", "", err
		}
	}
	return "", "", ErrFullSite
}

func RoomLog(code string) string { return "r/" + code }

// newCode draws a code. It is no secret: whoever is in the room reads it from the wall.
func newCode() string { return fmt.Sprintf("%06d", random(1_000_000)) }

func random(n int) int {
	drawn, err := rand.Int(rand.Reader, big.NewInt(int64(n)))
	if err != nil {
		panic(err) // crypto/rand never fails
	}
	return int(drawn.Int64())
}

// NewKey draws what somebody is known by: 128 random bits.
func NewKey() string { return rand.Text() }

// RoomKey draws a key for a room, with the mark of its code. Nobody has such a key but from the room: so those who come in
// and out are known before anything is looked up, and a key that is made up tells nothing.
func (m *Manager) RoomKey(code string) string {
	key := NewKey()
	return key + "." + m.Sign("room "+code, key)
}

// news is what another server has done in a room, or, where none is named, in any.
func (g *Rooms) news(n store.News) error {
	var failed error
	for _, h := range g.here() {
		if n.Log == "" || n.Log == RoomLog(h.code) {
			failed = errors.Join(failed, h.hear(n.Message))
		}
	}
	return failed
}

// Close forgets all of them.
func (g *Rooms) Close() {
	for _, h := range g.here() {
		h.stop()
	}
}

// NotPresenter says to somebody who does not present why they are refused: they never did, or do no more.
func (h *LiveRoom) NotPresenter(key string) error {
	if Ask(h, func(r *room.Room) room.Verb { return r.Lost(key) }) == room.VerbRevoke {
		return room.ErrRevoked
	}
	return room.ErrPresenterOnly
}
