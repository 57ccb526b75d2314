package class

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"lockstep/engine/lang"
	roomview "lockstep/views/room"
	"lockstep/web/limit"
	"lockstep/web/live"
	"lockstep/web/present"
	"lockstep/web/room"
	"lockstep/web/store"
)

// A Room is a room and the viewers who are in it with this server. Its lock orders the entries and what the viewers
// are told. A run's lock may be taken under it, and never the other way round.
type Room struct {
	code   string
	home   *Rooms
	weight atomic.Int64  // bytes of its log and fold; 0: the log has not been read
	wake   chan struct{} // the viewers hear of a change within a moment
	leader atomic.Value  // the network of the person who leads; unset: they have not been here
	end    func()

	notes notes

	planning sync.Mutex // held by one change of the playlist, or one step along it; taken before all other locks

	mu        sync.Mutex
	log       *store.Log[room.Entry]
	room      *room.Room
	unsure    bool      // the log may hold more
	gone      bool      // it was forgotten, and nobody enters it any more
	asked     time.Time // when this server heard of the vote of the network
	url       string    // the address where a phone reaches the site
	alone     bool      // it leads no other machine here
	qr        roomview.QRCode
	viewers   map[*live.Viewer]*member
	told      map[toldRoom]*news // the last news of each kind of viewer
	elsewhere presences
	progress  map[int]int // actions in each seat's sandbox, between its marks
}

const (
	// calm is how long changes wait that answer nobody. When three hundred people vote or join at once, the room is told
	// thirty times and not three hundred.
	calm = 100 * time.Millisecond

	// A server says every heartbeat who is with it. A server that is silent for longer than gone does not count.
	heartbeat = 10 * time.Second
	gone      = 25 * time.Second
)

func newRoom(code string, g *Rooms) *Room {
	h := &Room{
		code: code, home: g, wake: make(chan struct{}, 1),
		log: store.NewLog[room.Entry](g.Store, RoomLog(code)), room: room.New(),
		viewers: map[*live.Viewer]*member{}, told: map[toldRoom]*news{}, elsewhere: presences{}, progress: map[int]int{},
	}
	ended := make(chan struct{})
	ctx, end := context.WithCancel(context.Background())
	h.end = sync.OnceFunc(func() { end(); close(ended) })
	go g.Survives(func() { h.beat(ctx, ended) }, func() {})()
	return h
}

// beat tells the changes that could wait, and every heartbeat who is here. In the end it tells that nobody is. The work
// counts for the network that leads the room, so a class never waits for the debts of another network.
func (h *Room) beat(ctx context.Context, ended <-chan struct{}) {
	beats := time.NewTicker(heartbeat)
	defer beats.Stop()
	for open := true; open; {
		looks := false
		select {
		case <-ended:
			open = false
		case <-beats.C:
			looks = true
		case <-h.wake:
			select {
			case <-ended:
				open = false
			case <-time.After(calm):
			}
		}
		h.home.Survives(func() {
			a := h.home.Work.Asker(ctx, h.payer(), "room "+h.code)
			defer a.Done()
			_ = a.Begin() // without a turn the room is told all the same: it has waited
			h.mark(a.Context())
			h.tellAll(a.Context(), looks)
			if open {
				h.decides(a.Context())
			}
		}, func() {})()
	}
}

// payer returns the network that pays for the room's own work: the network of the person who leads it or, until they
// come, of the first person in it.
func (h *Room) payer() string {
	if network, ok := h.leader.Load().(string); ok {
		return network
	}
	return h.home.NetworkOf(h.code)
}

// tellAll tells the viewers and the other servers. A panic does not leave the room locked.
func (h *Room) tellAll(ctx context.Context, looks bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if looks || h.unsure {
		h.look(ctx)
	}
	if looks {
		h.retime()
	}
	h.tellServers(false)
	limit.Charge(ctx, h.tell())
}

// look reads entries that this server has not heard of. One may be its own entry, where the store did not say whether it
// is kept.
func (h *Room) look(ctx context.Context) {
	err := h.catchUp(ctx)
	if errors.Is(err, store.ErrGone) {
		h.letGo()
		return
	}
	h.unsure = errors.Is(err, store.ErrUnavailable)
	if h.unsure {
		time.AfterFunc(live.BetweenAsks, h.home.Survives(h.soon, func() {}))
	}
	if err != nil {
		h.home.Debug("looking at a room again", err)
	}
}

// soon has the viewers told within a moment. It takes no lock.
func (h *Room) soon() {
	select {
	case h.wake <- struct{}{}:
	default:
	}
}

// Fill reads the log of a room that nobody has seen yet. The work of reading a long one may end the request.
func (h *Room) Fill(ctx context.Context) error {
	if err := h.Load(ctx); err != nil {
		return err
	}
	h.mu.Lock()
	h.tellServers(true)
	h.mu.Unlock()
	return limit.Spend(ctx, 0)
}

// Load reads the new entries of the log.
func (h *Room) Load(ctx context.Context) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch err := h.catchUp(ctx); {
	case errors.Is(err, store.ErrGone):
		h.letGo()
		return ErrNoRoom
	case err != nil:
		return err
	}
	if h.room.Code() == "" {
		return ErrNoRoom
	}
	return nil
}

// Stop ends what the room does by itself.
func (h *Room) Stop() { h.end() }

// Size reports whether the room has begun, and returns about how many bytes of memory its log and its fold take.
func (h *Room) Size() (begun bool, bytes int64) {
	bytes = h.weight.Load()
	return bytes > 0, bytes
}

// isBehind reads the new entries of the log, and reports whether there are any.
func (h *Room) isBehind(ctx context.Context) (bool, error) {
	before := h.room.Len()
	err := h.catchUp(ctx)
	return h.room.Len() != before, err
}

