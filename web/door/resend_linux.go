package door

import "syscall"

// Options of a connection in Linux that package syscall lacks.
const (
	ThinLinearTimeouts = 16   // TCP_THIN_LINEAR_TIMEOUTS: a packet is repeated after the same time again, and not after twice the time
	LongestTimeout     = 44   // TCP_RTO_MAX_MS: the longest such time; since Linux 6.15
	Second             = 1000 // the shortest that it may be. Such a connection ends when nobody has confirmed a packet for about 15 s
)

// setResend sets the options of a connection. An older kernel refuses them, and repeats as late as ever.
func setResend(fd uintptr) {
	_ = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, ThinLinearTimeouts, 1)
	_ = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, LongestTimeout, Second)
}
