package present

import (
	"cmp"
	"slices"
	"strconv"

	"lockstep/engine"
	"lockstep/engine/course"
	"lockstep/views"
	runview "lockstep/views/run"
	"lockstep/web/refusal"
)

// button returns the button of an action. If the challenge or the engine refuses the action, the button says why.
func (in presenter) button(id, label string, a engine.Action) runview.Button {
	b := runview.Button{ID: id, Action: a.String(), Label: views.Say(in.language, label), Never: in.umpire != nil && !in.umpire.Offers(a)}
	err := in.world.Can(a)
	if in.umpire != nil {
		err = cmp.Or(in.umpire.Allows(a), err)
	}
	if err != nil {
		b.Refuse = refusal.Of(err).In(in.language)
	}
	return b
}

// offered returns the buttons that a run of this kind ever needs.
func offered(all ...runview.Button) []runview.Button {
	return slices.DeleteFunc(all, func(b runview.Button) bool { return b.Never })
}

// next returns the button that spawns the client with the first free name. The engine
// checks the chosen program; the reader may choose another.
func (in presenter) next(program string) runview.Spawn {
	n := 1
	for in.world.Client("C"+strconv.Itoa(n)) != nil {
		n++
	}
	name := "C" + strconv.Itoa(n)
	b := in.button("spawn", "spawn", engine.Action{Verb: engine.VerbSpawn, Client: name, Program: program})
	b.Action, b.Label, b.Icon = "spawn "+name, views.Say(in.language, "spawn", name), "new"
	b.Keys = "S"
	return runview.Spawn{Client: name, Button: b}
}

// ticks returns the buttons that let time pass.
func (in presenter) ticks(t course.Task) []runview.Button {
	var buttons []runview.Button
	for i, d := range t.Ticks() {
		b := in.button("tick-"+d.String(), "tick", engine.Action{Verb: engine.VerbTick, Time: d})
		b.Label, b.Title = views.Say(in.language, "tick", d.String()), views.Say(in.language, "tick.long", d.String())
		if i == 0 {
			b.Keys = "T"
		}
		buttons = append(buttons, b)
	}
	return offered(buttons...)
}

func (in presenter) faults() []runview.Button {
	var buttons []runview.Button
	for i, name := range in.world.Nodes() {
		for _, fault := range []struct {
			label string
			engine.Action
		}{
			{"crash-keep", engine.Action{Verb: engine.VerbRedisCrash}},
			{"crash-lose", engine.Action{Verb: engine.VerbRedisCrash, Lose: true}},
			{"redis-restart", engine.Action{Verb: engine.VerbRedisRestart}},
			{"failover", engine.Action{Verb: engine.VerbFailover}},
		} {
			if len(in.world.Nodes()) > 1 {
				fault.Node = i + 1
			}
			b := in.button(fault.label+"-"+name, fault.label, fault.Action)
			b.Label = views.Say(in.language, fault.label, engine.Title(name))
			buttons = append(buttons, b)
		}
	}
	return offered(buttons...)
}

// about returns the button of a client's action. Its label names the client for a reader who does not see its card, in a sentence: in
// Chinese the client stands before what it does.
func (in presenter) about(c *engine.Client, id, label string, a engine.Action) runview.Button {
	a.Client = c.Name
	b := in.button(id+"-"+c.Name, "client."+label, a)
	b.Label = views.Say(in.language, "client."+label, c.Name)
	return b
}

func (in presenter) mainButtons(c *engine.Client) []runview.Button {
	about := func(label string, v engine.Verb) runview.Button {
		b := in.about(c, string(v), label, engine.Action{Verb: v})
		b.Icon, b.Title = label, b.Label
		return b
	}
	if !c.Live() {
		buttons := []runview.Button{about("restart", engine.VerbRestart)}
		if c.Orphan() != nil {
			buttons = append(buttons, about("deliver", engine.VerbDeliver))
		}
		return offered(buttons...)
	}
	step, pause := "step", about("pause", engine.VerbPause)
	if call, _ := c.InFlight(); c.Status == engine.Inside && call == nil && !c.Program.Works() {
		step = "leave" // whose program works there does the next piece, and may leave after it
	}
	if c.Paused {
		pause = about("resume", engine.VerbResume)
		pause.ID = "pause-" + c.Name // the same button, so that it keeps the focus
	}
	on := about(step, engine.VerbStep)
	if call, replied := c.InFlight(); call != nil { // whoever does not see the message in the picture hears what it is
		sentence := "client.step-request"
		if replied {
			sentence = "client.step-reply"
		}
		on.Label = views.Say(in.language, sentence, c.Name, shorten(call.Label(), commandShown))
		on.Title = on.Label
	}
	if c.Missing {
		in.live.allow(&on, c, in.language)
	}
	return offered(on, pause, about("crash", engine.VerbCrash))
}

func (in presenter) moreButtons(c *engine.Client) []runview.Button {
	about := func(id, label string, a engine.Action) runview.Button { return in.about(c, id, label, a) }
	receive := about("receive", "receive", engine.Action{Verb: engine.VerbReceive})
	buttons := []runview.Button{
		receive,
		about("drop", "drop", engine.Action{Verb: engine.VerbDrop}),
		about("slower", "slower", engine.Action{Verb: engine.VerbSkew, Time: c.Skew - 1000}),
		about("faster", "faster", engine.Action{Verb: engine.VerbSkew, Time: c.Skew + 1000}),
	}
	// A living client's step delivers, unless replies travel too.
	if c.Live() && (c.Orphan() != nil || !receive.Never) || !c.Live() && c.Orphan() == nil {
		buttons = append([]runview.Button{about("deliver", "deliver", engine.Action{Verb: engine.VerbDeliver})}, buttons...)
	}
	return offered(buttons...)
}
