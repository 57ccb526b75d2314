package process

import (
	"net"
	"os/exec"
	"syscall"
	"time"
)

// A tree is a program. On Windows what it has started is not known.
type tree struct{ root *exec.Cmd }

func attributes() *syscall.SysProcAttr { return nil }

func plant(root *exec.Cmd, _ string) *tree { return &tree{root} }

func (t *tree) wait() { _ = t.root.Wait() }

func (t *tree) fell() { _ = t.root.Process.Kill() }

func (t *tree) end() []string { return nil }

func waits(*net.TCPConn) bool { return true }

func ended(*net.TCPConn) bool { return false }

// rest returns at once: nobody tells whether a program waits.
func (t *tree) rest(time.Time) {}

// drain returns at once: nobody tells what is left.
func (t *tree) drain(time.Time) {}

// queues and ownQueues return nothing: nobody tells how long a program waits for a processor.
func (t *tree) queues() queues { return nil }
func ownQueues() queues        { return nil }
