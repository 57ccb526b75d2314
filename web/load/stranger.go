package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// A stranger is the hostile visitor: one address with any number of connections, which use as many cookies as the server
// issues, or none.
type stranger struct {
	orders
	over   context.Context
	stop   context.CancelFunc
	late   time.Time // when everything has to be prepared
	dialer net.Dialer
	client *http.Client

	mu     sync.Mutex
	open   map[net.Conn]struct{} // all connections, so that they end with the stranger
	counts report
	cookie string   // the name of the one by which the server knows a visitor
	people []string // cookies, of which the first is none at all
}

// A report counts what a hostile visitor has achieved.
type report struct {
	Name    string
	Failed  string         // why the harm could not be prepared; empty: it could
	Sent    int            // requests and messages
	Done    int            // answers that were no refusal
	Refused map[string]int // by status, or by the code of a message
	Bytes   int64          // that were read
	Cut     int            // connections that the server did not take, or ended
}

func (r report) String() string {
	said := fmt.Sprintf("%d sent, %d done", r.Sent, r.Done)
	refused := 0
	var reasons []string
	for _, why := range slices.Sorted(maps.Keys(r.Refused)) {
		refused += r.Refused[why]
		reasons = append(reasons, fmt.Sprintf("%s: %d", why, r.Refused[why]))
	}
	if refused > 0 {
		said += fmt.Sprintf(", %d refused (%s)", refused, strings.Join(reasons, ", "))
	}
	return said + fmt.Sprintf(", %.1f MB read, %d connections cut", float64(r.Bytes)/(1<<20), r.Cut)
}

func newStranger(o orders) *stranger {
	s := &stranger{orders: o, late: time.Now().Add(prepareTime), open: map[net.Conn]struct{}{}, people: []string{""}}
	s.forget()
	s.over, s.stop = context.WithTimeout(context.Background(), 10*time.Minute) // should nobody stop it
	context.AfterFunc(s.over, s.leave)
	s.dialer.LocalAddr = &net.TCPAddr{IP: net.ParseIP(o.From)}
	s.client = &http.Client{
		Timeout:       patience,
		Transport:     &http.Transport{DialContext: s.dial, MaxIdleConnsPerHost: 2000, DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return s
}

// dial opens a connection that leaves no port waiting when it closes, because there are too few ports.
func (s *stranger) dial(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := s.dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	if err := c.(*net.TCPConn).SetLinger(0); err != nil {
		_ = c.Close()
		return nil, err
	}
	s.mu.Lock()
	s.open[c] = struct{}{}
	s.mu.Unlock()
	own := &connection{Conn: c, stranger: s}
	if s.over.Err() != nil {
		_ = own.Close()
	}
	return own, nil
}

// A connection is one of a stranger's, and counts what it reads.
type connection struct {
	net.Conn
	stranger *stranger
}

func (c *connection) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.stranger.mu.Lock()
	defer c.stranger.mu.Unlock()
	c.stranger.counts.Bytes += int64(n)
	return n, err
}

func (c *connection) Close() error {
	c.stranger.mu.Lock()
	delete(c.stranger.open, c.Conn)
	c.stranger.mu.Unlock()
	return c.Conn.Close()
}

// leave closes all connections.
func (s *stranger) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.open {
		_ = c.Close()
	}
}

// forget resets the report, because the preparation is no part of it.
func (s *stranger) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts = report{Name: s.Harm, Refused: map[string]int{}}
}

// report returns what the stranger has achieved so far, or why it achieved nothing.
func (s *stranger) report(failed error) report {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.counts
	r.Refused = maps.Clone(r.Refused)
	if failed != nil {
		r.Failed = failed.Error()
	}
	return r
}

// sent counts a request or a message to the server.
func (s *stranger) sent() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts.Sent++
}

// count counts an answer by its status, or a message by the code of its error.
func (s *stranger) count(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if status, err := strconv.Atoi(what); what == "" || err == nil && status < 400 {
		s.counts.Done++
		return
	}
	s.counts.Refused[what]++
}

