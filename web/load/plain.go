package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"

	"github.com/gorilla/websocket"
)

// plain runs the simplest possible broadcast server. For each message it sends its next
// frame to everybody, from one goroutine each. It reads the frames from its input, one
// a line, then prints its address, and ends with its input.
func plain(in io.Reader, out io.Writer) error {
	lines := bufio.NewReader(in)
	var frames []*websocket.PreparedMessage
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return fmt.Errorf("reading the frames: %w", err)
		}
		if len(line) == 1 {
			break
		}
		f, err := websocket.NewPreparedMessage(websocket.TextMessage, line[:len(line)-1])
		if err != nil {
			return err
		}
		frames = append(frames, f)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Fprintln(out, l.Addr())
	go func() { _ = http.Serve(l, &handsOn{frames: frames}) }() // until the process ends
	_, err = io.Copy(io.Discard, lines)
	return err
}

type handsOn struct {
	mu     sync.Mutex
	frames []*websocket.PreparedMessage // that are still to come
	to     []chan *websocket.PreparedMessage
}

func (h *handsOn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	queue := make(chan *websocket.PreparedMessage, 64)
	h.mu.Lock()
	h.to = append(h.to, queue) // before the visitor knows that the socket is there
	h.mu.Unlock()
	upgrader := websocket.Upgrader{ReadBufferSize: 1 << 10, WriteBufferSize: 1 << 10, EnableCompression: true}
	conn, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer conn.Close()
	go func() {
		for f := range queue {
			if conn.WritePreparedMessage(f) != nil {
				return
			}
		}
	}()
	for {
		if _, _, err := conn.ReadMessage(); err != nil {
			return
		}
		h.mu.Lock()
		for _, queue := range h.to {
			queue <- h.frames[0]
		}
		h.frames = h.frames[1:]
		h.mu.Unlock()
	}
}

// beside lets a plain broadcast send the same frames at the same rate to as many viewers.
func (c class) beside(frames [][]byte) (took times, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	process := c.begin(self, "plain")
	process.Stderr = os.Stderr
	in, err := process.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := process.Start(); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, in.Close(), process.Wait()) }()
	for _, f := range frames {
		if _, err := fmt.Fprintf(in, "%s\n", f); err != nil {
			return nil, err
		}
	}
	if _, err := fmt.Fprintln(in); err != nil {
		return nil, err
	}
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return nil, err
	}
	address = "ws://" + strings.TrimSpace(address)
	r := &crowd{}
	defer r.empty()
	dialer := websocket.Dialer{HandshakeTimeout: patience, NetDialContext: new(net.Dialer).DialContext}
	if r.acts, err = dial(address, dialer); err != nil {
		return nil, err
	}
	r.watching, err = together(c.viewers, func(int) (*socket, error) { return dial(address, dialer) })
	if err != nil {
		return nil, err
	}
	p := newPlay(number(frames[0]), len(frames))
	for _, s := range r.watching {
		p.watch(s)
	}
	failed := make(chan error, 1)
	go func() { failed <- p.follow(r.acts) }()
	if err := p.act(c.rate, func() error { return r.acts.say("next") }); err != nil {
		return nil, err
	}
	if err := <-failed; err != nil {
		return nil, err
	}
	err = p.end()
	return p.times(), err
}
