package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// healthy pings the store and fails the test if the ping gives another reason; "": no failure.
func healthy(t *testing.T, s Store, reason string) {
	t.Helper()
	err := s.Ping(ctx)
	if got := reasonOf(err); got != reason {
		t.Errorf("the ping says %q (%v), not %q", got, err, reason)
	}
}

func reasonOf(err error) string {
	var failed *Failure
	switch {
	case err == nil:
		return ""
	case errors.As(err, &failed):
		return failed.Reason()
	}
	return "no reason: " + err.Error()
}

// filled returns a database with some logs and an empty write-ahead log.
func filled(t *testing.T, dir string, o Options) *database {
	t.Helper()
	s := openSQLite(t, dir, o)
	for i := range 30 {
		for n := range 1 + i%7 {
			add(t, s, fmt.Sprintf("t/%d", i), n, strings.Repeat(fmt.Sprintf("%d of log %d; ", n, i), 1+i*n))
		}
	}
	add(t, s, "t/long", 0, strings.Repeat("a long entry; ", 3000))
	add(t, s, "t/gone", 0, strings.Repeat("a long entry that is forgotten; ", 1000))
	if err := s.Delete(ctx, "t/gone"); err != nil {
		t.Fatal(err)
	}
	d := s.(*database)
	settle(t, d)
	return d
}

// settle empties the write-ahead log into the file.
func settle(t *testing.T, d *database) {
	t.Helper()
	j := newJob(d.empty)
	j.outside = true
	must(t, d.ask(ctx, j))
}

// wait sleeps until the whole file has been verified.
func wait() {
	time.Sleep(2 * betweenPasses)
	synctest.Wait()
}

// The verification finds damage to any page in use within minutes, even if nobody reads.
// Ping succeeds again when the page is restored.
func TestDamageAnywhereIsFound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		d := filled(t, dir, Options{})
		defer d.Close()
		path := filepath.Join(dir, "lockstep.db")
		good, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		wait()
		healthy(t, d, "")
		unnoticed, pages := 0, len(good)/pageBytes
		for page := range pages {
			broken := bytes.Clone(good)
			garbage := broken[page*pageBytes : (page+1)*pageBytes]
			for i := range garbage {
				garbage[i] = byte(rand.N(256))
			}
			overwrite(t, path, broken)
			wait()
			if err := d.Ping(ctx); err == nil {
				now, err := os.ReadFile(path)
				must(t, err)
				if bytes.Equal(now[page*pageBytes:(page+1)*pageBytes], garbage) {
					unnoticed++
				} // otherwise it was written over
			} else if got := reasonOf(err); got != "the file is damaged" {
				t.Errorf("page %d of %d is damaged; the ping says %q", page+1, pages, got)
			}
			settle(t, d)
			overwrite(t, path, good)
			wait()
			wait()
			healthy(t, d, "")
			if t.Failed() {
				t.Fatalf("at page %d", page+1)
			}
		}
		if free := freePages(t, d); unnoticed != free || free == 0 {
			t.Errorf("damage of %d of the %d pages is not noticed; %d are not used", unnoticed, pages, free)
		}
		whole(t, d)
	})
}

func freePages(t *testing.T, d *database) (n int) {
	t.Helper()
	if err := d.do(func() error { return d.value(&n, `PRAGMA freelist_count`) }); err != nil {
		t.Fatal(err)
	}
	return n
}

// overwrite changes the file that SQLite has open.
func overwrite(t *testing.T, path string, content []byte) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = file.Write(content)
	if err := errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
}

// One byte anywhere has changed. Either Ping fails, or all logs read as before.
func TestAChangedByteIsFoundOrHarmless(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		d := filled(t, dir, Options{})
		defer d.Close()
		path := filepath.Join(dir, "lockstep.db")
		good, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		contents := func() (all [][]byte, err error) {
			for i := range 30 {
				entries, readErr := d.Read(ctx, fmt.Sprintf("t/%d", i), 0)
				all, err = append(all, entries...), errors.Join(err, readErr)
			}
			entries, readErr := d.Read(ctx, "t/long", 0)
			return append(all, entries...), errors.Join(err, readErr)
		}
		want, err := contents()
		if err != nil {
			t.Fatal(err)
		}
		draw := rand.New(rand.NewPCG(1, 2))
		found, harmless := 0, 0
		for range 60 {
			broken := bytes.Clone(good)
			at := draw.IntN(len(broken))
			broken[at] ^= byte(1 + draw.IntN(255))
			overwrite(t, path, broken)
			wait()
			sick := d.Ping(ctx) != nil
			got, err := contents()
			switch {
			case err == nil && !bytes.Equal(bytes.Join(got, nil), bytes.Join(want, nil)):
				t.Errorf("byte %d is changed, and a log has entries that nobody wrote", at)
			case err != nil && !errors.Is(err, ErrDamaged) && code(err) == 0:
				t.Errorf("byte %d is changed: %v", at, err)
			case sick:
				found++
			case err != nil:
				t.Errorf("byte %d is changed, and the health is good: %v", at, err)
			default:
				harmless++
			}
			settle(t, d)
			overwrite(t, path, good)
			wait()
			wait()
		}
		t.Logf("%d were found, %d are harmless", found, harmless)
		if found < 20 {
			t.Errorf("only %d were found", found)
		}
		healthy(t, d, "")
		whole(t, d)
	})
}

