package limit

import "sync"

// Shares bound how much each network, and all networks together, hold at once. No network holds more than it leaves for
// the others. Even if many networks hold all they may, one more finds room.
type Shares struct {
	most, mostAll int64

	mu  sync.Mutex
	all int64
	of  map[string]int64
}

// NewShares bounds the amount that each network holds, and the amount that all networks hold together.
func NewShares(most, mostAll int64) *Shares {
	return &Shares{most: most, mostAll: mostAll, of: map[string]int64{}}
}

// Take holds n more for a network until Give, and reports true. Without room, it holds nothing and reports false.
func (s *Shares) Take(network string, n int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.add(network, n)
	if !s.fits(network) {
		s.add(network, -n)
		return false
	}
	return true
}

// Force holds n more for a network even without room, and reports whether there was room. It counts something that
// already exists. If there was no room, the caller soon gives it up.
func (s *Shares) Force(network string, n int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.add(network, n)
	return s.fits(network)
}

// fits reports whether a network is within its bounds.
func (s *Shares) fits(network string) bool {
	return s.of[network] <= min(s.most, s.mostAll-s.all)
}

// Give ends the holding of n.
func (s *Shares) Give(network string, n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.add(network, -n)
}

func (s *Shares) add(network string, n int64) {
	s.all += n
	if s.of[network] += n; s.of[network] == 0 {
		delete(s.of, network)
	}
}

// Held returns the amount that all networks hold.
func (s *Shares) Held() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all
}

// PersonShares are Shares of each network, and within it of each named person. A person without a name counts as their
// network.
type PersonShares struct {
	*Shares
	persons *Shares
}

// NewPersonShares bounds the amounts that a network holds, and that a person holds.
func NewPersonShares(networks, persons *Shares) *PersonShares {
	return &PersonShares{networks, persons}
}

// Take holds n more for a person of a network until Force gives it back, and reports true. Without room, it holds
// nothing and reports false.
func (s *PersonShares) Take(network, person string, n int64) bool {
	if !s.Shares.Take(network, n) {
		return false
	}
	if person != network && !s.persons.Take(self(network, person), n) {
		s.Give(network, n)
		return false
	}
	return true
}

// Force holds n more even without room. A negative n gives back.
func (s *PersonShares) Force(network, person string, n int64) {
	if n == 0 {
		return
	}
	s.Shares.Force(network, n)
	if person != network {
		s.persons.Force(self(network, person), n)
	}
}
