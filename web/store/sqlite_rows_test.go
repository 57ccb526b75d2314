package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
)

// rowed returns a directory with a file and the page of its rows. The file has three logs,
// t/a, t/bad and t/c, with four entries each. Before the store ends, rowed runs the
// functions in last.
func rowed(t *testing.T, last ...func(*database) error) (dir string, page int) {
	t.Helper()
	dir = t.TempDir()
	s := openSQLite(t, dir, Options{})
	for _, log := range []string{"t/a", "t/bad", "t/c"} {
		for n := range 4 {
			must(t, s.Append(WithOwner(ctx, "network-a"), log, n, fmt.Appendf(nil, "%d of %s", n, log)))
		}
	}
	d := s.(*database)
	must(t, d.do(func() error { return d.value(&page, `SELECT rootpage FROM sqlite_schema WHERE name = 'logs'`) }))
	kill(t, s, last...)
	return dir, page
}

// state describes in one word the result of reading a log.
func state(t *testing.T, s Store, log string) string {
	t.Helper()
	entries, err := s.Read(ctx, log, 0)
	switch {
	case errors.Is(err, ErrDamaged):
		return "damaged"
	case err != nil:
		return err.Error()
	case len(entries) == 0:
		return "empty"
	}
	for n, entry := range entries {
		if string(entry) != fmt.Sprintf("%d of %s", n, log) || len(entries) != 4 {
			return fmt.Sprintf("%q", entries)
		}
	}
	return "whole"
}

// After any change to the row of a log or to its last record, the store refuses the log by
// its name, writes nothing over it, and keeps the other logs.
func TestARowThatContradictsTheRecords(t *testing.T) {
	sql := func(statement string) func(*database) error {
		return func(d *database) error { return d.exec(statement) }
	}
	row := func(change func(l *entryLog)) func(*database) error { // for example an old row, whose checksum is right
		return func(d *database) error {
			l := *d.catalog.logs["t/bad"]
			change(&l)
			return d.writeRow(&l)
		}
	}
	for _, c := range []struct {
		name   string
		damage func(*database) error
	}{
		{"no entries", sql(`UPDATE logs SET entries = 0 WHERE name = 't/bad'`)},
		{"one less", sql(`UPDATE logs SET entries = 3 WHERE name = 't/bad'`)},
		{"one more", sql(`UPDATE logs SET entries = 5 WHERE name = 't/bad'`)},
		{"a word", sql(`UPDATE logs SET entries = 'four' WHERE name = 't/bad'`)},
		{"fewer bytes", sql(`UPDATE logs SET bytes = 1 WHERE name = 't/bad'`)},
		{"another time", sql(`UPDATE logs SET added = added + 1 WHERE name = 't/bad'`)},
		{"another owner", sql(`UPDATE logs SET owner = 'network-c' WHERE name = 't/bad'`)},
		{"another name", sql(`UPDATE logs SET name = 't/bae' WHERE name = 't/bad'`)},
		{"the name of another log", sql(`UPDATE logs SET name = 't/a' WHERE name = 't/bad'`)},
		{"no name", sql(`UPDATE logs SET name = '' WHERE name = 't/bad'`)},
		{"an invalid name", sql(`UPDATE logs SET name = x'ff00' WHERE name = 't/bad'`)},
		{"another checksum", sql(`UPDATE logs SET sum = sum + 1 WHERE name = 't/bad'`)},
		{"another id", sql(`UPDATE logs SET id = 9 WHERE name = 't/bad'`)},
		{"no row", sql(`DELETE FROM logs WHERE name = 't/bad'`)},
		{"an old row", row(func(l *entryLog) { l.entries = 3 })},
		{"a row of the future", row(func(l *entryLog) { l.entries = 5 })},
		{"two correct rows", row(func(l *entryLog) { l.id = 9 })},
		{"no last record", sql(`DELETE FROM records WHERE id = (SELECT id << 32 | 3 FROM logs WHERE name = 't/bad')`)},
		{"no records", sql(`DELETE FROM records WHERE id >> 32 = (SELECT id FROM logs WHERE name = 't/bad')`)},
		{"one record too many", sql(`INSERT INTO records SELECT id << 32 | 4, x'00' FROM logs WHERE name = 't/bad'`)},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, _ := rowed(t, c.damage)
			for range 2 {
				var told notebook
				s := openSQLite(t, dir, Options{Logger: told.logger()})
				for log, want := range map[string]string{"t/a": "whole", "t/bad": "damaged", "t/c": "whole"} {
					if got := state(t, s, log); got != want {
						t.Errorf("%s is %s, want %s", log, got, want)
					}
				}
				for n := range 6 {
					refused(t, s, "t/bad", n, ErrDamaged)
				}
				if err := s.Delete(ctx, "t/bad"); !errors.Is(err, ErrDamaged) {
					t.Errorf("it is deleted: %v", err)
				}
				if said := told.String(); strings.Count(said, " log=t/bad ") != 1 {
					t.Errorf("the operator is told\n%s", said)
				}
				add(t, s, "t/new", 0, "x")
				read(t, s, "t/new", 0, "x")
				must(t, s.Delete(ctx, "t/new"))
				healthy(t, s, "the file is damaged")
				s.Close()
			}
		})
	}
}

