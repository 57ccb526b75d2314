package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"lockstep/web/store"
	. "lockstep/web/store/storetest"
)

// children has what the test binary does as a child process.
var children = map[string]func(dir string) error{"append": appendUntilKilled}

func TestMain(m *testing.M) {
	do := children[os.Getenv("STORE_CHILD")]
	if do == nil {
		goleak.VerifyTestMain(m)
	}
	if err := do(os.Getenv("STORE_DIR")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func TestSQLite(t *testing.T) {
	Run(t, Driver{
		Place: func(t testing.TB) func(store.Options) store.Store {
			dir := t.TempDir()
			return func(o store.Options) store.Store { return opened(t, dir, o) }
		},
		Reopens: true,
		Flip: func(t *testing.T, s store.Store, log string, n int) {
			changes(t, s, fmt.Sprintf(`UPDATE entries SET record = substr(record, 1, 6) || 'N' || substr(record, 8) WHERE log = '%s' AND n = %d`, log, n))
		},
	})
}

func opened(t testing.TB, dir string, o store.Options) store.Store {
	t.Helper()
	s, err := Open(dir, o)
	Must(t, err)
	return s
}

// changes changes the file behind the store's back.
func changes(t testing.TB, s store.Store, statement string) {
	t.Helper()
	d := s.(*database)
	Must(t, d.read(Ctx, func() error { return d.exec(statement) }))
}

// occupied has somebody use the file while ask asks for things, and returns when all are done. It needs a bubble.
func occupied(s store.Store, ask func(all *sync.WaitGroup)) {
	var all sync.WaitGroup
	busy := make(chan struct{})
	all.Go(func() { s.(*database).read(Ctx, func() error { <-busy; return nil }) })
	synctest.Wait()
	ask(&all)
	synctest.Wait()
	close(busy)
	all.Wait()
}

func TestAFileIsOpenedAgain(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a new one", "50% of what?#é")
	if _, err := Open(dir, store.Options{MustExist: true}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("nothing is there: %v", err)
	}
	s := opened(t, dir, store.Options{})
	Add(t, s, "t/a", 0, "x")
	for range 2 {
		Must(t, s.Close())
	}
	if err := s.Append(Ctx, "t/a", 1, nil); !errors.Is(err, errClosed) {
		t.Errorf("a closed store takes an entry: %v", err)
	}
	Healthy(t, s, "it is closed")
	s = opened(t, dir, store.Options{MustExist: true})
	defer s.Close()
	Read(t, s, "t/a", 0, "x")
	for name, want := range map[string]os.FileMode{".": os.ModeDir | 0o700, File: 0o600, File + "-wal": 0o600} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v; others must not read it", name, info.Mode(), err)
		}
	}
	for setting, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "locking_mode": "exclusive", "secure_delete": "1", "wal_autocheckpoint": "100"} {
		var got string
		d := s.(*database)
		if err := d.read(Ctx, func() error { return d.get("PRAGMA "+setting, nil, &got) }); err != nil || got != want {
			t.Errorf("%s is %s, %v", setting, got, err)
		}
	}
	if _, err := Open(filepath.Join(dir, File), store.Options{}); err == nil || !strings.Contains(err.Error(), File) {
		t.Errorf("a file is a directory: %v", err)
	}
}

// A file that is not this version's does not open, in a sentence, and no byte of it changes.
func TestAFileOfOthersIsLeftAlone(t *testing.T) {
	for change, says := range map[string]string{
		`PRAGMA user_version = 5`: "was written by a newer version of this program (its tables have number 5, and this version knows number 4)",
		`PRAGMA user_version = 3`: "was written by an older version of this program, or by another program (its tables have number 3, and this version knows number 4); move it away",
		`PRAGMA user_version = 0`: "or by another program (its tables have number 0,",
		"":                        "is damaged, or is something else than the logs of this program; move it away",
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, File)
		s := opened(t, dir, store.Options{})
		Add(t, s, "t/a", 0, "x")
		changes(t, s, change+" ;")
		Must(t, s.Close())
		if change == "" {
			Must(t, os.WriteFile(path, bytes.Repeat([]byte("garbage!"), 5000), 0o600))
		}
		before, err := os.ReadFile(path)
		Must(t, err)
		if _, err := Open(dir, store.Options{}); err == nil || !strings.Contains(err.Error(), path+" ") || !strings.Contains(err.Error(), says) {
			t.Errorf("after %s: %v", change, err)
		}
		if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
			t.Errorf("after %s the file is another, %v", change, err)
		}
	}
}

