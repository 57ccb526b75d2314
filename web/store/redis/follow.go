package redis

import (
	"context"
	"fmt"
	"strings"
	"time"

	redigo "github.com/gomodule/redigo/redis"

	"lockstep/web/store"
)

func (s *streams) Tell(ctx context.Context, log string, message []byte) error {
	if _, err := s.link.do(ctx, "PUBLISH", s.channel, s.self+" "+log+" "+string(message)); err != nil {
		return fmt.Errorf("store: tell about %s: %w", key(log), err)
	}
	return nil
}

func (s *streams) Follow(call func(store.News)) {
	s.follow.Go(s.Survives(func() {
		for s.open.Err() == nil {
			s.Survives(func() { s.listen(call) })()
			select {
			case <-time.After(betweenTries):
			case <-s.open.Done():
			}
		}
	}))
}

// listen calls back with the news of one connection until the connection breaks. Redis closes a connection whose
// client reads too slowly. Pings draw an answer out of a connection without news.
func (s *streams) listen(call func(store.News)) {
	conn, err := s.link.dial(s.open)
	if err != nil {
		return
	}
	listening, stop := context.WithCancel(s.open)
	defer stop()
	defer context.AfterFunc(listening, s.Survives(func() { conn.Close() }))()
	defer conn.Close()
	news := redigo.PubSubConn{Conn: conn}
	if news.Subscribe(s.channel) != nil {
		return
	}
	s.follow.Go(s.Survives(func() {
		for {
			select {
			case <-time.After(s.quiet):
			case <-listening.Done():
				return
			}
			if news.Ping("") != nil {
				return // listen notices
			}
		}
	}))
	heard := func(n store.News) { s.Survives(func() { call(n) })() } // one call that panics does not end the connection
	for {
		switch received := news.ReceiveWithTimeout(2 * s.quiet).(type) {
		case error:
			return
		case redigo.Subscription:
			heard(store.News{})
		case redigo.Message:
			if n, ok := s.news(string(received.Data)); ok {
				heard(n)
			}
		}
	}
}

// news parses another server's payload: its id, the log and the message, separated by blanks. The message may be
// missing.
func (s *streams) news(payload string) (n store.News, ok bool) {
	from, about, _ := strings.Cut(payload, " ")
	log, message, spoke := strings.Cut(about, " ")
	if from == s.self || log == "" {
		return store.News{}, false
	}
	n.Log = log
	if spoke {
		n.Message = []byte(message)
	}
	return n, true
}
