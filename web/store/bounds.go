package store

import "time"

const (
	logBytes   = 512 // overhead of a log
	entryBytes = 64  // overhead of an entry

	reservePart = 4 // the reserve is 1/4 of MaxBytes, and of a share
	sharePart   = 4 // a share is 1/4 of MaxBytes

	maxLogBytes = 32 << 20 // of a log, with overhead
	maxGraves   = 100_000
)

// MaxEntries bounds a log, which a server reads as a whole.
const MaxEntries = 100_000

// ShareTime is the time after which an owner's share begins again.
const ShareTime = 24 * time.Hour

// Cost returns how many bytes an entry with n entries before it counts.
func Cost(n int, entry []byte) int64 {
	cost := int64(len(entry)) + entryBytes
	if n == 0 {
		cost += logBytes
	}
	return cost
}

// Admit returns nil if an entry may follow the first n of a log that has a number of entries and bytes.
func Admit(entries, n int, bytes, cost int64) error {
	switch {
	case entries > n:
		return ErrBehind
	case entries < n:
		return ErrLost
	case n >= MaxEntries, bytes+cost > maxLogBytes:
		return ErrLong
	}
	return nil
}

// Most returns up to how many bytes a store with a bound lets a log grow that has n entries. A new log leaves the
// reserve to the others, unless it is lasting.
func Most(maxBytes int64, log string, n int) int64 {
	if n == 0 && !Lasts(log) {
		return maxBytes
	}
	return maxBytes + maxBytes/reservePart
}

// MostOfShare returns up to how many bytes of its owner's share a log may take that has n entries.
func MostOfShare(maxBytes int64, n int) int64 { return Most(maxBytes/sharePart, "", n) }

// NearlyFull reports whether less than a sixteenth of the reserve is left.
func NearlyFull(taken, maxBytes int64) bool {
	reserve := maxBytes / reservePart
	return taken > maxBytes+reserve-reserve/16
}

// Shares count the bytes that each owner has added within a day.
type Shares struct {
	began time.Time
	taken map[string]int64
}

// Admit returns ErrShare if an entry does not fit into its owner's share.
func (s *Shares) Admit(owner string, maxBytes int64, n int, cost int64) error {
	s.begin()
	if owner != "" && s.taken[owner]+cost > MostOfShare(maxBytes, n) {
		return ErrShare
	}
	return nil
}

// Add counts bytes of an owner.
func (s *Shares) Add(owner string, cost int64) {
	s.begin()
	if owner != "" {
		s.taken[owner] += cost
	}
}

// begin counts from nothing if the day is over.
func (s *Shares) begin() {
	if time.Since(s.began) >= ShareTime {
		s.began, s.taken = time.Now(), map[string]int64{}
	}
}

// Graves are the names of logs that were forgotten for good.
type Graves map[string]struct{}

// Bury adds a name. In the place of the hundred thousandth, another one goes.
func (g Graves) Bury(log string) {
	for other := range g {
		if len(g) < maxGraves {
			break
		}
		delete(g, other)
	}
	g[log] = struct{}{}
}

// Has reports whether a log was forgotten.
func (g Graves) Has(log string) bool {
	_, has := g[log]
	return has
}
