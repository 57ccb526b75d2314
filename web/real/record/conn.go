package record

import (
	"bytes"
	"strings"
	"sync"

	"lockstep/engine/monitor"
	"lockstep/engine/redis"
)

// Bounds on a connection, and on all of them.
const (
	maxCommand = 8 << 10  // bytes of a command in RESP that are kept
	maxReply   = 2 << 10  // bytes of a reply that are kept
	maxWaiting = 16 << 10 // commands that wait for a reply
	maxHeld    = 1 << 20  // bytes of them; of further ones only the name is kept
	maxAllHeld = 64 << 20 // bytes of those of all connections: a Redis that hangs has many waiting

	waitingSize = 160 // bytes of a command that waits, besides its words
)

// A conn reads along on one connection.
type conn struct {
	number int
	tape   *tape

	lock       sync.Mutex
	deaf       bool // it reads along no more
	unmatched  bool // replies are no longer matched with commands
	stray      bool // a reply without a command has been told
	db         int
	waiting    []waiting
	held       int
	told       []entry // not written yet
	fromClient scanner
	fromServer scanner
}

// A waiting command has no reply yet.
type waiting struct {
	command []string
	cut     bool
	size    int
	sent    int64
}

func newConn(number int, t *tape) *conn {
	return &conn{number: number, tape: t, fromClient: scanner{most: maxCommand, inline: true}, fromServer: scanner{most: maxReply}}
}

// commands reads what the client sends.
func (c *conn) commands(p []byte, at int64) {
	c.read(p, at, &c.fromClient, c.command, "the client does not send commands in RESP")
}

// replies reads what Redis sends.
func (c *conn) replies(p []byte, at int64) {
	c.read(p, at, &c.fromServer, c.reply, "Redis does not answer in RESP")
}

// read reads along in one direction. It writes to the file without the connection's lock. One connection does so at a time: what
// it has read and not written yet takes a hundred times the bytes that came.
func (c *conn) read(p []byte, at int64, s *scanner, value func(value []byte, over bool, now int64) error, wrong string) {
	c.tape.turn.Lock()
	defer c.tape.turn.Unlock()
	c.tape.write(c.scan(p, at, s, value, wrong))
}

func (c *conn) scan(p []byte, at int64, s *scanner, value func(value []byte, over bool, now int64) error, wrong string) (told []entry) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.deaf || c.unmatched && s == &c.fromServer {
		return nil
	}
	defer func() {
		if recover() != nil { // the traffic goes on
			c.end("Lockstep has a bug")
		}
		told, c.told = c.told, nil
	}()
	err := s.feed(p, func(v []byte, over bool) error {
		if c.deaf {
			return nil
		}
		return value(v, over, at)
	})
	if err != nil {
		c.end(wrong)
	}
	return nil
}

// event tells what happened to the connection.
func (c *conn) event(event, why string) {
	c.told = append(c.told, entry{Record: monitor.Record{Conn: c.number, Event: event, At: c.tape.now(), Sentence: why}})
}

// end stops reading along.
func (c *conn) end(why string) {
	c.flush()
	c.deaf = true
	c.event("unparsed", why+"; the proxy goes on copying bytes")
}

// unmatch stops matching replies. Commands are still recorded, without their replies.
func (c *conn) unmatch(why string) {
	c.flush()
	c.unmatched = true
	c.event("unmatched", why+"; replies are no longer recorded on this connection")
}

// flush writes the commands that wait, without replies.
func (c *conn) flush() {
	for _, w := range c.waiting {
		c.write(w, "", 0, true)
	}
	c.drop()
}

// drop forgets the commands that wait.
func (c *conn) drop() {
	c.waiting = nil
	c.hold(-c.held)
}

// hold counts bytes of commands that wait.
func (c *conn) hold(size int) {
	c.held += size
	c.tape.held.Add(int64(size))
}

// close ends the connection.
func (c *conn) close() {
	c.lock.Lock()
	if !c.deaf {
		c.flush()
	}
	c.event("close", "")
	told := c.told
	c.told = nil
	c.lock.Unlock()
	c.tape.write(told)
}

