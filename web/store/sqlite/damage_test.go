package sqlite

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"lockstep/engine/testtools"
	"lockstep/web/store"
	. "lockstep/web/store/storetest"
)

const grown = 9 // logs to which a child adds entries at once

// A hundred times a child process adds entries to nine logs at once, prints each acknowledgement, and is killed. The
// next one continues. Nothing that was acknowledged is lost, and nothing half is read.
func TestAcknowledgedEntriesSurviveAHundredKills(t *testing.T) {
	dir, draw := t.TempDir(), rand.New(rand.NewPCG(1, 2))
	var acknowledged [grown]int // entries
	for kill := range testtools.InCircle(20, 100, 100) {
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), "STORE_CHILD=append", "STORE_DIR="+dir)
		child.Stderr = os.Stderr
		out, err := child.StdoutPipe()
		Must(t, errors.Join(err, child.Start()))
		said, enough := bufio.NewScanner(out), 1+draw.IntN(100)
		for lines := 0; said.Scan(); lines++ {
			if lines == 0 && kill == 0 {
				if _, err := Open(dir, store.Options{}); !errors.Is(err, store.ErrInUse) || !strings.Contains(err.Error(), "another process uses "+dir) {
					t.Errorf("two processes use %s: %v", dir, err)
				}
			}
			if lines == enough {
				Must(t, child.Process.Kill())
			}
			var log, n int
			if _, err := fmt.Sscan(said.Text(), &log, &n); err != nil {
				t.Fatalf("%q: %v", said.Text(), err)
			}
			acknowledged[log] = n
		}
		_ = child.Wait()
		s := opened(t, dir, store.Options{})
		for log, least := range acknowledged {
			steps := Folded(t, store.NewLog[Step](s, fmt.Sprint("r/", log)))
			if len(steps) < least {
				t.Errorf("kill %d: log %d has %d entries of %d", kill, log, len(steps), least)
			}
			for i, step := range steps {
				if step != fmt.Sprint(log, " ", i) {
					t.Errorf("kill %d: entry %d of log %d is %q", kill, i, log, step)
				}
			}
		}
		Must(t, s.Close())
	}
	if slices.Min(acknowledged[:]) == 0 {
		t.Errorf("the children have added %v entries", acknowledged)
	}
}

// appendUntilKilled is the work of such a child.
func appendUntilKilled(dir string) error {
	s, err := Open(dir, store.Options{})
	if err != nil {
		return err
	}
	failed := make(chan error)
	for log := range grown {
		go func() {
			l := store.NewLog[Step](s, fmt.Sprint("r/", log))
			err := l.Read(func() {}, func(Step) error { return nil })
			for err == nil {
				if err = l.Append(Step(fmt.Sprint(log, " ", l.Len()))); err == nil {
					fmt.Println(log, l.Len())
				}
			}
			failed <- err
		}()
	}
	return <-failed
}

// library returns a directory with a file of some logs and a closed store, and the entries of each log.
func library(t *testing.T) (dir string, logs map[string]string) {
	t.Helper()
	dir, logs = t.TempDir(), map[string]string{}
	s := opened(t, dir, store.Options{})
	for i := range 30 {
		log := fmt.Sprintf("t/%d", i)
		for n := range 1 + i%5 {
			entry := strings.Repeat(fmt.Sprintf("%d of %s; ", n, log), 1+i*n*n)
			Must(t, s.Append(store.WithOwner(Ctx, "network-a"), log, n, []byte(entry)))
			logs[log] += entry
		}
	}
	Add(t, s, "t/gone", 0, strings.Repeat("x", 9000)) // leaves pages that nothing uses
	Must(t, errors.Join(s.Delete(Ctx, "t/gone"), s.Close()))
	return dir, logs
}

// countDamaged counts the logs that are damaged. Each other one has to be whole.
func countDamaged(t *testing.T, s store.Store, logs map[string]string) (n int) {
	t.Helper()
	for log, want := range logs {
		entries, err := s.Read(Ctx, log, 0)
		if errors.Is(err, store.ErrDamaged) {
			n++
		} else if err != nil || string(bytes.Join(entries, nil)) != want {
			t.Fatalf("%s has %d entries, %v", log, len(entries), err)
		}
	}
	return n
}

