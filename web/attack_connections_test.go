package web

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"lockstep/engine/testtools"
	"lockstep/web/door"
)

// dialFrom opens a connection from an address of this machine.
func (s *site) dialFrom(address string) net.Conn {
	s.Helper()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	c, err := dialer.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		s.Fatal(err)
	}
	return c
}

// quickest returns the shortest of some tries: the machine may be busy during others.
func quickest(tries int, took func(i int) time.Duration) time.Duration {
	best := took(0)
	for i := 1; i < tries; i++ {
		best = min(best, took(i))
	}
	return best
}

// The server delays a network that sends more than it may; behind a proxy the visitor's network, not the proxy's. Nobody
// else notices.
func TestArrivalsArePaced(t *testing.T) {
	t.Parallel() // it waits
	local := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	for _, way := range []struct {
		network string // the addresses of which a visitor's is one
		proxies []netip.Prefix
		n       int           // requests
		least   time.Duration // that they take
	}{
		// A request counts twice: when it is read, and when it is answered. The first 120 come at once, the other 40 in 2 s.
		{"127.0.0.", nil, 80, time.Second},
		{"203.0.113.", local, 140, 500 * time.Millisecond},
	} {
		s, _ := served(t, New(Options{Proxies: way.proxies, Limits: door.Limits{Arrivals: 20}}))
		took := func(host, n int) time.Duration {
			t.Helper()
			from, conn := fmt.Sprint(way.network, host), net.Conn(nil)
			if way.proxies == nil {
				conn = s.dialFrom(from)
			} else {
				conn = s.dialFrom("127.0.0.1")
			}
			defer conn.Close()
			began, answers := time.Now(), bufio.NewReader(conn)
			for range n {
				fmt.Fprintf(conn, "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: %s\r\n\r\n", from)
				r, err := http.ReadResponse(answers, nil)
				if err != nil || r.StatusCode != http.StatusOK {
					t.Fatalf("from %s: %v, %v", from, r, err)
				}
				r.Body.Close()
			}
			return time.Since(began)
		}
		paced := took(2, way.n)
		if paced < way.least {
			t.Errorf("%d requests of one network take %s", way.n, paced)
		}
		best := quickest(5, func(i int) time.Duration { return took(3+i, 10) })
		if best > paced/4 { // an eighth of the requests, or less
			t.Errorf("%d requests of one network take %s, and 10 of another %s", way.n, paced, best)
		}
	}
}

// The server takes no more connections from a network that keeps opening them, until the network has paid for those it
// opened. Nobody else notices.
func TestANetworkThatKeepsConnectingIsShutOut(t *testing.T) {
	s, _ := served(t, New(Options{Limits: door.Limits{Arrivals: 20}, Metrics: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}))
	// A connection counts 4 times. There is room for 120 at once, and for a debt of 8 s.
	const taken, opened = (120+8*20)/4 + 1, 300
	var all []net.Conn
	began := time.Now()
	for range opened {
		c := s.dialFrom("127.0.0.2")
		defer c.Close()
		all = append(all, c)
	}
	s.get("/metrics").wants(t, http.StatusOK)
	var closed atomic.Int64
	var reads sync.WaitGroup
	for _, c := range all {
		_ = c.SetReadDeadline(time.Now().Add(time.Second))
		reads.Go(func() {
			if _, err := c.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
				closed.Add(1)
			}
		})
	}
	reads.Wait()
	refused := s.counted(`refused_total{reason="arrivals"}`)
	paid := int(20*time.Since(began).Seconds()/4) + 1 // meanwhile
	if refused > opened-taken || refused < opened-taken-paid || int(closed.Load()) < refused {
		t.Errorf("%d of %d are refused, want %d to %d, and %d are closed", refused, opened, opened-taken-paid, opened-taken, closed.Load())
	}
}

