package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// A visitor is a person with a browser, which has its own cookies and connections.
type visitor struct {
	site   string // its scheme, host and port
	lang   string
	client *http.Client
	dialer *net.Dialer
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

func (v *visitor) get(path string) (body []byte, to string, err error) {
	request, err := http.NewRequest(http.MethodGet, v.site+path, nil)
	if err != nil {
		return nil, "", err
	}
	return v.do(request)
}

// post sends a form, and returns where it redirects.
func (v *visitor) post(path string, fields ...string) (to string, err error) {
	request, err := http.NewRequest(http.MethodPost, v.site+path, strings.NewReader(form(fields...)))
	if err != nil {
		return "", err
	}
	request.Header.Set("Content-Type", formType)
	_, to, err = v.do(request)
	return to, err
}

const formType = "application/x-www-form-urlencoded"

func form(fields ...string) string {
	values := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		values.Set(fields[i], fields[i+1])
	}
	return values.Encode()
}

func (v *visitor) do(request *http.Request) (body []byte, to string, err error) {
	request.Header.Set("Accept-Language", v.lang)
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

// files are the style sheets and scripts of a page.
var files = regexp.MustCompile(`(?:href|src)="(/static/[^"]+)"`)

// joins takes a seat with an empty cache: it loads the page and its files, takes the
// seat, and opens the phone's page.
func (v *visitor) joins(room string) error {
	page, _, err := v.get(room)
	if err != nil {
		return err
	}
	for _, file := range files.FindAllSubmatch(page, -1) {
		if _, _, err := v.get(string(file[1])); err != nil {
			return err
		}
	}
	to, err := v.post(room + "/seats")
	if err == nil {
		_, _, err = v.get(to) // the browser has its files by now
	}
	return err
}

// An extent says how much of its log a run has.
type extent struct {
	Epoch          string
	Actions, Total int
}

func (v *visitor) extent(run string) (e extent, err error) {
	text, _, err := v.get(run + "/events")
	if err == nil {
		err = json.Unmarshal(text, &e)
	}
	return e, err
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

// watches opens the socket of a run, which takes compressed messages, as browsers do.
func (v *visitor) watches(run, surface string) (*socket, error) {
	wire := new(meter)
	dialer := websocket.Dialer{
		Jar: v.client.Jar, HandshakeTimeout: patience, ReadBufferSize: 16 << 10, WriteBufferSize: 1 << 10, EnableCompression: true,
		NetDialContext: func(ctx context.Context, network, address string) (conn net.Conn, err error) {
			wire.Conn, err = v.dialer.DialContext(ctx, network, address)
			return wire, err
		},
	}
	conn, response, err := dialer.Dial("ws"+strings.TrimPrefix(v.site, "http")+run+"/live?surface="+surface+"&lang="+v.lang, nil)
	if err == nil {
		return &socket{conn: conn, wire: wire}, nil
	}
	if response != nil {
		err = fmt.Errorf("%w: %s", err, response.Status)
	}
	return nil, fmt.Errorf("opening a socket: %w", err)
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
	rest, ok := bytes.CutPrefix(message, []byte(`{"type":"`))
	return ok && bytes.HasPrefix(rest, []byte(kind)) && len(rest) > len(kind) && rest[len(kind)] == '"'
}

// length returns how many actions the run has according to a message's first fields, or -1.
func length(message []byte) int {
	_, after, ok := bytes.Cut(message[:min(len(message), 100)], []byte(`"actions":`))
	if !ok {
		return -1
	}
	n := 0
	for _, d := range after {
		if d < '0' || d > '9' {
			break
		}
		n = 10*n + int(d-'0')
	}
	return n
}

// together does something for each of n people at once, and returns the results in
// their order. It returns one error of several, because they are much alike.
func together[T any](n int, do func(i int) (T, error)) ([]T, error) {
	results, failed := make([]T, n), make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { results[i], failed[i] = do(i) })
	}
	all.Wait()
	count := 0
	var one error
	for _, err := range failed {
		if err != nil {
			count, one = count+1, err
		}
	}
	if one != nil {
		return results, fmt.Errorf("%d of %d: %w", count, n, one)
	}
	return results, nil
}