// Somebody removes or replaces the files. Ping says which, and no entry is acknowledged that the next server would
// not find.
func TestMovedFilesAreReported(t *testing.T) {
	for name, c := range map[string]struct{ from, reason string }{
		"the directory": {"", "the directory is gone"}, "the file": {"/" + File, "the file is gone"}, "the write-ahead log": {"/" + File + "-wal", "the file is gone"}, "another": {"/" + File, "the file was replaced"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "data")
			s := opened(t, dir, store.Options{})
			defer s.Close()
			Add(t, s, "t/a", 0, "x")
			Healthy(t, s, "")
			err := s.(*database).write(Ctx, func() error { // just now
				Must(t, os.Rename(dir+c.from, dir+".away"))
				if name == "another" {
					Must(t, os.WriteFile(dir+c.from, nil, 0o600))
				}
				return nil
			})
			for _, err := range []error{err, s.Append(Ctx, "t/a", 1, []byte("x"))} {
				if store.Refused(err) || Reason(err) != c.reason {
					t.Errorf("an entry is acknowledged into nothing: %v", err)
				}
			}
			Healthy(t, s, c.reason)
			Read(t, s, "t/a", 0, "x")
			Must(t, os.Rename(dir+".away", dir+c.from))
			Healthy(t, s, "")
			Add(t, s, "t/a", 1, "y")
		})
	}
}

// Appends that arrive while the store is busy share a transaction, and each gets its own answer: one that panics,
// that is behind, or that finds no room, undoes what it did and nothing else. A ping gives up on a disk that hangs
// meanwhile.
func TestOneFailureUndoesNothingElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := opened(t, t.TempDir(), store.Options{MaxBytes: 1 << 20})
		defer s.Close()
		d := s.(*database)
		Add(t, s, "t/a", 0, "x")
		gone, cancel := context.WithTimeout(Ctx, 2*time.Second)
		defer cancel()
		occupied(s, func(all *sync.WaitGroup) {
			for i := range 20 {
				all.Go(func() { Add(t, s, fmt.Sprintf("t/new%d", i), 0, "x") })
				all.Go(func() { Refused(t, s, "t/a", 0, store.ErrBehind) })
				all.Go(func() {
					if err := s.Append(gone, "t/a", 1, nil); !errors.Is(err, context.DeadlineExceeded) {
						t.Errorf("a request that is over hears %v", err)
					}
				})
				all.Go(func() {
					err := d.write(Ctx, func() error {
						Must(t, d.remove("t/a"))
						panic("half-way")
					})
					if err == nil || !strings.HasSuffix(err.Error(), "half-way") {
						t.Errorf("the caller hears %v", err)
					}
				})
			}
			all.Go(func() {
				if err := s.Append(Ctx, "t/big", 0, make([]byte, 2<<20)); !errors.Is(err, store.ErrFull) {
					t.Errorf("without room: %v", err)
				}
			})
			if err := s.Ping(gone); Reason(err) != "it does not answer" {
				t.Error(err)
			}
		})
		Read(t, s, "t/a", 0, "x")
		Read(t, s, "t/big", 0)
		for i := range 20 {
			Read(t, s, fmt.Sprintf("t/new%d", i), 0, "x")
		}
		if n := s.Stats().Panics; n != 20 {
			t.Errorf("%d panics are counted", n)
		}
		Healthy(t, s, "")
	})
}

