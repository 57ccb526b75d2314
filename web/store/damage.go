package store

import (
	"log/slog"
	"sync"
)

// mostTold is how many damaged logs the operator is told of by name, mostCounted how
// many are counted: when a disk breaks, all of them are.
const (
	mostTold    = 100
	mostCounted = 10_000
)

// damages are the records that were found damaged. Each log is told of once.
type damages struct {
	logger *slog.Logger

	mu    sync.Mutex
	known map[place]bool
	told  map[string]bool // logs
}

// A place is that of an entry: there are n before it.
type place struct {
	log string
	n   int
}

// found notes a record that was found damaged, and how.
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

// count is how many records were found damaged.
func (d *damages) count() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return int64(len(d.known))
}

// unseal opens the records after the first n of a log. Of one that is damaged it tells the operator.
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
