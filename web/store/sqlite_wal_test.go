package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"
)

const frameBytes = walFrameHeader + pageBytes

// killed returns a directory as a killed process leaves it. The write-ahead log has six
// transactions, t/0 to t/5. killed also returns the number of frames after each.
func killed(t *testing.T) (dir string, frames []int) {
	t.Helper()
	dir = t.TempDir()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), "STORE_CHILD=six", "STORE_DIR="+dir)
	out, err := child.CombinedOutput()
	for line := range strings.Lines(string(out)) {
		var size int
		if _, err := fmt.Sscanf(line, "%d bytes", &size); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		frames = append(frames, (size-walHeader)/frameBytes)
	}
	if len(frames) != 7 {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir, frames
}

func init() { children["six"] = sixChild }

func sixChild() {
	dir := os.Getenv("STORE_DIR")
	s, err := SQLite(dir, Options{})
	if err == nil {
		d := s.(*database)
		err = d.do(func() error { // even on a slow machine, nothing empties the log
			d.settling.Stop()
			d.settled = false
			return nil
		})
	}
	for i := 0; i < 6 && err == nil; i++ {
		err = s.(*database).do(func() error {
			info, err := os.Stat(filepath.Join(dir, "lockstep.db-wal"))
			if i > 0 && err == nil {
				fmt.Println(info.Size(), "bytes")
			} else if err == nil {
				fmt.Println(walHeader, "bytes")
			}
			return err
		})
		if err == nil {
			err = s.Append(ctx, fmt.Sprintf("t/%d", i), 0, []byte("x"))
		}
	}
	info, _ := os.Stat(filepath.Join(dir, "lockstep.db-wal"))
	fmt.Println(info.Size(), "bytes", err)
	os.Exit(0)
}

// The test damages a write-ahead log in many ways. If acknowledged entries are lost, the
// operator is told, the copy has every byte, and Ping fails until the copy is moved away. A
// torn end is not damage.
func TestADamagedWriteAheadLog(t *testing.T) {
	from, frames := killed(t)
	wal, err := os.ReadFile(filepath.Join(from, "lockstep.db-wal"))
	must(t, err)
	file, err := os.ReadFile(filepath.Join(from, "lockstep.db"))
	must(t, err)
	all := frames[6]
	if len(wal) != walHeader+all*frameBytes || frames[1] < 2 {
		t.Fatalf("%d bytes, and frames %v", len(wal), frames)
	}
	at := func(frame, offset int) int { return walHeader + frame*frameBytes + offset }
	flip := func(at int) func([]byte) []byte {
		return func(wal []byte) []byte { wal[at] ^= 4; return wal }
	}
	zero := func(from, to int) func([]byte) []byte {
		return func(wal []byte) []byte { clear(wal[from:to]); return wal }
	}
	for _, c := range []struct {
		name   string
		damage func(wal []byte) []byte
		kept   int  // of the six logs
		told   bool // the operator learns that the log is damaged
	}{
		{"none", func(wal []byte) []byte { return wal }, 6, false},
		{"a bit of the first page", flip(at(0, 900)), 0, true},
		{"a bit of the number of its page", flip(at(0, 3)), 0, true},
		{"a bit of its salt", flip(at(0, 9)), 0, true},
		{"a bit of its checksum", flip(at(0, 17)), 0, true},
		{"a bit of the fourth transaction", flip(at(frames[3], 2000)), 3, true},
		{"a bit of the end of the fourth transaction", flip(at(frames[4]-1, 2000)), 3, true},
		{"a bit of the last transaction", flip(at(frames[5], 2000)), 5, true},
		{"a bit of its last byte", flip(len(wal) - 1), 5, true},
		{"a bit of the header's magic number", flip(1), 0, true},
		{"a bit of the header's salt", flip(17), 0, true},
		{"a bit of the header's checksum", flip(25), 0, true},
		{"zeroes in the middle", zero(at(frames[2], 0), at(frames[3], 0)), 2, true},
		{"zeroes at the beginning", zero(0, pageBytes), 0, true},

		{"a transaction that was not ended", func(wal []byte) []byte { return wal[:at(frames[6]-1, 0)] }, 5, false},
		{"a frame that was not ended", func(wal []byte) []byte { return wal[:at(frames[6]-1, 3000)] }, 5, false},
		{"a page that was not written, and no end", func(wal []byte) []byte {
			return zero(at(frames[5], 500), len(wal)-frameBytes)(wal)[:len(wal)-frameBytes]
		}, 5, false},
		{"zeroes at the end", func(wal []byte) []byte { return append(wal, make([]byte, 3*frameBytes)...) }, 6, false},
		{"what an older log has left", func(wal []byte) []byte {
			older := bytes.Clone(wal[walHeader:])
			for i := range all {
				older[i*frameBytes+11]-- // the salt
			}
			return append(wal, older...)
		}, 6, false},
		{"only zeroes", zero(0, len(wal)), 0, false},
		{"half a header", func(wal []byte) []byte { return wal[:20] }, 0, false},
		{"nothing", func(wal []byte) []byte { return nil }, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			broken := c.damage(bytes.Clone(wal))
			path := filepath.Join(dir, "lockstep.db-wal")
			must(t, os.WriteFile(path, broken, 0o600))
			must(t, os.WriteFile(filepath.Join(dir, "lockstep.db"), file, 0o600))
			var told notebook
			for round := range 2 {
				s := openSQLite(t, dir, Options{Logger: told.logger()})
				for i := range 6 {
					want := []string{"x"}
					if i >= c.kept {
						want = nil
					}
					read(t, s, fmt.Sprintf("t/%d", i), 0, want...)
				}
				add(t, s, fmt.Sprintf("t/new%d", round), 0, "x")
				reason := ""
				if c.told {
					reason = "the write-ahead log is damaged"
				}
				healthy(t, s, reason)
				if n := s.Stats().Damaged; (n == 1) != (c.told && round == 0) {
					t.Errorf("%d records are damaged", n)
				}
				s.Close()
			}
			if lines := strings.Count(told.String(), "\n"); lines > 1 || (lines == 1) != c.told || c.told && !strings.Contains(told.String(), "a copy is "+path+".damaged") {
				t.Errorf("the operator is told\n%s", told.String())
			}
			copied, err := os.ReadFile(path + ".damaged")
			if c.told && !bytes.Equal(copied, broken) || !c.told && !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the copy has %d bytes of %d, %v", len(copied), len(broken), err)
			}
			if !c.told {
				return
			}
			// The next damage does not write over the copy.
			must(t, os.WriteFile(path, broken, 0o600))
			must(t, os.WriteFile(filepath.Join(dir, "lockstep.db"), file, 0o600))
			openSQLite(t, dir, Options{}).Close()
			rename(t, path+".damaged", filepath.Join(dir, "away"))
			s := openSQLite(t, dir, Options{})
			healthy(t, s, "the write-ahead log is damaged")
			rename(t, path+".damaged.2", filepath.Join(dir, "away.2"))
			healthy(t, s, "")
			s.Close()
		})
	}
}

