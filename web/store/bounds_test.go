package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// begin adds new logs of size bytes until the store refuses one, and returns their number.
func begin(t *testing.T, s Store, prefix, owner string, size int) (n int, err error) {
	t.Helper()
	entry := []byte(strings.Repeat("x", size))
	for ; n < 100_000; n++ {
		if err := s.Append(WithOwner(ctx, owner), fmt.Sprintf("%s%d", prefix, n), 0, entry); err != nil {
			return n, err
		}
	}
	t.Fatalf("%d logs of %d bytes were begun", n, size)
	return 0, nil
}

// grow adds entries to a log until the store refuses one, and returns their number.
func grow(t *testing.T, s Store, log string, from, size int) (n int, err error) {
	t.Helper()
	entry := []byte(strings.Repeat("x", size))
	for ; n < 100_000; n++ {
		if err := s.Append(ctx, log, from+n, entry); err != nil {
			return n, err
		}
	}
	t.Fatalf("%d entries were added", n)
	return 0, nil
}

// between fails a test unless a number is in a range.
func between[N int | int64](t *testing.T, what string, n, least, most N) {
	t.Helper()
	if n < least || n > most {
		t.Errorf("%s: %d, want %d to %d", what, n, least, most)
	}
}

// later advances the clock of a store.
func later(t *testing.T, s Store, by time.Duration) {
	t.Helper()
	switch s := s.(type) {
	case *memory:
		s.mu.Lock()
		s.clock.then += by
		s.mu.Unlock()
	case *database:
		must(t, s.do(func() error { s.clock.then += by; return nil }))
	}
}

// idleOf has the idle time after which each kind of store forgets a log to make room.
var idleOf = map[string]time.Duration{"memory": memoryIdle, "SQLite": sqliteIdle}

// A full store refuses new logs. Existing logs grow into the reserve, and idle logs make
// room. Memory counts to the byte; SQLite also counts partly filled pages.
func TestBytesAreBounded(t *testing.T) {
	const size, most = 10_000, 2 << 20
	for _, k := range forgetful {
		t.Run(k.name, func(t *testing.T) {
			var told notebook
			s := k.kept(t)(Options{MaxBytes: most, Logger: told.logger()})
			defer s.Close()
			began, err := begin(t, s, "t/", "", size)
			if !errors.Is(err, ErrFull) {
				t.Fatal(err)
			}
			each := size + entryBytes + logBytes
			between(t, "new logs", began, most/each*7/8, most/each)
			if k.name == "memory" {
				between(t, "new logs", began, most/each, most/each)
			}
			between(t, "bytes", s.Stats().Bytes, most*9/10, most)
			if strings.Count(told.String(), "\n") != 1 || !strings.Contains(told.String(), "the store is nearly full") {
				t.Errorf("the operator is told\n%s", told.String())
			}
			healthy(t, s, "") // existing logs are not affected

			grown, err := grow(t, s, "t/7", 1, size)
			if !errors.Is(err, ErrFull) {
				t.Fatal(err)
			}
			between(t, "entries in the reserve", grown, most/reservePart/(size+entryBytes)*7/8, most/reservePart/(size+entryBytes)+1)
			between(t, "bytes", s.Stats().Bytes, most*5/4*9/10, most*5/4)
			if small, err := grow(t, s, "t/7", 1+grown, 100); small > size/100 || !errors.Is(err, ErrFull) {
				t.Errorf("%d more small entries: %v", small, err)
			}
			healthy(t, s, "it is full")
			for i := range began { // all are there
				if entries, err := s.Read(ctx, fmt.Sprintf("t/%d", i), 0); err != nil || len(entries) == 0 {
					t.Fatalf("log %d of %d has %d entries, %v", i, began, len(entries), err)
				}
			}

			later(t, s, idleOf[k.name]-30*time.Minute)
			add(t, s, "t/0", 1, "") // as long as there is a byte; it is not old any more
			if err := s.Append(ctx, "t/new", 0, make([]byte, size)); !errors.Is(err, ErrFull) {
				t.Errorf("too early: %v", err)
			}
			later(t, s, 45*time.Minute)
			add(t, s, "t/new", 0, strings.Repeat("x", size))
			read(t, s, "t/1", 0)
			between(t, "bytes", s.Stats().Bytes, most*8/10, most)
			if entries, err := s.Read(ctx, "t/0", 0); err != nil || len(entries) != 2 {
				t.Errorf("the log with a new entry: %d entries, %v", len(entries), err)
			}
			healthy(t, s, "")
			if d, ok := s.(*database); ok {
				whole(t, d)
			}
		})
	}
}

