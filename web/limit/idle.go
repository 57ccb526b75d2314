package limit

import (
	"container/list"
	"net"
	"net/netip"
	"sync"
)

// Idle has the connections without a request: new ones, and those whose last request has been answered. Each costs
// memory and a file descriptor, and an attacker may open thousands to use these up. When there are too many, Idle
// picks the address with the most of them, and closes its longest idle connection.
type Idle struct {
	most   int
	closed func()

	mu     sync.Mutex
	of     map[netip.Addr]*list.List // of net.Conn, by remote address
	all    map[net.Conn]*list.Element
	ending bool
}

// NewIdle allows most idle connections, and calls closed for each connection that it closes beyond these.
func NewIdle(most int, closed func()) *Idle {
	return &Idle{most: most, closed: closed, of: map[netip.Addr]*list.List{}, all: map[net.Conn]*list.Element{}}
}

// Note records whether a connection is idle now.
func (i *Idle) Note(c net.Conn, idle bool) {
	if given := i.note(c, idle); given != nil {
		_ = given.Close() // the close waits for nothing
	}
}

// note returns the connection to close; nil: none.
func (i *Idle) note(c net.Conn, idle bool) net.Conn {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.remove(c)
	switch {
	case !idle:
		return nil
	case i.ending:
		return c
	}
	i.add(c)
	if len(i.all) <= i.most {
		return nil
	}
	longest := i.longest()
	i.remove(longest)
	i.closed()
	return longest
}

func (i *Idle) add(c net.Conn) {
	a := Peer(c.RemoteAddr().String())
	if i.of[a] == nil {
		i.of[a] = list.New()
	}
	i.all[c] = i.of[a].PushBack(c)
}

func (i *Idle) remove(c net.Conn) {
	at := i.all[c]
	if at == nil {
		return
	}
	delete(i.all, c)
	a := Peer(c.RemoteAddr().String())
	if i.of[a].Remove(at); i.of[a].Len() == 0 {
		delete(i.of, a)
	}
}

// longest returns the longest idle connection of the address with the most connections.
func (i *Idle) longest() net.Conn {
	var greediest *list.List
	for _, l := range i.of {
		if greediest == nil || l.Len() > greediest.Len() {
			greediest = l
		}
	}
	return greediest.Front().Value.(net.Conn)
}

// Close closes every idle connection, and each connection that becomes idle later.
func (i *Idle) Close() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.ending = true
	for c := range i.all {
		_ = c.Close()
	}
}
