package clock

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// Lacks tries on a child that does nothing what a Tree needs, and says what this machine does not allow; nil: programs can have
// clocks of their own. It tries once.
func Lacks() error { return lacks() }

var lacks = sync.OnceValue(func() error {
	said := make(chan error)
	go func() {
		runtime.LockOSThread() // and never gives it back: what is left of the trial ends with the thread
		said <- try()
	}()
	return <-said
})

func try() error {
	sockets, err := openDiag()
	if err != nil {
		return fmt.Errorf("%w: %w", ErrSockets, err)
	}
	err = sockets.tells()
	sockets.close()
	if err != nil {
		return fmt.Errorf("%w: %w", ErrSockets, err)
	}
	pid, err := still()
	if err != nil {
		return fmt.Errorf("%w: %w", ErrTracing, err)
	}
	defer kill(pid)
	if err := (&Tree{random: newStream("")}).hide(pid); err != nil {
		return fmt.Errorf("%w: %w", ErrTracing, err)
	}
	standardInput, err := descriptor(pid, 0)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrTracing, err)
	}
	_ = unix.Close(standardInput)
	if err := install(pid); err != nil {
		return fmt.Errorf("%w: %w", ErrFilter, err)
	}
	if err := execute(pid, slices.Concat(clockCode, pauseLoop)); err != nil {
		return fmt.Errorf("%w: %w", ErrTracing, err)
	}
	if !comes(func() bool { news, _, err := peek(true); return err == nil && news == pid }) {
		return ErrFilter
	}
	if err := stopped(pid); err != nil {
		return fmt.Errorf("%w: %w", ErrFilter, err)
	}
	if err := unix.PtraceCont(pid, 0); err != nil {
		return fmt.Errorf("%w: %w", ErrTracing, err)
	}
	if !comes(func() bool {
		return bytes.HasPrefix(told(pid, "syscall"), []byte(strconv.Itoa(unix.SYS_PAUSE)+" "))
	}) {
		return ErrProc
	}
	return nil
}

// comes reports whether something comes to hold.
func comes(holds func() bool) bool {
	for range 5000 {
		if holds() {
			return true
		}
		nap(time.Millisecond)
	}
	return false
}
