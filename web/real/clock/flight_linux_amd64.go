package clock

import (
	"net/netip"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// flies reports whether something is on its way between a process of the tree and another one.
func (t *Tree) flies() bool {
	if t.connects() {
		return true
	}
	for _, r := range t.routes {
		if r == (route{}) { // no connection
			continue
		}
		e, err := t.sockets.find(r)
		if err != nil {
			return true
		}
		peer, err := t.sockets.find(r.back())
		switch {
		case err != nil:
			return true
		case e != nil && e.state == established && r.to == t.options.Door && (peer == nil || peer.state == synReceived): // one side knows of its beginning or its end
			return true
		case e == nil || peer == nil: // the other one is on another machine, or in another namespace
		case r.to == t.options.Door && peer.state == established && (!peer.accepted || peer.unread > 0): // nobody has accepted it, or read it, yet
			return true
		case !e.arrives(peer) || !peer.arrives(e):
			return true
		}
	}
	return false
}

// arrives reports whether all that one end has sent has come to the other one, as far as both are known.
func (e *end) arrives(to *end) bool {
	return !e.counts || !to.counts || to.received >= e.sent && e.unsent == 0
}

// connects finds the connections of the tree, and reports whether one of them is still being made.
func (t *Tree) connects() bool {
	before, seen := t.routes, map[int]bool{}
	t.routes = map[uint64]route{}
	for _, th := range t.threads {
		if seen[th.pid] || th.ended {
			continue
		}
		seen[th.pid] = true
		dir := "/proc/" + strconv.Itoa(th.tid) + "/fd"
		entries, _ := os.ReadDir(dir)
		for _, entry := range entries {
			to, _ := os.Readlink(dir + "/" + entry.Name())
			number, isSocket := strings.CutPrefix(to, "socket:[")
			inode, err := strconv.ParseUint(strings.TrimSuffix(number, "]"), 10, 64)
			if !isSocket || err != nil {
				continue
			}
			if r, known := before[inode]; known {
				t.routes[inode] = r
				continue
			}
			fd, _ := strconv.Atoi(entry.Name())
			r, state := routeOf(th.pid, fd)
			switch state {
			case connecting:
				return true
			case connected:
				t.routes[inode] = r
			}
		}
	}
	return false
}

// A socket is not yet connected, on its way to be, or one whose route stays what it is.
type socketState int

const (
	unconnected socketState = iota
	connecting
	connected
)

// routeOf returns the route of a socket of a process. What is not of TCP, or listens, stays at none.
func routeOf(pid, fd int) (r route, _ socketState) {
	own, err := descriptor(pid, fd)
	if err != nil {
		return r, unconnected
	}
	defer unix.Close(own)
	if protocol, err := unix.GetsockoptInt(own, unix.SOL_SOCKET, unix.SO_PROTOCOL); err != nil || protocol != unix.IPPROTO_TCP {
		return r, connected
	}
	const synSent, listens = 2, 10
	info, err := unix.GetsockoptTCPInfo(own, unix.IPPROTO_TCP, unix.TCP_INFO)
	switch {
	case err != nil:
		return r, unconnected
	case info.State == synSent:
		return r, connecting
	case info.State == listens:
		return r, connected
	}
	from, err := unix.Getsockname(own)
	if err != nil {
		return r, unconnected
	}
	to, err := unix.Getpeername(own)
	if err != nil {
		return r, unconnected
	}
	return route{addressOf(from), addressOf(to)}, connected
}

func addressOf(sa unix.Sockaddr) netip.AddrPort {
	switch sa := sa.(type) {
	case *unix.SockaddrInet4:
		return netip.AddrPortFrom(netip.AddrFrom4(sa.Addr), uint16(sa.Port))
	case *unix.SockaddrInet6:
		return netip.AddrPortFrom(netip.AddrFrom16(sa.Addr).Unmap(), uint16(sa.Port))
	}
	return netip.AddrPort{}
}
