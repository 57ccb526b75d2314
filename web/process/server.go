package process

import (
	"bufio"
	"bytes"
	"cmp"
	"io"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"lockstep/engine/redis"
	"lockstep/web/clock"
)

// A Server is a real redis-server on a clock that stands still. It executes commands for any number of nodes: each brings its
// keys and its time, and takes them away. Its methods are safe for concurrent use.
type Server struct {
	child *child
	dir   string
	ended chan struct{}

	mu   sync.Mutex // one node at a time
	conn net.Conn
	in   *bufio.Reader
	err  error
}

// serverPatience bounds what a command of a real server may take.
const serverPatience = time.Minute

// StartServer starts the redis-server at a path.
func StartServer(path string) (*Server, error) {
	dir, err := os.MkdirTemp("", "lockstep-redis-")
	if err != nil {
		return nil, err
	}
	s := &Server{dir: dir, ended: make(chan struct{})}
	socket := filepath.Join(dir, "socket")
	cmd := exec.Command(path, "--port", "0", "--unixsocket", socket, "--dir", dir, "--save", "", "--appendonly", "no", "--daemonize", "no")
	cmd.SysProcAttr = attributes()
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		s.Close()
		return nil, err
	}
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log
	c := &child{cmd: cmd}
	began := make(chan error)
	go func() {
		runtime.LockOSThread() // Linux ends a child with the thread that started it
		defer runtime.UnlockOSThread()
		defer close(s.ended)
		tree, err := clock.Start(cmd, clock.Options{Seed: "redis-server"})
		c.clock = tree
		began <- err
		if err != nil {
			return
		}
		tree.Wait()
		_ = cmd.Wait()
		tree.Close()
	}()
	if err := <-began; err != nil {
		s.Close()
		return nil, startError("cannot start %s: %v", "无法启动 %s：%v", path, err)
	}
	s.child = c
	for begun := time.Now(); s.conn == nil; time.Sleep(time.Millisecond) {
		conn, err := net.Dial("unix", socket)
		switch {
		case err == nil:
			s.conn, s.in = conn, bufio.NewReader(conn)
		case s.over() || time.Since(begun) > serverPatience:
			said := s.said()
			s.Close()
			return nil, startError("%s does not serve: %s", "%s 没有提供服务：%s", path, cmp.Or(said, err.Error()))
		}
	}
	if _, err := s.ask(0, []string{"PING"}); err != nil {
		s.Close()
		return nil, startError("%s does not answer: %v", "%s 没有应答：%v", path, err)
	}
	return s, nil
}

func (s *Server) over() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}

// said returns the last line of what the server has said.
func (s *Server) said() string {
	text, _ := os.ReadFile(filepath.Join(s.dir, "log"))
	text = bytes.TrimSpace(text[max(0, len(text)-maxSaid):])
	return string(bytes.ToValidUTF8(text[bytes.LastIndexByte(text, '\n')+1:], []byte("�")))
}

// Close ends the server.
func (s *Server) Close() {
	if s.conn != nil {
		s.conn.Close()
	}
	if s.child != nil {
		_ = s.child.cmd.Process.Kill()
		<-s.ended
	}
	os.RemoveAll(s.dir)
}

// Err returns why the server no longer answers; nil: it does.
func (s *Server) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// ask sends commands while the clock says now, and returns the reply to each. Callers but StartServer hold the lock.
func (s *Server) ask(now int64, commands ...[]string) ([]string, error) {
	var raw strings.Builder
	for _, command := range commands {
		raw.WriteString(redis.Encode(command))
	}
	s.child.clock.Move(0, time.Duration(now)*time.Millisecond)
	_ = s.conn.SetDeadline(time.Now().Add(serverPatience))
	if _, err := io.WriteString(s.conn, raw.String()); err != nil {
		return nil, err
	}
	replies := make([]string, len(commands))
	for i := range replies {
		reply, err := readReply(s.in)
		if err != nil {
			return nil, err
		}
		replies[i] = reply
	}
	return replies, nil
}

