package clock

import (
	"encoding/binary"
	"net"
	"net/netip"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A diag asks the kernel about TCP connections.
type diag struct {
	fd     int
	asked  uint32 // questions so far
	buffer [4 << 10]byte
}

func openDiag() (*diag, error) {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, unix.NETLINK_SOCK_DIAG)
	if err != nil {
		return nil, os.NewSyscallError("socket", err)
	}
	return &diag{fd: fd}, nil
}

func (d *diag) close() { _ = unix.Close(d.fd) }

// A route is where one of the two ends of a connection is, and where the other one.
type route struct{ from, to netip.AddrPort }

func (r route) back() route { return route{r.to, r.from} }

// An end is one of the two ends of a connection.
type end struct {
	state          uint8
	sent, received uint64 // bytes
	unsent, unread uint32
	counts         bool // sent and received are known: the socket is still somebody's
	accepted       bool // by a program
}

const (
	established = 1
	synReceived = 3
)

// find returns an end of a connection; nil: there is none.
func (d *diag) find(r route) (*end, error) {
	if err := d.ask(r); err != nil {
		return nil, err
	}
	for {
		n, _, err := unix.Recvfrom(d.fd, d.buffer[:], 0)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return nil, os.NewSyscallError("recvfrom", err)
		case n < unix.SizeofNlMsghdr+4:
			return nil, unix.EBADMSG
		}
		b := d.buffer[:n]
		if binary.NativeEndian.Uint32(b[8:]) != d.asked {
			continue // the answer to a question that failed
		}
		body := b[unix.SizeofNlMsghdr:]
		switch binary.NativeEndian.Uint16(b[4:]) {
		case unix.NLMSG_ERROR:
			if errno := unix.Errno(-int32(binary.NativeEndian.Uint32(body))); errno != unix.ENOENT {
				return nil, os.NewSyscallError("sock_diag", errno)
			}
			return nil, nil
		case unix.SOCK_DIAG_BY_FAMILY:
			return readEnd(r, body), nil
		}
		return nil, unix.EBADMSG
	}
}

const inetDiagInfo = 2

// ask sends a struct inet_diag_req_v2.
func (d *diag) ask(r route) error {
	const head, size = unix.SizeofNlMsghdr, 56
	var b [head + size]byte
	d.asked++
	binary.NativeEndian.PutUint32(b[0:], uint32(len(b)))
	binary.NativeEndian.PutUint16(b[4:], unix.SOCK_DIAG_BY_FAMILY)
	binary.NativeEndian.PutUint16(b[6:], unix.NLM_F_REQUEST)
	binary.NativeEndian.PutUint32(b[8:], d.asked)
	q := b[head:]
	q[0], q[1], q[2] = unix.AF_INET6, unix.IPPROTO_TCP, 1<<(inetDiagInfo-1)
	if r.from.Addr().Is4() {
		q[0] = unix.AF_INET
	}
	binary.BigEndian.PutUint16(q[8:], r.from.Port())
	binary.BigEndian.PutUint16(q[10:], r.to.Port())
	copy(q[12:], r.from.Addr().AsSlice())
	copy(q[28:], r.to.Addr().AsSlice())
	const noCookie = ^uint64(0)
	binary.NativeEndian.PutUint64(q[48:], noCookie)
	return os.NewSyscallError("sendto", unix.Sendto(d.fd, b[:], 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}))
}

// readEnd reads a struct inet_diag_msg and what follows it; nil: it is about another socket, which listens there.
func readEnd(r route, b []byte) *end {
	const size = 72
	if len(b) < size {
		return nil
	}
	at := func(port, address int) netip.AddrPort {
		if b[0] == unix.AF_INET {
			return netip.AddrPortFrom(netip.AddrFrom4([4]byte(b[address:])), binary.BigEndian.Uint16(b[port:]))
		}
		return netip.AddrPortFrom(netip.AddrFrom16([16]byte(b[address:])).Unmap(), binary.BigEndian.Uint16(b[port:]))
	}
	if r != (route{at(4, 8), at(6, 24)}) {
		return nil
	}
	e := &end{state: b[1], unread: binary.NativeEndian.Uint32(b[56:]), accepted: binary.NativeEndian.Uint32(b[68:]) != 0}
	for rest := b[size:]; len(rest) >= 4; {
		n, kind := int(binary.NativeEndian.Uint16(rest)), binary.NativeEndian.Uint16(rest[2:])
		if n < 4 || n > len(rest) {
			break
		}
		if kind == inetDiagInfo {
			var info unix.TCPInfo
			copy(unsafe.Slice((*byte)(unsafe.Pointer(&info)), unsafe.Sizeof(info)), rest[4:n])
			e.sent, e.received, e.unsent = info.Bytes_sent-info.Bytes_retrans, info.Bytes_received, info.Notsent_bytes
			e.counts = e.accepted
		}
		rest = rest[min(len(rest), (n+3)&^3):]
	}
	return e
}

// tells reports whether the kernel tells about a connection, of which it makes one.
func (d *diag) tells() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer l.Close()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		return err
	}
	defer c.Close()
	e, err := d.find(route{c.LocalAddr().(*net.TCPAddr).AddrPort(), c.RemoteAddr().(*net.TCPAddr).AddrPort()})
	if err == nil && (e == nil || !e.counts) {
		err = os.NewSyscallError("sock_diag", unix.EOPNOTSUPP)
	}
	return err
}

// Received returns how many bytes of a connection have arrived.
func Received(c *net.TCPConn) int64 {
	raw, err := c.SyscallConn()
	if err != nil {
		return 0
	}
	var n int64
	_ = raw.Control(func(fd uintptr) {
		if info, err := unix.GetsockoptTCPInfo(int(fd), unix.IPPROTO_TCP, unix.TCP_INFO); err == nil {
			n = int64(info.Bytes_received)
		}
	})
	return n
}