// A bit flips anywhere in the file, or zeroes stand in the place of a page, while no store is open. Either the file
// does not open, or each log reads as it was written or is refused. Then Ping fails. New logs begin, or Ping fails.
func TestDamageAnywhere(t *testing.T) {
	dir, logs := library(t)
	path := filepath.Join(dir, File)
	good, err := os.ReadFile(path)
	Must(t, err)
	closed, some, harmless := 0, 0, 0
	try := func(what string, damage func(file []byte)) {
		t.Helper()
		broken := bytes.Clone(good)
		damage(broken)
		Must(t, os.WriteFile(path, broken, 0o600))
		s, err := Open(dir, store.Options{})
		if err != nil {
			if closed++; !strings.Contains(err.Error(), path) {
				t.Errorf("%s: %v", what, err)
			}
			return
		}
		defer s.Close()
		switch n := countDamaged(t, s, logs); {
		case n == 0:
			harmless++
		case n < len(logs):
			some++
			fallthrough
		default:
			if Reason(s.Ping(Ctx)) != damaged {
				t.Errorf("%s: %d logs are damaged, and the ping says %v", what, n, s.Ping(Ctx))
			}
		}
		after := maps.Clone(logs)
		if err := s.Append(Ctx, "t/new", 0, []byte("x")); err == nil {
			after["t/new"] = "x"
		}
		if n := countDamaged(t, s, after); len(after) == len(logs) && s.Ping(Ctx) == nil {
			t.Errorf("%s: no log begins, %d are damaged, and the ping is well", what, n)
		}
	}
	bits := testtools.InCircle(150, 1000, 10_000)
	for i := range bits {
		at := i * len(good) / bits
		try(fmt.Sprintf("bit %d of byte %d", i%8, at), func(file []byte) { file[at] ^= 1 << (i % 8) })
	}
	for at := range 100 { // the header
		try(fmt.Sprintf("byte %d", at), func(file []byte) { file[at] ^= 0x40 })
	}
	for from := 0; from < len(good); from += pageBytes {
		try(fmt.Sprintf("zeroes from byte %d", from), func(file []byte) { clear(file[from:min(from+pageBytes, len(file))]) })
	}
	if closed == 0 || harmless == 0 || some < 30 {
		t.Errorf("%d files did not open, %d had some damaged logs, and %d none", closed, some, harmless)
	}
}

// The tables contradict each other. The store refuses the log by its name, writes nothing over it, and keeps the
// others. The statements of doc.go remove the log.
func TestTablesThatContradictEachOther(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	Must(t, err)
	var repair string
	for line := range strings.Lines(string(doc)) {
		if statement, ok := strings.CutPrefix(line, "//\tDELETE "); ok {
			repair += "DELETE " + strings.ReplaceAll(statement, "t/…", "t/3")
		}
	}
	dir, logs := library(t)
	good, err := os.ReadFile(filepath.Join(dir, File))
	Must(t, err)
	for _, damage := range []string{
		`UPDATE logs SET entries = 0 WHERE name = 't/3'`,
		`UPDATE logs SET entries = 3 WHERE name = 't/3'`,
		`UPDATE logs SET entries = 'four' WHERE name = 't/3'`,
		`UPDATE logs SET added = added - 1 WHERE name = 't/3'`,
		`UPDATE logs SET owner = 'network-b' WHERE name = 't/3'`,
		`UPDATE logs SET name = 't/none' WHERE name = 't/3'`,
		`DELETE FROM logs WHERE name = 't/3'`,
		`DELETE FROM entries WHERE log = 't/3'`,
		`DELETE FROM entries WHERE log = 't/3' AND n = 3`,
		`UPDATE entries SET log = 't/none' WHERE log = 't/3' AND n = 3`,
		`UPDATE entries SET n = 7 WHERE log = 't/3' AND n = 2`,
		`INSERT INTO entries VALUES ('t/3', 4, x'00')`,
	} {
		Must(t, os.WriteFile(filepath.Join(dir, File), good, 0o600))
		s := opened(t, dir, store.Options{})
		changes(t, s, damage)
		Must(t, s.Close())
		var said strings.Builder
		s = opened(t, dir, store.Options{Logger: Logger(&said)})
		if n := countDamaged(t, s, logs); n != 1 || strings.Count(said.String(), " log=t/3 ") != 1 {
			t.Errorf("%s: %d logs are damaged, and the operator reads\n%s", damage, n, said.String())
		}
		if err := s.Append(Ctx, "t/3", 0, []byte("x")); err == nil {
			t.Errorf("%s: the log begins again", damage)
		}
		changes(t, s, repair)
		Must(t, s.Close())
		s = opened(t, dir, store.Options{})
		Read(t, s, "t/3", 0)
		Add(t, s, "t/3", 0, logs["t/3"])
		if n := countDamaged(t, s, logs); n > 0 {
			t.Errorf("%s: %d logs are damaged after the repair", damage, n)
		}
		Healthy(t, s, "")
		Must(t, s.Close())
	}
}

// A flipped bit makes a log look old, and the store does not forget it. Others that are old make room.
func TestADamagedLogIsNotForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := opened(t, t.TempDir(), store.Options{MaxBytes: 1 << 20})
		defer s.Close()
		for i := range 3 {
			Add(t, s, fmt.Sprintf("t/%d", i), 0, strings.Repeat("x", 250_000))
		}
		changes(t, s, `UPDATE logs SET added = 0 WHERE name = 't/1'`)
		time.Sleep(25 * time.Hour)
		synctest.Wait()
		Add(t, s, "t/new", 0, strings.Repeat("x", 500_000))
		for i := range 3 {
			entries, err := s.Read(Ctx, fmt.Sprintf("t/%d", i), 0)
			if len(entries) != i/2 || errors.Is(err, store.ErrDamaged) != (i == 1) {
				t.Errorf("t/%d has %d entries, %v", i, len(entries), err)
			}
		}
		Healthy(t, s, damaged)
	})
}