// New makes an empty node whose clock reads now.
func (s *Server) New(now int64) redis.Node {
	return &node{server: s, now: now, keys: map[string]redis.Content{}}
}

// A node is a Redis node whose commands a real server executes.
type node struct {
	server *Server
	now    int64
	keys   map[string]redis.Content
}

// Do executes a command. The server forgets everything, and gets the keys of the node first.
func (n *node) Do(command ...string) redis.Reply {
	s := n.server
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return redis.Reply(failure("ERR " + s.err.Error()))
	}
	script := [][]string{{"FLUSHALL"}}
	for _, key := range slices.Sorted(maps.Keys(n.keys)) {
		script = append(script, stores(key, n.keys[key])...)
	}
	if queued := redis.Queued(command); queued != nil {
		script = append(append(append(script, []string{"MULTI"}), queued...), []string{"EXEC"})
	} else {
		script = append(script, command)
	}
	at := len(script) - 1
	touched := redis.Keys(command)
	for _, key := range touched {
		script = append(script, []string{"TYPE", key}, []string{"GET", key}, []string{"HGETALL", key}, []string{"PTTL", key})
	}
	replies, err := s.ask(n.now, script...)
	if err != nil {
		s.err = startError("redis-server no longer answers: %v", "redis-server 不再应答：%v", err)
		return redis.Reply(failure("ERR " + s.err.Error()))
	}
	for i, key := range touched {
		n.holds(key, replies[at+1+4*i:])
	}
	return redis.Reply(replies[at])
}

// stores returns the commands that store a key.
func stores(key string, c redis.Content) [][]string {
	var all [][]string
	if c.Hash {
		words, _ := redis.Split(c.Value)
		all = append(all, append([]string{"HSET", key}, words...))
	} else {
		all = append(all, []string{"SET", key, c.Value})
	}
	if c.Expires > 0 {
		all = append(all, []string{"PEXPIREAT", key, strconv.FormatInt(c.Expires, 10)})
	}
	return all
}

// holds notes what the server says that a key holds: its type, its value as a string and as a hash, and how long it lives.
func (n *node) holds(key string, replies []string) {
	kind, _ := redis.Reply(replies[0]).Text()
	var c redis.Content
	switch kind {
	case "string":
		c.Value, _ = redis.Reply(replies[1]).Text()
	case "hash":
		items := redis.Reply(replies[2]).Items()
		fields := make([][2]string, len(items)/2)
		for i := range fields {
			fields[i][0], _ = items[2*i].Text()
			fields[i][1], _ = items[2*i+1].Text()
		}
		slices.SortFunc(fields, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
		var words []string
		for _, f := range fields {
			words = append(words, f[0], f[1])
		}
		c.Value, c.Hash = redis.Quote(words), true
	default:
		delete(n.keys, key)
		return
	}
	if left, ok := redis.Reply(replies[3]).Int(); ok && left >= 0 {
		c.Expires = min(n.now+left, redis.MaxExpires)
	}
	n.keys[key] = c
}

// Advance moves the node's clock forward.
func (n *node) Advance(ms int64) {
	n.now += ms
	maps.DeleteFunc(n.keys, func(_ string, c redis.Content) bool { return c.Expires > 0 && c.Expires <= n.now })
}

// Timed reports true: nobody knows what a script has asked a real server.
func (n *node) Timed() bool { return true }

// Get reads a key.
func (n *node) Get(key string) (redis.Content, bool) { c, ok := n.keys[key]; return c, ok }

// Has reports whether a key is there.
func (n *node) Has(key string) bool { _, ok := n.keys[key]; return ok }

// Put writes a key.
func (n *node) Put(key string, c redis.Content) { n.keys[key] = c }

// Close forgets the node.
func (n *node) Close() {}
