package process

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"lockstep/engine/lang"
	"lockstep/engine/redis"
	"lockstep/engine/testtools"
)

// Nothing that a test started is left when all have ended: no goroutine, and so no listener and no connection.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// within bounds what a test waits for. Only a test that fails waits this long.
const within = testtools.Patience

// listening returns a process without a program: the test itself is the program.
func listening(t *testing.T) *Process {
	t.Helper()
	p, err := Listen(Options{Patience: within})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	return p
}

// A peer is a connection of the test's to a process.
type peer struct {
	*net.TCPConn
	in *bufio.Reader
	t  *testing.T
}

func dial(t *testing.T, p *Process) *peer {
	t.Helper()
	c, err := net.Dial("tcp", p.Address())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	_ = c.SetDeadline(time.Now().Add(within))
	return &peer{c.(*net.TCPConn), bufio.NewReader(c), t}
}

// sends sends each line as a command.
func (p *peer) sends(lines ...string) {
	p.t.Helper()
	var raw strings.Builder
	for _, line := range lines {
		words, refusal := redis.Split(line)
		if refusal != nil {
			p.t.Fatal(refusal)
		}
		raw.WriteString(redis.Encode(words))
	}
	p.raw(raw.String())
}

func (p *peer) raw(text string) {
	p.t.Helper()
	if _, err := io.WriteString(p, text); err != nil {
		p.t.Fatal(err)
	}
}

// reads holds the next reply to what is expected, without the ends of its lines: "+OK", "$3 abc", "*2 :1 :2".
func (p *peer) reads(want string) {
	p.t.Helper()
	got, err := p.value()
	if err != nil {
		p.t.Fatalf("reading %s: %v", want, err)
	}
	if got != want {
		p.t.Fatalf("read %s\nwant %s", got, want)
	}
}

func (p *peer) value() (string, error) {
	line, err := p.in.ReadString('\n')
	if err != nil {
		return line, err
	}
	line = strings.TrimSuffix(line, "\r\n")
	var n int
	if _, err := fmt.Sscanf(line[1:], "%d", &n); err != nil {
		n = 0
	}
	switch line[0] {
	case '$':
		if n >= 0 {
			body := make([]byte, n+2)
			_, err = io.ReadFull(p.in, body)
			line += " " + string(body[:n])
		}
	case '%':
		n *= 2
		fallthrough
	case '*':
		for range n {
			item, err := p.value()
			if err != nil {
				return line, err
			}
			line += " " + item
		}
	}
	return line, err
}

// ends holds the connection to being closed by the other side.
func (p *peer) ends() {
	p.t.Helper()
	if rest, err := io.ReadAll(p.in); len(rest) > 0 || err != nil && !strings.Contains(err.Error(), "reset") {
		p.t.Fatalf("the connection is open: %q, %v", rest, err)
	}
}

// comes holds the next command at the door to what is expected.
func comes(t *testing.T, p *Process, want string) {
	t.Helper()
	a := p.Next()
	if a.Command == nil {
		t.Fatalf("at the door is %s\nwant %s", outcome(a.Fault, a.Ended, a.Code), want)
	}
	if got := redis.Quote(a.Command); got != want {
		t.Fatalf("at the door is %s\nwant %s", got, want)
	}
}

// fails holds what the process does next to a fault.
func fails(t *testing.T, p *Process, want *fault) {
	t.Helper()
	a := p.Next()
	if a.Fault == nil || *a.Fault != want.Text {
		t.Fatalf("the process %s %q\nwant %s", outcome(a.Fault, a.Ended, a.Code), a.Command, want)
	}
	if a.Fault.English == a.Fault.Chinese || a.Fault.Chinese == "" {
		t.Errorf("no Chinese: %v", a.Fault)
	}
}

func outcome(f *lang.Text, ended bool, code int) string {
	switch {
	case f != nil:
		return "fails: " + f.English
	case ended:
		return fmt.Sprint("ended with ", code)
	}
	return "sends"
}
