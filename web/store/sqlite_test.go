package store

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func openSQLite(t testing.TB, dir string, o Options) Store {
	t.Helper()
	s, err := SQLite(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestAFileIsOpenedAgain(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a new one", "50% of what?#é")
	s := openSQLite(t, dir, Options{})
	add(t, s, "t/a", 0, "x")
	add(t, s, "t/a", 1, "y")
	s.Close()
	s = openSQLite(t, dir, Options{})
	defer s.Close()
	read(t, s, "t/a", 0, "x", "y")
	add(t, s, "t/a", 2, "z")
	for name, want := range map[string]os.FileMode{".": os.ModeDir | 0o700, "lockstep.db": 0o600, "lockstep.db-wal": 0o600} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v; others must not read it", name, info.Mode(), err)
		}
	}
}

func TestTransactionsAreSynced(t *testing.T) {
	s := openSQLite(t, t.TempDir(), Options{})
	defer s.Close()
	err := s.(*database).do(func() error {
		for setting, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "locking_mode": "exclusive", "secure_delete": "1", "journal_size_limit": "16777216"} {
			var got string
			if err := s.(*database).value(&got, "PRAGMA "+setting); err != nil || got != want {
				t.Errorf("%s is %s, %v", setting, got, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A child process adds entries to nine logs at once and prints each acknowledgement,
// until the test kills it.
func TestAcknowledgedEntriesSurviveAKill(t *testing.T) {
	dir := t.TempDir()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), "STORE_CHILD=append", "STORE_DIR="+dir)
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	acknowledged, lines := map[string]int{}, 0
	for said := bufio.NewScanner(out); said.Scan(); lines++ {
		if lines == 0 {
			if _, err := SQLite(dir, Options{}); err == nil || !strings.Contains(err.Error(), "another process uses "+dir) {
				t.Errorf("two processes use %s: %v", dir, err)
			}
		}
		if lines == 500 {
			child.Process.Kill()
		}
		var log string
		var entries int
		if _, err := fmt.Sscan(said.Text(), &log, &entries); err != nil {
			t.Fatalf("%q: %v", said.Text(), err)
		}
		acknowledged[log] = entries
	}
	child.Wait()
	if lines < 500 || len(acknowledged) != 9 {
		t.Fatalf("the child acknowledged %d entries of %d logs, and ended", lines, len(acknowledged))
	}
	s := openSQLite(t, dir, Options{})
	defer s.Close()
	for log, n := range acknowledged {
		entries, err := s.Read(ctx, log, 0)
		if err != nil || len(entries) < n {
			t.Errorf("%s has %d entries, %v; %d were acknowledged", log, len(entries), err, n)
		}
		for i, entry := range entries {
			if want := fmt.Sprintf("%s %d", log, i); string(entry) != want {
				t.Errorf("entry %d of %s is %q", i, log, entry)
			}
		}
		add(t, s, log, len(entries), "and on")
	}
}

// appendUntilKilled is the work of that child.
func appendUntilKilled(dir string) {
	s, err := SQLite(dir, Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for i := range 9 {
		log := fmt.Sprintf("r/%d", i)
		go func() {
			for n := 0; ; n++ {
				if err := s.Append(ctx, log, n, fmt.Appendf(nil, "%s %d", log, n)); err != nil {
					fmt.Fprintln(os.Stderr, err)
					os.Exit(1)
				}
				io.WriteString(os.Stdout, fmt.Sprintf("%s %d\n", log, n+1))
			}
		}()
	}
	select {}
}

// Appends that arrive while the store is busy share a transaction, and each gets its own
// answer. An append that is behind, or that finds no room, does not fail the others.
func TestOneFailureDoesNotFailOtherJobs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSQLite(t, t.TempDir(), Options{})
		defer s.Close()
		add(t, s, "r/1", 0, "x")
		d := s.(*database)
		var all sync.WaitGroup
		busy := make(chan struct{})
		all.Go(func() {
			d.do(func() error {
				<-busy
				return d.exec(`PRAGMA max_page_count = 50`)
			})
		})
		synctest.Wait()
		gone, cancel := context.WithCancel(ctx)
		for i := range 20 {
			all.Go(func() { add(t, s, fmt.Sprintf("r/%d", 2+i), 0, "x") })
			all.Go(func() { refused(t, s, "r/1", 0, ErrBehind) })
			all.Go(func() { refused(t, s, "r/1", 2, ErrLost) })
			all.Go(func() {
				if err := s.Append(gone, "r/1", 1, nil); !errors.Is(err, context.Canceled) {
					t.Errorf("a cancelled request is told %v", err)
				}
			})
		}
		all.Go(func() {
			if err := s.Append(ctx, "r/big", 0, make([]byte, 1<<20)); !errors.Is(err, ErrFull) || !strings.Contains(err.Error(), "lockstep.db: database or disk is full") {
				t.Errorf("without room: %v", err)
			}
		})
		all.Go(func() {
			add(t, s, "r/failing", 0, "x")
			failure := errors.New("failure")
			err := d.do(func() error {
				log := d.catalog.logs["r/failing"]
				d.catalog.forget(log)
				if err := d.remove(log); err != nil {
					return err
				}
				return failure
			})
			if !errors.Is(err, failure) {
				t.Errorf("a job that fails half-way: %v", err)
			}
		})
		synctest.Wait()
		cancel()
		synctest.Wait()
		close(busy)
		all.Wait()
		read(t, s, "r/1", 0, "x")
		for i := range 20 {
			read(t, s, fmt.Sprintf("r/%d", 2+i), 0, "x")
		}
		read(t, s, "r/big", 0)
		read(t, s, "r/failing", 0, "x")
		whole(t, d)
	})
}

// More logs than one sweep takes become old while the server is away.
func TestOldLogsAreForgottenAtTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		s := openSQLite(t, dir, Options{})
		for i := range 2*sweptAtOnce + 1 {
			add(t, s, fmt.Sprintf("t/%d", i), 0, "a secret")
		}
		s.Close()
		time.Sleep(48 * time.Hour)
		s = openSQLite(t, dir, Options{Keep: 23 * time.Hour})
		synctest.Wait()
		for i := range 2*sweptAtOnce + 1 {
			read(t, s, fmt.Sprintf("t/%d", i), 0)
		}
		s.Close()
		file, err := os.ReadFile(filepath.Join(dir, "lockstep.db"))
		if err != nil || bytes.Contains(file, []byte("secret")) {
			t.Errorf("the file still has the bytes of a forgotten log (%v)", err)
		}
	})
}