// Somebody removes, replaces or locks the files. Ping says which, and the store refuses
// entries that it would lose.
func TestMovedOrLockedFilesAreReported(t *testing.T) {
	for _, c := range []struct {
		reason string
		do     func(t *testing.T, dir string)
		undo   func(t *testing.T, dir string) // nil: there is no way back
		append bool                           // the store still adds entries
	}{
		{"the directory is gone", func(t *testing.T, dir string) { rename(t, dir, dir+".away") }, func(t *testing.T, dir string) { rename(t, dir+".away", dir) }, false},
		{"the directory is gone", func(t *testing.T, dir string) { remove(t, dir) }, nil, false},
		{"the file is gone", func(t *testing.T, dir string) { rename(t, dir+"/lockstep.db", dir+"/x") }, func(t *testing.T, dir string) { rename(t, dir+"/x", dir+"/lockstep.db") }, false},
		{"the file is gone", func(t *testing.T, dir string) { remove(t, dir+"/lockstep.db-wal") }, nil, false},
		{"the file was replaced", func(t *testing.T, dir string) { replace(t, dir+"/lockstep.db") }, nil, false},
		{"the file was replaced", func(t *testing.T, dir string) { replace(t, dir+"/lockstep.db-wal") }, nil, false},
		{"the file is gone", func(t *testing.T, dir string) { rename(t, dir, dir+".away"); mkdir(t, dir) }, func(t *testing.T, dir string) { remove(t, dir); rename(t, dir+".away", dir) }, false},
		{"the file is read-only", func(t *testing.T, dir string) { chmod(t, dir+"/lockstep.db", 0o400) }, func(t *testing.T, dir string) { chmod(t, dir+"/lockstep.db", 0o600) }, true},
		{"the file is read-only", func(t *testing.T, dir string) { chmod(t, dir+"/lockstep.db-wal", 0o444) }, func(t *testing.T, dir string) { chmod(t, dir+"/lockstep.db-wal", 0o600) }, true},
		{"the directory is read-only", func(t *testing.T, dir string) { chmod(t, dir, 0o500) }, func(t *testing.T, dir string) { chmod(t, dir, 0o700) }, true},
		{"the file is damaged", func(t *testing.T, dir string) { truncate(t, dir+"/lockstep.db", 0) }, nil, true},
		{"the file is damaged", func(t *testing.T, dir string) { truncate(t, dir+"/lockstep.db", 3*pageBytes) }, nil, true},
	} {
		t.Run(c.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				dir := filepath.Join(t.TempDir(), "data")
				d := filled(t, dir, Options{})
				defer d.Close()
				wait()
				healthy(t, d, "")
				add(t, d, "t/before", 0, "x") // the store has just looked
				c.do(t, dir)
				if !c.append {
					if err := d.Append(ctx, "t/lost", 0, []byte("x")); !errors.Is(err, errUnfit) || reasonOf(err) != c.reason {
						t.Errorf("an entry is acknowledged into nothing: %v", err)
					}
				}
				time.Sleep(betweenLooks)
				healthy(t, d, c.reason)
				if !c.append {
					if err := d.Append(ctx, "t/new", 0, []byte("x")); !errors.Is(err, errUnfit) || reasonOf(err) != c.reason {
						t.Errorf("an entry is added: %v", err)
					}
					if err := d.Append(ctx, "t/1", 2, []byte("x")); !errors.Is(err, errUnfit) {
						t.Errorf("an entry is added: %v", err)
					}
					read(t, d, "t/3", 0, "0 of log 3; ", strings.Repeat("1 of log 3; ", 4), strings.Repeat("2 of log 3; ", 7), strings.Repeat("3 of log 3; ", 10))
				}
				if c.undo != nil {
					c.undo(t, dir)
					time.Sleep(betweenLooks)
					healthy(t, d, "")
					add(t, d, "t/new", 0, "x")
					whole(t, d)
				}
			})
		})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func rename(t *testing.T, from, to string)           { t.Helper(); must(t, os.Rename(from, to)) }
func remove(t *testing.T, path string)               { t.Helper(); must(t, os.RemoveAll(path)) }
func mkdir(t *testing.T, path string)                { t.Helper(); must(t, os.Mkdir(path, 0o700)) }
func chmod(t *testing.T, path string, m os.FileMode) { t.Helper(); must(t, os.Chmod(path, m)) }
func truncate(t *testing.T, path string, size int64) { t.Helper(); must(t, os.Truncate(path, size)) }

// replace replaces a file with a copy.
func replace(t *testing.T, path string) {
	t.Helper()
	content, err := os.ReadFile(path)
	must(t, err)
	must(t, os.WriteFile(path+".copy", content, 0o600))
	rename(t, path+".copy", path)
}

