package process

import (
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"lockstep/engine/testtools"
)

// Each bound is reached, and passed by one.
func TestBounds(t *testing.T) {
	many := func(n int, text string) string { return strings.Repeat(text, n) }
	words := func(n int) string { return fmt.Sprintf("*%d\r\n", n) + many(n, "$1\r\nx\r\n") }
	bulk := func(n int) string { return fmt.Sprintf("*2\r\n$1\r\nx\r\n$%d\r\n%s\r\n", n, many(n, "y")) }
	big := fmt.Sprintf("$%d\r\n%s\r\n", maxBulk, many(maxBulk, "y"))
	transaction := func(n int) string { return "MULTI\r\n" + many(n, "GET k\r\n") + "EXEC\r\n" }
	load := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "SCRIPT LOAD 'return %d'\r\n", i)
		}
		return b.String() + "GET k\r\n"
	}
	loadBig := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "*3\r\n$6\r\nSCRIPT\r\n$4\r\nLOAD\r\n$%d\r\n--%d%s\r\n", maxBulk, i, many(maxBulk-3, "y"))
		}
		return b.String() + "GET k\r\n"
	}
	for _, row := range []struct {
		name     string
		at, over string
		fault    *fault
	}{
		{"words", words(maxArguments), words(maxArguments + 1), tooManyArguments()},
		{"words of a line", many(maxArguments, "x ") + "\r\n", many(maxArguments+1, "x ") + "\r\n", tooManyArguments()},
		{"words that nobody sends", "*1\r\n$1\r\nx\r\n", "*99999999999999999999\r\n", tooManyArguments()},
		{"argument", bulk(maxBulk), bulk(maxBulk + 1), tooLongArgument()},
		{"argument that nobody sends", bulk(1), "*1\r\n$99999999999999999999\r\n", tooLongArgument()},
		{"line", "x " + many(maxBulk-2, "y") + "\r\n", "x " + many(maxBulk+8<<10, "y"), tooLongArgument()},
		{"request", "*4\r\n" + many(4, big), "*5\r\n" + many(4, big) + "$1\r\nx\r\n", tooLongRequest()},
		{"transaction", transaction(maxPipelined), transaction(maxPipelined + 1), tooLongTransaction()},
		{"transaction's bytes", "MULTI\r\n*4\r\n" + many(3, big) + "$1\r\nx\r\nEXEC\r\n", "MULTI\r\n" + many(2, "*3\r\n"+many(3, big)), tooLongTransaction()},
		{"pipeline", "GET k\r\n" + many(maxPipelined, "GET k\r\n"), "GET k\r\n" + many(maxPipelined+1, "GET k\r\n"), tooManyPipelined()},
		{"pipeline's bytes", "GET k\r\n" + many(3, "*4\r\n"+many(4, big)), "GET k\r\n" + many(5, "*4\r\n"+many(4, big)), tooManyPipelined()},
		{"scripts", load(maxScripts), load(maxScripts + 1), tooManyScripts()},
		{"scripts' bytes", loadBig(4), loadBig(5), tooManyScripts()},
		// The connection is the first of those that are counted.
		{"what touches no key", many(maxAside-1, "PING\r\n") + "GET k\r\n", many(maxAside, "PING\r\n"), tooMuchAside()},
	} {
		t.Run(row.name, func(t *testing.T) {
			p := listening(t)
			c := dial(t, p)
			go func() { _, _ = c.Write([]byte(row.at)) }()
			if a := p.Next(); a.Command == nil {
				t.Fatalf("at the bound: %s", outcome(a.Fault, a.Ended, a.Code))
			}
			p = listening(t)
			over := dial(t, p)
			// The process may close the connection while the rest is on its way.
			go func() { _, _ = over.Write([]byte(row.over)) }()
			fails(t, untilFault(p), row.fault)
		})
	}
}

func TestConnectionsHaveABound(t *testing.T) {
	p := listening(t)
	var open []*peer
	for range maxConnections {
		c := dial(t, p)
		c.sends("PING")
		c.reads("+PONG")
		open = append(open, c)
	}
	open[0].Close() // this makes room for one
	open[0] = dial(t, p)
	open[0].sends("GET k")
	comes(t, p, "GET k")
	p.Answer(":1\r\n")
	dial(t, p)
	fails(t, p, tooManyConnections())
}

// A command at the door begins a new count of what touches no key.
func TestAsideIsCountedFromTheDoor(t *testing.T) {
	p := listening(t)
	c := dial(t, p)
	for range 3 {
		for range maxAside * 2 / 3 {
			c.sends("PING")
			c.reads("+PONG")
		}
		c.sends("GET k")
		comes(t, p, "GET k")
		p.Answer(":1\r\n")
		c.reads(":1")
	}
}

