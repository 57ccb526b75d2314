package live

import (
	"bytes"
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A clockSocket notes when its viewer gets a beat or a ping.
type clockSocket struct {
	closed chan struct{}
	begun  time.Time

	mu           sync.Mutex
	beats, pings []time.Duration
	bytes        int // of all beats
	text         []byte
}

func (s *clockSocket) Receive() ([]byte, error) { <-s.closed; return nil, net.ErrClosed }
func (*clockSocket) Prepare(Frame)              {}
func (s *clockSocket) Leave()                   {}
func (s *clockSocket) Close() error             { close(s.closed); return nil }

func (s *clockSocket) Ping() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pings = append(s.pings, time.Since(s.begun))
	return nil
}

func (s *clockSocket) Send(f Frame) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.beats = append(s.beats, time.Since(s.begun))
	s.text = f.text
	s.bytes += len(f.text) + 2 // a short frame's head
	return nil
}

// A viewer who wants beats gets one every 5 s, beside the ping every 25 s. Others get the pings alone. A minute of beats
// takes 204 bytes of a socket, so a class of 300 phones takes 1,020 bytes a second.
func TestBeatsComeEveryFiveSeconds(t *testing.T) {
	g := newRuns(t)
	g.Survives = func(do, _ func()) func() { return do }
	for _, wants := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			s := &clockSocket{closed: make(chan struct{}), begun: time.Now()}
			v := g.NewViewer(Look{Beats: wants}, s)
			time.Sleep(time.Minute + time.Millisecond)
			v.End()
			if at := []time.Duration{25 * time.Second, 50 * time.Second}; !slices.Equal(s.pings, at) {
				t.Errorf("beats %v: pings come at %v, want %v", wants, s.pings, at)
			}
			var at []time.Duration
			for i := range 12 {
				at = append(at, time.Duration(i+1)*5*time.Second)
			}
			if !wants {
				at = nil
			}
			if !slices.Equal(s.beats, at) {
				t.Errorf("beats %v: they come at %v, want %v", wants, s.beats, at)
			}
			if wants && s.bytes*300/60 != 1020 {
				t.Errorf("a minute of beats takes %d bytes", s.bytes)
			}
			if !wants {
				return
			}
			sample, err := os.ReadFile(filepath.Join("..", "testdata", "protocol", "beat.json"))
			if err != nil {
				t.Fatal(err)
			}
			var told bytes.Buffer
			if err := json.Compact(&told, sample); err != nil || told.String() != string(s.text) {
				t.Errorf("a beat is %s, and the sample %s, %v", s.text, &told, err)
			}
		})
	}
}
