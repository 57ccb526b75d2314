package limit

import (
	"net"
	"testing"
)

// When there are too many idle connections, Idle closes the longest idle connection of the
// address with the most.
func TestIdle(t *testing.T) {
	closed := 0
	w := NewIdle(4, func() { closed++ })
	var a, b []*deadEnd
	from := func(address string) *deadEnd {
		c := &deadEnd{address: address}
		w.Note(c, true)
		return c
	}
	for range 3 {
		a = append(a, from("203.0.113.5:1"))
	}
	b = append(b, from("203.0.113.6:1"))
	w.Note(a[0], false)
	w.Note(a[0], true) // now idle for less time than the others
	a = append(a, from("203.0.113.5:1"))
	if closed != 1 || !a[1].closed {
		t.Errorf("%d are closed, and the one that has waited longest: %t", closed, a[1].closed)
	}
	b = append(b, from("203.0.113.6:1"))
	if closed != 2 || !a[2].closed || b[0].closed || b[1].closed {
		t.Error("another address gives way to the one with the most connections")
	}
	w.Note(a[3], false) // a socket is not idle
	b = append(b, from("203.0.113.6:1"))
	if closed != 2 {
		t.Error("a socket takes the place of a connection")
	}
	w.Close()
	for _, c := range b {
		if !c.closed {
			t.Error("a connection is open after the end")
		}
	}
	if late := from("203.0.113.7:1"); !late.closed {
		t.Error("a connection is opened after the end")
	}
}

// deadEnd is a connection without traffic.
type deadEnd struct {
	net.Conn
	address string
	closed  bool
}

func (d *deadEnd) Close() error { d.closed = true; return nil }
func (d *deadEnd) RemoteAddr() net.Addr {
	at, _ := net.ResolveTCPAddr("tcp", d.address)
	return at
}