// catchUp folds the entries of other servers, and those from before this server began. The work is the asker's.
func (h *Room) catchUp(ctx context.Context) error {
	defer h.weigh()
	return h.log.Read(func() { h.room = room.New() }, func(e room.Entry) error {
		limit.Charge(ctx, h.apply(e))
		h.soon()
		return nil
	})
}

// foldedEntry is about how many bytes of memory a room takes for each entry, beside the entry itself.
const foldedEntry = 64

// weigh counts the bytes that the log and its room take now.
func (h *Room) weigh() {
	bytes := h.log.Bytes() + foldedEntry*int64(h.log.Len()) + h.room.Recorded()
	if h.weight.Swap(bytes) != bytes {
		h.home.Recount(h.code, h)
	}
}

// The work of folding an entry, in units of the engine's work, and for each seat where the entry goes through all seats.
const (
	FoldWork = 300
	seatWork = 30
)

// apply folds an entry, and returns how much work that was.
func (h *Room) apply(e room.Entry) (work int64) {
	work = FoldWork
	if e.Verb.IsWide() {
		work += seatWork * int64(h.room.Seats())
	}
	h.room.Apply(e)
	if e.Verb == room.VerbAsk && e.Poll != nil {
		h.times(e.Poll)
	}
	if e.Verb == room.VerbOwn { // the known progress belongs to another run
		delete(h.progress, e.Seat)
		h.elsewhere.forgetProgress(e.Seat)
	}
	return work
}

// Who returns the person with a key. The key is a hash.
func (h *Room) Who(key string) room.Who {
	h.mu.Lock()
	defer h.mu.Unlock()
	who, _ := h.room.Who(key)
	return who
}

// Ask returns what a function makes of the room. The function runs under the room's lock.
func Ask[T any](h *Room, question func(*room.Room) T) T {
	h.mu.Lock()
	defer h.mu.Unlock()
	return question(h.room)
}

// may returns nil if the person with a key may append an entry now, or the refusal.
func (h *Room) may(key string, e room.Entry) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	who, _ := h.room.Who(key)
	return h.room.Can(who, e)
}

// RequestID returns the id of a person's request in the log.
func RequestID(key, id string) string {
	if id == "" {
		return ""
	}
	return room.HashKey(key + id)[:32]
}

// hasDone reports whether the room has done a request.
func (h *Room) hasDone(key, id string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.log.Has(RequestID(key, id))
}

// Do appends an entry for the person with a key. A no-op succeeds. The ids of requests belong to one person: nobody uses
// up the ids of another.
func (h *Room) Do(ctx context.Context, key string, e room.Entry) error {
	if !e.Verb.CanWait() {
		h.mark(ctx) // it may end the exercise, and what was solved before counts
	}
	e.ID = RequestID(key, e.ID)
	return h.append(ctx, func() room.Who {
		who, _ := h.room.Who(key)
		return who
	}, e)
}

// As appends an entry that the server makes for a person.
func (h *Room) As(ctx context.Context, who room.Who, e room.Entry) error {
	return h.append(ctx, func() room.Who { return who }, e)
}

func (h *Room) append(ctx context.Context, who func() room.Who, e room.Entry) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	for {
		if h.log.Has(e.ID) {
			return nil
		}
		if refused := h.room.Can(who(), e); refused != nil {
			// Another server may know an entry that makes it possible.
			switch behind, err := h.isBehind(ctx); {
			case err != nil:
				return err
			case behind:
				continue
			case errors.Is(refused, room.ErrSame):
				return nil
			}
			return refused
		}
		err := h.log.Append(e)
		if err == nil {
			break
		}
		if !errors.Is(err, store.ErrBehind) {
			h.unsure = true
			h.soon()
			return err
		}
		if err := h.catchUp(ctx); err != nil { // another server was faster
			return err
		}
	}
	limit.Charge(ctx, h.apply(e))
	h.weigh()
	if e.Verb.CanWait() {
		h.soon()
	} else {
		limit.Charge(ctx, h.tell())
	}
	return nil
}

// A member is a viewer who is in the room. The room's lock guards it.
type member struct {
	*live.Viewer
	away  bool         // it looks at something else than the driver
	until int64        // the end of the timer that it knows; 0: none
	heard *news        // the last news about its room
	own   present.Seat // the last news about itself
}

// A toldRoom identifies the viewers of a room who are told exactly the same.
type toldRoom struct {
	language  lang.Language
	surface   live.Surface
	presenter bool
}

// A news is what viewers of one kind are told.
type news struct {
	message roomMessage
	whole   live.Frame
	before  *news      // nil: these are the first; empty, because only their identity counts
	change  live.Frame // for viewers who have heard the news before
}

// viewerWork is the work of finding a viewer's seat and permissions, in units of the engine's work.
const viewerWork = 300

// ReachedAt notes the address where the presenter reaches the site, which the room then shows to everybody. The address
// of another visitor counts only until the presenter comes, and only if nobody knows the one at which the presenter opened
// the room, as is known after a restart: the visitor may be in another network than the room.
//
// The address may be one that leads no other machine here: alone says so.
func (h *Room) ReachedAt(url string, alone bool, key string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	who, _ := h.room.Who(key)
	if site := h.room.Site(); !who.Presenter && site != "" && site != url {
		url, alone = site, false
	}
	if h.url == "" || who.Presenter && h.url != url {
		h.url, h.alone, h.qr = url, alone, present.QR(url+present.RoomPath(h.code))
	}
}

// Code returns the code of the room.
func (h *Room) Code() string { return h.code }

// Here returns how many seats are here, with any server.
func (h *Room) Here() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	here, _ := h.elsewhere.with(h.mine())
	return len(here)
}