// An open socket goes on, however many connections come from behind the same router.
func TestOpenSocketsGoOnBesideNewConnections(t *testing.T) {
	s, _ := served(t, New(Options{Limits: door.Limits{Arrivals: 20}}))
	v := s.watch(aRun + "/live")
	v.want("hello")
	for range 100 {
		c := s.dialFrom("127.0.0.1")
		defer c.Close()
		fmt.Fprint(c, "GET / HTTP/1.1\r\nHost: ")
	}
	owes := func() time.Duration { return s.server.Guard.Arrivals.Owes("127.0.0.1") }
	until(t, "the network owes a few seconds", func() bool { return owes() > 3*time.Second })
	began, owed := time.Now(), owes()
	for i := range 5 {
		v.say(fmt.Sprintf(`{"type":"act","id":"%d","at":%d,"action":"spawn C%d naive"}`, i, i, i+1))
		v.want("events")
	}
	if owes() == 0 && time.Since(began) < owed/2 {
		t.Error("five actions are answered when the network has paid")
	}
}

// A connection that announces a body and never sends it ends soon. A connection whose form is complete stays open.
func TestAMissingBodyEndsItsConnection(t *testing.T) {
	t.Parallel() // it waits
	testtools.Long(t, "it waits ten seconds for a connection to end")
	s, _ := served(t, New(Options{}))
	type open struct {
		net.Conn
		request string
		ends    bool
	}
	var all []open
	for _, c := range []open{
		{nil, "GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n", true},
		{nil, "GET /static/nothing HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n", true},
		{nil, "PUT / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n", true},
		{nil, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", false},
		{nil, "POST /settings HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 10\r\n\r\ntheme=dark", false},
	} {
		conn := s.dialFrom("127.0.0.1")
		defer conn.Close()
		fmt.Fprint(conn, c.request)
		all = append(all, open{conn, c.request, c.ends})
	}
	for _, c := range all {
		_ = c.SetReadDeadline(time.Now().Add(testtools.Patience))
		r, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatalf("%q: %v", c.request, err)
		}
		_, _ = io.Copy(io.Discard, r.Body)
		if !c.ends {
			_ = c.SetReadDeadline(time.Now().Add(2 * door.RestTime))
		}
		_, err = c.Read(make([]byte, 1))
		if ended := errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET); ended != c.ends {
			t.Errorf("%q: afterwards the connection says %v", c.request, err)
		}
	}
}

// A sender who listens only after a form that is too large still gets the answer.
func TestALargeFormIsAnswered(t *testing.T) {
	s, _ := served(t, New(Options{}))
	conn := s.dialFrom("127.0.0.1")
	defer conn.Close()
	body := "scenario=" + strings.Repeat("x", 6<<20)
	if _, err := fmt.Fprintf(conn, "POST /runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n%s", len(body), body); err != nil {
		t.Fatal(err)
	}
	until(t, "the server has answered", func() bool { return s.server.Guard.AtOnce.Held() == 0 })
	r, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(r.Body); err != nil || r.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("it is answered with %s (%v)", r.Status, err)
	}
}

// The answers that a reader requests and never reads hold no more than the bound. Others get their answers as soon as
// there is room.
func TestUnreadAnswersAreBounded(t *testing.T) {
	const bound = 5 << 20 // a few answers of 1.8 MB
	s, _ := served(t, New(Options{Limits: door.Limits{Answers: bound}}))
	run := s.runOf(strings.Repeat("do A1 GET lock.foo\n", 1200))
	for range 20 {
		c := s.dialFrom("127.0.0.1")
		defer c.Close()
		if err := c.(*net.TCPConn).SetReadBuffer(4 << 10); err != nil {
			t.Fatal(err)
		}
		// One answer fits into the kernel's buffer of a connection, and many do not.
		_, _ = io.WriteString(c, strings.Repeat("GET "+run+".json HTTP/1.1\r\nHost: x\r\n\r\n", 20))
	}
	held := s.server.Guard.Answers.Held()
	until(t, "an answer is held", func() bool { held = s.server.Guard.Answers.Held(); return held > 0 })
	if held > bound {
		t.Errorf("%d bytes are held", held)
	}
	s.get("/healthz").wants(t, http.StatusOK)
	s.get("/help").wants(t, http.StatusOK) // a small page is always answered
}

