package web

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/gorilla/websocket"

	"lockstep/web/door"
)

// The kernel repeats within a second what gets lost on a socket, and treats the connections of pages as ever.
func TestASocketRepeatsSoonWhatGetsLost(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	taken := &taking{Listener: l}
	s := New(Options{})
	ctx, end := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, taken, 0) }()
	defer func() {
		end()
		if err := <-served; err != nil {
			t.Error(err)
		}
	}()
	address := l.Addr().String()
	page, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer page.Close()
	if _, err := fmt.Fprintf(page, "GET /healthz HTTP/1.1\r\nHost: %s\r\n\r\n", address); err != nil {
		t.Fatal(err)
	}
	if r, err := http.ReadResponse(bufio.NewReader(page), nil); err != nil {
		t.Fatal(err)
	} else {
		r.Body.Close()
	}
	socket, r, err := websocket.DefaultDialer.Dial("ws://"+address+"/t/k3v9m2xq7a/live", nil)
	if err != nil {
		t.Fatal(err, r)
	}
	defer socket.Close()
	if _, message, err := socket.ReadMessage(); err != nil || !strings.Contains(string(message), "hello") {
		t.Fatal(err, string(message))
	}
	taken.mu.Lock()
	defer taken.mu.Unlock()
	var linear, longest []int
	for _, c := range taken.conns {
		raw, err := c.(syscall.Conn).SyscallConn()
		if err != nil {
			t.Fatal(err)
		}
		err = raw.Control(func(fd uintptr) {
			n, err := syscall.GetsockoptInt(int(fd), syscall.IPPROTO_TCP, door.ThinLinearTimeouts)
			if err != nil {
				t.Fatal(err)
			}
			linear = append(linear, n)
			n, err = syscall.GetsockoptInt(int(fd), syscall.IPPROTO_TCP, door.LongestTimeout)
			if errors.Is(err, syscall.ENOPROTOOPT) {
				n = 0 // a kernel before 6.15
			} else if err != nil {
				t.Fatal(err)
			}
			longest = append(longest, n)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(linear) != 2 || linear[0] != 0 || linear[1] != 1 {
		t.Errorf("the timeouts of a page and of a socket are linear: %v, want 0 and 1", linear)
	}
	if longest[1] != door.Second && longest[1] != 0 || longest[0] == door.Second {
		t.Errorf("the longest timeouts of a page and of a socket are %v ms, want the kernel's and %d", longest, door.Second)
	}
}

// A taking listener keeps the connections that it takes.
type taking struct {
	net.Listener
	mu    sync.Mutex
	conns []net.Conn
}

func (l *taking) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err == nil {
		l.mu.Lock()
		l.conns = append(l.conns, c)
		l.mu.Unlock()
	}
	return c, err
}
