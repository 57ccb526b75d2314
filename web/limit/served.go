package limit

import "maps"

// served has the last turn of networks, and of persons in them, by a clock that counts turns. A missing name had no
// recent turn.
type served struct {
	clock uint64
	at    map[string]uint64
}

func newServed() served { return served{at: map[string]uint64{}} }

// maxServed is the least number of turns that served remembers.
const maxServed = 4096

// serve records a turn.
func (s *served) serve(network, person string) {
	s.clock++
	s.at[network], s.at[self(network, person)] = s.clock, s.clock
	if len(s.at) > 2*maxServed {
		maps.DeleteFunc(s.at, func(_ string, at uint64) bool { return at+maxServed < s.clock })
	}
}

// self returns the key of a person within their network.
func self(network, person string) string { return network + " " + person }
