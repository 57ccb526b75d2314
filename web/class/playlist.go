package class

import (
	"errors"
	"slices"
	"strings"

	"lockstep/engine/course"
	"lockstep/engine/lang"
	"lockstep/web/live"
	"lockstep/web/present"
	"lockstep/web/refusal"
	"lockstep/web/room"
)

// plan changes the playlist: it adds what a form names, or takes away or moves an item, or takes over the playlist of a course.
func (c *command) plan() error {
	c.in.planning.Lock() // the entry holds the whole list: of two changes at once, the later would undo the other
	defer c.in.planning.Unlock()
	c.entry.Plan = Ask(c.in, (*room.Room).Plan)
	if err := c.may(); err != nil && err != room.ErrSame { // before a run is made for the new item
		return err
	}
	var b brought
	var err error
	switch do := c.form("do"); do {
	case "add":
		b, err = c.add()
	case "course":
		in := c.rooms.Course(c.form("course"))
		if in == nil || len(in.Playlist) == 0 {
			return ErrNoTask
		}
		for _, part := range in.Playlist {
			c.entry.Plan = append(c.entry.Plan, itemOf(in, part))
		}
	case "remove", "up", "down":
		err = c.moveItem(do)
	default:
		return live.ErrMalformed
	}
	if err != nil {
		return err
	}
	return b.do(c)
}

// moveItem takes an item away, or moves it one place. The form names its target, too: a second press, which comes after the
// list has changed, hits no other item.
func (c *command) moveItem(do string) error {
	plan, i := c.entry.Plan, c.form.Number("item")-1
	if i < 0 || i >= len(plan) || plan[i].Target != c.form("target") {
		return room.ErrNoItem
	}
	switch to := i + map[string]int{"up": -1, "down": 1}[do]; {
	case do == "remove":
		c.entry.Plan = append(plan[:i], plan[i+1:]...)
	case to >= 0 && to < len(plan):
		plan[i], plan[to] = plan[to], plan[i]
	}
	return nil
}

// add adds an item. Of a run, the room gets a copy at once: the item shows what the presenter sees now.
func (c *command) add() (b brought, err error) {
	item := room.PlanItem{Kind: room.PlanPoll}
	if title := strings.TrimSpace(c.form("title")); title != "" {
		item.Title = lang.Both(title, title)
	}
	added := room.Entry{Verb: room.VerbPlan, Plan: append(slices.Clone(c.entry.Plan), item)}
	if err := c.in.may(c.key, added); err != nil { // before a run is made for it
		return b, err
	}
	t, to := c.rooms.playable(c.form("task")), c.named()
	begun := c.isBegun(to.run)
	switch poll, form := c.form("poll"), c.form("form"); {
	case poll == "lesson" || poll == room.PlanReply:
		item.Kind, item.Target = room.PlanPoll, strings.TrimPrefix(poll, "lesson")
	case poll != "":
		return b, live.ErrMalformed
	case form != "":
		if item.Kind, item.Target = room.PlanTest, c.form("course")+"/"+form; c.rooms.Test(c.form("course")) == nil {
			return b, ErrNoTask
		}
	case t.Challenge != nil && !begun:
		item.Kind, item.Target = room.PlanChallenge, t.Name()
	case t.Lesson != nil && !begun:
		item.Kind, item.Target = room.PlanLesson, t.Name()
	default:
		if b, err = c.brought(to); err != nil {
			return b, err
		}
		item.Kind, item.Target, item.At = room.PlanRun, b.run, b.at
		if item.Title == (lang.Text{}) {
			item.Title = c.titleOf(b.run)
		}
	}
	c.entry.Plan = append(c.entry.Plan, item)
	return b, nil
}

// isBegun reports whether a run is there: a page whose run nobody has acted in names its task as well.
func (c *command) isBegun(run string) bool {
	if run == "" {
		return false
	}
	r, done, err := c.use(run)
	if err != nil {
		return false
	}
	defer done()
	return !r.Untouched()
}

// titleOf returns what a run is called in a playlist.
func (c *command) titleOf(run string) lang.Text {
	r, done, err := c.use(run)
	if err != nil {
		return lang.Text{}
	}
	defer done()
	return live.See(r, present.Run.Called)
}

// itemOf returns an item of a course's playlist as an item of a room's.
func itemOf(in *course.Course, p course.Part) room.PlanItem {
	item := room.PlanItem{Kind: room.PlanPoll, Title: whole(p.Title)}
	switch {
	case p.Form != "":
		item.Kind, item.Target = room.PlanTest, in.Name+"/"+string(p.Form)
	case p.Task.Challenge != nil:
		item.Kind, item.Target = room.PlanChallenge, p.Task.Name()
	case p.Task.Lesson != nil:
		item.Kind, item.Target = room.PlanLesson, p.Task.Name()
	case p.Reply:
		item.Target = room.PlanReply
	}
	return item
}