// The file may not grow. SQLite undoes the whole transaction, and each of its writers hears so.
func TestAFileThatCannotGrow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := opened(t, t.TempDir(), store.Options{})
		defer s.Close()
		Add(t, s, "t/a", 0, "x")
		changes(t, s, `PRAGMA max_page_count = 20`)
		occupied(s, func(all *sync.WaitGroup) {
			for i := range 10 {
				all.Go(func() {
					log := fmt.Sprintf("t/%d", i)
					if err := s.Append(Ctx, log, 0, make([]byte, 50_000)); err == nil {
						Read(t, s, log, 0, string(make([]byte, 50_000)))
					} else if Read(t, s, log, 0); !errors.Is(err, store.ErrFull) {
						t.Error(err)
					}
				})
			}
		})
		Healthy(t, s, "the disk is full")
		changes(t, s, `PRAGMA max_page_count = 1000`)
		time.Sleep(recently)
		Healthy(t, s, "") // no write has failed for a while
		Add(t, s, "t/new", 0, strings.Repeat("x", 50_000))
		Read(t, s, "t/a", 0, "x")
	})
}

// The wall clock was set wrong while the store was closed. No log is older than a day, and none is young for ever.
func TestNoWrongClockMakesLogsOld(t *testing.T) {
	const year = 365 * 24 * time.Hour
	for _, ahead := range []time.Duration{-100 * year, -year, 0, year} { // of the store's time when it was closed
		synctest.Test(t, func(t *testing.T) {
			dir := t.TempDir()
			s := opened(t, dir, store.Options{Keep: 30 * time.Hour})
			synctest.Wait()
			s.(*database).then += ahead.Milliseconds()
			Add(t, s, "t/a", 0, "x")
			Must(t, s.Close())
			s = opened(t, dir, store.Options{Keep: 30 * time.Hour})
			synctest.Wait()
			Read(t, s, "t/a", 0, "x")
			time.Sleep(31 * time.Hour)
			synctest.Wait()
			Read(t, s, "t/a", 0)
			Must(t, s.Close())
		})
	}
}

// Nothing of a forgotten log is left in any file, at once: neither its entries nor its name. Entries fill pages of
// the file in part, fill it with others, and take pages of their own.
func TestNoByteOfAForgottenLogIsLeft(t *testing.T) {
	dir := t.TempDir()
	s := opened(t, dir, store.Options{})
	defer s.Close()
	const logs, entries = 60, 12
	name := func(i int) string { return fmt.Sprintf("r/%06d", i) }
	votes := make([][]string, logs)
	for n := range entries { // all logs grow at once
		for i := range logs {
			votes[i] = append(votes[i], fmt.Sprintf("Zhang Wei votes %d %s", i, strings.Repeat("x", 10+n*n*60)))
			Add(t, s, name(i), n, votes[i][n])
		}
	}
	var forgotten []string
	for i := 0; i < logs; i += 2 {
		forgotten = append(forgotten, name(i))
	}
	Must(t, s.Forget(Ctx, forgotten))
	var content []byte
	for _, file := range []string{File, File + "-wal"} {
		some, err := os.ReadFile(filepath.Join(dir, file))
		Must(t, err)
		content = append(content, some...)
	}
	for i := range logs {
		n := bytes.Count(content, []byte(name(i))) + bytes.Count(content, fmt.Appendf(nil, "Zhang Wei votes %d ", i))
		if i%2 == 0 && n > 0 || i%2 == 1 && n < 3*entries {
			t.Errorf("log %d of %d, of which each second was forgotten, is in %d places", i, logs, n)
		}
		if i%2 == 1 {
			Read(t, s, name(i), 0, votes[i]...)
		}
	}
}

// Three hundred people join at once, each a room of their own.
func BenchmarkJoins(b *testing.B) {
	s := opened(b, b.TempDir(), store.Options{})
	defer s.Close()
	for round := 0; b.Loop(); round++ {
		var all sync.WaitGroup
		for p := range 300 {
			all.Go(func() { Add(b, s, fmt.Sprintf("r/%d-%d", round, p), 0, strings.Repeat("x", 200)) })
		}
		all.Wait()
	}
}
