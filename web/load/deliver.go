package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"

	"github.com/gorilla/websocket"
)

// besidePlain bounds the 99th percentile of a step, as a multiple of that of the plain broadcast.
const besidePlain = 1.3

// delivers measures how long a step takes to reach every viewer, and how long the same
// messages take through a server that only broadcasts them.
func delivers(c class) ([]row, error) {
	s, err := c.serve()
	if err != nil {
		return nil, err
	}
	defer s.kill()
	r, err := s.opens(begins...)
	if err != nil {
		return nil, err
	}
	defer r.end()
	if err := r.fills(c.viewers, "page", nil); err != nil {
		return nil, err
	}
	r.class[0].mu.Lock()
	r.class[0].keeps = true
	r.class[0].mu.Unlock()
	took, err := r.presses(c.rate*c.seconds, c.rate)
	if err != nil {
		return nil, err
	}
	frames := r.class[0].frames // nothing more comes
	r.end()
	s.kill()
	least, err := c.broadcasts(frames)
	if err != nil {
		return nil, fmt.Errorf("the plain broadcast: %w", err)
	}
	ratio := float64(took.p99()) / float64(least.p99())
	return []row{{
		what: fmt.Sprintf("%d viewers, %d steps/s for %d s", c.viewers, c.rate, c.seconds), target: fmt.Sprintf("<= %.1f x", besidePlain),
		figure: fmt.Sprintf("p99 is %.2f x the plain broadcast's: %s; %s", ratio, took, least), misses: ratio > besidePlain,
	}}, nil
}

// broadcasts lets a plain broadcast send the same frames at the same rate to as many viewers.
func (c class) broadcasts(frames [][]byte) (took times, err error) {
	h, err := c.helper("plain")
	if err != nil {
		return nil, err
	}
	defer func() {
		_, ended := h.end()
		err = errors.Join(err, ended)
	}()
	for _, f := range frames {
		if _, err := fmt.Fprintf(h.in, "%s\n", f); err != nil {
			return nil, err
		}
	}
	if _, err := fmt.Fprintln(h.in); err != nil {
		return nil, err
	}
	address, err := h.out.ReadString('\n')
	if err != nil {
		return nil, err
	}
	site, run := "http://"+strings.TrimSpace(address), "/t/plain"
	r := &room{run: run, presenter: newVisitor(site, 0).shows(run, "page")}
	defer r.end()
	if err := (crowd{r.presenter}).wait("opened a socket", (*viewer).isUp); err != nil {
		return nil, err
	}
	if err := r.fills(c.viewers, "page", nil); err != nil {
		return nil, err
	}
	return r.presses(len(frames), c.rate)
}

// plain runs the simplest possible broadcast server. For each message it sends its next
// frame to everybody, from one goroutine each. It reads the frames from its input, one
// a line, then prints its address, and ends with its input.
func plain(in io.Reader, out io.Writer) error {
	lines := bufio.NewReader(in)
	b := new(broadcast)
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
		if b.frames == nil {
			b.first = length(line) - 1
		}
		b.frames = append(b.frames, f)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Fprintln(out, l.Addr())
	go func() { _ = http.Serve(l, b) }() // until the process ends
	_, err = io.Copy(io.Discard, lines)
	return err
}

type broadcast struct {
	first  int // actions before the first frame
	mu     sync.Mutex
	frames []*websocket.PreparedMessage // that are still to come
	to     []chan *websocket.PreparedMessage
}

func (b *broadcast) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	upgrader := websocket.Upgrader{ReadBufferSize: 1 << 10, WriteBufferSize: 1 << 10, EnableCompression: true}
	conn, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer conn.Close()
	queue := make(chan *websocket.PreparedMessage, 64)
	b.mu.Lock()
	b.to = append(b.to, queue) // before the viewer's page is complete
	b.mu.Unlock()
	for _, kind := range complete {
		if conn.WriteMessage(websocket.TextMessage, fmt.Appendf(nil, `{"type":%q,"actions":%d}`, kind, b.first)) != nil {
			return
		}
	}
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
		b.mu.Lock()
		for _, queue := range b.to {
			queue <- b.frames[0]
		}
		b.frames = b.frames[1:]
		b.mu.Unlock()
	}
}
