package session

import (
	"errors"
	"time"

	"lockstep/engine/course"
	"lockstep/engine/lang"
	"lockstep/views"
	"lockstep/web/limit"
	"lockstep/web/room"
	"lockstep/web/store"
)

// An Environment is all that a server gives its sessions. Every field but the last is set.
type Environment struct {
	Server  string // the server's id in the store
	Store   store.Store
	Work    *limit.Work
	Limits  *Limits
	Courses func() []*course.Course // returns those of this moment

	MaxRuns    int // in memory at once
	MaxRooms   int // in use at once
	MaxViewers int // of one run at once

	VoteTime time.Duration // after which a vote of the network is over

	Site    func(lang.Language) views.Site     // returns what the pages in a language know about the server
	Sign    func(what, text string) string     // returns a signature that only the servers of the store can make
	MayMake func(network, person string) error // counts one more run or room of a person
	// Explored returns what the explorer has found on a question, as its page's address has it; source is the text of an own program.
	Explored func(a *limit.Asker, question, source string) (Explored, error)
	Refused  func(what string)             // counts a refusal of a limit
	Slow     func()                        // counts a viewer who was dropped for not reading
	Survives func(do, after func()) func() // returns a function for a goroutine; its panic ends no server
	Debug    func(what string, err error)  // logs an error that nobody has to act on

	// Learner runs the programs of recordings. Only lockstep attach has one; nil: a recording ends where it ends.
	Learner Learner
}

// An Explored is an answer of the explorer, and a scenario to show with it: how the lock breaks, or the clients with which
// everybody can try to break it.
type Explored struct {
	Verdict  room.Verdict
	Scenario string
}

// Limits bound what one network, one person and all of them together may hold and do.
type Limits struct {
	Runs        *limit.PersonShares // bytes of runs in use
	RoomRuns    *limit.Shares       // bytes of runs that rooms show; strangers with long runs shut no presenter out
	Rooms, Logs *limit.Shares       // rooms in use, and bytes of their logs
	Frames      *limit.Shares       // bytes of messages that wait for viewers

	Actions, OwnActions             *limit.Rates // in runs
	Entries, OwnEntries, Presenting *limit.Rates // in rooms
}

// A Manager has the runs and rooms in use, and the sockets of their viewers.
type Manager struct {
	Environment
	Runs    *Runs
	Rooms   *Rooms
	Sockets Sockets
}

// New returns a Manager that has nothing in memory.
func New(e Environment) *Manager {
	m := &Manager{Environment: e}
	m.Runs, m.Rooms = newRuns(m), newRooms(m)
	return m
}

// News reads what another server of the same store has done.
func (m *Manager) News(n store.News) error {
	err := m.Rooms.news(n)
	if n.Message == nil {
		err = errors.Join(err, m.Runs.news(n.Log))
	}
	return err
}

// Task returns the task with a name; the zero Task: there is none.
func (m *Manager) Task(name string) course.Task { return course.Find(m.Courses(), name) }

// Course returns the course with a name; nil: there is none.
func (m *Manager) Course(name string) *course.Course { return course.Named(m.Courses(), name) }

// Test returns the test of the course with a name; nil: there is none.
func (m *Manager) Test(name string) *course.Test {
	if c := m.Course(name); c != nil {
		return c.Test
	}
	return nil
}

// Owner returns the owner of a log that the asker begins. The owner stands for the asker's network and hides its address
// from the store. A log that the server begins for itself has no owner.
func (m *Manager) Owner(a *limit.Asker) string {
	if a.Network() == "" {
		return ""
	}
	return m.Sign("owner", a.Network())
}

// mayAct counts an action of the asker, as a person with a name and as one of a network. An action that is refused to the
// person does not count for the network.
func (l *Limits) mayAct(a *limit.Asker) bool {
	named := a.Person() != a.Network()
	return (!named || l.OwnActions.Allow(a.Network()+" "+a.Person())) && l.Actions.Allow(a.Network())
}

// Figures count what a Manager has in memory.
type Figures struct {
	Runs, Begun int   // a run that has begun is more than an address
	Used        int   // runs in use
	UsedBytes   int64 // of these
	Idle        int64 // bytes of the others
	Stray       bool  // an unused run still counts for a network
	Rooms       int   // in memory
	UnusedRooms int   // of Rooms
	UnusedLogs  int64 // bytes of their logs
}

// Figures counts what is in memory now.
func (m *Manager) Figures() (f Figures) {
	m.Rooms.mu.Lock()
	f.Rooms, f.UnusedRooms, f.UnusedLogs = len(m.Rooms.all), m.Rooms.idle.Len(), m.Rooms.spare
	m.Rooms.mu.Unlock()
	g := m.Runs
	g.mu.Lock()
	defer g.mu.Unlock()
	f.Runs, f.Begun, f.Idle = len(g.all), g.begun, g.spare
	for _, p := range g.all {
		if p.users > 0 {
			f.Used++
			f.UsedBytes += p.bytes
		} else if p.by != nil || p.idle == nil {
			f.Stray = true
		}
	}
	return f
}