func TestAFileOfANewerVersionIsLeftAlone(t *testing.T) {
	dir := t.TempDir()
	s := openSQLite(t, dir, Options{})
	d := s.(*database)
	if err := d.do(func() error { return d.exec(`PRAGMA user_version = 4`) }); err != nil {
		t.Fatal(err)
	}
	s.Close()
	_, err := SQLite(dir, Options{})
	if want := "lockstep.db was written by a newer version of this program (its tables have number 4, and this version knows those up to 3)"; err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("%v", err)
	}
}

func TestADamagedFileIsNamed(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "lockstep.db")
	s := openSQLite(t, dir, Options{})
	for i := range 100 {
		add(t, s, "t/a", i, strings.Repeat("x", 1000))
	}
	s.Close()
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}

	garbage := bytes.Repeat([]byte("garbage!"), len(good)/8)
	if err := os.WriteFile(path, garbage, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := SQLite(dir, Options{}); err == nil || !strings.Contains(err.Error(), path+" is damaged") {
		t.Errorf("opened garbage: %v", err)
	}
	if now, _ := os.ReadFile(path); !bytes.Equal(now, garbage) {
		t.Error("the store has overwritten an unreadable file")
	}

	if err := os.WriteFile(path, append(good[:40<<10:40<<10], garbage[40<<10:]...), 0o600); err != nil {
		t.Fatal(err)
	}
	s = openSQLite(t, dir, Options{})
	defer s.Close()
	if _, err := s.Read(ctx, "t/a", 0); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "of t/a: database disk image is malformed") {
		t.Errorf("read from a damaged file: %v", err)
	}
}

func TestADirectoryThatCannotBeMade(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a file")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := SQLite(path, Options{}); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("%v", err)
	}
}

func TestAClosedStoreRefusesJobs(t *testing.T) {
	s := openSQLite(t, t.TempDir(), Options{})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("once more: %v", err)
	}
	if err := s.Append(ctx, "t/a", 0, nil); !errors.Is(err, errClosed) {
		t.Errorf("append: %v", err)
	}
}

// whole recounts a database and fails the test if its catalog says otherwise.
func whole(t *testing.T, d *database) {
	t.Helper()
	err := d.do(func() error {
		c := d.catalog
		logs, bytes, owners := 0, int64(0), map[string]share{}
		for l := range c.oldest() {
			logs++
			bytes += l.bytes
			if l.owner != "" && l.order == &c.recent {
				s := owners[l.owner]
				owners[l.owner] = share{s.logs + 1, s.bytes + l.bytes}
			}
			var entries int
			var sum, counted int64
			if err := d.conn.QueryRowContext(ctx, `SELECT count(*), coalesce(sum(length(record) - iif(substr(record, 1, 1) = x'02', ?, 0)), 0) FROM records WHERE id BETWEEN ? AND ?`, recordHeader, l.recordID(0), l.lastID()).Scan(&entries, &sum); err != nil {
				return err
			}
			if err := d.value(&counted, `SELECT bytes FROM logs WHERE id = ?`, l.id); err != nil {
				return err
			}
			if want := sum + int64(entries)*entryBytes + logBytes; entries != l.entries || l.bytes != want || counted != want {
				t.Errorf("%s has %d entries and takes %d bytes; the catalog says %d and %d, the table %d", l.name, entries, want, l.entries, l.bytes, counted)
			}
			if err := d.verifyRow(l); err != nil {
				t.Error(err)
			}
		}
		var rows, records, kept int
		if err := d.conn.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM logs), (SELECT count(*) FROM records), (SELECT coalesce(sum(entries), 0) FROM logs)`).Scan(&rows, &records, &kept); err != nil {
			return err
		}
		if logs != rows || logs != len(c.logs) || bytes != c.bytes || records != kept {
			t.Errorf("the tables have %d logs and %d records of %d; the catalog lists %d of %d logs, and takes %d bytes for %d", rows, records, kept, logs, len(c.logs), c.bytes, bytes)
		}
		for owner, s := range owners {
			if c.owners[owner] == nil || *c.owners[owner] != s {
				t.Errorf("%s has %+v; the catalog says %+v", owner, s, c.owners[owner])
			}
		}
		if len(owners) != len(c.owners) {
			t.Errorf("there are %d owners; the catalog says %d", len(owners), len(c.owners))
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// do calls a function in a transaction.
func (d *database) do(what func() error) error { return d.ask(ctx, newJob(what)) }
