package live

import "sync"

// Sockets holds the open sockets, so that the server can close them.
type Sockets struct {
	mu      sync.Mutex
	open    map[*Viewer]struct{}
	closed  bool
	waiting sync.WaitGroup // also for sockets that are about to open
}

// Opens announces a socket, and reports whether it may open: after Close no socket opens. Close waits until Remove
// removes the socket, or DoesNot takes the announcement back.
func (s *Sockets) Opens() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.waiting.Add(1)
	return true
}

// DoesNot takes back the announcement of a socket that did not open.
func (s *Sockets) DoesNot() { s.waiting.Done() }

// Add keeps a viewer whose socket has opened. If Close came first, Add tells the viewer to leave.
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

// Close ends every socket, and returns when all are gone.
func (s *Sockets) Close() {
	s.mu.Lock()
	s.closed = true
	var told sync.WaitGroup
	for v := range s.open {
		told.Go(v.home.Survives(v.leave, v.drop))
	}
	s.mu.Unlock()
	told.Wait()
	s.waiting.Wait()
}
