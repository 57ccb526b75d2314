package record

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"time"

	"lockstep/engine/lang"
	"lockstep/web/recovery"
)

// MaxConns is how many connections a proxy has at once.
const MaxConns = 256

// dialTime bounds how long a proxy waits for Redis to accept a connection.
const dialTime = 10 * time.Second

// A proxy passes connections on to a Redis, and records them.
type proxy struct {
	to   string
	tape *tape
	say  func(lang.Text)

	lock  sync.Mutex
	open  map[net.Conn]bool // both ends of each connection
	count int               // connections so far
	ended bool

	tooMany sync.Once
	wait    sync.WaitGroup
}

// serve passes connections on until the context ends.
func (p *proxy) serve(ctx context.Context, listener net.Listener) error {
	stop := context.AfterFunc(ctx, func() { listener.Close() })
	defer stop()
	slots := make(chan struct{}, MaxConns)
	for {
		client, err := listener.Accept()
		if err != nil {
			p.closeAll()
			p.wait.Wait()
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
		select {
		case slots <- struct{}{}:
		default:
			client.Close()
			p.tooMany.Do(func() {
				p.say(lang.Format("More than %d connections at once: the proxy closes further ones.", "同时超过 %d 个连接：代理会关闭多出的连接。", MaxConns))
			})
			continue
		}
		p.wait.Add(1)
		go recovery.Func(func() {
			defer p.wait.Done()
			defer func() { <-slots }()
			p.pass(client)
		}, p.mistaken)()
	}
}

// lookTime bounds how long a proxy looks at its start whether Redis accepts a connection.
const lookTime = 2 * time.Second

// reaches tries whether Redis accepts a connection.
func (p *proxy) reaches(ctx context.Context) error {
	server, err := (&net.Dialer{Timeout: lookTime}).DialContext(ctx, "tcp", p.to)
	if err != nil {
		return err
	}
	return server.Close()
}

// mistaken tells the user of a bug. Its connection is closed.
func (p *proxy) mistaken(mistake any) {
	p.say(lang.Format("Lockstep has a bug: %v. Please report it. One connection is closed.", "Lockstep 出现了缺陷：%v。请报告。一个连接已关闭。", mistake))
}

// pass connects a client to Redis, and copies bytes until both sides are done.
func (p *proxy) pass(client net.Conn) {
	defer client.Close()
	server, err := net.DialTimeout("tcp", p.to, dialTime)
	if err != nil {
		p.say(lang.Format("Redis at %s does not answer: %v.", "%s 上的 Redis 没有应答：%v。", p.to, err))
		return
	}
	defer server.Close()
	number, ok := p.enlist(client, server)
	if !ok {
		return
	}
	defer p.forget(client, server)
	t := p.tape
	c := newConn(number, t)
	c.event("open", "")
	t.write(c.told)
	c.told = nil
	done := make(chan struct{})
	go recovery.Func(func() {
		defer close(done)
		copyBytes(client, server, t.now, nil, c.replies)
	}, func(mistake any) {
		p.mistaken(mistake)
		client.Close()
		server.Close()
	})()
	copyBytes(server, client, t.now, c.commands, nil)
	<-done
	c.close()
}

// enlist adds a connection. It reports false when the proxy has ended.
func (p *proxy) enlist(ends ...net.Conn) (number int, ok bool) {
	p.lock.Lock()
	defer p.lock.Unlock()
	if p.ended {
		return 0, false
	}
	for _, end := range ends {
		p.open[end] = true
	}
	p.count++
	return p.count, true
}

func (p *proxy) forget(ends ...net.Conn) {
	p.lock.Lock()
	defer p.lock.Unlock()
	for _, end := range ends {
		delete(p.open, end)
	}
}

func (p *proxy) closeAll() {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.ended = true
	for end := range p.open {
		end.Close()
	}
}

// conns returns how many connections there were.
func (p *proxy) conns() int {
	p.lock.Lock()
	defer p.lock.Unlock()
	return p.count
}

// copyBytes copies from one end to the other until one of them ends. It shows the bytes to before, and after they went
// on to after, with the time at which they came.
func copyBytes(to, from net.Conn, now func() int64, before, after func(p []byte, at int64)) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		at := now()
		if n > 0 {
			if before != nil {
				before(buffer[:n], at)
			}
			_, wrong := to.Write(buffer[:n])
			if after != nil {
				after(buffer[:n], at)
			}
			if wrong != nil {
				from.Close()
				to.Close()
				return
			}
		}
		if err != nil {
			half, ok := to.(interface{ CloseWrite() error })
			if !errors.Is(err, io.EOF) || !ok || half.CloseWrite() != nil {
				from.Close()
				to.Close()
			}
			return
		}
	}
}
