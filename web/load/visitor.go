package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"time"

	"github.com/gorilla/websocket"
)

// A visitor is a person with a browser, which has its own cookies and connections.
type visitor struct {
	site   string // its scheme, host and port
	lang   string
	client *http.Client
	dialer *net.Dialer
	until  time.Time // when it gives up; the zero time: patience after it asked
}

// patience bounds how long a visitor waits.
const patience = time.Minute

// newVisitor returns the nth visitor. Every second one reads Chinese.
func newVisitor(site string, n int) *visitor {
	jar, _ := cookiejar.New(nil) // it never fails
	dialer := new(net.Dialer)
	return &visitor{site: site, lang: []string{"en", "zh"}[n%2], dialer: dialer, client: &http.Client{
		Jar: jar, Transport: &http.Transport{MaxConnsPerHost: 6, DialContext: dialer.DialContext}, Timeout: patience,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// from makes the visitor connect from an address of this machine.
func (v *visitor) from(address string) *visitor {
	v.dialer.LocalAddr = &net.TCPAddr{IP: net.ParseIP(address)}
	return v
}

// inTime makes the visitor give up after a duration.
func (v *visitor) inTime(d time.Duration) *visitor {
	v.until = time.Now().Add(d)
	return v
}

// patience returns how long the visitor still waits for the next answer.
func (v *visitor) patience() time.Duration {
	if v.until.IsZero() {
		return patience
	}
	return max(time.Nanosecond, time.Until(v.until)) // 0 would be for ever
}

func (v *visitor) get(path string) (body []byte, to string, err error) {
	request, err := http.NewRequest(http.MethodGet, v.site+path, nil)
	if err != nil {
		return nil, "", err
	}
	return v.do(request)
}

// post sends a form, and returns where it redirects.
func (v *visitor) post(path string, fields ...string) (to string, err error) {
	request, err := http.NewRequest(http.MethodPost, v.site+path, strings.NewReader(form(fields).Encode()))
	if err != nil {
		return "", err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	_, to, err = v.do(request)
	return to, err
}

func form(fields []string) url.Values {
	values := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		values.Set(fields[i], fields[i+1])
	}
	return values
}

func (v *visitor) do(request *http.Request) (body []byte, to string, err error) {
	request.Header.Set("Accept-Language", v.lang)
	v.client.Timeout = v.patience()
	response, err := v.client.Do(request)
	if err != nil {
		return nil, "", err
	}
	defer response.Body.Close()
	if body, err = io.ReadAll(response.Body); err != nil {
		return nil, "", err
	}
	if response.StatusCode >= 400 {
		return nil, "", fmt.Errorf("%s %s: %s", request.Method, request.URL.Path, response.Status)
	}
	return body, response.Header.Get("Location"), nil
}

// leaves closes the connections that a browser would keep open for a while.
func (v *visitor) leaves() { v.client.CloseIdleConnections() }

// opens opens a room whose run has played some lines, and returns its path and the run's.
func (v *visitor) opens(lines ...string) (room, run string, err error) {
	to, err := v.post("/rooms")
	if err != nil {
		return "", "", err
	}
	room = strings.TrimSuffix(to, "/present")
	if _, run, err = v.get(to); err != nil {
		return "", "", err
	}
	for _, line := range lines {
		if _, err := v.post(run+"/actions", "action", line); err != nil {
			return "", "", err
		}
	}
	return room, run, nil
}

// A socket is the socket of a run. It returns messages as raw bytes, because parsing
// them all would cost more than sending them.
type socket struct {
	conn *websocket.Conn
	wire *meter
	read bytes.Buffer
}

// A meter counts the bytes that arrive on a connection.
type meter struct {
	net.Conn
	bytes int
}

func (m *meter) Read(b []byte) (int, error) {
	n, err := m.Conn.Read(b)
	m.bytes += n
	return n, err
}

// watches opens the socket of a run.
func (v *visitor) watches(run, surface string) (*socket, error) {
	dialer := websocket.Dialer{Jar: v.client.Jar, NetDialContext: v.dialer.DialContext, HandshakeTimeout: v.patience()}
	s, err := dial("ws"+strings.TrimPrefix(v.site, "http")+run+"/live?surface="+surface+"&lang="+v.lang, dialer)
	if err != nil {
		return nil, err
	}
	return s, s.conn.SetReadDeadline(v.until)
}

// dial opens a socket that takes compressed messages, as browsers do.
func dial(address string, dialer websocket.Dialer) (*socket, error) {
	dialer.ReadBufferSize, dialer.WriteBufferSize, dialer.EnableCompression = 16<<10, 1<<10, true
	wire, connect := new(meter), dialer.NetDialContext
	dialer.NetDialContext = func(ctx context.Context, network, address string) (conn net.Conn, err error) {
		wire.Conn, err = connect(ctx, network, address)
		return wire, err
	}
	conn, response, err := dialer.Dial(address, nil)
	if response != nil && err != nil {
		return nil, fmt.Errorf("opening a socket: %w: %s", err, response.Status)
	}
	if err != nil {
		return nil, fmt.Errorf("opening a socket: %w", err)
	}
	return &socket{conn: conn, wire: wire}, nil
}

// next returns the next message, which is valid until the following call.
func (s *socket) next() ([]byte, error) {
	_, message, err := s.conn.NextReader()
	if err != nil {
		return nil, err
	}
	s.read.Reset()
	_, err = s.read.ReadFrom(message)
	return s.read.Bytes(), err
}

func (s *socket) say(message string) error {
	return s.conn.WriteMessage(websocket.TextMessage, []byte(message))
}

func (s *socket) close() { _ = s.conn.Close() }

// is reports whether a message has a type, which stands first in each.
func is(message []byte, kind string) bool {
	const begins = `{"type":"`
	rest, ok := bytes.CutPrefix(message, []byte(begins))
	return ok && bytes.HasPrefix(rest, []byte(kind)) && len(rest) > len(kind) && rest[len(kind)] == '"'
}

// settles reads until a page has received the run, the room and its own seat, and
// returns the seat.
func (s *socket) settles() (own string, err error) {
	missing := map[string]bool{"hello": true, "room": true, "seat": true}
	for len(missing) > 0 {
		message, err := s.next()
		if err != nil {
			return "", err
		}
		for kind := range missing {
			if is(message, kind) {
				delete(missing, kind)
				if kind == "seat" {
					own = string(message)
				}
			}
		}
	}
	return own, nil
}
