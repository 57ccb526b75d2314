package limit

import (
	"net"
	"testing"
)

// A connection that nobody uses is closed when there are too many, that of the
// address with the most of them, and among these the one that has waited longest.
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
	w.Note(a[0], true) // waits for less time than the others now
	a = append(a, from("203.0.113.5:1"))
	if closed != 1 || !a[1].closed {
		t.Errorf("%d are closed, and the one that has waited longest: %t", closed, a[1].closed)
	}
	b = append(b, from("203.0.113.6:1"))
	if closed != 2 || !a[2].closed || b[0].closed || b[1].closed {
		t.Error("another address has to give way to the greediest")
	}
	w.Note(a[3], false) // a socket waits for nothing
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

// deadEnd is a connection on which nothing comes.
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
