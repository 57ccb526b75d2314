//go:build unix

package web

import (
	"syscall"
	"time"
)

// processorTime returns the time that the process has used the processors for itself.
func processorTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano())
}
