package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// build compiles the program to measure.
func build(dir string) (string, error) {
	path := filepath.Join(dir, "lockstep")
	if out, err := exec.Command("go", "build", "-o", path, "lockstep").CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the server: %w\n%s", err, out)
	}
	return path, nil
}

// A server is the real one, as a process of its own.
type server struct {
	address string
	begin   func() *exec.Cmd
	process *exec.Cmd
	said    bytes.Buffer // what it has printed
}

// startTime is how long a server may take to start.
const startTime = time.Minute

// serve starts a server that keeps its rooms in a directory of its own.
func (c class) serve() (*server, error) {
	data, err := os.MkdirTemp(c.dir, "data-")
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &server{address: l.Addr().String()}
	s.begin = func() *exec.Cmd { return c.begin(c.server, "--address", s.address, "--data", data) }
	if err := l.Close(); err != nil {
		return nil, err
	}
	return s, s.start()
}

// start starts the server, or restarts it on the same port with the same data.
func (s *server) start() error {
	s.process = s.begin()
	s.process.Stdout, s.process.Stderr = &s.said, &s.said
	if err := s.process.Start(); err != nil {
		return fmt.Errorf("starting the server: %w", err)
	}
	for began := time.Now(); time.Since(began) < startTime; time.Sleep(5 * time.Millisecond) {
		response, err := http.Get(s.url() + "/healthz")
		if err != nil {
			continue
		}
		_ = response.Body.Close()
		if response.StatusCode == http.StatusOK {
			return nil
		}
	}
	s.kill()
	return fmt.Errorf("the server does not begin: %s", &s.said)
}

func (s *server) url() string { return "http://" + s.address }

// kill ends it as a power cut does.
func (s *server) kill() {
	_ = s.process.Process.Kill()
	_ = s.process.Wait() // it says that it was killed
}

// A metric is a figure of /metrics.
var metric = regexp.MustCompile(`(?m)^([a-z_]+) ([0-9.e+]+)$`)

// metrics are what the server counts about itself, by name.
func (s *server) metrics() (map[string]float64, error) {
	response, err := http.Get(s.url() + "/metrics")
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	all := map[string]float64{}
	for _, m := range metric.FindAllSubmatch(text, -1) {
		if all[string(m[1])], err = strconv.ParseFloat(string(m[2]), 64); err != nil {
			return nil, err
		}
	}
	if len(all) == 0 {
		return nil, errors.New("the server tells no metrics")
	}
	return all, nil
}

// A helper is this program as a process of its own. It ends with its input.
type helper struct {
	in      io.WriteCloser
	out     *bufio.Reader
	process *exec.Cmd
}

// helper starts a helper, with another program such as nice before it.
func (c class) helper(kind string, before ...string) (*helper, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	line := append(before, self, kind)
	h := &helper{process: c.begin(line[0], line[1:]...)}
	h.process.Stderr = os.Stderr
	if h.in, err = h.process.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := h.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	h.out = bufio.NewReader(out)
	return h, h.process.Start()
}

// end ends its input, and returns what else it has printed.
func (h *helper) end() (said string, err error) {
	closed := h.in.Close()
	text, read := io.ReadAll(h.out)
	return strings.TrimSpace(string(text)), errors.Join(closed, read, h.process.Wait())
}
