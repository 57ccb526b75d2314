package store

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"
)

// kill ends a store as kill -9 does, without writing the clock. It first runs the functions
// in last.
func kill(t *testing.T, s Store, last ...func(*database) error) {
	t.Helper()
	d := s.(*database)
	if err := d.do(func() error {
		d.dead = true
		for _, do := range last {
			if err := do(d); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// A log ages while the store is open, and by at most a day each time it is closed, no
// matter where the wall clock jumps.
func TestAWallClockThatJumpsMakesNothingOld(t *testing.T) {
	const year = 365 * 24 * time.Hour
	for _, c := range []struct {
		name  string
		wall  []time.Duration // jumps of the wall clock, one each time the store is closed
		older time.Duration   // how much older the log becomes
	}{
		{"no jump", []time.Duration{time.Hour, 2 * time.Hour}, 3 * time.Hour},
		{"to 2040 and back", []time.Duration{14 * year, -14 * year}, 24 * time.Hour},
		{"to 1970 and back", []time.Duration{-56 * year, 56 * year}, 24 * time.Hour},
		{"a holiday", []time.Duration{30 * 24 * time.Hour}, 24 * time.Hour},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				dir := t.TempDir()
				o := Options{Keep: 29 * 24 * time.Hour}
				s := openSQLite(t, dir, o)
				add(t, s, "t/a", 0, "x")
				time.Sleep(5 * time.Hour)
				for _, wall := range c.wall {
					kill(t, s, func(d *database) error {
						m := d.moment()
						m.wall = time.Now().Add(-wall).UnixNano()
						return d.exec(`UPDATE clock SET record = ?`, m.record())
					})
					s = openSQLite(t, dir, o)
					synctest.Wait()
				}
				d := s.(*database)
				age := d.clock.now() - d.catalog.logs["t/a"].added
				if want := c.older + 5*time.Hour; age != want {
					t.Errorf("the log is %s old, want %s", age, want)
				}
				read(t, s, "t/a", 0, "x")
				s.Close()
			})
		})
	}
}

// A kill loses at most a minute of the store's time and keeps the order of the logs.
func TestAKillLosesAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		s := openSQLite(t, dir, Options{})
		time.Sleep(betweenClocks - time.Second)
		add(t, s, "t/b", 0, "x")
		time.Sleep(2 * time.Hour)
		add(t, s, "t/a", 0, "x")
		time.Sleep(betweenClocks - 2*time.Second)
		add(t, s, "t/c", 0, "x")
		before := s.(*database).clock.now()
		kill(t, s)
		s = openSQLite(t, dir, Options{})
		defer s.Close()
		synctest.Wait()
		d := s.(*database)
		if lost := before - d.clock.now(); lost < 0 || lost > betweenClocks {
			t.Errorf("%s of the store's time are lost", lost)
		}
		var order []string
		for l := range d.catalog.oldest() {
			order = append(order, l.name)
		}
		if fmt.Sprint(order) != "[t/b t/a t/c]" {
			t.Errorf("the logs are in the order %v", order)
		}
		whole(t, d)
	})
}

// A damaged clock, or a log from the future, makes no log old.
func TestADamagedClockMakesNothingOld(t *testing.T) {
	for name, damage := range map[string]string{
		"the clock":      `UPDATE clock SET record = x'02' || zeroblob(20)`,
		"an added-to":    `UPDATE logs SET added = 9000000000000000000 WHERE name = 't/b'`,
		"another, early": `UPDATE logs SET added = -1 WHERE name = 't/b'`,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				dir := t.TempDir()
				o := Options{Keep: 24 * time.Hour}
				s := openSQLite(t, dir, o)
				add(t, s, "t/b", 0, "x")
				time.Sleep(time.Hour)
				add(t, s, "t/a", 0, "x")
				kill(t, s, func(d *database) error { return d.exec(damage) })
				s = openSQLite(t, dir, o)
				synctest.Wait()
				read(t, s, "t/a", 0, "x")
				if name == "the clock" {
					read(t, s, "t/b", 0, "x")
				} else if _, err := s.Read(ctx, "t/b", 0); !errors.Is(err, ErrDamaged) {
					t.Errorf("the log with the damaged row: %v", err)
				}
				later(t, s, 20*time.Hour)
				time.Sleep(betweenSweeps)
				synctest.Wait()
				read(t, s, "t/a", 0, "x")
				s.Close()
			})
		})
	}
}

