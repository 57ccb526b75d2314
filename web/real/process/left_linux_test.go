package process

import "testing"

func onLinux(*testing.T) {}

// gone holds a process to have ended.
func gone(t *testing.T, pid int) {
	t.Helper()
	if m, ok := status(pid); ok && !m.dead {
		t.Errorf("process %d, %s, is left", pid, m.name)
	}
}
