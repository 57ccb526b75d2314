package limit

import "maps"

// served is when networks, and persons in them, had their latest turn, by a clock that counts turns. Who is not there had
// none lately.
type served struct {
	clock uint64
	at    map[string]uint64
}

func newServed() served { return served{at: map[string]uint64{}} }

// mostServed is how many turns are remembered at least.
const mostServed = 4096

// serve notes a turn.
func (s *served) serve(network, person string) {
	s.clock++
	s.at[network], s.at[self(network, person)] = s.clock, s.clock
	if len(s.at) > 2*mostServed {
		maps.DeleteFunc(s.at, func(_ string, at uint64) bool { return at+mostServed < s.clock })
	}
}

// self is a person as one of their network.
func self(network, person string) string { return network + " " + person }