// Replies that nobody reads have a bound, and nobody waits for their reader.
func TestRepliesHaveABound(t *testing.T) {
	p := listening(t)
	c := dial(t, p)
	go func() {
		text := fmt.Sprintf("*2\r\n$4\r\nECHO\r\n$%d\r\n%s\r\n", maxBulk, strings.Repeat("x", maxBulk))
		for {
			if _, err := c.Write([]byte(text)); err != nil {
				return
			}
		}
	}()
	fails(t, p, readsNothing())
}

// A browser reaches loopback. It gets an answer of its own, and costs the program nothing.
func TestStrangers(t *testing.T) {
	for name, row := range map[string]struct {
		sent, answer string
		said         *fault
	}{
		"GET":  {"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: */*\r\n\r\n", "HTTP/1.1 400 Bad Request", speaksHTTP()},
		"POST": {"POST /x HTTP/1.1\r\nContent-Length: 20\r\n\r\nSET lock stolen\r\n\r\n", "HTTP/1.1 400 Bad Request", speaksHTTP()},
		"Host": {"host: 127.0.0.1\r\n\r\n", "HTTP/1.1 400 Bad Request", speaksHTTP()},
		"PUT":  {"PUT /x HTTP/1.1\r\n\r\n", "HTTP/1.1 400 Bad Request", speaksHTTP()},
		"TLS":  {"\x16\x03\x01\x02\x00\x01", "", speaksTLS()},
	} {
		t.Run(name, func(t *testing.T) {
			p := listening(t)
			browser := dial(t, p)
			browser.raw(row.sent)
			answer, _ := browser.in.ReadString('\r')
			if strings.TrimSpace(answer) != row.answer {
				t.Errorf("the answer is %q", answer)
			}
			_ = browser.CloseWrite()
			c := dial(t, p)
			c.sends("GET k")
			comes(t, p, "GET k")
			// A program that does only this is told what it does.
			p, err := Listen(Options{Patience: time.Second})
			if err != nil {
				t.Fatal(err)
			}
			alone := dial(t, p)
			alone.raw(row.sent)
			_, _ = alone.in.ReadString('\r')
			p.losePatience()
			fails(t, p, row.said)
		})
	}
}

func TestGarbage(t *testing.T) {
	for _, row := range []struct{ sent, shown string }{
		{"\x00\x01\x02", `"\x00\x01\x02"`},
		{"\xffSMB", `"\xffSMB"`},
		{"SSH-2.0-OpenSSH_9.2\r\n", `"SSH-2.0-OpenSSH_9.2"`},
		{"*x\r\n", `"*x"`},
		{"*1\r\n:1\r\n", `":1"`},
		{"*1\r\n$-1\r\n", `"$-1"`},
		{"*1\r\n$1\r\nabc\r\n", `"bc"`},
		{"GET \"k\r\n", `"GET \"k"`},
		{"{\"json\": 1}\r\n", `"{\"json\": 1}"`},
	} {
		p := listening(t)
		c := dial(t, p)
		c.raw(row.sent)
		fails(t, p, faulty("it does not speak the protocol of Redis: it has sent %s", "它使用的不是 Redis 协议：它发送了 %s", row.shown))
	}
}

func TestPatience(t *testing.T) {
	for name, row := range map[string]struct {
		sent string
		want func(p *Process) *fault
	}{
		"says nothing": {"PING\r\n", func(p *Process) *fault { return sendsNothing(p.patience) }},
		"half":         {"PING\r\n*2\r\n$3\r\nGET\r\n", func(p *Process) *fault { return sendsHalf(p.patience) }},
		"nobody":       {"", func(p *Process) *fault { return neverConnects(p.patience, p.Address()) }},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := Listen(Options{Patience: 50 * time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			if row.sent != "" {
				c := dial(t, p)
				c.raw(row.sent)
				c.reads("+PONG")
				if name == "half" && !testtools.Eventually(func() bool {
					p.mu.Lock()
					defer p.mu.Unlock()
					return slices.ContainsFunc(p.connections, func(c *connection) bool { return c.in.begun.Load() })
				}) {
					t.Fatal("half a command has not begun")
				}
			}
			fails(t, p, row.want(p))
		})
	}
}

// Nobody but this machine reaches a program's Redis, and nobody at all when it is killed.
func TestListensOnLoopback(t *testing.T) {
	p := listening(t)
	if ip := p.listener.Addr().(*net.TCPAddr).IP; !ip.Equal(net.IPv4(127, 0, 0, 1)) {
		t.Errorf("it listens on %s", ip)
	}
	p.Kill()
	if c, err := net.Dial("tcp", p.Address()); err == nil {
		c.Close()
		t.Error("it listens after Kill")
	}
}

// A mistake of ours ends the process and not Lockstep.
func TestSurvives(t *testing.T) {
	p := listening(t)
	p.trace = func(int64, []string, string) { panic("mistake") }
	c := dial(t, p)
	c.sends("PING")
	fails(t, p, mistaken("mistake"))
}
