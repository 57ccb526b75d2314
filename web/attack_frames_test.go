package web

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"lockstep/engine/testtools"
	"lockstep/web/door"
	"lockstep/web/limit"
	"lockstep/web/live"
)

// A raw socket sends frames made by hand.
type raw struct {
	*testing.T
	net.Conn
}

func (p *person) rawSocket(run string) raw {
	p.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
	if err != nil {
		p.Fatal(err)
	}
	fmt.Fprintf(conn, "GET %s/live?surface=phone HTTP/1.1\r\nHost: %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Extensions: permessage-deflate\r\nCookie: %s\r\n\r\n",
		run, strings.TrimPrefix(p.url, "http://"), p.cookie())
	head := make([]byte, 12)
	if _, err := io.ReadFull(conn, head); err != nil || string(head) != "HTTP/1.1 101" {
		p.Fatalf("the handshake is answered %q: %v", head, err)
	}
	p.Cleanup(func() { conn.Close() })
	return raw{p.T, conn}
}

// rawFrame encodes a frame for the wire.
func rawFrame(first byte, masked bool, payload []byte) []byte {
	b := []byte{first}
	mask := byte(0)
	if masked {
		mask = 0x80
	}
	switch n := len(payload); {
	case n < 126:
		b = append(b, mask|byte(n))
	case n < 1<<16:
		b = binary.BigEndian.AppendUint16(append(b, mask|126), uint16(n))
	default:
		b = binary.BigEndian.AppendUint64(append(b, mask|127), uint64(n))
	}
	if masked {
		b = append(b, 0, 0, 0, 0) // a mask that changes nothing
	}
	return append(b, payload...)
}

// ends reads until the server closes the socket.
func (r raw) ends(what string) {
	r.Helper()
	if err := r.SetReadDeadline(time.Now().Add(testtools.Patience)); err != nil {
		r.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, r.Conn); err != nil && !errors.Is(err, syscall.ECONNRESET) {
		r.Errorf("after %s the socket stays open: %v", what, err)
	}
	r.Conn.Close()
}

// A frame that no browser sends ends its socket and nothing else. It lacks a mask, has reserved opcodes or bits, makes
// up a length, or continues nothing.
func TestABadFrameEndsOnlyItsSocket(t *testing.T) {
	c := servedClass(t, Options{})
	text := []byte(acts(2, "step C1").text("a"))
	huge := binary.BigEndian.AppendUint64([]byte{0x81, 0x80 | 127}, 1<<62)
	for what, bytes := range map[string][]byte{
		"a frame without a mask":             rawFrame(0x81, false, text),
		"a reserved opcode":                  rawFrame(0x83, true, text),
		"another reserved opcode":            rawFrame(0x8f, true, nil),
		"reserved bits":                      rawFrame(0xb1, true, text),
		"a compression of nothing":           rawFrame(0xc1, true, []byte{0xff, 0xff}),
		"a continuation of nothing":          rawFrame(0x80, true, text),
		"a new message in the middle of one": append(rawFrame(0x01, true, text[:5]), rawFrame(0x81, true, text)...),
		"a ping in pieces":                   rawFrame(0x09, true, []byte("x")),
		"a ping of 200 bytes":                rawFrame(0x89, true, make([]byte, 200)),
		"a close frame of one byte":          rawFrame(0x88, true, []byte{1}),
		"a length with its highest bit set":  binary.BigEndian.AppendUint64([]byte{0x81, 0x80 | 127}, 1<<63),
		"a whole message, and then the end":  append(rawFrame(0x81, true, []byte("{")), 0x88, 0x80, 0, 0, 0, 0),
		"HTTP once more":                     []byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n"),
	} {
		r := c.ann.rawSocket(c.run)
		if _, err := r.Write(bytes); err != nil {
			t.Fatal(err)
		}
		r.ends(what)
	}
	waiting := c.ann.rawSocket(c.run) // announces four exabytes and sends a few; the server allocates nothing for them
	if _, err := waiting.Write(append(huge, 0, 0, 0, 0, '{')); err != nil {
		t.Fatal(err)
	}
	c.goesOn(2, 2)
	if text := c.get(c.run + ".txt").body; strings.Contains(text, "step") {
		t.Errorf("something of it was done: %q", text)
	}
}

