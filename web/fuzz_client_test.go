package web

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/gorilla/websocket"

	"lockstep/engine/lang"
	"lockstep/engine/testtools"
	"lockstep/web/door"
	"lockstep/web/live"
)

// A stranger is somebody on the network: an address, according to the proxy, and a browser.
type stranger struct {
	exposed *exposed
	address string
	accept  string // Accept-Language

	mu      sync.Mutex // of the cookies: two requests may be answered at a time
	cookies map[string]string
}

// An httpRequest is a request of a stranger.
type httpRequest struct {
	Method, Target string
	Headers        [][2]string
	Body           string
}

// bytes returns the request on the wire.
func (p *stranger) bytes(q httpRequest) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\n", q.Method, q.Target)
	given := func(name string) bool {
		return slices.ContainsFunc(q.Headers, func(h [2]string) bool { return strings.EqualFold(h[0], name) })
	}
	header := func(name, value string) {
		if value != "" && !given(name) {
			fmt.Fprintf(&b, "%s: %s\r\n", name, value)
		}
	}
	for _, h := range q.Headers {
		fmt.Fprintf(&b, "%s: %s\r\n", h[0], h[1])
	}
	header("Host", p.exposed.address)
	header("Accept-Language", p.accept)
	header("Cookie", p.cookie())
	if q.Body != "" {
		header("Content-Length", strconv.Itoa(len(q.Body)))
	}
	fmt.Fprintf(&b, "X-Forwarded-For: %s\r\n\r\n%s", p.address, q.Body) // the proxy's entry comes last
	return b.Bytes()
}

func (p *stranger) cookie() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var all []string
	for name, value := range p.cookies {
		all = append(all, name+"="+value)
	}
	slices.Sort(all)
	return strings.Join(all, "; ")
}

// A connection to the server is closed without a trace.
type connection struct{ *net.TCPConn }

func (e *exposed) dial() (*connection, error) {
	c, err := net.Dial("tcp", e.address)
	if err != nil {
		return nil, err
	}
	t := c.(*net.TCPConn)
	return &connection{t}, errors.Join(t.SetLinger(0), t.SetDeadline(time.Now().Add(watchdog)))
}

// send sends a request in one of the ways, and checks the answer.
func (s *script) send(p *stranger, how int, q httpRequest) error {
	s.searches = s.searches || searching.MatchString(q.Target)
	if how != twice {
		return p.sendBytes(p.bytes(q), how, s)
	}
	var both sync.WaitGroup
	var first, second error
	bytes := p.bytes(q)
	both.Go(func() { _, first = p.exchange(bytes) })
	_, second = p.exchange(bytes)
	both.Wait()
	return errors.Join(first, second)
}

// searching matches the addresses that ask the explorer.
var searching = regexp.MustCompile(`^/(explore|courses)|/(ahead|claims)`)

func (p *stranger) sendBytes(bytes []byte, how int, s *script) error {
	if how == whole || how == twice {
		a, err := p.exchange(bytes)
		if a != nil {
			s.learn(a.Header.Get("Location") + " " + a.body)
		}
		return err
	}
	c, err := p.exposed.dial()
	if err != nil {
		return err
	}
	switch how {
	case cutOff, unfinished:
		bytes = bytes[:len(bytes)*(1+s.below(8))/9]
	case deaf:
		if err := c.SetReadBuffer(4 << 10); err != nil {
			return err
		}
	}
	if _, err := c.Write(bytes); err != nil {
		return closed(err, c.Close())
	}
	switch how {
	case unfinished, deaf:
		s.held = append(s.held, c)
		return nil
	case halfRead:
		if _, err := c.Read(make([]byte, 1+int(s.byte())<<6)); err != nil {
			return closed(err, c.Close())
		}
	}
	return c.Close()
}

// closed forgives that the server has closed a connection while a stranger was writing.
func closed(errs ...error) error {
	for _, err := range errs {
		if timeout := (net.Error)(nil); errors.As(err, &timeout) && timeout.Timeout() {
			return fmt.Errorf("the server does not go on for %s: %w", watchdog, err)
		}
	}
	return nil
}