// doc.go has the statements that remove a damaged log.
func TestADamagedLogCanBeRemoved(t *testing.T) {
	for _, damage := range []string{
		`UPDATE logs SET entries = 3 WHERE name = 't/bad'`,
		`UPDATE logs SET id = 9 WHERE name = 't/bad'`,
		`DELETE FROM logs WHERE name = 't/bad'`,
	} {
		doc, err := os.ReadFile("doc.go")
		must(t, err)
		var statements []string
		for line := range strings.Lines(string(doc)) {
			if statement, ok := strings.CutPrefix(line, "//\tDELETE "); ok {
				statements = append(statements, "DELETE "+strings.ReplaceAll(statement, "t/…", "t/bad"))
			}
		}
		dir, _ := rowed(t, func(d *database) error { return d.exec(damage) }, func(d *database) error {
			for _, statement := range statements {
				if err := d.exec(statement); err != nil {
					return err
				}
			}
			return nil
		})
		s := openSQLite(t, dir, Options{})
		healthy(t, s, "")
		for log, want := range map[string]string{"t/a": "whole", "t/bad": "empty", "t/c": "whole"} {
			if got := state(t, s, log); got != want {
				t.Errorf("%s: %s is %s, want %s", damage, log, got, want)
			}
		}
		whole(t, s.(*database))
		s.Close()
	}
}

// One bit of the rows' page flips while the store is closed. Either the file does not open,
// or each log reads as before or is refused. If one is refused, Ping fails.
func TestAFlippedBitOfARow(t *testing.T) {
	dir, page := rowed(t)
	path := filepath.Join(dir, "lockstep.db")
	good, err := os.ReadFile(path)
	must(t, err)
	count := map[string]int{}
	for at := (page - 1) * pageBytes; at < page*pageBytes; at++ {
		if good[at] == 0 && at%64 != 0 { // most of the page is empty
			continue
		}
		for _, bit := range []int{at % 8, (at*5 + 3) % 8} {
			broken := bytes.Clone(good)
			broken[at] ^= 1 << bit
			must(t, os.WriteFile(path, broken, 0o600))
			where := fmt.Sprintf("byte %d, bit %d", at, bit)
			s, err := SQLite(dir, Options{})
			if err != nil {
				if !strings.Contains(err.Error(), path+" is damaged") {
					t.Errorf("%s: %v", where, err)
				}
				count["closed"]++
				continue
			}
			all := "whole"
			for _, log := range []string{"t/a", "t/bad", "t/c"} {
				switch got := state(t, s, log); got {
				case "damaged":
					all = got
				case "whole":
				default:
					t.Errorf("%s: %s is %s", where, log, got)
				}
			}
			if all == "damaged" {
				healthy(t, s, "the file is damaged")
			}
			count[all]++
			s.Close()
		}
	}
	t.Logf("%v", count)
	if count["damaged"] < 100 || count["closed"] == 0 || count["whole"] == 0 {
		t.Errorf("the flips did %v", count)
	}
}

