//go:build unix

package store

import (
	"errors"
	"fmt"
	"io"
	"lockstep/engine/testtools"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// child runs this test binary as a child process that does one thing, and returns its
// output.
func child(t *testing.T, do, dir string, how *syscall.SysProcAttr) (string, error) {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "STORE_CHILD="+do, "STORE_DIR="+dir)
	c.SysProcAttr = how
	out, err := c.CombinedOutput()
	return string(out), err
}

// The process may not write files of more than 1 MB. The store keeps all acknowledged
// entries. Ping gives the reason, and succeeds when the limit is lifted.
func TestADiskWithoutRoom(t *testing.T) {
	out, err := child(t, "limit", t.TempDir(), nil)
	if err != nil || !strings.HasSuffix(out, "as it should\n") {
		t.Errorf("%v\n%s", err, out)
	}
}

func limitedChild(dir string) error {
	signal.Ignore(syscall.SIGXFSZ)
	return fillDisk(dir, "the disk cannot be read or written", func(full bool) error {
		limit := syscall.Rlimit{Cur: 1 << 20, Max: 1 << 30}
		if !full {
			limit.Cur = limit.Max
		}
		return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit)
	})
}

// The same holds for a real full disk of 2 MB, on machines where the test can mount one.
func TestAFullDiskWhereOneCanBeMounted(t *testing.T) {
	dir := t.TempDir()
	how := mountable()
	if how == nil {
		testtools.Absent(t, "a file system of a process's own is there on Linux only")
	}
	out, err := child(t, "tmpfs", dir, how)
	if errors.Is(err, syscall.EPERM) || strings.Contains(out, "cannot mount") {
		testtools.Absent(t, fmt.Sprintf("nothing can be mounted here: %v %s", err, out))
	}
	if err != nil || !strings.HasSuffix(out, "as it should\n") {
		t.Errorf("%v\n%s", err, out)
	}
}

func mountedChild(dir string) error {
	if err := mount(dir); err != nil {
		return fmt.Errorf("cannot mount: %w", err)
	}
	ballast := filepath.Join(dir, "ballast")
	return fillDisk(dir, "the disk is full", func(full bool) error {
		if !full {
			return os.Remove(ballast)
		}
		file, err := os.Create(ballast)
		if err != nil {
			return err
		}
		for err == nil {
			_, err = file.Write(make([]byte, 4096))
		}
		return file.Close()
	})
}

// fillDisk fills the disk and makes room again, twice.
func fillDisk(dir, reason string, set func(full bool) error) error {
	s, err := SQLite(dir, Options{})
	if err != nil {
		return err
	}
	ping := func(want string) error {
		if got := reasonOf(s.Ping(ctx)); got != want {
			return fmt.Errorf("the ping says %q, not %q", got, want)
		}
		return nil
	}
	n := 0
	entry := func() []byte { return fmt.Appendf(nil, "%d %s", n, strings.Repeat("x", 20_000)) }
	for range 2 {
		for range 5 {
			if err := s.Append(ctx, "t/a", n, entry()); err != nil {
				return err
			}
			n++
		}
		if err := ping(""); err != nil {
			return err
		}
		if err := set(true); err != nil {
			return err
		}
		before := n
		for err == nil && n < before+1000 {
			if err = s.Append(ctx, "t/a", n, entry()); err == nil {
				n++
			}
		}
		if reason == "the disk is full" && !errors.Is(err, ErrFull) || err == nil {
			return fmt.Errorf("%d entries were added to a full disk: %v", n, err)
		}
		err = nil
		if err := ping(reason); err != nil {
			return err
		}
		entries, err := s.Read(ctx, "t/a", 0)
		if err != nil || len(entries) != n {
			return fmt.Errorf("%d entries are there of %d, %w", len(entries), n, err)
		}
		// A server that starts on the full disk reads everything.
		if err := s.Close(); err != nil && reason == "the disk is full" {
			return err
		}
		if s, err = SQLite(dir, Options{}); err != nil {
			return err
		}
		if entries, err := s.Read(ctx, "t/a", 0); err != nil || len(entries) != n {
			return fmt.Errorf("when it is opened again %d entries are there of %d, %w", len(entries), n, err)
		}
		if reason == "the disk is full" { // the limit of a file leaves some room in it
			if err := ping(reason); err != nil {
				return err
			}
		}
		if err := set(false); err != nil {
			return err
		}
		if err := s.Append(ctx, "t/a", n, entry()); err != nil {
			return fmt.Errorf("there is room again: %w", err)
		}
		n++
		time.Sleep(betweenLooks)
		if err := ping(""); err != nil {
			return err
		}
	}
	if err := s.Close(); err != nil {
		return err
	}
	if s, err = SQLite(dir, Options{}); err != nil {
		return err
	}
	entries, err := s.Read(ctx, "t/a", 0)
	for i, entry := range entries {
		if !strings.HasPrefix(string(entry), fmt.Sprintf("%d x", i)) {
			return fmt.Errorf("entry %d is %.10s", i, entry)
		}
	}
	if err != nil || len(entries) != n {
		return fmt.Errorf("%d entries are there of %d, %w", len(entries), n, err)
	}
	return s.Close()
}

// runChild does the work of a child process and ends it.
func runChild(do func(dir string) error) {
	if err := do(os.Getenv("STORE_DIR")); err != nil {
		io.WriteString(os.Stdout, err.Error()+"\n")
		os.Exit(1)
	}
	io.WriteString(os.Stdout, "as it should\n")
	os.Exit(0)
}

func init() {
	children["limit"] = func() { runChild(limitedChild) }
	children["tmpfs"] = func() { runChild(mountedChild) }
}