// exchange sends a whole request and reads the answer.
func (p *stranger) exchange(sent []byte) (*answer, error) {
	c, err := p.exposed.dial()
	if err != nil {
		return nil, err
	}
	defer c.Close()
	parsed, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(sent)))
	if err == nil {
		_, err = io.Copy(io.Discard, parsed.Body)
	}
	written := make(chan error, 1)
	go func(complete bool) { // the answer may come before
		_, err := c.Write(sent)
		if !complete {
			err = errors.Join(err, c.CloseWrite())
		}
		written <- err
	}(err == nil)
	r, err := http.ReadResponse(bufio.NewReader(c), parsed)
	if err != nil {
		c.Close()
		if err := closed(err, <-written); err != nil {
			return nil, fmt.Errorf("%.200q: %w", sent, err)
		}
		if parsed != nil && parsed.Method != "" && bytes.HasPrefix(sent, []byte("POST /runs ")) {
			return nil, fmt.Errorf("%.200q has no answer: %w", sent, err)
		}
		return nil, nil // bytes that are not HTTP may have no answer
	}
	a, err := readAnswer(r, parsed)
	if *tell && a != nil {
		fmt.Fprintf(os.Stderr, "%.200q\n\t%s %s %.100q\n", sent, a.Status, a.Header.Get("Location"), a.body)
	}
	if err != nil && parsed == nil {
		return nil, nil // the server does not read such bytes to their end, and its answer may be lost
	}
	if err == nil {
		err = a.isAsItOughtToBe(parsed)
	}
	if err != nil {
		return nil, fmt.Errorf("%.300q: %w", sent, err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, cookie := range a.Cookies() {
		p.cookies[cookie.Name] = cookie.Value
	}
	return a, nil
}

func readAnswer(r *http.Response, to *http.Request) (*answer, error) {
	defer r.Body.Close()
	from := io.Reader(r.Body)
	if r.Header.Get("Content-Encoding") == "gzip" && (to == nil || to.Method != http.MethodHead) {
		z, err := gzip.NewReader(r.Body)
		if err != nil {
			return nil, err
		}
		from = z
	}
	body, err := io.ReadAll(io.LimitReader(from, mostAnswer+1))
	if err != nil {
		return nil, fmt.Errorf("reading the answer: %w", err)
	}
	if len(body) > mostAnswer {
		return nil, fmt.Errorf("the answer has more than %d MB", mostAnswer>>20)
	}
	return &answer{r, string(body)}, nil
}

// statuses are those that a visitor may get, besides 101 for a socket.
var statuses = []int{
	http.StatusOK, http.StatusFound, http.StatusSeeOther, http.StatusBadRequest, http.StatusForbidden, http.StatusNotFound, http.StatusMethodNotAllowed,
	http.StatusRequestEntityTooLarge, http.StatusMisdirectedRequest, http.StatusUnprocessableEntity, http.StatusTooManyRequests, http.StatusServiceUnavailable,
}

// isAsItOughtToBe checks the answer to a request, which is nil if the bytes were no request.
func (a *answer) isAsItOughtToBe(to *http.Request) error {
	if a.Header.Get("Content-Security-Policy") == "" { // net/http itself refuses bytes that are no request
		if a.StatusCode < 400 || a.StatusCode == http.StatusInternalServerError {
			return fmt.Errorf("the answer %s has no policy", a.Status)
		}
		return nil
	}
	switch {
	case to == nil:
		return fmt.Errorf("bytes that are no request are answered %s", a.Status)
	case to.Header.Get("Upgrade") != "":
		return nil
	case !slices.Contains(statuses, a.StatusCode):
		return fmt.Errorf("the answer is %s: %.300s", a.Status, a.body)
	case a.StatusCode < 400 || to.Method == http.MethodHead:
		return nil
	}
	return a.refuses(door.Language(to))
}

var (
	alert = regexp.MustCompile(`(?s)<p( class="(?:refusal|own-error|link-error|console-refusal)"[^>]*)>(.*?)</p>`)
	alone = regexp.MustCompile(`(?s)<main class="error-page">\s*<p>(.*?)</p>`)
)

// refuses looks for the sentence of a refusal.
func (a *answer) refuses(in lang.Language) error {
	var said []string
	switch kind := a.Header.Get("Content-Type"); {
	case strings.HasPrefix(kind, "application/json"):
		var f live.ErrorMessage
		if err := json.Unmarshal([]byte(a.body), &f); err != nil {
			return err
		}
		said = []string{f.Text}
	case strings.HasPrefix(kind, "text/plain"):
		said = []string{a.body}
	default:
		for _, found := range alert.FindAllStringSubmatch(a.body, -1) {
			if !strings.Contains(found[1], " hidden") && strings.TrimSpace(found[2]) != "" {
				said = append(said, html.UnescapeString(found[2]))
			}
		}
		for _, found := range alone.FindAllStringSubmatch(a.body, -1) {
			said = append(said, html.UnescapeString(found[1]))
		}
	}
	if len(said) == 0 {
		return fmt.Errorf("%s says nothing: %.300s", a.Status, a.body)
	}
	for _, sentence := range said {
		if err := isSentence(in, sentence); err != nil {
			return fmt.Errorf("%s: %w", a.Status, err)
		}
	}
	return nil
}

var (
	catalogued = regexp.MustCompile(`^[a-z]+([.-][a-z]+)+$`)
	cited      = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
)

// isSentence returns what is wrong with a sentence in a language: it is missing, it is a key of the catalogue, or it
// is in another language. Its quotations may be in any.
func isSentence(in lang.Language, text string) error {
	text = strings.TrimSpace(text)
	own := cited.ReplaceAllString(text, "")
	han := strings.ContainsFunc(own, func(r rune) bool { return unicode.Is(unicode.Han, r) })
	switch {
	case text == "":
		return errors.New("a refusal without a sentence")
	case catalogued.MatchString(text), strings.Contains(text, "%!"):
		return fmt.Errorf("%q is no sentence", text)
	case in == lang.Chinese && !han && testtools.InCircle(false, true, true): // elsewhere its Chinese may be missing
		return fmt.Errorf("a Chinese reader is told %.200q", text)
	case in == lang.English && (!strings.Contains(own, " ") || strings.ContainsAny(own, "。，；：")):
		return fmt.Errorf("an English reader is told %.200q", text)
	}
	return nil
}

// An openSocket is a websocket of a stranger. A goroutine reads and checks the server's messages, unless the stranger
// is deaf.
type openSocket struct {
	conn     *websocket.Conn
	language lang.Language
	pongs    chan struct{}
	ended    chan struct{} // closed when nothing more comes

	mu      sync.Mutex
	actions int // of the run, as it was told last
	heard   []string
	refused string // the latest refusal
	wrong   error
}

// open opens the socket of a run.
func (s *script) open(p *stranger, how int) error {
	path := "/t/" + s.runID() + "/live"
	query := url.Values{"surface": {s.value("surface")}, "lang": {s.one("en", "zh", "")}}
	if s.seldom(4) {
		query.Set("since", s.position())
		query.Set("epoch", s.runID())
	}
	socket, err := p.opens(path + "?" + query.Encode())
	if socket == nil {
		return err
	}
	s.sockets = append(s.sockets, socket)
	if how == deaf || how == unfinished {
		close(socket.ended)
		return nil
	}
	go socket.listen()
	return socket.settles()
}

// opens returns a socket, or nil if the server refuses one as it should.
func (p *stranger) opens(target string) (*openSocket, error) {
	c, err := p.exposed.dial()
	if err != nil {
		return nil, err
	}
	u := &url.URL{Scheme: "ws", Host: p.exposed.address}
	if path, query, ok := strings.Cut(target, "?"); ok {
		u.Path, u.RawQuery = path, query
	} else {
		u.Path = target
	}
	header := http.Header{"X-Forwarded-For": {p.address}, "Accept-Language": {p.accept}}
	if cookie := p.cookie(); cookie != "" {
		header.Set("Cookie", cookie)
	}
	asked := &http.Request{Method: http.MethodGet, URL: u, Header: header}
	dialer := websocket.Dialer{NetDial: func(string, string) (net.Conn, error) { return c, nil }}
	conn, r, err := dialer.Dial(u.String(), header)
	if err != nil {
		defer c.Close()
		if r == nil {
			return nil, closed(err)
		}
		a, err := readAnswer(r, asked)
		if err == nil {
			err = a.isAsItOughtToBe(asked)
		}
		return nil, err
	}
	o := &openSocket{conn: conn, language: door.Language(asked), pongs: make(chan struct{}, 100), ended: make(chan struct{})}
	if err := c.SetDeadline(time.Time{}); err != nil {
		return nil, err
	}
	conn.SetPongHandler(func(string) error { o.pongs <- struct{}{}; return nil })
	return o, nil
}

// kinds are the messages of PROTOCOL.md that a server sends, and codes those of its errors.
var (
	kinds = []string{"hello", "events", "view", "opened", "done", "error", "room", "seat", "queue", "progress", "luck", "answer"}
	codes = []string{"malformed", "unknown-type", "binary", "too-large", "too-fast", "stale", "syntax", "program", "limit", "store", "refused"}
)

var tell = flag.Bool("tell", false, "say what the strangers of FuzzStranger do, and what they are told")

func (o *openSocket) listen() {
	defer close(o.ended)
	for {
		_, data, err := o.conn.ReadMessage()
		if err != nil {
			return
		}
		if *tell {
			fmt.Fprintf(os.Stderr, "\t%.300s\n", data)
		}
		var m struct {
			Type, Code, Text, Run, Own string
			Actions                    int
		}
		err = json.Unmarshal(data, &m)
		switch {
		case err != nil:
			err = fmt.Errorf("the server says %.200q: %w", data, err)
		case len(data) > mostAnswer:
			err = fmt.Errorf("the server says %d bytes", len(data))
		case !slices.Contains(kinds, m.Type):
			err = fmt.Errorf("the server says %.200q", data)
		case m.Type == "error" && !slices.Contains(codes, m.Code):
			err = fmt.Errorf("the server refuses with the code %q", m.Code)
		case m.Type == "error":
			if err = isSentence(o.language, m.Text); err != nil {
				err = fmt.Errorf("%s: %w", m.Code, err)
			}
		}
		o.mu.Lock()
		if o.wrong == nil {
			o.wrong = err
		}
		if m.Type == "hello" || m.Type == "events" {
			o.actions = m.Actions
		}
		if m.Type == "error" {
			o.refused = m.Text
		}
		if m.Type == "opened" {
			o.heard = append(o.heard, "/t/"+m.Run)
		}
		o.heard = append(o.heard, m.Own)
		o.mu.Unlock()
	}
}

// write sends the bytes of a frame.
func (o *openSocket) write(frame []byte) error {
	c := o.conn.NetConn()
	if err := c.SetWriteDeadline(time.Now().Add(watchdog)); err != nil {
		return err
	}
	_, err := c.Write(frame)
	return err
}

// settles waits until the server has read everything sent, or has ended the socket. It returns the first mistake until
// then.
func (o *openSocket) settles() error {
	_ = o.conn.WriteControl(websocket.PingMessage, nil, time.Now().Add(watchdog)) // a socket that has ended is no mistake
	select {
	case <-o.pongs:
	case <-o.ended:
	case <-time.After(watchdog):
		return fmt.Errorf("a socket has no answer for %s", watchdog)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.wrong
}

// end hangs up.
func (o *openSocket) end() {
	o.conn.Close()
	<-o.ended
}

// say sends a message on a socket, whole or in any other way that bytes can be sent.
func (s *script) say(deed int) error {
	if len(s.sockets) == 0 {
		return nil
	}
	o := s.sockets[s.below(len(s.sockets))]
	text := ""
	if deed == doSay {
		text = s.named(s.piece())
	} else {
		text = s.message(o)
	}
	if *tell {
		fmt.Fprintf(os.Stderr, "%.300q\n", text)
	}
	complete := rawFrame(0x81, true, []byte(text))
	frames := [][]byte{complete}
	if s.seldom(4) {
		frames = s.frames([]byte(text))
	}
	for _, f := range frames {
		if err := o.write(f); err != nil {
			return closed(err)
		}
	}
	if len(frames) == 1 && len(frames[0]) < len(complete) {
		s.sockets = slices.DeleteFunc(s.sockets, func(other *openSocket) bool { return other == o })
		o.end() // the next bytes would belong to the frame
		return nil
	}
	err := o.settles()
	o.mu.Lock()
	heard := strings.Join(o.heard, " ")
	o.heard = nil
	o.mu.Unlock()
	s.learn(heard)
	return err
}

// frames encodes a message as no browser sends it.
func (s *script) frames(text []byte) [][]byte {
	half := len(text) / 2
	switch s.below(8) {
	case 0:
		return [][]byte{rawFrame(0x01, true, text[:half]), rawFrame(0x80, true, text[half:])}
	case 1:
		return [][]byte{rawFrame(0x01, true, text[:half]), rawFrame(0x89, true, nil), rawFrame(0x00, true, nil), rawFrame(0x80, true, text[half:])}
	case 2:
		return [][]byte{rawFrame(0x82, true, text)}
	case 3:
		return [][]byte{rawFrame(0x01, true, text)}
	case 4:
		return [][]byte{rawFrame(0x81, true, text)[:1+half]}
	case 5:
		return [][]byte{rawFrame(0x81, true, bytes.Repeat([]byte("x"), []int{1 << 10, 300 << 10, 513 << 10}[s.below(3)]))}
	case 6:
		return [][]byte{rawFrame(0x81, true, text), rawFrame(0x81, true, text)}
	}
	return [][]byte{rawFrame(s.byte(), s.seldom(2), text)}
}

// message returns a message that a page might send on the socket of a run.
func (s *script) message(o *openSocket) string {
	o.mu.Lock()
	at := o.actions
	o.mu.Unlock()
	m := message{"type": s.one("act", "act", "act", "schedule", "schedule", "look", "branch", "rerun", "room", "room", "restore", "away", "fly", ""), "at": at}
	m["id"] = s.one("a", "b", "a", "") + strconv.Itoa(s.below(3))
	if s.seldom(5) {
		m["at"] = []any{-1, 0, 1, at - 1, at + 1, 99_999, 1 << 62, 1.5, "1", nil}[s.below(10)]
	}
	switch m["type"] {
	case "act", "branch":
		m["action"] = s.action()
		if s.seldom(6) {
			m["with"] = map[string]string{"program": s.programName(), "command": s.command(), "timeout": s.duration()}
		}
	case "schedule":
		m["random"], m["seed"] = s.seldom(2), s.byte()
	case "rerun":
		m["from"], m["program"] = s.programName(), s.programName()
		if s.seldom(2) {
			m["source"] = s.program()
		}
	case "room":
		with := map[string]string{}
		for pairs := s.fieldsOf(roomFields, 5); len(pairs) > 0; pairs = pairs[2:] {
			with[pairs[0]] = pairs[1]
		}
		m["with"] = with
	case "restore":
		m["scenario"], m["task"] = s.scenario(), s.value("task")
	case "away":
		m["away"] = s.seldom(2)
	}
	if s.seldom(10) {
		m[s.one("id", "type", "with", "action", "at")] = []any{nil, 1, []int{}, map[string]any{"x": 1}, strings.Repeat("x", 65), "\x00"}[s.below(6)]
	}
	text, err := json.Marshal(m)
	if err != nil {
		panic(err) // all of it is plain
	}
	return string(text)
}

// explore asks the explorer for something small, on a page or on its socket, and leaves before a slow answer.
func (s *script) explore(p *stranger, how int) error {
	s.searches = true
	q := url.Values{"program": {s.programName()}, "clients": {s.one("2", "1", "2", "3")}, "ticks": {s.one("2", "0", "1", "3")}}
	for range s.below(4) {
		name := s.one("property", "crashes", "delays", "timeout", "nodes", "node-crashes", "restart-delay", "replies", "lose", "symmetry", "causes", "skew-C1", "clients", "ticks")
		if name == "property" {
			q.Set(name, s.value(name))
		} else {
			q.Set(name, s.one("1", "0", "2", "any", "-1", "99", "1.5", "锁"))
		}
	}
	source := ""
	if s.seldom(3) {
		q.Set("own", "1")
		source = s.program()
	}
	run := s.one("search", "luck", "causes", "")
	if s.seldom(2) {
		q.Set("run", run)
		if source != "" {
			q.Set("source", source)
			return s.send(p, how, post("/explore", pairsOf(q)...))
		}
		return s.send(p, how, httpRequest{Method: "GET", Target: "/explore?" + q.Encode()})
	}
	o, err := p.opens("/explore/live?lang=" + s.one("en", "zh"))
	if o == nil {
		return err
	}
	go o.listen()
	inquiry, err := json.Marshal(map[string]string{"type": s.one("search", "luck", "stop", "fly"), "query": q.Encode(), "source": source})
	if err != nil {
		return err
	}
	if s.seldom(8) {
		inquiry = []byte(s.piece())
	}
	_ = o.conn.WriteMessage(websocket.TextMessage, inquiry) // a socket that has ended is no mistake
	if s.seldom(2) {
		_ = o.conn.WriteMessage(websocket.TextMessage, []byte(`{"type":"stop"}`))
	}
	select {
	case <-o.ended:
	case <-time.After(explorePatience):
	}
	o.end()
	return o.wrong
}

// explorePatience is how long a stranger waits for the explorer.
const explorePatience = 100 * time.Millisecond

func pairsOf(q url.Values) (pairs []string) {
	for name, values := range q {
		pairs = append(pairs, name, values[0])
	}
	return pairs
}