// command reads a command that is complete.
func (c *conn) command(value []byte, over bool, now int64) error {
	var command []string
	if len(value) > 0 && value[0] == '*' {
		head, _, _ := bytes.Cut(value[1:], []byte("\r\n"))
		if command = words(value); !over && len(command) != number(string(head)) {
			return errProtocol // Redis refuses it
		}
	} else if line := bytes.TrimSpace(value); len(line) > 0 {
		command, _ = redis.Split(string(line))
	}
	if len(command) == 0 || command[0] == "" {
		if over {
			return errProtocol
		}
		return nil // Redis takes it for nothing
	}
	w := waiting{command: command, cut: over, sent: now, size: waitingSize}
	for _, word := range command {
		w.size += len(word) + 16
	}
	name := strings.ToUpper(command[0])
	if w.cut || c.held+w.size > maxHeld || c.tape.held.Load()+int64(w.size) > maxAllHeld/2 {
		w.command, w.cut, w.size = []string{clip(name)}, true, waitingSize
	}
	switch {
	case c.tape.ended.Load():
		c.deaf = true
		c.drop()
		return nil
	case c.unmatched:
		c.write(w, "", 0, true)
		return nil
	}
	c.waiting = append(c.waiting, w)
	c.hold(w.size)
	switch {
	case name == "SYNC" || name == "PSYNC":
		c.end("it replicates (" + name + ")")
	case name == "CLIENT" && len(command) > 2 && strings.EqualFold(command[1], "REPLY") && !strings.EqualFold(command[2], "ON"):
		c.unmatch("CLIENT REPLY turns replies off")
	case len(c.waiting) > maxWaiting || c.tape.held.Load() > maxAllHeld:
		c.unmatch("too many commands wait for replies")
	}
	return nil
}

// clip bounds the name of a command.
func clip(name string) string {
	if len(name) > 40 {
		return "(unknown)"
	}
	return name
}

// reply reads a reply that is complete.
func (c *conn) reply(value []byte, over bool, now int64) error {
	subscribed := subscription(value)
	if value[0] == '>' {
		if subscribed == "" || len(c.waiting) == 0 || !strings.EqualFold(c.waiting[0].command[0], subscribed) {
			return nil // a push: it answers no command
		}
		c.write(c.next(), "", now, true) // in RESP3 a push answers SUBSCRIBE
		return nil
	}
	if len(c.waiting) == 0 {
		if !c.stray {
			c.stray = true
			c.event("unmatched", "Redis has answered without a command")
		}
		return nil
	}
	w := c.next()
	name := strings.ToUpper(w.command[0])
	c.write(w, redis.Reply(value), now, over)
	switch failed := value[0] == '-'; {
	case subscribed != "" && strings.EqualFold(name, subscribed):
		c.unmatch("it subscribes (" + name + ")")
	case name == "MONITOR" && !failed:
		c.unmatch("it asks for MONITOR")
	case name == "SELECT" && !failed && len(w.command) == 2:
		c.db = number(w.command[1])
	case name == "RESET" && !failed:
		c.db = 0
	}
	return nil
}

// next takes the command that is answered.
func (c *conn) next() waiting {
	w := c.waiting[0]
	c.waiting[0] = waiting{}
	c.waiting = c.waiting[1:]
	c.hold(-w.size)
	return w
}

// write writes a command; replied is 0 where there is no reply, and cut says that the reply is not written.
func (c *conn) write(w waiting, reply redis.Reply, replied int64, cut bool) {
	if cut {
		reply = ""
	}
	c.told = append(c.told, entry{monitor.Record{Conn: c.number, DB: c.db, Sent: w.sent, Replied: replied, Cut: w.cut, ReplyCut: cut && replied > 0}, w.command, reply})
}

// subscription returns the name in a reply that confirms a subscription.
func subscription(value []byte) string {
	if value[0] != '*' && value[0] != '>' {
		return ""
	}
	all := words(value)
	if len(all) == 0 || !strings.HasSuffix(all[0], "subscribe") {
		return ""
	}
	return all[0]
}

// number returns a small number; 0: it is none.
func number(text string) int {
	n := 0
	for _, c := range []byte(text) {
		if c < '0' || c > '9' || n > 1<<20 {
			return 0
		}
		n = 10*n + int(c-'0')
	}
	return n
}
