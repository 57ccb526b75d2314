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

// Rooms has the rooms in use. An empty room exists only as its log and, for a moment, in memory: one page follows
// another.
type Rooms struct {
	manager *Manager

	mu     sync.Mutex // no room's lock is taken under it
	most   int
	open   map[string]*LiveRoom // by code
	unused *list.List           // of *LiveRoom, the longest unused first
	spare  int64                // bytes of their logs
	swept  bool                 // a sweep is due
}

// How long an unused room stays in memory, and the most unused rooms and bytes of their logs.
const (
	unusedTime      = 5 * time.Second
	MostUnused      = 32
	MostUnusedBytes = 16 << 20
)

func newRooms(m *Manager) *Rooms {
	return &Rooms{manager: m, most: m.MaxRooms, open: map[string]*LiveRoom{}, unused: list.New()}
}

// ErrNoRoom says that no room has the code. ErrFullSite says that every place for a room is taken.
var (
	ErrNoRoom   = refusal.Declare(refusal.Unprocessable, refusal.Refused, "room.none")
	ErrFullSite = refusal.Declare(refusal.Unavailable, refusal.Refused, "room.full-site")
)

// Use returns the room of a code, which stays until done is called. Reading a long log counts as a request that sets much
// work off.
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

// take takes a place for a room; nil: every place is taken.
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

// Enter is Use for a person who stays. It counts the room and its log for the person's network, so no network takes all
// places.
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

// Count counts a room in use and its log for a network, and reports whether the shares have room for them.
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

// recount counts the log of a room as it is now. The people in the room stay, even beyond the network's share.
func (g *Rooms) recount(h *LiveRoom) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if h.network == "" {
		return // Enter counts it as soon as a person stays
	}
	bytes := h.weight.Load()
	g.manager.Limits.Logs.Force(h.network, bytes-h.counted)
	h.counted = bytes
}

// networkOf returns the network that a room counts for.
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
	if h.counted = h.weight.Load(); h.counted == 0 || g.open[h.code] != h {
		g.forget(h) // the code has no room, or had this one
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

// sweep forgets the rooms that have been unused for unusedTime.
func (g *Rooms) sweep() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for oldest := g.unused.Front(); oldest != nil && time.Since(oldest.Value.(*LiveRoom).unused) >= unusedTime; oldest = g.unused.Front() {
		g.dropOldest()
	}
	g.swept = false
	g.sweepLater()
}

// dropOldest forgets the room that has been unused for the longest time, if there is one.
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
	if g.open[h.code] == h {
		delete(g.open, h.code)
	}
	h.stop()
}

// here returns the rooms that this server has in memory.
func (g *Rooms) here() []*LiveRoom {
	g.mu.Lock()
	defer g.mu.Unlock()
	all := make([]*LiveRoom, 0, len(g.open))
	for _, h := range g.open {
		all = append(all, h)
	}
	return all
}

// Of returns the room of a code if it is in memory; nil: it is not.
func (g *Rooms) Of(code string) *LiveRoom {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.open[code]
}

// Create opens a room under a free code, and returns the key of its presenter. begin makes the run that the room shows.
func (g *Rooms) Create(a *limit.Asker, site string, begin func(code string) (*Run, error)) (code, key string, err error) {
	for range 20 {
		code = newCode()
		key = g.manager.RoomKey(code)
		log := store.NewLog[room.Entry](g.manager.Store, RoomLog(code))
		log.Owner = g.manager.Owner(a)
		switch err := log.Read(func() {}, func(room.Entry) error { return nil }); {
		case errors.Is(err, store.ErrGone): // nobody meets the people of a forgotten room in another one
			continue
		case err != nil:
			return "", "", err
		}
		if log.Len() > 0 {
			continue
		}
		r, err := begin(code)
		if err != nil {
			return "", "", err
		}
		e := room.Entry{Verb: room.VerbOpen, Code: code, Name: random(room.Names), Run: r.id, Task: r.Task().Name(), Key: room.HashKey(key), Site: site}
		switch err := log.Append(e); {
		case err == nil:
			return code, key, nil
		case !errors.Is(err, store.ErrBehind):
			return "", "", err
		}
	}
	return "", "", ErrFullSite
}

// RoomLog returns the name of a room's log in the store.
func RoomLog(code string) string { return "r/" + code }

// newCode draws a code. The code is no secret: everybody in the room reads it on the wall.
func newCode() string { return fmt.Sprintf("%06d", random(1_000_000)) }

func random(n int) int {
	drawn, err := rand.Int(rand.Reader, big.NewInt(int64(n)))
	if err != nil {
		panic(err) // crypto/rand never fails
	}
	return int(drawn.Int64())
}

// NewKey draws a key that identifies a person: 128 random bits.
func NewKey() string { return rand.Text() }

// RoomKey draws a key for a room, with a signature of the room's code. Only the room gives such keys. A server therefore
// recognizes a person with a key before it looks anything up, and an invented key tells nothing.
func (m *Manager) RoomKey(code string) string {
	key := NewKey()
	return key + "." + m.Sign("room "+code, key)
}

// news reads what another server has done in a room; an empty name stands for any room.
func (g *Rooms) news(n store.News) error {
	var failed error
	for _, h := range g.here() {
		if n.Log == "" || n.Log == RoomLog(h.code) {
			failed = errors.Join(failed, h.hear(n.Message))
		}
	}
	return failed
}

// Close stops all rooms.
func (g *Rooms) Close() {
	for _, h := range g.here() {
		h.stop()
	}
}

// NotPresenter returns the refusal of a person who does not present: the key was revoked, or never was a presenter's.
func (h *LiveRoom) NotPresenter(key string) error {
	if Ask(h, func(r *room.Room) room.Verb { return r.Lost(key) }) == room.VerbRevoke {
		return room.ErrRevoked
	}
	return room.ErrPresenterOnly
}