func TestLogsAreCounted(t *testing.T) {
	for _, k := range forgetful {
		t.Run(k.name, func(t *testing.T) {
			s := k.kept(t)(Options{MaxLogs: 50})
			defer s.Close()
			if began, err := begin(t, s, "t/", "", 1); began != 50 || !errors.Is(err, ErrFull) {
				t.Fatalf("%d logs were begun: %v", began, err)
			}
			add(t, s, "t/0", 1, "they grow all the same")
			later(t, s, idleOf[k.name])
			if began, err := begin(t, s, "u/", "a", 1); began != 12 || !errors.Is(err, ErrShare) {
				t.Errorf("one owner has begun %d: %v", began, err)
			}
			read(t, s, "t/12", 0) // the twelve oldest are gone
			read(t, s, "t/13", 0, "x")
			read(t, s, "t/0", 0, "x", "they grow all the same")
		})
	}
}

// One owner may fill a quarter of the store. Other owners, and logs without an owner, still
// have room.
func TestOneOwnerHasAShareOfTheStore(t *testing.T) {
	const size, most = 10_000, 8 << 20
	for _, k := range forgetful {
		t.Run(k.name, func(t *testing.T) {
			open := k.kept(t)
			s := open(Options{MaxBytes: most})
			share := most / sharePart / (size + entryBytes + logBytes)
			if began, err := begin(t, s, "a/", "network-a", size); began != share || !errors.Is(err, ErrShare) {
				t.Errorf("one owner has begun %d logs, want %d: %v", began, share, err)
			}
			if k.name == "SQLite" { // it is written down
				s.Close()
				s = open(Options{MaxBytes: most})
				whole(t, s.(*database))
			}
			if err := s.Append(WithOwner(ctx, "network-a"), "a/more", 0, make([]byte, size)); !errors.Is(err, ErrShare) {
				t.Errorf("and one more: %v", err)
			}
			if began, err := begin(t, s, "b/", "network-b", size); began != share || !errors.Is(err, ErrShare) {
				t.Errorf("another has begun %d, want %d: %v", began, share, err)
			}
			add(t, s, "nobody's", 0, strings.Repeat("x", size))
			// The owner's logs grow by a quarter of the share, no matter who adds to them.
			grown, err := grow(t, s, "a/0", 1, size)
			if want := most / sharePart / reservePart / (size + entryBytes); grown < want || grown > want+1 || !errors.Is(err, ErrShare) {
				t.Errorf("the owner's log has grown by %d entries, want %d: %v", grown, want, err)
			}
			later(t, s, sharePeriod)
			if began, err := begin(t, s, "c/", "network-a", size); began < share*9/10 || !errors.Is(err, ErrShare) {
				t.Errorf("on the next day the owner has begun %d, want %d: %v", began, share, err)
			}
			s.Close()
		})
	}
}

// The file grows by at most about twice the added bytes, at any size of entries. The
// write-ahead log does not grow with the file.
func TestTheFileGrowsWithItsEntries(t *testing.T) {
	for _, c := range []struct {
		name                string
		logs, entries, size int
		most                float64
	}{
		{"many short ones in one log", 1, 1000, 200, 1.3},
		{"short ones in many logs", 200, 20, 200, 1.45},
		{"one in each log", 2000, 1, 300, 1.5},
		{"of 1,100 bytes", 1000, 1, 1100, 1.4},
		{"of 1,370 bytes", 20, 50, 1370, 1.6},
		{"of half a page, the worst", 20, 50, 2030, 2.1},
		{"of half a page, one in each log", 1000, 1, 2030, 2.1},
		{"of a page", 1000, 1, 4100, 1.2},
		{"of a little more", 20, 50, 5300, 1.1},
		{"of 256 KB", 20, 1, 256 << 10, 1.02},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			s := openSQLite(t, dir, Options{})
			empty := size(t, dir, "lockstep.db")
			var all int64
			done := make(chan error)
			for n := range c.entries { // all logs grow at once
				for l := range c.logs {
					all += int64(c.size)
					go func() { done <- s.Append(ctx, fmt.Sprintf("t/%08d", l), n, make([]byte, c.size)) }()
				}
				for range c.logs {
					must(t, <-done)
				}
			}
			between(t, "bytes of the write-ahead log", size(t, dir, "lockstep.db-wal"), 0, maxWAL)
			settle(t, s.(*database))
			grown := size(t, dir, "lockstep.db") - empty
			ratio := float64(grown) / float64(all)
			t.Logf("%d bytes were added; the file has grown by %d: × %.2f", all, grown, ratio)
			if ratio > c.most {
				t.Errorf("the file has grown by %.2f times the added bytes, want at most %.2f", ratio, c.most)
			}
			s.(*database).counted(t)
			if float64(s.Stats().Bytes) < float64(grown)*0.95 {
				t.Errorf("the store says that it takes %d bytes, and the file has grown by %d", s.Stats().Bytes, grown)
			}
			s.Close()
		})
	}
}

