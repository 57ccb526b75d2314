package process

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
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

	"lockstep/engine/lang"
	"lockstep/engine/redis"
	"lockstep/web/real/clock"
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
	replies, err := s.ask(0, permitted()...)
	if err == nil && replies[len(replies)-1] != ok {
		err = errors.New(strings.TrimSpace(replies[len(replies)-1]))
	}
	if err != nil {
		s.Close()
		return nil, startError("%s does not answer: %v", "%s 没有应答：%v", path, err)
	}
	return s, nil
}

// permitted makes the connection a user's who may do what a program's script may call, and what Server needs itself. A server
// of an older Redis lacks some of the commands.
func permitted() [][]string {
	all := [][]string{{"ACL", "SETUSER", "program", "on", "nopass", "~*", "&*", "-@all", "+acl|log", "+auth", "+exec", "+eval", "+select|0"}}
	for _, name := range append(redis.Commands(), redis.Further()...) {
		all = append(all, []string{"ACL", "SETUSER", "program", "+" + strings.ToLower(name)})
	}
	return append(all, []string{"AUTH", "program", "any"})
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
	server  *Server
	now     int64
	keys    map[string]redis.Content
	touched []string       // see redis.Node
	unable  *redis.Refusal // see redis.Node
}

// Do executes a command. The server forgets everything, and gets the keys of the node first. Nobody knows what a script touches:
// afterwards the server says what it holds.
func (n *node) Do(command ...string) redis.Reply {
	s := n.server
	s.mu.Lock()
	defer s.mu.Unlock()
	n.unable, n.touched = nil, nil
	if s.err != nil {
		n.cannot(s.err)
		return ""
	}
	script := [][]string{{"ACL", "LOG", "RESET"}, {"FLUSHALL"}}
	for _, key := range slices.Sorted(maps.Keys(n.keys)) {
		script = append(script, stores(key, n.keys[key])...)
	}
	if queued := redis.Queued(command); queued != nil {
		script = append(append(append(script, []string{"MULTI"}), queued...), []string{"EXEC"})
	} else {
		script = append(script, command)
	}
	replies, err := s.ask(n.now, append(script, []string{"ACL", "LOG"}, []string{"EVAL", lookScript, "0"})...)
	if err != nil {
		s.err = startError("redis-server no longer answers: %v", "redis-server 不再应答：%v", err)
		n.cannot(s.err)
		return ""
	}
	n.denied(redis.Reply(replies[len(script)]))
	n.look(redis.Reply(replies[len(script)+1]))
	return redis.Reply(replies[len(script)-1])
}

// denied looks at what the server has let nobody do.
func (n *node) denied(log redis.Reply) {
	for _, entry := range log.Items() {
		fields := entry.Items()
		for i := 0; i+1 < len(fields); i += 2 {
			if name, _ := fields[i].Text(); name == "object" {
				object, _ := fields[i+1].Text()
				n.cannot(startError("its script calls %s, whose reply the keys and the time do not decide, or which changes more than keys", "它的脚本调用了 %s：这条命令的回复不由键和时间决定，或者它改变的不只是键", strconv.Quote(strings.ToUpper(object))))
			}
		}
	}
}

func (n *node) cannot(err error) {
	n.unable = &redis.Refusal{Text: lang.Both(err.Error(), err.Error())}
	if both, ok := err.(lang.Speaker); ok {
		n.unable.Text = lang.Both(both.Sentence(lang.English), both.Sentence(lang.Chinese))
	}
}

// mostKeys bounds the keys of a node, and mostWords the words of each: the server is told them with every command.
const (
	mostKeys  = 256
	mostWords = 4096
)

// lookScript returns each key with its type, how long it lives, and its value or its words.
const lookScript = `
local reads = {
  string = function(k) return {redis.call('GET', k)} end,
  hash = function(k) return redis.call('HGETALL', k) end,
  list = function(k) return redis.call('LRANGE', k, 0, -1) end,
  set = function(k) return redis.call('SMEMBERS', k) end,
  zset = function(k) return redis.call('ZRANGE', k, 0, -1, 'WITHSCORES') end,
}
local all = {}
for i, k in ipairs(redis.call('KEYS', '*')) do
  local kind = redis.call('TYPE', k).ok
  local read = reads[kind]
  all[i] = {k, kind, redis.call('PTTL', k), read and read(k) or {}}
end
return all`

// look notes what the keys hold, as the server says it, and which of them have changed.
func (n *node) look(told redis.Reply) {
	was := n.keys
	n.keys = map[string]redis.Content{}
	items := told.Items()
	if len(items) > mostKeys {
		n.cannot(startError("its keys are more than %d", "它的键超过 %d 个", mostKeys))
		return
	}
	for _, item := range items {
		n.holds(item.Items())
	}
	for key := range n.keys {
		if n.keys[key] != was[key] {
			n.touched = append(n.touched, key)
		}
	}
	for key := range was {
		if _, ok := n.keys[key]; !ok {
			n.touched = append(n.touched, key)
		}
	}
	slices.Sort(n.touched)
}

// stores returns the commands that store a key.
func stores(key string, c redis.Content) [][]string {
	words := []string{c.Value}
	if c.Type != redis.String {
		words, _ = redis.Split(c.Value)
	}
	var all [][]string
	switch c.Type {
	case redis.ZSet:
		all = [][]string{{"ZADD", key}}
		for pair := range slices.Chunk(words, 2) {
			all[0] = append(all[0], pair[1], pair[0])
		}
	default:
		name := map[redis.Type]string{redis.String: "SET", redis.Hash: "HSET", redis.List: "RPUSH", redis.Set: "SADD"}[c.Type]
		all = [][]string{append([]string{name, key}, words...)}
	}
	if c.Expires > 0 {
		all = append(all, []string{"PEXPIREAT", key, strconv.FormatInt(c.Expires, 10)})
	}
	return all
}

// holds notes what a key holds: the key, its type, how long it lives, and its value or its words.
func (n *node) holds(told []redis.Reply) {
	if len(told) != 4 {
		return
	}
	key, _ := told[0].Text()
	kind, _ := told[1].Text()
	items := told[3].Items()
	words := make([]string, len(items))
	for i, item := range items {
		words[i], _ = item.Text()
	}
	c := redis.Content{Type: redis.Type(kind)}
	switch {
	case kind == "string" && len(words) == 1:
		c.Type, c.Value = redis.String, words[0]
	case !slices.Contains([]redis.Type{redis.Hash, redis.List, redis.Set, redis.ZSet}, c.Type):
		n.cannot(startError("its key %s is a %s, which Lockstep does not copy", "它的键 %s 是 %s 类型，Lockstep 不复制这种类型", strconv.Quote(key), kind))
		return
	case len(words) > mostWords:
		n.cannot(startError("its key %s has more than %d members", "它的键 %s 超过 %d 个成员", strconv.Quote(key), mostWords))
		return
	default:
		c.Value = redis.Sorted(c.Type, redis.Quote(words))
	}
	if left, ok := told[2].Int(); ok && left >= 0 {
		c.Expires = min(n.now+left, redis.MaxExpires)
	}
	n.keys[key] = c
}

// Unable returns why the reply of the latest Do is not what Redis replies.
func (n *node) Unable() *redis.Refusal { return n.unable }

// Touched returns the keys that are not what they were before the latest Do.
func (n *node) Touched() []string { return n.touched }

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
