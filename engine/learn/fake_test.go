package learn

import (
	"strconv"
	"sync/atomic"

	"lockstep/engine/redis"
)

// A fake is a process of these tests: a Go function that sends commands. It ends when the function returns.
type fake struct {
	commands chan []string
	replies  chan redis.Reply
	killed   chan struct{}
	ended    chan struct{}
	at       *Arrival
	code     int
}

// A client is what a fake's function sends commands with. Do returns the empty reply where the connection was cut.
type client struct {
	*fake
	name  string
	token string // another in every process
}

type killed struct{}

func (c *client) Do(words ...string) redis.Reply {
	select {
	case c.commands <- words:
	case <-c.killed:
		panic(killed{})
	}
	select {
	case r := <-c.replies:
		return r
	case <-c.killed:
		panic(killed{})
	}
}

var started atomic.Int64

// launch returns the launcher of a function. It returns the exit code.
func launch(main func(c *client) int) Launcher {
	return func(name string, _, _ int64) (Process, error) {
		f := &fake{commands: make(chan []string), replies: make(chan redis.Reply), killed: make(chan struct{}), ended: make(chan struct{})}
		c := &client{f, name, "token-" + strconv.FormatInt(7919*started.Add(1), 16)}
		go func() {
			defer close(f.ended)
			defer func() {
				if r := recover(); r != nil && r != (killed{}) {
					panic(r)
				}
			}()
			f.code = main(c)
		}()
		return f, nil
	}
}

func (f *fake) Next() Arrival {
	if f.at == nil {
		select {
		case words := <-f.commands:
			f.at = &Arrival{Command: words}
		case <-f.ended:
			f.at = &Arrival{Ended: true, Code: f.code}
		}
	}
	return *f.at
}

func (f *fake) Answer(r redis.Reply) { f.at = nil; f.replies <- r }
func (f *fake) Cut()                 { f.at = nil; f.replies <- "" }
func (f *fake) Stale() bool          { return false }

func (f *fake) Kill() {
	select {
	case <-f.killed:
	default:
		close(f.killed)
	}
	<-f.ended
}

// The programs of these tests.

// setPxDel takes the lock with a lease and gives it back without looking.
func setPxDel(c *client) int {
	for c.Do("SET", "lock.foo", c.token, "NX", "PX", "10000") != "+OK\r\n" {
	}
	c.Do("DEL", "lock.foo")
	return 0
}

// compares does the same and deletes only its own value.
func compares(c *client) int {
	for c.Do("set", "lock.foo", c.token, "NX", "PX", "10000") != "+OK\r\n" {
	}
	lua, _, _, _ := redis.Script("compare-and-delete")
	if c.Do("EVAL", lua, "1", "lock.foo", c.token) != ":1\r\n" {
		return 1
	}
	return 0
}

// resends sends its SETNX again when the reply is lost, as go-redis does.
func resends(c *client) int {
	for {
		r := c.Do("SETNX", "lock.foo", "1")
		if r == "" {
			r = c.Do("SETNX", "lock.foo", "1")
		}
		if r == ":1\r\n" {
			break
		}
	}
	c.Do("DEL", "lock.foo")
	return 0
}