// A frame whose text is no message changes nothing. Its sender gets a sentence, and the socket stays open.
func TestBadTextIsRefusedInASentence(t *testing.T) {
	c := newClass(t, Options{Limits: door.Limits{Messages: 10_000}})
	v := c.ann.watches(c.run, "phone")
	before := len(c.ledger.entries(""))
	const valid = `{"type":"act","id":"x","at":2,"action":"step C2"}` // which is not Ann's
	var texts []string
	for end := range len(valid) {
		texts = append(texts, valid[:end]) // truncated anywhere
	}
	for _, field := range []string{"type", "id", "at", "action", "with", "from", "source"} {
		for _, value := range []string{`{}`, `[[]]`, `1.5`, `1e400`, `123456789012345678901234567890`, `true`, `"\ud800"`, `"\u0000"`, `{"verb":{"verb":"end"}}`, `{"x":null}`} {
			texts = append(texts, `{"type":"act","id":"x","at":99,"action":"step C2","`+field+`":`+value+`}`)
		}
	}
	texts = append(texts,
		strings.Repeat("[", 100_000), strings.Repeat(`{"with":`, 50_000), strings.Repeat(`{"a":[`, 5_000)+strings.Repeat("]}", 5_000),
		"\x00", "\xef\xbb\xbf{}", `{"type":"act","at":2,"action":"step C2\u0000"}`, `{"type":"act","at":2,"action":"\ud800step C2"}`,
		`{"TYPE":"act","At":2,"ACTION":"step C2"}`, `{"type":"room","type":"act","at":2,"action":"step C2"}`,
		`{"type":"room","with":{"verb":"vote","choice":"0\u0000"}}`, `{"type":"room","with":{"verb":"\ud800"}}`, `{"type":"room"}`,
		`{"type":"room","with":{"verb":"mark","seat":"1","state":"broken","solved":"true"}}`, `{"type":"room","with":{"verb":"join","key":"`+strings.Repeat("a", 64)+`"}}`,
		`{"type":"room","with":{"verb":"pair","key":"`+strings.Repeat("a", 64)+`"}}`, `{"type":"room","with":{"verb":"open","code":"000000","run":"x","key":"`+strings.Repeat("a", 64)+`"}}`,
	)
	for _, text := range texts {
		v.say(text)
		m := v.until("is an error", func(m told) bool { return m.Type == "error" })
		if m.Text == "" || m.Text == m.Code || strings.HasPrefix(m.Text, "error.") || strings.HasPrefix(m.Text, "room.") {
			t.Errorf("%.80s is answered with %q", text, m.Text)
		}
	}
	if kept := c.ledger.entries("")[before:]; len(kept) > 0 {
		t.Errorf("something was done: %q", kept)
	}
	// A run outside rooms takes no request for a room.
	own := c.watch(aRun + "/live")
	for _, m := range []message{asks("end"), asks("vote", "choice", "0"), {"type": "away", "away": true}} {
		if a := own.ask(m); a.Type != "error" || a.Code != "refused" {
			t.Errorf("%v in no room is answered with %+v", m, a)
		}
	}
}

// deflated compresses a text for a message with the first byte 0xc1.
func deflated(text []byte) []byte {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestCompression) // the level exists
	_, _ = w.Write(text)                               // writing to memory does not fail
	_ = w.Flush()
	return bytes.TrimSuffix(b.Bytes(), []byte{0, 0, 0xff, 0xff})
}

// A message may come in fragments, with a ping between them, or compressed. A compressed one has the same bounds by its
// text: the server reads no further, and no faster.
func TestACompressedMessageIsBoundedByItsText(t *testing.T) {
	c := servedClass(t, Options{})
	v := c.person().watches(c.run, "screen")
	v.want("hello")
	r := c.ann.rawSocket(c.run)
	pieces, packed := []byte(acts(2, "step C1").text("a")), []byte(acts(3, "step C1").text("b"))
	for i, message := range [][]byte{
		slices.Concat(rawFrame(0x01, true, pieces[:10]), rawFrame(0x89, true, []byte("?")), rawFrame(0x00, true, pieces[10:11]), rawFrame(0x00, true, nil), rawFrame(0x80, true, pieces[11:])),
		rawFrame(0xc1, true, deflated(packed)),
	} {
		if _, err := r.Write(message); err != nil {
			t.Fatal(err)
		}
		v.until("is Ann's step", func(m told) bool { return m.Type == "events" && m.Actions == 3+i })
	}

	bomb := deflated(bytes.Repeat([]byte(" "), 64<<20))
	if len(bomb) > 64<<10 {
		t.Fatalf("64 MB are %d bytes", len(bomb))
	}
	if _, err := r.Write(rawFrame(0xc1, true, bomb)); err != nil {
		t.Fatal(err)
	}
	r.ends("a message of 64 MB")

	pace := limit.NewPace(60, live.MaxMessage)
	pace.End() // who waits is sent away
	text := pace.Text(bytes.NewReader(make([]byte, 2*live.MaxMessage)))
	if n, err := io.Copy(io.Discard, text); !errors.Is(err, net.ErrClosed) || n > live.MaxMessage+64<<10 {
		t.Errorf("%d bytes of text are read at once (%v)", n, err)
	}
}

