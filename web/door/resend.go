package door

import (
	"net"
	"syscall"

	"lockstep/web/limit"
)

// resendSoon has the kernel repeat within a second what gets lost on a socket. A step is one packet, and nothing follows it by
// which its loss would show: on a bad radio the kernel would repeat it after more than a second, then after two, then after four.
func resendSoon(socket net.Conn) {
	if paced, ok := socket.(*limit.Conn); ok {
		socket = paced.Conn
	}
	if direct, ok := socket.(syscall.Conn); ok {
		if raw, err := direct.SyscallConn(); err == nil {
			_ = raw.Control(setResend) // a connection that is closed already needs nothing
		}
	}
}
