//go:build !linux

package tally

// Process adds nothing: only Linux says in files what a process uses.
func (s *Set) Process() {}
