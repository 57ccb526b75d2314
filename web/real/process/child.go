package process

import (
	"os"
	"os/exec"
	"strings"
	"sync"

	"lockstep/web/real/clock"
)

// A child is the program as the operating system knows it.
type child struct {
	cmd   *exec.Cmd
	mark  string
	tree  *tree
	clock *clock.Tree // nil: it runs on the machine's
	says  *os.File    // the reading end of its standard error

	mu     sync.Mutex
	tail   []byte
	cut    bool // the tail lacks its beginning
	reaped bool
}

// listen keeps the end of what the program says on its standard error.
func (c *child) listen() {
	defer c.says.Close()
	buffer := make([]byte, 32<<10)
	for {
		n, err := c.says.Read(buffer)
		c.hear(buffer[:n])
		if err != nil {
			return
		}
	}
}

func (c *child) hear(text []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tail = append(c.tail, text...)
	if extra := len(c.tail) - maxSaid; extra > 0 {
		c.cut = true
		c.tail = append(c.tail[:0], c.tail[extra:]...)
	}
}

// said returns the last lines that the program wrote to its standard error.
func (c *child) said() string {
	if c == nil {
		return ""
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	text := string(c.tail)
	if _, whole, found := strings.Cut(text, "\n"); c.cut && found {
		text = whole
	}
	return strings.ToValidUTF8(text, "�")
}

// kill ends the program and everything that it has started. watch waits for the end.
func (c *child) kill() {
	if c == nil || c.tree == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.reaped {
		c.tree.fell()
	}
}

func (c *child) reap() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reaped = true
}
