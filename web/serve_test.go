package web

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/gorilla/websocket"
)

// served is a site behind Serve, until end is called. A test that changes its server does so before: Serve begins to search.
func served(t *testing.T, server *Server) (s *site, end func()) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{}
	s = &site{T: t, server: server, url: "http://" + l.Addr().String(), client: &http.Client{Transport: transport}}
	s.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.server.Serve(ctx, l, 0) }()
	end = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("the server ends with %v", err)
		}
		transport.CloseIdleConnections()
	})
	t.Cleanup(end)
	return s, end
}

// The server ends in order. It reports that it is ending, tells the pages to connect again, ends the searches, answers
// open requests, and keeps every action.
func TestTheServerEndsInOrder(t *testing.T) {
	server := New(Options{})
	server.explorer.Search = endless
	s, end := served(t, server)
	v := s.watch(aRun + "/live")
	v.want("hello")
	searching := s.watch("/explore/live")
	searching.say(`{"type":"search","query":"program=getset&clients=4&ticks=20"}`)
	searching.want("progress")

	until(t, "the sockets are open", func() bool { return s.server.Guard.AtOnce.Held() == 0 })

	// Half a form: its answer comes after the signal.
	form := url.Values{"action": {"spawn C1 naive"}}.Encode()
	slow, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	fmt.Fprintf(slow, "POST %s/actions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n%s", aRun, len(form), form[:5])
	until(t, "the server reads the form", func() bool { return s.server.Guard.AtOnce.Held() >= 1 })
	ended := make(chan struct{})
	go func() { defer close(ended); end() }()

	var why *websocket.CloseError
	if _, _, err := v.conn.ReadMessage(); !errors.As(err, &why) || why.Code != websocket.CloseServiceRestart {
		t.Errorf("the page is told %v, want that the server restarts", err)
	}
	for {
		if _, _, err = searching.conn.ReadMessage(); err != nil {
			break
		}
	}
	if !errors.As(err, &why) || why.Code != websocket.CloseServiceRestart {
		t.Errorf("the explorer is told %v", err)
	}
	if failed, _ := s.server.health.check(context.Background()); failed != "ending" {
		t.Errorf("the health is %q", failed)
	}
	fmt.Fprint(slow, form[5:])
	r, err := http.ReadResponse(bufio.NewReader(slow), nil)
	if err != nil || r.StatusCode != http.StatusSeeOther {
		t.Errorf("the earlier request is answered with %v, %v", r, err)
	}
	<-ended
	if _, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://")); err == nil {
		t.Error("after its end the server takes connections")
	}
}
