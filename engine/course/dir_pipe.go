//go:build !js

package course

import "syscall"

// notWaiting opens a pipe without waiting for its other end.
const notWaiting = syscall.O_NONBLOCK
