package store

import (
	"log/slog"
	"sync"
)

// A broken disk may damage every log, so both numbers are bounded.
const (
	maxNamed   = 100    // damaged logs that Options.Logger gets
	maxCounted = 10_000 // damaged records that the store counts
)

// damages collects the damaged records. It logs the name of each damaged log once.
type damages struct {
	logger *slog.Logger

	mu    sync.Mutex
	known map[place]bool
	told  map[string]bool // by log
}

// A place is the position of an entry in a log: n entries come before it.
type place struct {
	log string
	n   int
}

// found counts a damaged record and logs the name of its log.
func (d *damages) found(at place, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.known == nil {
		d.known, d.told = map[place]bool{}, map[string]bool{}
	}
	if len(d.known) < maxCounted {
		d.known[at] = true
	}
	if d.told[at.log] || len(d.told) == maxNamed {
		return
	}
	d.told[at.log] = true
	d.logger.Error("the store is damaged", "log", at.log, "entry", at.n+1, "err", err)
	if len(d.told) == maxNamed {
		d.logger.Error("the store is damaged; further logs are not named")
	}
}

// count returns the number of damaged records.
func (d *damages) count() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return int64(len(d.known))
}

// unseal returns the entries of a log's records after the first n. It stops at the first
// damaged record and counts it.
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
