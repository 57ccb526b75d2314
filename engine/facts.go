package engine

import (
	"maps"
	"slices"
	"strings"

	"lockstep/engine/redis"
)

// facts collects the effects of the scripts that a run executes, and of those that its properties ask for on copies of it.
type facts struct {
	all []*fact
	of  map[string]*fact // by situation

	lives map[string][]string // the histories at which recordings are asked; nil: nobody wants to know
}

// newFacts returns the facts that are known already.
func newFacts(known *Effects) *facts {
	f := &facts{of: map[string]*fact{}}
	for _, x := range known.All() {
		f.of[x.situation()] = &fact{Effect: x}
		f.all = append(f.all, f.of[x.situation()])
	}
	return f
}

// A fact is an effect.
type fact struct {
	*Effect
	asked bool // only a property has asked for it
}

// learn adds the effect of a command: what its keys held before, and what they hold now. It leaves out what a scenario cannot
// have. A script that does not depend on its keys alone has its first effect.
func (f *facts) learn(command []string, before []Held, reply redis.Reply, after []Held, at Time, asked bool) {
	words, _ := redis.Split(redis.Label(command))
	textless, refusal := redis.CheckRecorded(words, redis.Scripts{}, func(string) bool { return true })
	if refusal != nil {
		return
	}
	x := &Effect{Command: textless, At: at, Before: before, Reply: reply}
	for i := range after {
		if after[i] != before[i] {
			x.After = append(x.After, after[i])
		}
	}
	situation := x.situation()
	if known := f.of[situation]; known != nil {
		known.asked = known.asked && asked
		return
	}
	if len(f.all) < 2*MaxEffects && x.flaw() == nil {
		f.of[situation] = &fact{x, asked}
		f.all = append(f.all, f.of[situation])
	}
}

// within returns the effects, as far as their text has at most that many bytes: first those of the run itself.
func (f *facts) within(room int) *Effects {
	effects := newEffects()
	for _, asked := range []bool{false, true} {
		for _, x := range f.all {
			if x.asked != asked {
				continue
			}
			if room -= len(x.Effect.String()); room < 0 {
				return effects
			}
			effects.add(x.Effect)
		}
	}
	return effects
}

// Recorded plays the scenario and returns it with the effects of its scripts: those of its run, those that the properties
// ask for as they judge it, and those of an end in which one client goes on after the other. With them it plays where the
// scripts are not. Recorded also returns the histories at which the run and the properties ask the scenario's recordings (see
// program.Recording): their other parts make no difference.
func (s *Scenario) Recorded(properties ...Property) (recorded *Scenario, histories [][]string, err error) {
	w := New(s.Header, properties...)
	defer w.Close()
	f := newFacts(s.Effects)
	f.lives = map[string][]string{}
	w.facts = f
	for _, a := range s.Actions() {
		if _, err := w.Apply(a, MaxActionWork); err != nil {
			return nil, nil, err
		}
	}
	lives := maps.Clone(f.lives)
	for _, first := range w.clients {
		f.goOn(w.Fork(), first.Name)
	}
	with := *s
	with.Effects = nil
	if effects := f.within(MaxText - len(with.String())); len(effects.all) > 0 {
		with.Effects = effects
	}
	for _, life := range slices.Sorted(maps.Keys(lives)) {
		histories = append(histories, lives[life])
	}
	return &with, histories, nil
}

// goOn lets the clients of a copy go on, one to its end and then each of the others: a reader may want to see the run end. It
// closes the copy.
func (f *facts) goOn(w *World, first string) {
	defer w.Close()
	w.facts = f
	names := []string{first}
	for _, c := range w.clients {
		names = append(names, c.Name)
	}
	for _, name := range names {
		for range MaxSteps {
			a := Action{Verb: VerbStep, Client: name}
			if w.Can(a) != nil {
				break
			}
			if _, err := w.Apply(a, MaxActionWork); err != nil { // the copy has met a bound
				return
			}
		}
	}
}

// lived adds what a client of a recorded program has observed, where somebody wants to know.
func (f *facts) lived(c *Client) {
	if f != nil && f.lives != nil && c.Program.Recorded() {
		history := c.History()
		f.lives[strings.Join(history, "\n")] = history
	}
}
