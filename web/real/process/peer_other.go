//go:build unix && !linux

package process

import "net"

// waits reports whether the other side of a connection is still open.
func waits(socket *net.TCPConn) bool { return !ended(socket) }
