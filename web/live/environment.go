package live

import (
	"context"

	"lockstep/engine/course"
	"lockstep/engine/lang"
	"lockstep/views"
	"lockstep/web/limit"
	"lockstep/web/store"
)

// An Environment is all that a server gives its runs and rooms. Every field but the last is set.
type Environment struct {
	Server  string // the server's id in the store
	Store   store.Store
	Work    *limit.Work
	Limits  *Limits
	Courses func() []*course.Course // returns those of this moment

	MaxRuns    int // in memory at once
	MaxViewers int // of one run at once

	Site     func(lang.Language) views.Site     // returns what the pages in a language know about the server
	Sign     func(what, text string) string     // returns a signature that only the servers of the store can make
	MayMake  func(network, person string) error // counts one more run or room of a person
	Refused  func(what string)                  // counts a refusal of a limit
	Slow     func()                             // counts a viewer who was dropped for not reading
	Survives func(do, after func()) func()      // returns a function for a goroutine; its panic ends no server
	Debug    func(what string, err error)       // logs an error that nobody has to act on

	// Learner runs the programs of recordings. Only lockstep attach has one; nil: a recording ends where it ends.
	Learner Learner
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

// Task returns the task with a name; the zero Task: there is none.
func (e *Environment) Task(name string) course.Task { return course.Find(e.Courses(), name) }

// Course returns the course with a name; nil: there is none.
func (e *Environment) Course(name string) *course.Course { return course.Named(e.Courses(), name) }

// Test returns the test of the course with a name; nil: there is none.
func (e *Environment) Test(name string) *course.Test {
	if c := e.Course(name); c != nil {
		return c.Test
	}
	return nil
}

// Owner returns the owner of a log that the asker begins. The owner stands for the asker's network and hides its address
// from the store. A log that the server begins for itself has no owner.
func (e *Environment) Owner(ctx context.Context) string {
	if limit.NetworkOf(ctx) == "" {
		return ""
	}
	return e.Sign("owner", limit.NetworkOf(ctx))
}

// Acts counts an action of the asker, as a person with a name and as one of a network. An action that is refused to the
// person does not count for the network.
func (l *Limits) Acts(ctx context.Context) bool {
	named := limit.PersonOf(ctx) != limit.NetworkOf(ctx)
	return (!named || l.OwnActions.Allow(limit.NetworkOf(ctx)+" "+limit.PersonOf(ctx))) && l.Actions.Allow(limit.NetworkOf(ctx))
}