// cut counts a connection that failed or ended, and rests for a moment.
func (s *stranger) cut() {
	if s.over.Err() != nil {
		return
	}
	s.mu.Lock()
	s.counts.Cut++
	s.mu.Unlock()
	s.rest(20 * time.Millisecond)
}

// rest waits, at most until the end of the harm.
func (s *stranger) rest(d time.Duration) {
	select {
	case <-s.over.Done():
	case <-time.After(d):
	}
}

// scaled returns a number scaled by the strength of the stranger.
func (s *stranger) scaled(n int) int { return max(1, int(float64(n)*s.Strength)) }

// crowd runs n loops of the same harm at once, and returns at the end.
func (s *stranger) crowd(n int, do func(i, turn int)) {
	var all sync.WaitGroup
	for i := range s.scaled(n) {
		all.Go(func() {
			for turn := 0; s.over.Err() == nil; turn++ {
				do(i, turn)
			}
		})
	}
	all.Wait()
}

// allOf does several things at once, and returns when all have ended.
func allOf(do ...func()) {
	var all sync.WaitGroup
	for _, one := range do {
		all.Go(one)
	}
	all.Wait()
}

// known gives the stranger the cookies of n people, each from a visit to the home page.
func (s *stranger) known(n int) error {
	for len(s.people) <= s.scaled(n) {
		a, err := s.insist("GET", "/", "")
		if err != nil {
			return err
		}
		for _, c := range a.cookies {
			if strings.HasSuffix(c.Name, "visitor") {
				s.cookie = c.Name
				s.people = append(s.people, c.Name+"="+c.Value)
			}
		}
		if s.cookie == "" {
			return fmt.Errorf("the home page gives no cookie")
		}
	}
	return nil
}

// person returns the cookie of one of these people.
func (s *stranger) person(i int) string { return s.people[i%len(s.people)] }

// madeUp returns a cookie that the server has never issued.
func (s *stranger) madeUp() string {
	return fmt.Sprintf("%s=%010d.%016x", s.cookie, rand.IntN(1e10), rand.Uint64())
}

// An answered is a request with its answer.
type answered struct {
	status  int
	to      string
	body    []byte
	cookies []*http.Cookie
}

// send sends a request and returns the answer, with status 0 if none came.
func (s *stranger) send(method, path, cookie, body string) answered {
	request, err := http.NewRequestWithContext(s.over, method, "http://"+s.Address+path, strings.NewReader(body))
	if err != nil {
		panic(err) // the paths are this program's own
	}
	if cookie != "" {
		request.Header.Set("Cookie", cookie)
	}
	if body != "" {
		request.Header.Set("Content-Type", formType)
	}
	s.sent()
	response, err := s.client.Do(request)
	if err != nil {
		s.cut()
		return answered{}
	}
	defer response.Body.Close()
	a := answered{status: response.StatusCode, to: response.Header.Get("Location"), cookies: response.Cookies()}
	if a.body, err = io.ReadAll(response.Body); err != nil {
		s.cut()
	}
	s.count(strconv.Itoa(a.status))
	return a
}

const formType = "application/x-www-form-urlencoded"

// fields is a form.
func fields(pairs ...string) string { return form(pairs).Encode() }

// insist repeats a request until the server accepts it, or the time to prepare is over.
func (s *stranger) insist(method, path, body string) (a answered, err error) {
	for ; time.Now().Before(s.late) && s.over.Err() == nil; s.rest(50 * time.Millisecond) {
		if a = s.send(method, path, "", body); a.status > 0 && a.status < 400 {
			return a, nil
		}
	}
	if a.status == 0 {
		return a, fmt.Errorf("%s %s has no answer", method, path)
	}
	return a, fmt.Errorf("%s %s is answered with %d", method, path, a.status)
}

// makes makes a run of a text, and returns its path.
func (s *stranger) makes(text string) (string, error) {
	a, err := s.insist("POST", "/runs", fields("scenario", text))
	path, _, _ := strings.Cut(a.to, "?")
	return path, err
}

