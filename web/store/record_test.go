package store

import (
	"bytes"
	"errors"
	"hash/crc32"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/gomodule/redigo/redis"
)

func TestARecordIsReadOnlyWhereAndAsItWasWritten(t *testing.T) {
	for _, entry := range []string{"", "x", `{"lines":["step C1"]}`, strings.Repeat("long ", 1000)} {
		record := seal("t/a", 7, []byte(entry))
		if got, err := unseal("t/a", 7, record); err != nil || string(got) != entry {
			t.Errorf("%.20q is read as %.20q, %v", entry, got, err)
		}
		for name, err := range map[string]error{
			"of another log":    second(unseal("t/b", 7, record)),
			"at another number": second(unseal("t/a", 8, record)),
			"that is longer":    second(unseal("t/a", 7, append(bytes.Clone(record), 0))),
			"that is shorter":   second(unseal("t/a", 7, record[:len(record)-1])),
			"of no bytes":       second(unseal("t/a", 7, nil)),
		} {
			if !errors.Is(err, ErrDamaged) {
				t.Errorf("a record %s: %v", name, err)
			}
		}
		for bit := range 8 * len(record) {
			flipped := bytes.Clone(record)
			flipped[bit/8] ^= 1 << (bit % 8)
			if _, err := unseal("t/a", 7, flipped); !errors.Is(err, ErrDamaged) {
				t.Fatalf("bit %d of %.20q is flipped: %v", bit, entry, err)
			}
		}
	}
	_, err := unseal("t/a", 7, []byte("\x02none"))
	if want := "store: damaged: entry 8 of t/a: the checksum does not match"; err == nil || err.Error() != want {
		t.Errorf("%v, not %s", err, want)
	}
}

// The first edition wrote JSON objects without a checksum.
func TestARecordOfTheFirstEdition(t *testing.T) {
	const record = `{"lines":["note \"<&>\""]}`
	if entry, err := unseal("t/a", 3, []byte(record)); err != nil || string(entry) != record {
		t.Errorf("%q, %v", entry, err)
	}
	for _, record := range []string{`{"lines":["note`, `["lines"]`, "{}\x00", "plain", ` {}`} {
		if _, err := unseal("t/a", 3, []byte(record)); !errors.Is(err, ErrDamaged) {
			t.Errorf("%q: %v", record, err)
		}
	}
}

func second(_ []byte, err error) error { return err }

func FuzzUnseal(f *testing.F) {
	f.Add("t/a", 0, []byte("x"), []byte("{}"))
	f.Fuzz(func(t *testing.T, log string, n int, entry, record []byte) {
		if got, err := unseal(log, n, seal(log, n, entry)); err != nil || !bytes.Equal(got, entry) {
			t.Errorf("%q is read as %q, %v", entry, got, err)
		}
		if got, err := unseal(log, n, record); err != nil && got != nil {
			t.Errorf("%q is refused and read as %q", record, got)
		}
	})
}

// A notebook collects the lines of a log.
type notebook struct {
	mu   sync.Mutex
	text strings.Builder
}

func (n *notebook) Write(line []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.text.Write(line)
}

func (n *notebook) String() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.text.String()
}

func (n *notebook) logger() *slog.Logger { return slog.New(slog.NewTextHandler(n, nil)) }

// The store logs the name of a damaged log once and refuses the log. Other logs are not
// affected.
func TestTheStoreNamesADamagedLog(t *testing.T) {
	each := map[string]struct {
		open   func(t *testing.T, o Options) Store
		damage func(t *testing.T, s Store, log string, n int)
	}{
		"memory": {
			func(t *testing.T, o Options) Store { return Memory(o) },
			func(t *testing.T, s Store, log string, n int) {
				s.(*memory).catalog.logs[log].records[n][8] ^= 1
			},
		},
		"SQLite": {
			func(t *testing.T, o Options) Store { return openSQLite(t, t.TempDir(), o) },
			func(t *testing.T, s Store, log string, n int) {
				d := s.(*database)
				if err := d.do(func() error {
					return d.exec(`UPDATE records SET record = x'02' || zeroblob(length(record) - 1) WHERE id = ?`, d.catalog.logs[log].recordID(n))
				}); err != nil {
					t.Fatal(err)
				}
			},
		},
		"Redis": {
			func(t *testing.T, o Options) Store { return openRedis(t, startRedis(t).URL(), o) },
			func(t *testing.T, s Store, log string, n int) {
				l := s.(*streams).link
				all, _ := redis.Values(l.do(ctx, "XRANGE", key(log), "-", "+"))
				l.do(ctx, "DEL", key(log))
				for i, message := range all {
					_, record := sealed(message)
					if i == n {
						record = bytes.Replace(record, []byte("entry"), []byte("Entry"), 1)
					}
					l.do(ctx, "XADD", key(log), id(i), "e", record, "id", "x")
				}
			},
		},
	}
	for name, k := range each {
		t.Run(name, func(t *testing.T) {
			var told notebook
			s := k.open(t, Options{Logger: told.logger()})
			defer s.Close()
			for i := range 4 {
				add(t, s, "t/good", i, "an entry")
				add(t, s, "t/bad", i, "an entry")
			}
			k.damage(t, s, "t/bad", 2)
			for range 3 {
				for n := range 3 {
					if entries, err := s.Read(ctx, "t/bad", n); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "entry 3 of t/bad") || entries != nil {
						t.Errorf("after %d: %q, %v", n, entries, err)
					}
				}
				read(t, s, "t/bad", 3, "an entry")
				read(t, s, "t/good", 0, "an entry", "an entry", "an entry", "an entry")
			}
			add(t, s, "t/good", 4, "and on")
			if n := s.Stats().Damaged; n != 1 {
				t.Errorf("%d records are damaged, want 1", n)
			}
			if said := told.String(); strings.Count(said, "\n") != 1 || !strings.Contains(said, `msg="the store is damaged" log=t/bad entry=3`) {
				t.Errorf("the operator is told\n%s", said)
			}
		})
	}
}

// A broken disk does not flood the log of the server.
func TestTheLogOfDamageIsBounded(t *testing.T) {
	var told notebook
	d := damages{logger: told.logger()}
	for i := range maxCounted + 10 {
		d.found(place{string(rune(i)), 0}, errChecksum)
	}
	if lines := strings.Count(told.String(), "\n"); lines != maxNamed+1 || d.count() != maxCounted {
		t.Errorf("%d lines and %d records, want %d and %d", lines, d.count(), maxNamed+1, maxCounted)
	}
}

// Other programs compute the same checksum.
func TestTheChecksumIsCRC32C(t *testing.T) {
	whole := append([]byte("t/a"), 7, 1, 0, 0, 0, 0, 0, 0)
	whole = append(whole, "123456789"...)
	if got, want := checksum("t/a", 256+7, []byte("123456789")), crc32.Checksum(whole, crc32.MakeTable(crc32.Castagnoli)); got != want {
		t.Errorf("%08x, want %08x", got, want)
	}
}
