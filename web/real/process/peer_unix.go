//go:build unix

package process

import (
	"net"
	"syscall"
)

// ended reports whether the end of a connection has come here.
func ended(socket *net.TCPConn) bool {
	raw, err := socket.SyscallConn()
	if err != nil {
		return true
	}
	end := false
	err = raw.Control(func(fd uintptr) {
		n, _, err := syscall.Recvfrom(int(fd), make([]byte, 1), syscall.MSG_PEEK)
		end = n == 0 && err == nil || err == syscall.ECONNRESET
	})
	return end || err != nil
}
