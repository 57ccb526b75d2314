//go:build !linux

package metrics

// Process adds nothing: only Linux says in files what a process uses.
func (s *Set) Process() {}