// counted makes the store count its pages.
func (d *database) counted(t *testing.T) {
	t.Helper()
	must(t, d.do(func() error { d.measure(); return nil }))
}

func size(t *testing.T, dir, name string) int64 {
	t.Helper()
	info, err := os.Stat(filepath.Join(dir, name))
	must(t, err)
	return info.Size()
}

// The file reuses the space of forgotten logs and does not grow forever.
func TestTheFileReusesItsSpace(t *testing.T) {
	dir := t.TempDir()
	const most = 2 << 20
	s := openSQLite(t, dir, Options{MaxBytes: most})
	defer s.Close()
	for day := range 4 {
		for i := 0; ; i++ {
			err := s.Append(ctx, fmt.Sprintf("t/%d-%d", day, i), 0, make([]byte, 500+(day*977+i*313)%9000))
			if errors.Is(err, ErrFull) {
				break
			}
			must(t, err)
		}
		file, ahead := size(t, dir, "lockstep.db"), size(t, dir, "lockstep.db-wal") // what has not moved to the file yet
		between(t, "bytes of both files", file+ahead, most/2, most*5/4+sparePages*pageBytes+maxWAL)
		between(t, "bytes of the file", file, 0, most*5/4+sparePages*pageBytes)
		between(t, "bytes of the write-ahead log", ahead, 0, maxWAL)
		later(t, s, sqliteIdle)
	}
	whole(t, s.(*database))

}

// A store that opens with a lower bound than before keeps all logs. It returns below the
// bound as logs become idle.
func TestALowerBoundKeepsAllLogs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		s := openSQLite(t, dir, Options{})
		for i := range 300 {
			add(t, s, fmt.Sprintf("t/%d", i), 0, strings.Repeat("x", 10_000))
		}
		s.Close()
		s = openSQLite(t, dir, Options{MaxBytes: 1 << 20, MaxLogs: 100})
		defer s.Close()
		refused(t, s, "t/new", 0, ErrFull)
		refused(t, s, "t/1", 1, ErrFull)
		read(t, s, "t/0", 0, strings.Repeat("x", 10_000))
		later(t, s, sqliteIdle)
		time.Sleep(betweenSweeps)
		synctest.Wait()
		add(t, s, "t/new", 0, "x")
		between(t, "bytes", s.Stats().Bytes, 0, 1<<20)
		read(t, s, "t/0", 0)
		read(t, s, "t/299", 0, strings.Repeat("x", 10_000))
	})
}

// A full Redis takes no entry and keeps its logs. The store refuses new logs before that.
func TestAFullRedis(t *testing.T) {
	server := startRedis(t, "--maxmemory", "8mb", "--maxmemory-policy", "noeviction")
	var told notebook
	s := openRedis(t, server.URL(), Options{Logger: told.logger()})
	defer s.Close()
	healthy(t, s, "")
	add(t, s, "t/first", 0, "x")
	const size = 20_000
	began := 0
	for ; began < 1000; began++ {
		s.(*streams).measured = time.Time{} // the store measures each time
		err := s.Append(ctx, fmt.Sprintf("t/%d", began), 0, make([]byte, size))
		if errors.Is(err, ErrFull) {
			break
		}
		must(t, err)
	}
	between(t, "new logs", began, 100, 8<<20*4/5/size)
	if !strings.Contains(told.String(), "the store is nearly full") {
		t.Errorf("the operator is told\n%s", told.String())
	}
	if stats := s.Stats(); stats.MaxBytes != 8<<20*4/5 || stats.Bytes > stats.MaxBytes+8*size || stats.Bytes < stats.MaxBytes*9/10 { // Redis counts its connections' buffers, too, which hold some entries
		t.Errorf("there are %+v", stats)
	}
	refused(t, s, "t/first", 0, ErrBehind)
	healthy(t, s, "")
	grown, err := grow(t, s, "t/first", 1, size)
	if grown < 20 || !errors.Is(err, ErrFull) {
		t.Errorf("an existing log has grown by %d entries: %v", grown, err)
	}
	client := server.client()
	allow(t, client, "2mb")
	healthy(t, s, "Redis is full")
	refused(t, s, "t/first", 1+grown, ErrFull)
	allow(t, client, "8mb")
	if entries, err := s.Read(ctx, "t/first", 0); err != nil || len(entries) != 1+grown {
		t.Errorf("there are %d of %d entries, %v", len(entries), 1+grown, err)
	}
	for i := range began {
		must(t, s.Delete(ctx, fmt.Sprintf("t/%d", i)))
	}
	healthy(t, s, "")
	add(t, s, "t/first", 1+grown, "and on")
}

