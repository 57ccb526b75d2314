package class

import (
	"context"
	"strings"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/course"
	"lockstep/web/limit"
	"lockstep/web/live"
	"lockstep/web/room"
)

// A bringing tells where the presenter takes the room: to a run, to a task that begins there, or to the run of a scenario.
// A page whose run nobody has acted in names both the run and the task as which it begins.
type bringing struct {
	run, task, scenario string
	question, source    string // to the explorer, whose answer is shown; an own program's text; empty: none
	at                  int    // of the run, or as which the task begins; negative: the end, or the beginning of a task or scenario
}

// named returns where a form leads.
func (c *command) named() bringing {
	return bringing{run: c.form("run"), task: c.form("task"), scenario: c.form("scenario"), question: c.form("question"), source: c.form("source"), at: c.form.Number("at")}
}

// A brought is a run of the room's own, its task, and the position that everybody looks at first.
type brought struct {
	run, task string
	at        int
	verdict   *room.Verdict
	made      bool // for this request, so nothing names the run yet
}

// do appends the entry that names the run.
func (b brought) do(c *command) error {
	err := c.do()
	if err != nil && b.made {
		c.rooms.Runs.Discard(b.run, err)
	}
	return err
}

// bring shows the room a run of its own. Nobody else has a key to it, whoever has begun the run that it is a copy of. The
// presenter drives there.
func (c *command) bring(to bringing) error {
	if !c.who.Presenter {
		return room.ErrPresenterOnly // the driver opens branches, and leads nowhere else
	}
	c.entry.Run = live.NewID() // asks whether the room is open before a run exists
	if err := c.may(); err != nil {
		return err
	}
	b, err := c.brought(to)
	if err != nil {
		return err
	}
	c.entry.Run, c.entry.Task, c.entry.Verdict = b.run, b.task, b.verdict // the class takes its task home
	if err := b.do(c); err != nil {
		return err
	}
	return c.all(room.Entry{Verb: room.VerbDrive}, room.Entry{Verb: room.VerbCursor, At: b.at})
}

// all appends entries, one after the other, up to the first that is refused.
func (c *command) all(entries ...room.Entry) error {
	for _, e := range entries {
		if err := c.in.Do(c.ctx, c.key, e); err != nil {
			return err
		}
	}
	return nil
}

// brought makes the run that the room is brought to.
func (c *command) brought(to bringing) (b brought, err error) {
	if to.question != "" {
		found, err := c.rooms.Explored(c.ctx, to.question, to.source)
		if err != nil {
			return b, err
		}
		to = bringing{scenario: found.Scenario, at: room.End}
		b.verdict = &found.Verdict
	}
	if to.run != "" {
		from, done, err := c.use(to.run)
		if err != nil {
			return b, err
		}
		defer done()
		if !from.Untouched() {
			return c.copied(from, to.at)
		}
	}
	world, how := engine.NewRun(engine.Header{}, check.All()...), live.Beginning{Place: live.Place{Room: c.in.code}}
	b.at = room.End
	switch t := c.rooms.playable(to.task); {
	case to.scenario != "":
		trace, err := live.Play(limit.PaceOf(c.ctx), to.scenario)
		if err != nil {
			return b, err
		}
		world, b.at = trace.Run, to.at
	case t.Lesson != nil:
		world, how.Task = t.Begin(to.at), t.Name()
		limit.Charge(c.ctx, world.World().Meter().Effort())
	case to.run == "" || to.task != "":
		return b, ErrNoTask
	}
	made, err := c.rooms.make(c.ctx, world, how)
	if err != nil {
		return b, err
	}
	if to.scenario != "" && b.at < 0 {
		b.at = made.Opening()
	}
	b.run, b.task, b.made = made.ID(), how.Task, true
	return b, nil
}

// copied returns a run for the room that goes on from another one. A run of the room itself needs no copy.
func (c *command) copied(from *live.Run, at int) (b brought, err error) {
	if err := c.rooms.MayLook(c.ctx, c.key, from); err != nil {
		return b, err
	}
	b.task = from.Task().Name()
	if from.Place() == (live.Place{Room: c.in.code}) {
		if b.run, b.at = from.ID(), at; at < 0 || at >= from.Length() {
			b.at = room.End
		}
		return b, nil
	}
	if at < 0 {
		at = from.Length()
	}
	world, err := from.Prefix(c.ctx, at)
	if err != nil {
		return b, err
	}
	made, err := c.rooms.make(c.ctx, world, live.Beginning{Task: b.task, Place: live.Place{Room: c.in.code}})
	if err != nil {
		return b, err
	}
	b.run, b.at, b.made = made.ID(), room.End, true
	return b, nil
}

// make is Add for a request that makes a run, and counts it.
func (g *Rooms) make(ctx context.Context, e *engine.Run, how live.Beginning) (*live.Run, error) {
	if err := g.MayMake(limit.NetworkOf(ctx), limit.PersonOf(ctx)); err != nil {
		return nil, err
	}
	return g.Runs.Add(ctx, e, how)
}

// playable returns the task with a name that somebody can play: an incident without a scenario begins with its first challenge. A
// program to fix is no run, and gives the zero Task.
func (g *Rooms) playable(name string) course.Task {
	t := g.Task(name)
	if in, lesson, _ := strings.Cut(name, "/"); t.Lesson == nil && g.Course(in) != nil {
		if l := g.Course(in).Lesson(lesson); l != nil && len(l.Challenges) > 0 {
			t = g.Task(name + "/" + l.Challenges[0].Name)
		}
	}
	if t.Challenge != nil && t.Challenge.Fix != nil {
		return course.Task{}
	}
	return t
}