// The test zeroes a page in use while the store is closed. Either the store does not open
// the file, or it opens the file and returns only entries that somebody wrote.
func TestAZeroedPage(t *testing.T) {
	dir, _ := rowed(t)
	path := filepath.Join(dir, "lockstep.db")
	good, err := os.ReadFile(path)
	must(t, err)
	for page := range len(good) / pageBytes {
		for _, at := range []int{0, 1, 100, 2000} { // also across pages
			broken := bytes.Clone(good)
			from := page*pageBytes + at
			clear(broken[from:min(from+pageBytes, len(good))])
			must(t, os.WriteFile(path, broken, 0o600))
			s, err := SQLite(dir, Options{})
			if err != nil {
				if !strings.Contains(err.Error(), path+" is damaged") {
					t.Errorf("zeroes from byte %d: %v", from, err)
				}
				continue
			}
			for _, log := range []string{"t/a", "t/bad", "t/c"} {
				if got := state(t, s, log); got != "whole" && got != "damaged" {
					t.Errorf("zeroes from byte %d: %s is %s", from, log, got)
				}
			}
			s.Close()
		}
	}
}

// A file of schema 2, which had no checksums of rows: one of its logs is damaged, and one
// has two rows.
func TestAFileOfTheSecondEdition(t *testing.T) {
	dir := t.TempDir()
	file, err := os.ReadFile("testdata/second-edition.db")
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, "lockstep.db"), file, 0o600))
	for round := range 2 {
		var told notebook
		s := openSQLite(t, dir, Options{Logger: told.logger()})
		add(t, s, "t/oldest1234", 30+round, "new")
		entries, err := s.Read(ctx, "t/oldest1234", 0)
		if err != nil || len(entries) != 31+round || string(entries[29]) != `{"id":"29","lines":["tick 29s"]}` {
			t.Errorf("%d entries, %.80q, %v", len(entries), entries, err)
		}
		read(t, s, "r/123456", 0, `{"verb":"open"}`, `{"verb":"end"}`)
		read(t, s, "t/newest9876", 0, "{}")
		read(t, s, "t/deleted", 0)
		for _, log := range []string{"t/damaged", "t/twice"} {
			if _, err := s.Read(ctx, log, 0); !errors.Is(err, ErrDamaged) || strings.Count(told.String(), " log="+log+" ") != 1 {
				t.Errorf("%s: %v, and the operator is told\n%s", log, err, told.String())
			}
		}
		d := s.(*database)
		must(t, d.do(func() error {
			if l := d.catalog.logs["r/123456"]; l.owner != "network-a" || l.bytes != logBytes+2*entryBytes+int64(len(`{"verb":"open"}{"verb":"end"}`)) {
				t.Errorf("the log is %+v", l)
			}
			return nil
		}))
		s.Close()
	}
}

// An open store finds within minutes a record that belongs to no log, or to none of its
// log's entries.
func TestAStrayRecordIsFound(t *testing.T) {
	for _, c := range []struct{ record, told string }{
		{`(SELECT id << 32 | 4 FROM logs WHERE name = 't/bad')`, "log=t/bad entry=5 "},
		{`(SELECT id << 32 | 400 FROM logs WHERE name = 't/c')`, "log=t/c entry=401 "},
		{`1`, `log="(id 0)" entry=2 `},
		{`-1`, `log="(id -1)" entry=4294967296 `},
		{`77 << 32`, `log="(id 77)" entry=1 `},
		{`9223372036854775806`, `log="(id 2147483647)" entry=4294967295 `},
	} {
		t.Run(c.told, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				dir, _ := rowed(t)
				var told notebook
				s := openSQLite(t, dir, Options{Logger: told.logger()})
				defer s.Close()
				wait()
				healthy(t, s, "")
				d := s.(*database)
				must(t, d.do(func() error { return d.exec(`INSERT INTO records VALUES (` + c.record + `, x'00')`) }))
				wait()
				healthy(t, s, "the file is damaged")
				if strings.Count(told.String(), "\n") != 1 || !strings.Contains(told.String(), c.told) {
					t.Errorf("the operator is told\n%s", told.String())
				}
				must(t, d.do(func() error { return d.exec(`DELETE FROM records WHERE record = x'00'`) }))
				wait()
				wait()
				healthy(t, s, "")
				whole(t, d)
			})
		})
	}
}