// makesAll is makes for several texts.
func (s *stranger) makesAll(texts []string) (paths []string, err error) {
	for _, text := range texts {
		path, err := s.makes(text)
		if err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// request returns a request as it goes on the wire, with any further header lines.
func (s *stranger) request(method, path, cookie, body string, header ...string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\n", method, path)
	if !slices.ContainsFunc(header, func(line string) bool { return strings.HasPrefix(line, "Host:") }) {
		fmt.Fprintf(&b, "Host: %s\r\n", s.Address)
	}
	if cookie != "" {
		fmt.Fprintf(&b, "Cookie: %s\r\n", cookie)
	}
	if rand.IntN(2) == 0 {
		b.WriteString("Accept-Encoding: gzip\r\n") // which is less to hold, and more to do
	}
	if body != "" {
		fmt.Fprintf(&b, "Content-Type: %s\r\nContent-Length: %d\r\n", formType, len(body))
	}
	for _, line := range header {
		b.WriteString(line + "\r\n")
	}
	b.WriteString("\r\n" + body)
	return b.Bytes()
}

// dials is crowd for a harm that needs a connection, and closes it afterwards.
func (s *stranger) dials(n int, do func(c net.Conn, i, turn int)) {
	s.crowd(n, func(i, turn int) {
		c, err := s.dial(s.over, "tcp", s.Address)
		if err != nil {
			s.cut()
			return
		}
		defer c.Close()
		do(c, i, turn)
	})
}

// streams keeps n connections busy. On each it sends request after request without waiting for an answer, as fast as
// the server takes them. A stream that reads no answer stops when the buffers are full.
func (s *stranger) streams(n int, reads bool, next func(i, turn int) []byte) {
	s.dials(n, func(c net.Conn, i, turn int) {
		if reads {
			go s.reads(c)
		} else {
			_ = c.(*connection).Conn.(*net.TCPConn).SetReadBuffer(4 << 10) // a larger one would only be filled once
		}
		for ; ; turn++ {
			_, err := c.Write(next(i, turn))
			s.sent()
			if err != nil {
				break
			}
		}
		s.cut()
	})
}

// reads counts answers by their status until a connection ends.
func (s *stranger) reads(c net.Conn) {
	defer c.Close()
	buffer, seen := make([]byte, 64<<10), 0
	for {
		n, err := c.Read(buffer[seen:])
		seen += n
		text := buffer[:seen]
		for {
			_, after, ok := bytes.Cut(text, []byte("HTTP/1.1 "))
			if !ok || len(after) < 3 {
				break
			}
			s.count(string(after[:3]))
			text = after[3:]
		}
		seen = copy(buffer, text[max(0, len(text)-11):]) // where the next one may have begun
		if err != nil {
			return
		}
	}
}

// handshake returns the request that opens a socket.
func (s *stranger) handshake(path, cookie string) []byte {
	return s.request("GET", path, cookie, "", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==")
}

// frame returns a frame of a socket, with a mask that changes nothing.
func frame(first byte, payload string) []byte {
	b := []byte{first}
	switch n := len(payload); {
	case n < 126:
		b = append(b, 0x80|byte(n))
	case n < 1<<16:
		b = append(b, 0x80|126, byte(n>>8), byte(n))
	default:
		b = append(b, 0x80|127, 0, 0, 0, 0, byte(n>>24), byte(n>>16), byte(n>>8), byte(n))
	}
	return append(append(b, 0, 0, 0, 0), payload...)
}

// Of a frame: a text that goes on in the next one, and its continuation.
const (
	unfinishedText = 0x01
	unfinishedMore = 0x00
)

// holds keeps n connections open. Each sends something once and stays until the server closes it, and reads what comes
// or not. A connection that gets no socket tries again; on a socket it then sends its message.
func (s *stranger) holds(n int, reads bool, say []byte, send func(i, turn int) []byte) {
	s.dials(n, func(c net.Conn, i, turn int) {
		if !reads {
			_ = c.(*connection).Conn.(*net.TCPConn).SetReadBuffer(4 << 10)
		}
		sends := send(i, turn)
		s.sent()
		if _, err := c.Write(sends); err != nil {
			s.cut()
			return
		}
		if bytes.Contains(sends[:min(len(sends), 1<<10)], []byte("Upgrade: websocket")) && !s.enters(c) {
			s.rest(100 * time.Millisecond)
			return
		}
		if _, err := c.Write(say); err != nil {
			s.cut()
			return
		}
		if reads {
			s.reads(c)
		} else {
			s.stays(c)
		}
		s.cut()
	})
}

// enters reads the answer to a handshake, and reports whether it opened a socket.
func (s *stranger) enters(c net.Conn) bool {
	line := make([]byte, len("HTTP/1.1 101"))
	if _, err := io.ReadFull(c, line); err != nil {
		s.cut()
		return false
	}
	status := string(line[len(line)-3:])
	s.count(status)
	return status == "101"
}

// stays returns when the other end has closed a connection that nobody reads. It finds out by sending now and then what
// is a pong on a socket and a part of a form.
func (s *stranger) stays(c net.Conn) {
	for s.over.Err() == nil {
		s.rest(time.Second)
		_ = c.SetWriteDeadline(time.Now().Add(time.Second))
		if _, err := c.Write(frame(0x8a, "")); err != nil {
			return
		}
	}
}

// socket opens a socket.
func (s *stranger) socket(path, cookie string) (*websocket.Conn, error) {
	header := http.Header{}
	if cookie != "" {
		header.Set("Cookie", cookie)
	}
	dialer := websocket.Dialer{NetDialContext: s.dial, HandshakeTimeout: patience, ReadBufferSize: 4 << 10, WriteBufferSize: 1 << 10}
	s.sent()
	conn, response, err := dialer.DialContext(s.over, "ws://"+s.Address+path, header)
	if response != nil {
		s.count(strconv.Itoa(response.StatusCode))
	}
	if err != nil {
		s.cut()
	}
	return conn, err
}

// A talker sends message after message on a socket, each as soon as the one before is answered.
type talker struct {
	path, cookie string
	says         func(turn, at int) string // with the id x; at is how many actions the run has
}

// talks runs n talkers. One that the server disconnects comes back.
func (s *stranger) talks(n int, as func(i, turn int) talker) {
	s.crowd(n, func(i, turn int) {
		t := as(i, turn)
		conn, err := s.socket(t.path, t.cookie)
		if err != nil {
			return
		}
		defer conn.Close()
		at := 0
		for turn := 0; err == nil; turn++ {
			if turn > 0 {
				s.sent()
				err = conn.WriteMessage(websocket.TextMessage, []byte(t.says(turn, at)))
			}
			for answered := false; err == nil && !answered; {
				var message []byte
				if _, message, err = conn.ReadMessage(); err == nil {
					at = max(at, length(message))
					answered = turn == 0 || s.answers(message)
				}
			}
		}
		s.cut()
	})
}

// answers reports whether a message answers a request, and counts it.
func (s *stranger) answers(message []byte) bool {
	if !bytes.Contains(message[:min(len(message), 60)], []byte(`"id":"x`)) {
		return false
	}
	s.count(refusalIn(message))
	return true
}

// refusalIn returns the code with which a message refuses something, or nothing.
func refusalIn(message []byte) string {
	if !is(message, "error") {
		return ""
	}
	_, code, _ := bytes.Cut(message, []byte(`"code":"`))
	code, _, _ = bytes.Cut(code, []byte(`"`))
	return string(code)
}

// listens opens n sockets that send nothing, and reads what comes.
func (s *stranger) listens(n int, path func(i, turn int) string) {
	s.holds(n, true, nil, func(i, turn int) []byte { return s.handshake(path(i, turn), s.person(i)) })
}
