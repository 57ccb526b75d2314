package explore

// Luck is how often a property was violated by chance.
type Luck struct {
	Schedules int64 // tried to their end
	Violating int64 // of them
	Actions   int64 // of all of them together

	Verdict Verdict // why it ended before all schedules were run: Spent or Stopped; nothing: they were
	Bound   Bound   // which bound it came to
	Memory  int64   // bytes that it has set aside
	Work    int64   // units of the engine
}

// Luck runs as many schedules, each of which chooses by chance among all that can
// happen until nothing more can or the property is violated. The same seed gives
// the same schedules. It counts no states: Progress is told the schedules instead.
// Where it is stopped, or the budget runs out, Luck tells of those that were run to
// their end.
func (q Question) Luck(schedules int64, seed uint64, b Budget, h Hands) (Luck, error) {
	s, err := q.setup()
	if err != nil {
		return Luck{}, err
	}
	b.States = 0
	a := newAccount(b, h)
	var luck Luck
	switch err := s.try(a); {
	case err == errEnded:
	case err != nil:
		return Luck{}, err
	default:
		l := newLearner(newCatalog(s, a))
		a.within(func() { l.draw(&luck, schedules, seed) })
		l.publish()
	}
	luck.Verdict, luck.Bound, luck.Memory, luck.Work = a.verdict(), a.bound(), a.memory.Load(), a.work.Load()
	return luck, nil
}

// draw runs schedules one after the other.
func (l *learner) draw(luck *Luck, schedules int64, seed uint64) {
	start := l.catalog.begin()
	for luck.Schedules < schedules {
		actions, unlucky := int64(0), false
		if !learned(func() { actions, unlucky = l.chance(start, mix(mix(seed)+uint64(luck.Schedules+1))) }) {
			l.exhaust(OfAction)
			return
		}
		luck.Schedules++
		if luck.Actions += actions; unlucky {
			luck.Violating++
		}
		l.account.states.Store(luck.Schedules)
	}
}

// chance runs one schedule.
func (l *learner) chance(s state, random uint64) (actions int64, unlucky bool) {
	var next state
	for !l.violated(&s) {
		moves := l.possible(&s)
		if len(moves) == 0 {
			return actions, false
		}
		random = mix(random + 0x9e3779b97f4a7c15)
		m := &moves[random%uint64(len(moves))]
		actions++
		if m.violates {
			return actions, true
		}
		l.after(&next, &s, m)
		s = next
	}
	return actions, true
}
