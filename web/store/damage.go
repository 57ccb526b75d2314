package store

import (
	"log/slog"
	"sync"
)

// When a disk breaks, every log may be damaged.
const (
	mostTold    = 100    // damaged logs that the server's log names
	mostCounted = 10_000 // damaged records that are counted
)

// damages collects the damaged records. It logs the name of each damaged log once.
type damages struct {
	logger *slog.Logger

	mu    sync.Mutex
	known map[place]bool
	told  map[string]bool // logs
}

// A place is where an entry stands: n entries are before it.
type place struct {
	log string
	n   int
}

// found takes in a damaged record.
func (d *damages) found(at place, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.known == nil {
		d.known, d.told = map[place]bool{}, map[string]bool{}
	}
	if len(d.known) < mostCounted {
		d.known[at] = true
	}
	if d.told[at.log] || len(d.told) == mostTold {
		return
	}
	d.told[at.log] = true
	d.logger.Error("the store is damaged", "log", at.log, "entry", at.n+1, "err", err)
	if len(d.told) == mostTold {
		d.logger.Error("the store is damaged; further logs are not named")
	}
}

// count returns the number of damaged records.
func (d *damages) count() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return int64(len(d.known))
}

// unseal returns the entries of records of a log, of which n entries come before. It
// takes in the first damaged one.
func (d *damages) unseal(log string, n int, records [][]byte) ([][]byte, error) {
	var entries [][]byte
	for i, record := range records {
		entry, err := unseal(log, n+i, record)
		if err != nil {
			d.found(place{log, n + i}, err)
			return nil, err
		}
		entries = append(entries, entry)
	}
	return entries, nil
}
