//go:build unix && !linux

package store

import "syscall"

func mountable() *syscall.SysProcAttr { return nil }

func mount(string) error { return syscall.ENOSYS }
