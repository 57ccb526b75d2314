package testtools

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Durable holds the options of a redis-server that writes every command to the disk before it answers, and reads them
// at its next start.
var Durable = []string{"--appendonly", "yes", "--appendfsync", "always"}

// A Redis is a real redis-server, alone in a directory, that listens on a socket there. It ends with its test.
type Redis struct {
	Dir    string
	Socket string

	t       testing.TB
	options []string
	process *exec.Cmd
}

// StartRedis starts a redis-server that keeps everything in memory, unless the options say otherwise.
func StartRedis(t testing.TB, options ...string) *Redis {
	t.Helper()
	Find(t, "redis-server")
	dir, err := os.MkdirTemp("", "redis") // the path of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	r := &Redis{Dir: dir, Socket: filepath.Join(dir, "s"), t: t, options: options}
	t.Cleanup(func() {
		r.Kill()
		os.RemoveAll(dir)
	})
	r.Start()
	return r
}

// RedisAt starts a redis-server that also listens on a free port of this machine.
func RedisAt(t testing.TB) (host, port string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	host, port, _ = net.SplitHostPort(listener.Addr().String())
	listener.Close()
	StartRedis(t, "--bind", host, "--port", port)
	return host, port
}

// URL returns the server's address.
func (r *Redis) URL() string { return "unix://" + r.Socket }

// Start starts the server again after Kill, with the same directory and options.
func (r *Redis) Start() {
	r.t.Helper()
	r.process = exec.Command("redis-server", append([]string{"--port", "0", "--unixsocket", r.Socket, "--dir", r.Dir, "--save", ""}, r.options...)...)
	if err := r.process.Start(); err != nil {
		r.t.Fatal(err)
	}
	if !Eventually(func() bool {
		conn, err := net.Dial("unix", r.Socket)
		if err != nil {
			return false
		}
		defer conn.Close()
		fmt.Fprint(conn, "PING\r\n")
		answer, err := bufio.NewReader(conn).ReadString('\n')
		return err == nil && !strings.HasPrefix(answer, "-LOADING") // it listens before it has read its file
	}) {
		r.t.Fatalf("redis-server does not answer on %s", r.Socket)
	}
}

// Kill ends the server as a power cut does.
func (r *Redis) Kill() {
	_ = r.process.Process.Kill()
	_ = r.process.Wait()
}

// Dial returns a connection to the server. It ends with the test.
func (r *Redis) Dial() net.Conn {
	r.t.Helper()
	conn, err := net.Dial("unix", r.Socket)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { conn.Close() })
	return conn
}
