package export

import (
	"net"
	"os"
	"os/exec"
	"testing"
	"time"
)

// tool finds a program that a test needs. Where it is not installed the test is
// left out; in CI nothing may be absent.
func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		absent(t, name+" is not installed")
	}
	return path
}

func absent(t *testing.T, why string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf("%s, and CI requires it", why)
	}
	t.Skip(why)
}

// startRedis starts a redis-server on a free port for the time of the test.
func startRedis(t *testing.T) (host, port string) {
	t.Helper()
	path := tool(t, "redis-server")
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	host, port, _ = net.SplitHostPort(address)
	server := exec.Command(path, "--bind", host, "--port", port, "--save", "", "--appendonly", "no", "--dir", t.TempDir())
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		server.Process.Kill()
		server.Wait()
	})
	for range 200 {
		if conn, err := net.Dial("tcp", address); err == nil {
			conn.Close()
			return host, port
		}
		time.Sleep(25 * time.Millisecond)
	}
	t.Fatalf("redis-server does not answer on %s", address)
	return "", ""
}
