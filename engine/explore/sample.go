package explore

// A Sample tells how often random schedules violated a property.
type Sample struct {
	Schedules int64 // schedules that ran to their end
	Violating int64 // those that violated it
	Actions   int64 // total over all of them

	Verdict Verdict // why it ended before all schedules had run: Spent or Stopped; empty: all ran
	Bound   Bound   // the bound that ended it
	Memory  int64   // bytes that it has set aside
	Work    int64   // units of the engine
}

// Sample runs that many schedules. Each chooses at random among the enabled transitions until there is none or it
// violates the property. The same seed gives the same schedules. Sample counts no states: Progress gets the schedules
// instead. A sample that is stopped, or whose budget runs out, counts the schedules that ended.
func (q Question) Sample(schedules int64, seed uint64, b Budget, h Runtime) (Sample, error) {
	s, err := q.setup()
	if err != nil {
		return Sample{}, err
	}
	b.States = 0
	a := newAccount(b, h)
	var luck Sample
	switch err := s.try(a); {
	case err == errEnded:
	case err != nil:
		return Sample{}, err
	default:
		l := newTransitions(newComponents(s, a))
		a.within(func() { l.draw(&luck, schedules, seed) })
		l.publish()
	}
	luck.Verdict, luck.Bound, luck.Memory, luck.Work = a.verdict(), a.bound(), a.memory.Load(), a.work.Load()
	return luck, nil
}

// draw runs schedules one after the other.
func (t *transitions) draw(luck *Sample, schedules int64, seed uint64) {
	start := t.components.begin()
	for luck.Schedules < schedules {
		actions, unlucky := int64(0), false
		if !decided(func() { actions, unlucky = t.chance(start, mix(mix(seed)+uint64(luck.Schedules+1))) }) {
			t.exhaust(OfAction)
			return
		}
		luck.Schedules++
		if luck.Actions += actions; unlucky {
			luck.Violating++
		}
		t.account.states.Store(luck.Schedules)
	}
}

// chance runs one schedule.
func (t *transitions) chance(s state, random uint64) (actions int64, unlucky bool) {
	var next state
	for !t.violated(&s) {
		enabled := t.enabled(&s)
		if len(enabled) == 0 {
			return actions, false
		}
		random = mix(random + 0x9e3779b97f4a7c15)
		m := &enabled[random%uint64(len(enabled))]
		actions++
		if m.violates {
			return actions, true
		}
		t.successor(&next, &s, m)
		s = next
	}
	return actions, true
}