// firstEdition returns a directory with a file that the first edition wrote. Its logs
// are stamped 1970, this year and 2040.
func firstEdition(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	file, err := os.ReadFile("testdata/first-edition.db")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "lockstep.db"), file, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestAFileOfTheFirstEdition(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := firstEdition(t)
		for round := range 3 { // it is translated once
			s := openSQLite(t, dir, Options{})
			synctest.Wait()
			d := s.(*database)
			if round == 0 {
				var order []string
				for l := range d.catalog.oldest() {
					order = append(order, fmt.Sprintf("%s %d", l.name, l.entries))
				}
				if want := "[f/oldest1234 1 t/oldest1234 30 r/123456 2 t/newest9876 1]"; fmt.Sprint(order) != want {
					t.Errorf("the logs are %v, want %s", order, want)
				}
			}
			entries, err := s.Read(ctx, "t/oldest1234", 0)
			if err != nil || len(entries) != 30+round || string(entries[29]) != `{"id":"29","lines":["tick 29s"]}` {
				t.Errorf("%d entries, %.80q, %v", len(entries), entries, err)
			}
			add(t, s, "t/oldest1234", 30+round, "new\x00")
			read(t, s, "r/123456", 0, `{"verb":"open","code":"123456","name":"Ada \u003c\u0026\u003e"}`, `{"verb":"end"}`)
			read(t, s, "t/deleted", 0)
			whole(t, d)
			if err := s.Ping(ctx); err != nil {
				t.Error(err)
			}
			s.Close()
			time.Sleep(24 * time.Hour)
		}
		// From then on they age as all others do.
		for day := 3; day <= 31; day++ {
			s := openSQLite(t, dir, Options{})
			time.Sleep(time.Minute)
			synctest.Wait()
			want := []string{`{"run":"t","name":"<b>"}`}
			if day >= 30 {
				want = nil
			}
			read(t, s, "f/oldest1234", 0, want...)
			read(t, s, "t/oldest1234", 32, "new\x00")
			s.Close()
			time.Sleep(24 * time.Hour)
		}
	})
}

// A kill interrupts the takeover, and the next process continues.
func TestAFileOfTheFirstEditionIsTakenOverInParts(t *testing.T) {
	dir := firstEdition(t)
	pool, err := sql.Open("sqlite", filepath.Join(dir, "lockstep.db"))
	if err != nil {
		t.Fatal(err)
	}
	conn, err := pool.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	d := &database{conn: conn}
	if err := d.begin(setAside); err != nil {
		t.Fatal(err)
	}
	if err := d.takeOverLog(oldLog{id: 2, name: "r/123456", entries: 2, rank: 3}); err != nil {
		t.Fatal(err)
	}
	conn.Close()
	pool.Close()
	s := openSQLite(t, dir, Options{})
	defer s.Close()
	whole(t, s.(*database))
	for log, want := range map[string]int{"t/oldest1234": 30, "r/123456": 2, "f/oldest1234": 1, "t/newest9876": 1} {
		if entries, err := s.Read(ctx, log, 0); err != nil || len(entries) != want {
			t.Errorf("%s has %d entries, %v; want %d", log, len(entries), err, want)
		}
	}
	var left int
	if err := s.(*database).do(func() error {
		return s.(*database).value(&left, `SELECT count(*) FROM sqlite_schema WHERE name GLOB '*[1d]'`)
	}); err != nil || left != 0 {
		t.Errorf("%d old tables are left, %v", left, err)
	}
}

// A page of a first-edition file is damaged. The server takes over all other logs.
func TestADamagedFileOfTheFirstEdition(t *testing.T) {
	dir := firstEdition(t)
	path := filepath.Join(dir, "lockstep.db")
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damagedLogs := 0
	for page := 1; page < len(file)/pageBytes; page++ {
		broken := append([]byte{}, file...)
		for i := range pageBytes {
			broken[page*pageBytes+i] = 0xa5
		}
		for _, name := range []string{"lockstep.db-wal", "lockstep.db-shm"} {
			os.Remove(filepath.Join(dir, name))
		}
		if err := os.WriteFile(path, broken, 0o600); err != nil {
			t.Fatal(err)
		}
		var told notebook
		s, err := SQLite(dir, Options{Logger: told.logger()})
		if err != nil {
			t.Logf("page %d: %v", page+1, err) // no log could be named
			continue
		}
		good, bad := 0, 0
		for _, log := range []string{"t/oldest1234", "r/123456", "f/oldest1234", "t/newest9876"} {
			if entries, err := s.Read(ctx, log, 0); err == nil && len(entries) > 0 {
				good++
			} else {
				bad++
			}
		}
		t.Logf("page %d: %d logs are read, %d are not", page+1, good, bad)
		damagedLogs += bad
		if bad > 0 && told.String() == "" {
			t.Errorf("page %d: the operator is not told", page+1)
		}
		s.Close()
	}
	if damagedLogs == 0 {
		t.Error("no damage had an effect")
	}
}