// What decompresses a message counts until the message is complete, so that half messages on many sockets take bounded
// memory. A small message arrives as a whole and needs no room.
func TestHalfACompressedMessageIsCounted(t *testing.T) {
	const most = 10
	c := servedClass(t, Options{Limits: door.Limits{Reading: most * door.InflaterSize, AllReading: 100 * door.InflaterSize}})
	v := c.person().watches(c.run, "screen")
	v.want("hello")
	var numbers []byte
	for n := range 1000 {
		numbers = fmt.Append(numbers, n*n)
	}
	halves := [][]byte{rawFrame(0xc1, true, deflated(numbers))[:500], rawFrame(0xc2, true, deflated(numbers))[:500]} // of a text, and of a binary one
	held := func() int64 { return c.server.Guard.Reading.Held() }
	var sockets []raw // opened before the first half is sent, as it has its time
	for range most + 1 {
		sockets = append(sockets, c.ann.rawSocket(c.run))
	}
	for n := range most {
		if _, err := sockets[n].Write(halves[n%2]); err != nil {
			t.Fatal(err)
		}
		until(t, "the message is counted", func() bool { return held() == int64(n+1)*door.InflaterSize })
	}
	r := sockets[most]
	if _, err := r.Write(halves[0]); err != nil {
		t.Fatal(err)
	}
	r.ends("one half message more")
	if held() != most*door.InflaterSize {
		t.Errorf("%d bytes are held", held())
	}
	if _, err := c.ann.rawSocket(c.run).Write(rawFrame(0xc1, true, deflated([]byte(acts(2, "step C1").text("a"))))); err != nil {
		t.Fatal(err)
	}
	v.until("is Ann's step", func(m told) bool { return m.Type == "events" && m.Actions == 3 })
}

// A class goes on while others send frames as fast as they can: of a megabyte, as one text, in fragments and as binary; and
// ten thousand small ones, which are valid requests, invalid ones, pings and empty.
func TestAClassGoesOnBesideFrames(t *testing.T) {
	testtools.Long(t, "a class acts beside megabytes of frames")
	big := bytes.Repeat([]byte("x"), 1<<20)
	var small []byte
	for _, text := range []string{acts(0, "step C1").text("s"), message{"type": "look", "at": 0}.text("l"), asks("vote", "choice", "0").text("v"), `{"type":"away","away":true}`, "{"} {
		small = append(small, rawFrame(0x81, true, []byte(text))...)
	}
	small = slices.Concat(small, rawFrame(0x89, true, nil), rawFrame(0x81, true, nil), rawFrame(0x8a, true, nil), rawFrame(0x82, true, []byte{1}))
	for what, floods := range map[string][][]byte{
		"huge frames":         {rawFrame(0x81, true, big), rawFrame(0x82, true, big), rawFrame(0x01, true, big)},
		"ten thousand frames": {bytes.Repeat(small, 1_200)},
	} {
		t.Run(what, func(t *testing.T) {
			c := servedClass(t, Options{})
			var all []func() bool
			for _, flood := range floods {
				for _, p := range []*person{c.cat, c.person()} {
					all = append(all, func() bool { // all of it is on the network before the class begins
						r := p.rawSocket(c.run)
						defer r.Conn.Close()
						go func() { _, _ = io.Copy(io.Discard, r.Conn) }()
						for err := r.SetWriteDeadline(time.Now().Add(time.Second)); err == nil; _, err = r.Write(flood) {
						}
						return true // the server has closed the socket, or the network is full
					})
				}
			}
			c.goesOnWhile(2, 10, all...)
		})
	}
}

// The server reads a socket no faster than the limit. It tells the sender once, loses no message, and the class does
// not notice.
func TestAFloodIsReadAtItsLimit(t *testing.T) {
	s := newSite(t, Options{Limits: door.Limits{Messages: 10}})
	flood, other := s.watch(aRun+"/live"), s.watch("/t/bbbbbbbbbb/live")
	flood.want("hello")
	other.want("hello")
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for range 10_000 {
			if flood.conn.WriteMessage(websocket.TextMessage, []byte("{")) != nil {
				return
			}
		}
	}()
	answers := map[string]int{}
	for answers["malformed"] < 15 || answers["too-fast"] == 0 {
		m := flood.want("error")
		if answers[m.Code]++; m.Code == "too-fast" && m.Text != "You send more than 10 messages a second. The server now reads them more slowly, and closes the connection if this continues." {
			t.Errorf("it is told %q", m.Text)
		}
	}
	if answers["too-fast"] != 1 || len(answers) != 2 {
		t.Errorf("it is answered %v", answers)
	}
	for i := range 8 {
		other.say(fmt.Sprintf(`{"type":"act","id":"o%d","at":%d,"action":"tick 1s"}`, i, i))
		if m := other.want("events"); m.Actions != i+1 {
			t.Fatalf("the class is told %+v", m)
		}
	}
	flood.conn.Close()
	<-ended
}
