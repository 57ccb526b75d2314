package sqlite

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"lockstep/engine/testtools"
	"lockstep/web/store"
	. "lockstep/web/store/storetest"
)

func init() {
	children["limit"] = func(dir string) error {
		signal.Ignore(syscall.SIGXFSZ)
		return fillDisk(dir, "the disk cannot be read or written", func(full bool) error {
			limit := syscall.Rlimit{Cur: 1 << 20, Max: 1 << 30}
			if !full {
				limit.Cur = limit.Max
			}
			return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit)
		})
	}
	children["tmpfs"] = func(dir string) error {
		if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=2m"); err != nil {
			return fmt.Errorf("cannot mount: %w", err)
		}
		return fillDisk(dir, "the disk is full", func(full bool) error {
			ballast := filepath.Join(dir, "ballast")
			if !full {
				return os.Remove(ballast)
			}
			_ = os.WriteFile(ballast, make([]byte, 2<<20), 0o600) // writes as much as there is room for
			return nil
		})
	}
}

// A file of no more than 1 MB, and a disk of 2 MB on machines where the test can mount one, are full, twice. The
// store keeps all acknowledged entries, Ping gives the reason, and all is well once there is room.
func TestAFullDisk(t *testing.T) {
	own := &syscall.SysProcAttr{ // lets a process mount its own file systems
		Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS, UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}, GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	for do, how := range map[string]*syscall.SysProcAttr{"limit": {}, "tmpfs": own} {
		t.Run(do, func(t *testing.T) {
			child := exec.Command(os.Args[0])
			child.Env = append(os.Environ(), "STORE_CHILD="+do, "STORE_DIR="+t.TempDir())
			child.SysProcAttr = how
			out, err := child.CombinedOutput()
			if errors.Is(err, syscall.EPERM) || strings.Contains(string(out), "cannot mount") {
				testtools.Absent(t, fmt.Sprintf("nothing can be mounted here: %v %s", err, out))
			}
			if err != nil || len(out) > 0 {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// fillDisk fills the disk and makes room again, twice.
func fillDisk(dir, reason string, set func(full bool) error) error {
	s, err := Open(dir, store.Options{})
	n := 0
	entry := func(n int) string { return fmt.Sprint(n, strings.Repeat("x", 20_000)) }
	add := func(most int) (err error) {
		for ; err == nil && most > 0; most-- {
			if err = s.Append(Ctx, "t/a", n, []byte(entry(n))); err == nil {
				n++
			}
		}
		return err
	}
	whole := func() error { // for this server, and for one that starts now
		for range 2 {
			entries, err := s.Read(Ctx, "t/a", 0)
			if err != nil || len(entries) != n || slices.ContainsFunc(entries, func(e []byte) bool { return len(e) < 20_000 }) || string(entries[n-1]) != entry(n-1) {
				return fmt.Errorf("%d entries are there of %d, %w", len(entries), n, err)
			}
			_ = s.Close()
			if s, err = Open(dir, store.Options{}); err != nil {
				return err
			}
		}
		return nil
	}
	for range 2 {
		if err := errors.Join(err, add(5), s.Ping(Ctx), set(true)); err != nil {
			return err
		}
		if err := add(1000); !errors.Is(err, store.ErrFull) && reason == "the disk is full" || err == nil {
			return fmt.Errorf("%d entries were added to a full disk: %w", n, err)
		}
		if got := Reason(s.Ping(Ctx)); got != reason {
			return fmt.Errorf("the ping says %q, not %q", got, reason)
		}
		if err := errors.Join(whole(), set(false), add(1), s.Ping(Ctx), whole()); err != nil {
			return err
		}
	}
	return s.Close()
}