// whole returns a text that has each language: a course may have one alone.
func whole(t lang.Text) lang.Text {
	if t == (lang.Text{}) {
		return t
	}
	return lang.Both(t.In(lang.English), t.In(lang.Chinese))
}

// next takes the class to an item of the playlist. An exercise or a test that is on ends first, unless the item leads nowhere.
func (c *command) next() error {
	c.in.planning.Lock() // a second press waits for the first, and finds the class at the item
	defer c.in.planning.Unlock()
	next := c.entry
	next.Item = c.form.Number("item")
	c.entry = next
	if err := c.may(); errors.Is(err, room.ErrSame) {
		return nil
	} else if err != nil {
		return err
	}
	item := Ask(c.in, (*room.Room).Plan)[next.Item-1]
	if err := c.leads(item); err != nil {
		return err
	}
	var ends []room.Entry
	if Ask(c.in, (*room.Room).Exercise) != nil {
		ends = append(ends, room.Entry{Verb: room.VerbHome})
	}
	if Ask(c.in, (*room.Room).Test) != nil {
		ends = append(ends, room.Entry{Verb: room.VerbTest})
	}
	if err := c.all(ends...); err != nil {
		return err
	}
	if item.Kind == room.PlanPoll {
		return c.poll(item.Target == room.PlanReply, next)
	}
	if err := c.begin(item); err != nil {
		return err
	}
	c.entry = next
	return c.do()
}

// leads refuses an item that leads nowhere: its course is another one now, or the run has no such question.
func (c *command) leads(item room.PlanItem) error {
	is := false
	switch item.Kind {
	case room.PlanLesson:
		is = c.rooms.playable(item.Target).Lesson != nil
	case room.PlanChallenge:
		is = c.rooms.Task(item.Target).Challenge != nil
	case room.PlanTest:
		in, _, _ := strings.Cut(item.Target, "/")
		is = c.rooms.Test(in) != nil
	case room.PlanRun:
		is = c.isBegun(item.Target)
	case room.PlanPoll:
		r, done, err := c.use(Ask(c.in, (*room.Room).Base))
		if err != nil {
			return err
		}
		defer done()
		return live.See(r, asksNext(item.Target == room.PlanReply))
	}
	if !is {
		return errNoLead
	}
	return nil
}

// errNoLead says that an item of the playlist leads nowhere.
var errNoLead = refusal.Declare(refusal.Unprocessable, refusal.Refused, "room.no-lead")

// asksNext refuses to ask for a reply that nobody waits for, or for a question that the lesson does not have.
func asksNext(reply bool) func(present.Run) error {
	return func(p present.Run) error {
		if reply && p.NextReply() == "" || !reply && !p.WillAsk() {
			return ErrNothingAsked
		}
		return nil
	}
}

// begin does what an item says that is no poll.
func (c *command) begin(item room.PlanItem) error {
	c.entry = room.Entry{}
	switch item.Kind {
	case room.PlanLesson:
		c.entry.Verb = room.VerbShow
		return c.bring(bringing{task: item.Target, at: room.End})
	case room.PlanRun:
		c.entry.Verb = room.VerbShow
		return c.bring(bringing{run: item.Target, at: item.At})
	case room.PlanChallenge:
		c.entry.Verb, c.entry.Task = room.VerbChallenge, item.Target
		if c.rooms.Task(item.Target).Challenge == nil {
			return ErrNoTask
		}
		return c.do()
	}
	c.entry.Verb = room.VerbTest
	c.entry.Task, c.entry.Form, _ = strings.Cut(item.Target, "/")
	if c.rooms.Test(c.entry.Task) == nil {
		return ErrNoTask
	}
	return c.do()
}

// poll asks the room for the next reply of Redis, or the next question of the lesson, to which the run goes on first. A room that looks
// at somebody's sandbox comes back to its own run. The class comes to the item before the question is open: nobody leaves an open one.
func (c *command) poll(reply bool, next room.Entry) error {
	r, done, err := c.use(Ask(c.in, (*room.Room).Base))
	if err != nil {
		return err
	}
	defer done()
	if err := live.See(r, asksNext(reply)); err != nil {
		return err
	}
	client := ""
	if reply {
		client = live.See(r, present.Run.NextReply)
	}
	for !reply && live.See(r, awaits(r.Length())) == nil { // a lesson has few moments
		if err := r.GoOn(c.ctx, r.Length()); err != nil {
			return err
		}
	}
	q, err := c.question(r, room.Predict, client)
	if err != nil {
		return err
	}
	return c.all(room.Entry{Verb: room.VerbShow, Run: r.ID()}, next, room.Entry{Verb: room.VerbDrive}, room.Entry{Verb: room.VerbCursor, At: room.End}, room.Entry{Verb: room.VerbAsk, Poll: q})
}
