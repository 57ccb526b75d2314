package session

import "sync"

// Sockets are those that are open, so that they can be closed.
type Sockets struct {
	mu      sync.Mutex
	open    map[*Viewer]struct{}
	closed  bool
	waiting sync.WaitGroup // for those that open, too
}

// Opens announces a socket: close waits until it is removed, or until DoesNot says that it did not open. After close
// it reports that no socket opens any more.
func (s *Sockets) Opens() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.waiting.Add(1)
	return true
}

// DoesNot takes an announcement back.
func (s *Sockets) DoesNot() { s.waiting.Done() }

// Add keeps a viewer whose socket has opened. Where the sockets have been closed meanwhile it is told.
func (s *Sockets) Add(v *Viewer) {
	s.mu.Lock()
	if s.open == nil {
		s.open = map[*Viewer]struct{}{}
	}
	s.open[v] = struct{}{}
	late := s.closed
	s.mu.Unlock()
	if late {
		v.leave()
	}
}

// Remove forgets a viewer whose socket has ended.
func (s *Sockets) Remove(v *Viewer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, v)
	s.waiting.Done()
}

// Close ends every socket, and returns when each is gone.
func (s *Sockets) Close() {
	s.mu.Lock()
	s.closed = true
	var told sync.WaitGroup
	for v := range s.open {
		told.Go(v.manager.Survives(v.leave, v.drop))
	}
	s.mu.Unlock()
	told.Wait()
	s.waiting.Wait()
}
