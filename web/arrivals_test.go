package web

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"lockstep/engine/testtools"
)

// dialFrom opens a connection of an address of this machine.
func (s *site) dialFrom(address string) net.Conn {
	s.Helper()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	c, err := dialer.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		s.Fatal(err)
	}
	return c
}

// A network that sends more than it may is read later, and nobody else notices.
func TestArrivalsArePaced(t *testing.T) {
	t.Parallel() // it waits
	s, _ := served(t, Options{Limits: Limits{Arrivals: 20}})
	took := func(from string, n int) time.Duration {
		t.Helper()
		conn := s.dialFrom(from)
		defer conn.Close()
		began, answers := time.Now(), bufio.NewReader(conn)
		for range n {
			fmt.Fprint(conn, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
			r, err := http.ReadResponse(answers, nil)
			if err != nil || r.StatusCode != http.StatusOK {
				t.Fatalf("from %s: %v, %v", from, r, err)
			}
			r.Body.Close()
		}
		return time.Since(began)
	}
	// A request counts twice: as what is read, and as what is answered. The first 120 come at once, the other 40 in 2 s.
	if d := took("127.0.0.2", 80); d < time.Second {
		t.Errorf("80 requests of one network take %s", d)
	}
	if d := took("127.0.0.3", 10); d > time.Second {
		t.Errorf("those of another take %s", d)
	}
}

// From a network that opens connections without end none is taken after a while, until those that it has opened are paid
// for. Nobody else notices.
func TestConnectionsWithoutEnd(t *testing.T) {
	s, _ := served(t, Options{Limits: Limits{Arrivals: 20}, Metrics: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
	// Each counts 4 times. There is room for 120 at once, and for what is owed of 8 s.
	const taken, opened = (120+8*20)/4 + 1, 300
	var all []net.Conn
	for range opened {
		c := s.dialFrom("127.0.0.2")
		defer c.Close()
		all = append(all, c)
	}
	s.get("/metrics").wants(t, http.StatusOK)
	closed := 0
	for _, c := range all {
		_ = c.SetReadDeadline(time.Now().Add(10 * time.Millisecond))
		if _, err := c.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
			closed++
		}
	}
	if most := opened - taken; closed > most || closed < most/2 { // some are paid for meanwhile
		t.Errorf("%d of %d are closed, want about %d or somewhat fewer", closed, opened, most)
	}
	s.get("/metrics").wants(t, http.StatusOK, fmt.Sprintf(`lockstep_refused_total{reason="arrivals"} %d`, closed))
}

// Who is inside goes on, whatever else comes from behind the same router.
func TestSocketsBesideConnectionsWithoutEnd(t *testing.T) {
	s, _ := served(t, Options{Limits: Limits{Arrivals: 20}})
	v := s.watch(aRun + "/live")
	v.want("hello")
	for range 100 {
		c := s.dialFrom("127.0.0.1")
		defer c.Close()
		fmt.Fprint(c, "GET / HTTP/1.1\r\nHost: ")
	}
	if owes := s.server.guard.arrivals.Owes("127.0.0.1"); owes < time.Second {
		t.Fatalf("the network owes no more than %s", owes)
	}
	began := time.Now()
	for i := range 5 {
		v.say(fmt.Sprintf(`{"type":"act","id":"%d","at":%d,"action":"spawn C%d naive"}`, i, i, i+1))
		v.want("events")
	}
	if took := time.Since(began); took > time.Second {
		t.Errorf("five actions take %s", took)
	}
}

// Behind a proxy it is the network of the visitor that is paced.
func TestArrivalsBehindAProxy(t *testing.T) {
	t.Parallel() // it waits
	s, _ := served(t, Options{Proxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Limits: Limits{Arrivals: 20}})
	took := func(from string, n int) time.Duration {
		began := time.Now()
		for range n {
			s.get("/healthz", "X-Forwarded-For", from).wants(t, http.StatusOK)
		}
		return time.Since(began)
	}
	if d := took("203.0.113.5", 140); d < 500*time.Millisecond {
		t.Errorf("140 requests of one network take %s", d)
	}
	if d := took("203.0.113.6", 10); d > 500*time.Millisecond {
		t.Errorf("those of another take %s", d)
	}
}

// A connection on which a body is announced that never comes ends soon, and one whose form is complete stays.
func TestBodiesThatNeverCome(t *testing.T) {
	t.Parallel() // it waits
	testtools.Long(t, "it waits ten seconds for a connection to end")
	s, _ := served(t, Options{})
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
		_ = c.SetReadDeadline(time.Now().Add(2 * restTime))
		r, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatalf("%q: %v", c.request, err)
		}
		_, _ = io.Copy(io.Discard, r.Body)
		_, err = c.Read(make([]byte, 1))
		if ended := errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET); ended != c.ends {
			t.Errorf("%q: afterwards the connection says %v", c.request, err)
		}
	}
}

// Whoever sends all of a form that is too large, and only then listens, is told so.
func TestFormsThatAreTooLarge(t *testing.T) {
	s, _ := served(t, Options{})
	conn := s.dialFrom("127.0.0.1")
	defer conn.Close()
	body := "scenario=" + strings.Repeat("x", 6<<20)
	if _, err := fmt.Fprintf(conn, "POST /runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n%s", len(body), body); err != nil {
		t.Fatal(err)
	}
	time.Sleep(100 * time.Millisecond)
	r, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(r.Body); err != nil || r.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("it is answered with %s (%v)", r.Status, err)
	}
}
