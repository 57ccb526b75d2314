package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// attacks measures how an attacker at the class's own address delays the class: first
// half the events with nobody attacking, then again beside each kind of harm.
func attacks(c class) ([]row, error) {
	s, err := c.serve()
	if err != nil {
		return nil, err
	}
	defer s.kill()
	r, err := c.fills(s, c.viewers, c.surface)
	if err != nil {
		return nil, err
	}
	defer r.empty()
	var rows []row
	rate := max(1, c.rate/2)
	for _, kind := range []struct{ name, what string }{
		{"", fmt.Sprintf("%d viewers, %d events/s for %d s", c.viewers, rate, c.seconds)},
		{"connections", fmt.Sprintf("  beside %d half-open connections", c.halfway)},
		{"frames", fmt.Sprintf("  beside %d frames/s from one socket", framesPerSecond)},
		{"large", "  beside frames of 1 MB"},
	} {
		stop := func() error { return nil }
		if kind.name != "" {
			if stop, err = c.harmed(kind.name, s, r.run); err != nil {
				return nil, err
			}
		}
		p, err := r.plays(rate, c.seconds)
		if err := errors.Join(err, stop()); err != nil {
			return nil, err
		}
		rows = append(rows, within(kind.what, deliveryTime, p.times().p99(), p.times().String()))
	}
	return rows, nil
}

// harmed starts a process that does harm until something stops it.
func (c class) harmed(kind string, s *server, run string) (stop func() error, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	what := s.address
	switch kind {
	case "connections":
		what += " " + strconv.Itoa(c.halfway)
	default:
		what = "ws://" + s.address + run + "/live"
	}
	process := c.begin(self, "harm", kind, what)
	process.Stderr = os.Stderr
	in, err := process.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := process.Start(); err != nil {
		return nil, err
	}
	time.Sleep(time.Second) // it has begun
	return func() error { return errors.Join(in.Close(), process.Wait()) }, nil
}

const framesPerSecond = 10_000

// doHarm does one kind of harm until its input ends, and never longer than some minutes.
func doHarm(kind, to string, in io.Reader) error {
	over := make(chan struct{})
	stop := sync.OnceFunc(func() { close(over) })
	time.AfterFunc(5*time.Minute, stop)
	go func() {
		_, _ = io.Copy(io.Discard, in)
		stop()
	}()
	switch kind {
	case "connections":
		address, n, _ := strings.Cut(to, " ")
		most, err := strconv.Atoi(n)
		if err != nil {
			return err
		}
		return halfOpen(address, most, over)
	case "frames":
		return flood(to, []byte(`{"type":"look","id":"x","at":0}`), framesPerSecond, over)
	case "large":
		return flood(to, []byte(`{"type":"look","id":"`+strings.Repeat("x", 1<<20)+`","at":0}`), 100, over)
	}
	return fmt.Errorf("there is no harm called %q", kind)
}

// halfOpen keeps n connections open, each with half a request sent. It opens a
// connection again when the server closes it.
func halfOpen(address string, most int, over <-chan struct{}) error {
	open := make([]net.Conn, most)
	for {
		for i := range open {
			select {
			case <-over:
				return nil
			default:
			}
			if open[i] != nil && !closed(open[i]) {
				continue
			}
			c, err := net.Dial("tcp", address)
			if err != nil {
				return err
			}
			_, _ = io.WriteString(c, "GET / HTTP/1.1\r\nHost: ") // the server may have closed it
			open[i] = c
		}
		time.Sleep(time.Second)
	}
}

// closed reports whether the other end has closed a connection, and then closes this end.
func closed(c net.Conn) bool {
	_ = c.SetReadDeadline(time.Now().Add(time.Millisecond))
	if _, err := c.Read(make([]byte, 1)); err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		_ = c.Close()
		return true
	}
	return false
}

// flood sends a message at a rate, as far as the server takes it, and connects again
// when the server disconnects it.
func flood(url string, message []byte, rate int, over <-chan struct{}) error {
	for {
		conn, _, err := websocket.DefaultDialer.Dial(url, nil)
		if err != nil {
			return err
		}
		go func() {
			for {
				if _, _, err := conn.NextReader(); err != nil {
					return
				}
			}
		}()
		began := time.Now()
		for n := 0; err == nil; n++ {
			select {
			case <-over:
				return conn.Close()
			default:
			}
			if wait := time.Until(began.Add(time.Duration(n) * time.Second / time.Duration(rate))); wait > time.Millisecond {
				time.Sleep(wait)
			}
			_ = conn.SetWriteDeadline(time.Now().Add(time.Second)) // whoever is made to wait looks whether it is over
			err = conn.WriteMessage(websocket.TextMessage, message)
		}
		_ = conn.Close()
		select {
		case <-over:
			return nil
		case <-time.After(10 * time.Millisecond):
		}
	}
}
