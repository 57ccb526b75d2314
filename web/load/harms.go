package main

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"
)

// A harm is one kind of attack: what each of several visitors does again and again.
type harm struct {
	name, what string
	visitors   int
	texts      []string // of the runs that it needs
	do         func(s *stranger, v *visitor, i, turn int) error
}

// The scenarios that strangers send. Each is the worst of its kind that just fits into the bounds of a run.
var (
	longest  = strings.Repeat("do A1 GET lock.foo\n", 1249)
	widest   = strings.Repeat(`do A1 MSET k "`+strings.Repeat("<", 500)+"\"\n", 103)
	comments = strings.Repeat("# "+strings.Repeat("x", 253)+"\n", 1000)      // 256 KB that do nothing
	notes    = strings.Repeat(`note "`+strings.Repeat("x", 56)+"\"\n", 3990) // 256 KB that do
	full     = []string{longest, longest, widest, widest}

	// tireless uses its whole step budget, and all the work that a run may do.
	tireless = `define tireless
| def acquire(c):
|     x = 0
|     for i in range(12):
|         for j in range(16):
|             x = x + c.now()
|     c.setnx("k", 1)
|     return None
| def release(c, lease):
|     pass
spawn C1 C2 C3 C4 C5 C6 C7 C8 C9 C10 C11 C12 C13 C14 C15 C16 tireless
` + strings.Repeat("tick 1s\nstep C1\nstep C2\n", 13)
)

// Of the explorer: a question without end, and a program that reaches a new state of the world with each step.
const (
	question = "program=getset&own=1&property=mutual-exclusion&clients=5&ticks=30&timeout=30&crashes=3&delays=any&replies=1"
	counting = `def acquire(c):
    x = 0
    for i in range(16):
        x = x + c.incr("n")
        c.set("k", c.token())
    return None
def release(c, lease):
    pass
`
)

// The kinds of harm, in the order of the table.
var harms = []harm{
	{"posts", "texts of 256 KB", 64, nil, func(s *stranger, v *visitor, i, turn int) error {
		return s.posts(v, "/runs", "scenario", []string{comments, notes, longest}[turn%3])
	}},
	{"programs", "much work in little text", 64, nil, func(s *stranger, v *visitor, i, turn int) error {
		return s.posts(v, "/runs", "scenario", tireless)
	}},
	{"looks", "far steps of full runs", 300, full, func(s *stranger, v *visitor, i, turn int) error {
		return s.talks(v, s.runs[i%len(s.runs)], true, func(turn, at int) string {
			return fmt.Sprintf(`{"type":"look","id":"x","at":%d}`, max(0, at-1-(turn*7+i)%(at/10+1)))
		})
	}},
	{"searches", "the longest questions", 24, nil, func(s *stranger, v *visitor, i, turn int) error {
		kind := []string{"search", "luck"}[turn%2]
		return s.talks(v, "/explore", false, func(turn, _ int) string {
			if turn > 0 {
				return "" // it waits for the answer
			}
			return fmt.Sprintf(`{"type":%q,"query":%q,"source":%q}`, kind, question, counting)
		})
	}},
	{"sockets", "1,900 watch the class", 1900, nil, func(s *stranger, v *visitor, i, turn int) error {
		return s.talks(v, s.Run, false, func(int, int) string { return "" })
	}},
	{"flood", "messages without a pause", 4, []string{"tick 1s\n"}, func(s *stranger, v *visitor, i, turn int) error {
		return s.talks(v, s.runs[0], false, func(int, int) string { return `{"type":"look","id":"x","at":0}` })
	}},
	{"half", "5,000 half requests", 5000, nil, func(s *stranger, v *visitor, i, turn int) error {
		return s.holds(v, []byte("GET / HTTP/1.1\r\nHost: "))
	}},
	{"bodies", "large forms without end", 990, nil, func(s *stranger, v *visitor, i, turn int) error {
		head := fmt.Sprintf("POST /runs HTTP/1.1\r\nHost: lockstep\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\nscenario=", formType, 1<<20)
		return s.holds(v, append([]byte(head), bytes.Repeat([]byte("x"), 900<<10)...))
	}},
	{"unread", "answers that nobody reads", 600, full, func(s *stranger, v *visitor, i, turn int) error {
		return s.holds(v, bytes.Repeat(fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: lockstep\r\n\r\n", s.runs[i%len(s.runs)]), 100))
	}},
	{"rooms", "rooms with busy presenters", 50, nil, func(s *stranger, v *visitor, i, turn int) error {
		room, _, err := v.opens()
		s.count(err)
		for press := 0; press < 100 && err == nil; press++ {
			err = s.posts(v, room+"/do", "verb", "black", "on", []string{"on", ""}[press%2])
		}
		return err
	}},
	{"seats", "seats and names in the room", 100, nil, func(s *stranger, _ *visitor, i, turn int) error {
		v := s.newVisitor(i) // a new face
		defer v.leaves()
		err := s.posts(v, s.Room+"/seats")
		for name := 0; name < 20 && err == nil; name++ {
			err = s.posts(v, s.Room+"/do", "verb", "name", "text", fmt.Sprint(name))
		}
		return err
	}},
	{"pictures", "pictures and previews", 64, full, func(s *stranger, v *visitor, i, turn int) error {
		if i%2 == 0 {
			return s.posts(v, "/p", "scenario", widest)
		}
		_, _, err := v.get(s.runs[turn%len(s.runs)] + "/card.png")
		s.count(err)
		return err
	}},
}

func harmNames() []string {
	var all []string
	for _, h := range harms {
		all = append(all, h.name)
	}
	return all
}

func (s *stranger) posts(v *visitor, path string, fields ...string) error {
	_, err := v.post(path, fields...)
	s.count(err)
	return err
}

// path returns the path of a redirection.
func path(to string) string {
	path, _, _ := strings.Cut(to, "?")
	return path
}

// talks opens a socket and sends one message after another until the server ends it: each without a pause, or when the
// one before is answered. After an empty message it only reads.
func (s *stranger) talks(v *visitor, run string, waits bool, says func(turn, at int) string) error {
	socket, err := v.watches(run, "page")
	s.count(err)
	if err != nil {
		return err
	}
	defer socket.close()
	heard := make(chan int) // how many actions the run has; closed: the socket has ended
	go func() {
		defer close(heard)
		at := 0
		for {
			message, err := socket.next()
			if err != nil {
				return
			}
			if at = max(at, length(message)); waits && (is(message, "hello") || bytes.Contains(message[:min(len(message), 60)], []byte(`"id":"x"`))) {
				heard <- at
			}
		}
	}()
	at := 0
	for turn := 0; err == nil; turn++ {
		if waits {
			at = <-heard
		}
		message := says(turn, at)
		if message == "" {
			break
		}
		err = socket.say(message)
		s.count(err)
	}
	if err != nil {
		socket.close()
	}
	for range heard {
	}
	return errors.New("the server has ended the socket")
}

// holds opens a connection, sends something, reads nothing, and returns when the server has closed it. It finds out by
// sending a little more now and then.
func (s *stranger) holds(v *visitor, send []byte) error {
	c, err := v.dialer.Dial("tcp", strings.TrimPrefix(s.Site, "http://"))
	if err != nil {
		s.count(err)
		return err
	}
	defer c.Close()
	_, err = c.Write(send)
	s.count(err)
	for err == nil {
		time.Sleep(time.Second)
		_ = c.SetWriteDeadline(time.Now().Add(time.Second))
		_, err = c.Write([]byte("x"))
	}
	return err
}