// Messages and forms that never end hold no more than the bound. The server reads those of other networks.
func TestIncompleteMessagesAreBounded(t *testing.T) {
	o := behind(t, "127.0.0.1")
	o.Limits = door.Limits{Reading: 100 << 10}
	s, _ := served(t, New(o))
	for range 50 {
		c := s.dialFrom("127.0.0.1")
		defer c.Close()
		fmt.Fprintf(c, "POST /runs HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.5\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 500000\r\n\r\nscenario=%s", strings.Repeat("x", 40<<10))
	}
	until(t, "the network reads as much as it may", func() bool { return s.server.Guard.Reading.Held() >= 64<<10 })
	if held := s.server.Guard.Reading.Held(); held == 0 || held > 100<<10 {
		t.Errorf("%d bytes are held", held)
	}
	text := url.Values{"scenario": {"# " + strings.Repeat("x", 60<<10) + "\ntick 1s\n"}}
	s.send("POST", "/runs", text, "X-Forwarded-For", "203.0.113.5").wants(t, http.StatusServiceUnavailable)
	s.send("POST", "/runs", text, "X-Forwarded-For", "203.0.113.6").wants(t, http.StatusSeeOther)

	// The last fragment of a message never comes.
	r := s.person().rawSocket(aRun)
	for range 4 {
		if _, err := r.Write(rawFrame(0x01, true, bytes.Repeat([]byte("x"), 30<<10))[:]); err != nil {
			break
		}
	}
	r.Conn.Close()
}

// The sockets of an address are bounded. A socket that ends frees its place.
func TestSocketsOfANetworkAreBounded(t *testing.T) {
	s := newSite(t, Options{Limits: door.Limits{Sockets: 2}})
	first, second := s.watch(aRun+"/live"), s.watch(aRun+"/live")
	first.want("hello")
	second.want("hello")
	refused := func(path string) bool {
		conn, r, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(s.url, "http")+path, nil)
		if err == nil {
			conn.Close()
			return false
		}
		if r == nil || r.StatusCode != http.StatusTooManyRequests || r.Header.Get("Retry-After") == "" {
			t.Fatalf("opening a third: %v, %v", err, r)
		}
		return true
	}
	if !refused(aRun+"/live") || !refused("/explore/live") {
		t.Error("a third socket is opened")
	}
	first.conn.Close()
	until(t, "the server has noticed", func() bool { return !refused(aRun + "/live") })
	second.say(`{"type":"act","id":"a","at":0,"action":"spawn C1 naive"}`)
	second.want("events")
}

// A class goes on beside 5,000 half-open connections of its own address, which stop in a request, in a form or in a
// handshake. The server keeps about two thousand of them, and does not wait for them when it ends.
func TestAClassGoesOnBesideHalfOpenConnections(t *testing.T) {
	testtools.Long(t, "a class acts beside 5,000 connections")
	c := servedClass(t, Options{Metrics: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
	address := strings.TrimPrefix(c.url, "http://")
	ways := []string{
		"", "GET / HTTP/1.1\r\nHost: ", "GET " + c.run + "/live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n",
		"POST " + c.room + "/seats HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n",
	}
	began := time.Now()
	for i := range 5_300 {
		conn := dialOneMore(t, address)
		defer conn.Close()
		sent := ways[i%len(ways)]
		if i >= 5_000 { // forms that end in the middle
			sent = ways[3] + "\r\ntext="
		}
		_, _ = io.WriteString(conn, sent) // it may be closed again
	}
	opened := time.Since(began)
	c.goesOn(2, 5)
	late := c.joins(c.room)
	late.send("GET", c.room, nil).wants(t, http.StatusOK)
	c.ann.send("POST", c.room+"/do", url.Values{"verb": {"name"}}).wants(t, http.StatusSeeOther)
	if a := late.watches(c.run, "phone").next(); a.Type != "hello" {
		t.Errorf("a latecomer is told %+v", a)
	}
	if closed := c.counted(`refused_total{reason="connections"}`); closed < 2_900 && opened < headerTime { // later, the oldest have ended by themselves
		t.Errorf("%d of 5,000 are closed, want all but about two thousand", closed)
	}
}

// dialOneMore opens one of thousands of connections. Where the process may not have that many, the machine lacks something.
func dialOneMore(t *testing.T, address string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if errors.Is(err, syscall.EMFILE) {
		testtools.Absent(t, "this process may not open 5,000 files")
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}
