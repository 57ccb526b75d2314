package store

import (
	"os"
	"syscall"
)

// mountable lets a process mount its own file systems.
func mountable() *syscall.SysProcAttr {
	how := &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS}
	how.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
	how.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	return how
}

func mount(dir string) error { return syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=2m") }
