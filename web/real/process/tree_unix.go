//go:build unix && !linux

package process

import (
	"os/exec"
	"syscall"
	"time"
)

// A tree is a program and everything that it has started. Here only its group is known: a process that leaves it escapes.
type tree struct{ root *exec.Cmd }

func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

func plant(root *exec.Cmd, _ string) *tree { return &tree{root} }

// wait returns when the root has ended.
func (t *tree) wait() { _ = t.root.Wait() }

// drain returns at once: what is left of a group is ended.
func (t *tree) drain(time.Time) {}

// fell ends the root and its group.
func (t *tree) fell() { _ = syscall.Kill(-t.root.Process.Pid, syscall.SIGKILL) }

// end ends what the root has left behind in its group, and returns a name for it.
func (t *tree) end() []string {
	var names []string
	for until := time.Now().Add(farewell); syscall.Kill(-t.root.Process.Pid, syscall.SIGKILL) == nil && time.Now().Before(until); {
		names = []string{t.root.Path}
		time.Sleep(time.Millisecond)
	}
	return names
}

// rest returns at once: nobody tells whether a program waits.
func (t *tree) rest(time.Time) {}

// queues and ownQueues return nothing: nobody tells how long a program waits for a processor.
func (t *tree) queues() queues { return nil }
func ownQueues() queues        { return nil }
