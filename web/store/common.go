package store

import (
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"lockstep/web/recovery"
)

// Common is a part of each driver. It opens records, survives panics, and keeps the figures of Stats.
type Common struct {
	Options

	mu     sync.Mutex
	stats  Stats
	found  map[place]struct{} // damaged records
	warned bool               // the store is nearly full, and the operator knows
}

// A place is the position of an entry in a log: n entries come before it.
type place struct {
	log string
	n   int
}

const (
	alarmPercent = 80    // of MaxBytes: the store logs a warning
	calmPercent  = 70    // of MaxBytes: below it the store may warn again
	maxDamages   = 1_000 // damaged records that the store counts and names: a broken disk may damage every log
)

// NewCommon returns the part of a store with those options. maxBytes stands in for an Options.MaxBytes of 0.
func NewCommon(o Options, maxBytes int64) *Common {
	if o.Keep == 0 {
		o.Keep = 30 * 24 * time.Hour
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = maxBytes
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return &Common{Options: o, stats: Stats{MaxBytes: o.MaxBytes}, found: map[place]struct{}{}}
}

// Unseal returns the entries of a log's records after the first n, or ErrDamaged.
func (c *Common) Unseal(log string, n int, records [][]byte) ([][]byte, error) {
	var entries [][]byte
	for i, record := range records {
		entry, err := unseal(log, n+i, record)
		if err != nil {
			return nil, c.Damage(log, n+i, err)
		}
		entries = append(entries, entry)
	}
	return entries, nil
}

// Damage counts a damaged entry of a log, with n entries before it, and names it to the operator, once. It returns
// ErrDamaged.
func (c *Common) Damage(log string, n int, why error) error {
	err := damaged(log, n, why)
	c.mu.Lock()
	defer c.mu.Unlock()
	at := place{log, n}
	if _, known := c.found[at]; !known && len(c.found) < maxDamages {
		c.found[at] = struct{}{}
		c.stats.Damaged++
		c.Logger.Error("the store is damaged", "log", log, "entry", n+1, "err", err)
	}
	return err
}

// errPanic answers a caller whose request panicked.
var errPanic = errors.New("a panic in the program")

// Try calls do and returns a panic as an error. An unrecovered panic would end the process, and with it every run.
func (c *Common) Try(do func() error) (err error) {
	recovery.Func(func() { err = do() }, func(mistake any) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.stats.Panics++
		c.Logger.Error("panic in the store", "err", fmt.Sprint(mistake), "stack", string(debug.Stack()))
		err = fmt.Errorf("%w: %v", errPanic, mistake)
	})()
	return err
}

// Survives returns a function for a goroutine. A panic in do ends only that goroutine.
func (c *Common) Survives(do func()) func() {
	return func() { _ = c.Try(func() error { do(); return nil }) }
}

// Takes sets how many bytes the store takes, of how many, and warns the operator once when it is nearly full.
func (c *Common) Takes(bytes, maxBytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stats.Bytes, c.stats.MaxBytes = bytes, maxBytes
	switch {
	case maxBytes > 0 && bytes*100 >= maxBytes*alarmPercent && !c.warned:
		c.warned = true
		c.Logger.Warn("the store is nearly full", "bytes", bytes, "most", maxBytes)
	case bytes*100 < maxBytes*calmPercent:
		c.warned = false
	}
}

// Stats returns the last known figures.
func (c *Common) Stats() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stats
}
