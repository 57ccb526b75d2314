package explore

// Luck is how often a property was violated by chance.
type Luck struct {
	Schedules int64 // tried
	Violating int64 // of them
	Actions   int64 // of all of them together
}

// Luck runs as many schedules, each of which chooses by chance among all that can
// happen until nothing more can or the property is violated. The same seed gives
// the same schedules. Progress is asked after every few; stopped, it tells of
// those that were run.
func (q Question) Luck(schedules int64, seed uint64, h Hands) (Luck, error) {
	s, err := q.setup()
	if err != nil {
		return Luck{}, err
	}
	if s.From == nil {
		if err := s.try(); err != nil {
			return Luck{}, err
		}
	}
	const slice = 256 // schedules between two questions whether to go on
	var luck Luck
	l := newLearner(newCatalog(s))
	start := l.catalog.begin()
	for luck.Schedules < schedules {
		luck.Schedules++
		actions, unlucky := l.chance(start, mix(mix(seed)+uint64(luck.Schedules)))
		if luck.Actions += actions; unlucky {
			luck.Violating++
		}
		if luck.Schedules%slice == 0 && h.Progress != nil && !h.Progress(Figures{States: luck.Schedules}) {
			break
		}
	}
	return luck, nil
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
