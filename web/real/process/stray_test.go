package process

import (
	"strings"
	"testing"
)

// A program that somebody starts by hand has a port from the beginning. Whoever knocks there before it does, or beside it, is
// not the program: it costs neither the lane nor a verdict.
func TestWhoIsNotTheProgram(t *testing.T) {
	for name, knocks := range map[string]func(t *testing.T, p *Process){
		"a STUN packet": func(t *testing.T, p *Process) { stray(t, p, "\x00\x01\x00\x00\x21\x12\xa4\x42abcdefghijkl") },
		"SMTP":          func(t *testing.T, p *Process) { stray(t, p, "EHLO x.example\r\n", "MAIL FROM:<a@b>\r\nDATA\r\n") },
		"FTP":           func(t *testing.T, p *Process) { stray(t, p, "USER anonymous\r\n", "\"USER\r\n") },
		"IRC, rsync, VNC": func(t *testing.T, p *Process) {
			stray(t, p, "NICK x\r\nUSER x 0 * :x\r\n", "@RSYNCD: 31.0\n", "RFB 003.008\n")
		},
		"NULs": func(t *testing.T, p *Process) { stray(t, p, strings.Repeat("\x00", 100_000)) },
		"SSH":  func(t *testing.T, p *Process) { stray(t, p, "SSH-2.0-OpenSSH_9.2\r\n") },
		"SMB":  func(t *testing.T, p *Process) { stray(t, p, "\xffSMB") },
		"JSON": func(t *testing.T, p *Process) { stray(t, p, "{\"json\": 1}\r\n") },
		"a length that nobody sends": func(t *testing.T, p *Process) {
			stray(t, p, "*99999999999999999999\r\n", "*2\r\n$99999999999999999999\r\n", "*1\r\n$-1\r\n", "*-1\r\n:1\r\n", "*1\r\n$1\r\nabc\r\n")
		},
		"a line without an end": func(t *testing.T, p *Process) { stray(t, p, "x "+strings.Repeat("y", maxBulk+8<<10)) },
		"TLS and HTTP":          func(t *testing.T, p *Process) { stray(t, p, "\x16\x03\x01\x02\x00\x01", "GET / HTTP/1.1\r\n\r\n") },
		"connections that say nothing": func(t *testing.T, p *Process) {
			for range 3 * maxConnections {
				dial(t, p)
			}
		},
		"connections that say half a command": func(t *testing.T, p *Process) {
			for range 3 * maxConnections {
				dial(t, p).raw("*2\r\n$3\r\nGET\r\n$1")
			}
		},
		"a monitor that looks whether it answers": func(t *testing.T, p *Process) {
			for range 3 * maxAside / 100 {
				stray(t, p, strings.Repeat("PING\r\n", 100)+"QUIT\r\n")
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := Listen(Options{})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(p.Kill)
			knocks(t, p)
			c := dial(t, p)
			c.sends("GET k")
			comes(t, p, "GET k")
			if name == "a monitor that looks whether it answers" {
				return // now each command is the program's
			}
			knocks(t, p)
			p.Answer(":1\r\n")
			c.reads(":1")
			c.sends("GET l")
			comes(t, p, "GET l")
		})
	}
	// What the program itself says counts as before.
	p, err := Listen(Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	c := dial(t, p)
	c.raw("PING\r\n\x00\x01\r\n")
	fails(t, p, speaksGarbage([]byte("\x00\x01\r\n")))
}

// stray sends each text on a connection of its own, and waits until the process has closed it.
func stray(t *testing.T, p *Process, texts ...string) {
	t.Helper()
	for _, text := range texts {
		c := dial(t, p)
		go func() { _, _ = c.Write([]byte(text)) }()
		_, _ = c.in.WriteTo(nowhere{})
	}
}

type nowhere struct{}

func (nowhere) Write(p []byte) (int, error) { return len(p), nil }