// Two servers of one Redis share the count of an owner's bytes.
func TestOneOwnerHasAShareOfARedis(t *testing.T) {
	server := startRedis(t, "--maxmemory", "32mb", "--maxmemory-policy", "noeviction")
	a, b := twoServers(t, server.URL())
	const size, share = 20_000, 32 << 20 * 4 / 5 / sharePart
	owned := WithOwner(ctx, "network-a")
	began := 0
	for ; ; began++ {
		err := []Store{a, b}[began%2].Append(owned, fmt.Sprintf("t/%d", began), 0, make([]byte, size))
		if errors.Is(err, ErrShare) {
			break
		}
		must(t, err)
	}
	between(t, "logs of one owner", began, share/(size+entryBytes+logBytes), share/(size+entryBytes+logBytes))
	for name, owner := range map[string]context.Context{"t/b": WithOwner(ctx, "network-b"), "t/nobody": ctx} {
		must(t, b.Append(owner, name, 0, make([]byte, size)))
	}
	refused(t, b, "t/0", 0, ErrBehind)
	grown, err := grow(t, b, "t/0", 1, size)
	if want := share / reservePart / size; grown < want-1 || grown > want+1 || !errors.Is(err, ErrShare) {
		t.Errorf("the owner's log has grown by %d entries, want %d: %v", grown, want, err)
	}
	client := server.client()
	if left := left(client, "lockstep:taken:network-a"); left < sharePeriod-time.Hour || left > sharePeriod {
		t.Errorf("the share is counted anew in %s", left)
	}
	if left := left(client, "lockstep:owner:t/0"); left < 29*24*time.Hour {
		t.Errorf("the owner is known for %s", left)
	}
	client.Do("DEL", "lockstep:taken:network-a") // the day is over
	must(t, a.Append(owned, "t/more", 0, make([]byte, size)))
}

// The bytes and the entries of one log are bounded.
func TestALogIsBounded(t *testing.T) {
	for _, k := range forgetful {
		t.Run(k.name, func(t *testing.T) {
			s := k.kept(t)(Options{MaxBytes: 256 << 20})
			defer s.Close()
			const size = 1 << 20
			if grown, err := grow(t, s, "t/a", 0, size); grown != maxLogBytes/(size+entryBytes) || !errors.Is(err, ErrLong) {
				t.Errorf("a log has %d entries of %d bytes: %v", grown, size, err)
			}
			add(t, s, "t/b", 0, "x")
			var c *catalog
			switch s := s.(type) {
			case *memory:
				c = s.catalog
			case *database:
				c = s.catalog
			}
			c.logs["t/b"].entries = maxEntries
			refused(t, s, "t/b", maxEntries, ErrLong)
			refused(t, s, "t/b", maxEntries-1, ErrBehind)
		})
	}
	t.Run("Redis", func(t *testing.T) {
		s := openRedis(t, startRedis(t).URL(), Options{})
		defer s.Close()
		refused(t, s, "t/b", maxEntries, ErrLong)
	})
}

// The store cannot remove the oldest logs, which stand on damaged pages. It forgets other
// logs instead, to make room and in a sweep.
func TestADamagedLogDoesNotBlockOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		s := openSQLite(t, dir, Options{MaxLogs: 20, Keep: 48 * time.Hour})
		defer s.Close()
		d := s.(*database)
		for i := range 20 {
			add(t, s, fmt.Sprintf("t/%d", i), 0, strings.Repeat(fmt.Sprintf("log %d, ", i), 500))
		}
		settle(t, d)
		path := filepath.Join(dir, "lockstep.db")
		file, err := os.ReadFile(path)
		must(t, err)
		for _, name := range []string{"log 0, ", "log 1, "} {
			page := strings.Index(string(file), strings.Repeat(name, 100)) / pageBytes * pageBytes
			for i := range pageBytes {
				file[page+i] = 0xa5
			}
		}
		overwrite(t, path, file)
		wait()
		later(t, s, sqliteIdle)
		for i := range 3 {
			add(t, s, fmt.Sprintf("t/new%d", i), 0, "x")
		}
		gone := 0
		for i := range 20 {
			entries, err := s.Read(ctx, fmt.Sprintf("t/%d", i), 0)
			switch {
			case err == nil && entries == nil:
				gone++
			case err != nil && !errors.Is(err, ErrDamaged):
				t.Error(err)
			}
		}
		if gone != 3 || d.stuck == 0 {
			t.Errorf("%d logs were forgotten for three new ones; %d cannot be", gone, d.stuck)
		}
		later(t, s, 24*time.Hour)
		time.Sleep(betweenSweeps)
		synctest.Wait()
		if n := len(d.catalog.logs); n != 3+d.stuck {
			t.Errorf("%d logs are left, 3 of them are new and %d cannot be removed", n, d.stuck)
		}
		healthy(t, s, "the file is damaged")
	})
}