// keepCopy leaves a whole copy or none.
func TestHalfACopyIsRemoved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "copy")
	broken := errors.New("the disk is broken")
	if _, err := keepCopy(io.MultiReader(strings.NewReader("half"), iotest.ErrReader(broken)), path); !errors.Is(err, broken) {
		t.Errorf("half a copy: %v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("half a copy stays: %v", err)
	}
	if _, err := keepCopy(strings.NewReader("x"), filepath.Join(path, "x")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a copy in no directory: %v", err)
	}
}

// SQLite removes the write-ahead log of an empty file, so the store does not open such a file.
func TestAWriteAheadLogWithoutItsFile(t *testing.T) {
	for name, lose := range map[string]func(t *testing.T, path string){
		"it is gone":  func(t *testing.T, path string) { remove(t, path) },
		"it is empty": func(t *testing.T, path string) { truncate(t, path, 0) },
	} {
		dir, _ := killed(t)
		path := filepath.Join(dir, "lockstep.db")
		before := size(t, dir, "lockstep.db-wal")
		lose(t, path)
		for range 2 {
			if _, err := SQLite(dir, Options{}); err == nil || !strings.Contains(err.Error(), path+" is damaged: it is empty, and lockstep.db-wal has ") {
				t.Errorf("%s: %v", name, err)
			}
		}
		if after := size(t, dir, "lockstep.db-wal"); after != before || before == 0 {
			t.Errorf("%s: the write-ahead log had %d bytes, and has %d", name, before, after)
		}
		rename(t, path+"-wal", filepath.Join(dir, "away"))
		s := openSQLite(t, dir, Options{})
		add(t, s, "t/a", 0, "x")
		s.Close()
	}
}

// verifyWAL takes any bytes.
func FuzzWAL(f *testing.F) {
	f.Add([]byte("x"), 3)
	f.Fuzz(func(t *testing.T, wal []byte, n int) {
		whole, err := verifyWAL(bytes.NewReader(bytes.Repeat(wal, max(1, min(n, 10_000/(len(wal)+1))))))
		if whole != 0 || err != nil && !errors.Is(err, ErrDamaged) {
			t.Errorf("%d frames, %v", whole, err)
		}
	})
}

// The file has an entry after a second, without the write-ahead log. The same holds while
// others add entries. When nobody adds any, the log becomes empty.
func TestTheWriteAheadLogIsCopiedIntoTheFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		s := openSQLite(t, dir, Options{})
		defer s.Close()
		time.Sleep(3 * betweenSettles)
		pass := func(seconds time.Duration) {
			time.Sleep(seconds)
			synctest.Wait()
		}
		inFile := func(i int) bool {
			t.Helper()
			file, err := os.ReadFile(filepath.Join(dir, "lockstep.db"))
			must(t, err)
			return bytes.Contains(file, fmt.Appendf(nil, "entry %d;", i))
		}
		for i := range 12 { // four in a second
			add(t, s, "t/a", i, fmt.Sprintf("entry %d;", i))
			if inFile(i) || size(t, dir, "lockstep.db-wal") == 0 {
				t.Errorf("entry %d is not in the write-ahead log alone", i)
			}
			if i >= 5 && !inFile(i-5) {
				t.Errorf("more than a second later entry %d is not in the file", i-5)
			}
			pass(betweenSettles / 4)
		}
		pass(betweenSettles)
		if !inFile(11) {
			t.Error("the last entry is not in the file")
		}
		pass(betweenSettles)
		if n := size(t, dir, "lockstep.db-wal"); n != 0 {
			t.Errorf("when nobody writes, the write-ahead log has %d bytes", n)
		}
	})
}
