//go:build !(linux && amd64)

package clock

import (
	"net"
	"os/exec"
	"time"
)

// A Tree is a program on a clock of its own. Here there are none.
type Tree struct{}

// Start returns ErrSystem.
func Start(*exec.Cmd, Options) (*Tree, error) { return nil, ErrSystem }

// Lacks returns ErrSystem.
func Lacks() error { return ErrSystem }

// Move does nothing.
func (*Tree) Move(_, _ time.Duration) {}

// Ask returns nil.
func (*Tree) Ask() <-chan Rest { return nil }

// Wait does nothing.
func (*Tree) Wait() {}

// Drain does nothing.
func (*Tree) Drain(time.Time) {}

// Close does nothing.
func (*Tree) Close() {}

// Received returns 0: nobody asks.
func Received(*net.TCPConn) int64 { return 0 }