// A ping leaves no file behind and overwrites the leftover of a killed server.
func TestAPingLeavesNothingBehind(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "lockstep.health"), make([]byte, 1<<20), 0o600))
	s := openSQLite(t, dir, Options{})
	defer s.Close()
	for range 3 {
		healthy(t, s, "")
	}
	if _, err := os.Stat(filepath.Join(dir, "lockstep.health")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("after the ping: %v", err)
	}
}

// The file may not grow. The store refuses entries, and Ping fails until the file may grow.
func TestAFileThatCannotGrow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSQLite(t, t.TempDir(), Options{})
		defer s.Close()
		d := s.(*database)
		may := func(pages int) {
			must(t, d.do(func() error { return d.exec(fmt.Sprintf(`PRAGMA max_page_count = %d`, pages)) }))
		}
		add(t, s, "t/a", 0, "x")
		may(10)
		if err := s.Append(ctx, "t/b", 0, make([]byte, 100_000)); !errors.Is(err, ErrFull) {
			t.Errorf("an entry that does not fit: %v", err)
		}
		healthy(t, s, "the disk is full")
		may(1000)
		add(t, s, "t/b", 0, strings.Repeat("x", 100_000))
		healthy(t, s, "")
		may(10)
		if err := s.Append(ctx, "t/c", 0, make([]byte, 100_000)); !errors.Is(err, ErrFull) {
			t.Errorf("an entry that does not fit: %v", err)
		}
		time.Sleep(recently)
		healthy(t, s, "") // no job has failed for a while
		add(t, s, "t/a", 1, "y")
		whole(t, d)
	})
}

// A ping gives up on a disk that hangs.
func TestAPingGivesUpOnAHangingDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSQLite(t, t.TempDir(), Options{})
		defer s.Close()
		d := s.(*database)
		hangs := make(chan struct{})
		go d.do(func() error { <-hangs; return nil })
		synctest.Wait()
		for range 2 { // the second finds that the first has not come back
			short, cancel := context.WithTimeout(ctx, 2*time.Second)
			began := time.Now()
			if err := s.Ping(short); reasonOf(err) != "it does not answer" || time.Since(began) > 2*time.Second {
				t.Errorf("after %s: %v", time.Since(began), err)
			}
			cancel()
		}
		close(hangs)
		synctest.Wait()
		healthy(t, s, "")
	})
}

func TestAPingOfAClosedStore(t *testing.T) {
	s := openSQLite(t, t.TempDir(), Options{})
	s.Close()
	healthy(t, s, "it is closed")
}

// A long verification runs in doses, and other jobs run between them.
func TestAVerificationRunsInDoses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSQLite(t, t.TempDir(), Options{})
		defer s.Close()
		for i := range 6 {
			for n := range 2 {
				add(t, s, fmt.Sprintf("t/%d", i), n, strings.Repeat("x", 400_000))
			}
		}
		d := s.(*database)
		time.Sleep(betweenPasses)
		synctest.Wait()
		doses := 0
		for left := -1; ; time.Sleep(betweenDoses) {
			synctest.Wait()
			must(t, d.do(func() error { left = len(d.pass.logs); return nil }))
			if left == 0 {
				break
			}
			doses++
		}
		if doses < 3 || doses > 6 {
			t.Errorf("4.8 MB take %d doses of 1 MB", doses)
		}
	})
}

// Logs that begin before, between and after all steps of a verification are no damage.
func TestALogThatBeginsDuringAVerification(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told notebook
		s := openSQLite(t, t.TempDir(), Options{Logger: told.logger()})
		defer s.Close()
		add(t, s, "t/before", 0, "one")
		d := s.(*database)
		synctest.Wait() // the first pass is over
		must(t, d.do(func() error { d.beginPass(); return nil }))
		steps := 0
		for running := true; running && steps < 10; steps++ {
			for n := range 2 {
				add(t, s, fmt.Sprintf("t/%d", steps), n, "during")
			}
			must(t, d.do(func() error { d.verifyNext(time.Now(), 1); running = d.pass.running; return nil }))
		}
		if steps != 3 { // the log, the gap after it, and what comes after all logs of the pass
			t.Errorf("the pass took %d steps", steps)
		}
		if told.String() != "" || s.Stats().Damaged != 0 {
			t.Errorf("the operator is told\n%s", told.String())
		}
	})
}

func BenchmarkPing(b *testing.B) {
	s := openSQLite(b, b.TempDir(), Options{})
	defer s.Close()
	for b.Loop() {
		if err := s.Ping(ctx); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkDose measures how long a dose holds up other jobs.
func BenchmarkDose(b *testing.B) {
	s := openSQLite(b, b.TempDir(), Options{})
	defer s.Close()
	for i := range 200 {
		for n := range 100 {
			if err := s.Append(ctx, fmt.Sprintf("t/%d", i), n, make([]byte, 500)); err != nil {
				b.Fatal(err)
			}
		}
	}
	d := s.(*database)
	for b.Loop() {
		j := newJob(func() error { d.verify(); return nil })
		j.outside = true
		if err := d.ask(ctx, j); err != nil {
			b.Fatal(err)
		}
	}
}
