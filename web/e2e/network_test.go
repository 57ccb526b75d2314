package e2e

import (
	"context"
	"io"
	"net"
	"sync"
	"testing"
)

// A network lies between the browser and the server, and tests can cut it.
type network struct {
	address string // where the browser connects

	mu     sync.Mutex
	dial   func(ctx context.Context, network, address string) (net.Conn, error) // nil: the machine's own network
	server string
	isCut  bool
	isMute bool
	conns  map[net.Conn]struct{}
}

func newNetwork(t testing.TB, server string) *network {
	t.Helper()
	listener := try(net.Listen("tcp", "127.0.0.1:0")).orFail(t)
	n := &network{address: listener.Addr().String(), server: server, conns: map[net.Conn]struct{}{}}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			all.Go(func() { n.carry(conn) })
		}
	})
	t.Cleanup(func() {
		listener.Close()
		n.cut()
		all.Wait()
	})
	return n
}

// carry copies both ways until one end closes.
func (n *network) carry(conn net.Conn) {
	defer conn.Close()
	server, err := n.reach(context.Background(), "tcp", n.leads())
	if err != nil {
		return
	}
	defer server.Close()
	if !n.add(conn, server) {
		return
	}
	defer n.remove(conn, server)
	var back sync.WaitGroup
	back.Go(func() {
		_, _ = io.Copy(unlessMute{n, conn}, server)
		conn.Close()
	})
	_, _ = io.Copy(server, conn)
	server.Close()
	back.Wait()
}

func (n *network) add(conns ...net.Conn) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.isCut {
		return false
	}
	for _, conn := range conns {
		n.conns[conn] = struct{}{}
	}
	return true
}

func (n *network) remove(conns ...net.Conn) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, conn := range conns {
		delete(n.conns, conn)
	}
}

// reach connects to the server.
func (n *network) reach(ctx context.Context, network, address string) (net.Conn, error) {
	n.mu.Lock()
	dial := n.dial
	n.mu.Unlock()
	if dial == nil {
		dial = new(net.Dialer).DialContext
	}
	return dial(ctx, network, address)
}

// through makes the network connect in another way.
func (n *network) through(dial func(ctx context.Context, network, address string) (net.Conn, error)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.dial = dial
}

// expectsCuts expects the browser's complaints about a cut network: the socket cannot
// open, and background requests have no answer.
func (b *browser) expectsCuts() {
	b.expects("WebSocket connection to")
	b.expects("/ahead?")
	b.expects("/js/stage/lighting.js") // which comes after the first picture
}

// cut ends every connection, and refuses new ones until mend.
func (n *network) cut() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.isCut = true
	for conn := range n.conns {
		conn.Close()
	}
}

func (n *network) mend() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.isCut, n.isMute = false, false
}

// mute drops what the server sends until mend, and still delivers what the browser sends.
func (n *network) mute() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.isMute = true
}

// unlessMute is the way from the server to the browser.
type unlessMute struct {
	network *network
	io.Writer
}

func (w unlessMute) Write(p []byte) (int, error) {
	w.network.mu.Lock()
	mute := w.network.isMute
	w.network.mu.Unlock()
	if mute {
		return len(p), nil
	}
	return w.Writer.Write(p)
}

// lead makes the network end at another server.
func (n *network) lead(server string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.server = server
}

func (n *network) leads() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.server
}
