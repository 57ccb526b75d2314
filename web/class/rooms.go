package class

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math/big"
	"time"

	"lockstep/web/hub"
	"lockstep/web/live"
	"lockstep/web/refusal"
	"lockstep/web/room"
	"lockstep/web/store"
)

// Rooms has the rooms in memory. Their runs are in Runs.
type Rooms struct {
	*hub.Hub[*Room]
	live.Environment
	Options
	Runs *live.Runs
}

// Options are what rooms need besides the environment of runs.
type Options struct {
	MaxRooms int           // in use at once
	VoteTime time.Duration // after which a vote of the network is over

	// Explored returns what the explorer has found on a question, as its page's address has it; source is the text of an own program.
	Explored func(ctx context.Context, question, source string) (Explored, error)
}

// An Explored is an answer of the explorer, and a scenario to show with it: how the lock breaks, or the clients with which
// everybody can try to break it.
type Explored struct {
	Verdict  room.Verdict
	Scenario string
}

// How long an unused room stays in memory, and the most unused rooms and bytes of their logs: one page follows another.
const (
	unusedTime      = 5 * time.Second
	MostUnused      = 32
	MostUnusedBytes = 16 << 20
)

// ErrNoRoom says that no room has the code. ErrFullSite says that every place for a room is taken.
var (
	ErrNoRoom   = refusal.Declare(refusal.Unprocessable, refusal.Refused, "room.none")
	ErrFullSite = refusal.Declare(refusal.Unavailable, refusal.Refused, "room.full-site")
)

// New returns Rooms, and their Runs, that have nothing in memory.
func New(e live.Environment, o Options) *Rooms {
	g := &Rooms{Environment: e, Options: o}
	g.Runs = live.New(e, g.changed)
	g.Hub = hub.New(hub.Options{Most: o.MaxRooms, IdleMost: MostUnused, IdleBytes: MostUnusedBytes, IdleTime: unusedTime, ErrFull: ErrFullSite, ErrBytes: ErrFullSite, Survives: e.Survives},
		func(code string) *Room { return newRoom(code, g) })
	return g
}

// News reads what another server of the same store has done.
func (g *Rooms) News(n store.News) error {
	var failed error
	for _, h := range g.Ready(true) {
		if n.Log == "" || n.Log == RoomLog(h.code) {
			failed = errors.Join(failed, h.hear(n.Message))
		}
	}
	if n.Message == nil {
		failed = errors.Join(failed, g.Runs.News(n.Log))
	}
	return failed
}

// Use returns the room of a code, which stays until done is called. Reading a long log counts as a request that sets much
// work off.
func (g *Rooms) Use(ctx context.Context, code string) (h *Room, done func(), err error) {
	return g.Hub.Use(ctx, code, false)
}

// Enter is Use for a person who stays. It counts the room and its log for the person's network, so no network takes all
// places. The people in the room stay, even beyond the network's share.
func (g *Rooms) Enter(ctx context.Context, code string) (h *Room, done func(), err error) {
	return g.Hub.Use(ctx, code, true)
}

// Ledgers returns what counts the room: a room in use, and the bytes of its log.
func (h *Room) Ledgers() []hub.Ledger { return []hub.Ledger{ledger{h.home.Limits}} }

type ledger struct{ *live.Limits }

func (l ledger) Take(network, _ string, before, now int64) bool {
	if before == 0 && !l.Rooms.Take(network, 1) {
		return false
	}
	if !l.Logs.Take(network, now-before) {
		if before == 0 {
			l.Rooms.Give(network, 1)
		}
		return false
	}
	return true
}

func (l ledger) Force(network, _ string, before, now int64) {
	switch {
	case before == 0 && now > 0:
		l.Rooms.Force(network, 1)
	case before > 0 && now == 0:
		l.Rooms.Give(network, 1)
	}
	l.Logs.Force(network, now-before)
}

// Create opens a room under a free code, and returns the key of its presenter. begin makes the run that the room shows.
func (g *Rooms) Create(ctx context.Context, site string, begin func(code string) (*live.Run, error)) (code, key string, err error) {
	for range 20 {
		code = newCode()
		key = g.RoomKey(code)
		log := store.NewLog[room.Entry](g.Store, RoomLog(code))
		log.Owner = g.Owner(ctx)
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
		e := room.Entry{Verb: room.VerbOpen, Code: code, Name: random(room.Names), Run: r.ID(), Task: r.Task().Name(), Key: room.HashKey(key), Site: site}
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
func (g *Rooms) RoomKey(code string) string {
	key := NewKey()
	return key + "." + g.Sign("room "+code, key)
}

// Close stops all rooms.
func (g *Rooms) Close() {
	for _, h := range g.Ready(false) {
		h.Stop()
	}
}

// NotPresenter returns the refusal of a person who does not present: the key was revoked, or never was a presenter's.
func (h *Room) NotPresenter(key string) error {
	if Ask(h, func(r *room.Room) room.Verb { return r.Lost(key) }) == room.VerbRevoke {
		return room.ErrRevoked
	}
	return room.ErrPresenterOnly
}
