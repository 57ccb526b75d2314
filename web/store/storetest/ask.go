package storetest

import (
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"lockstep/web/store"
)

// A Step is an entry for tests of a store.Log. It is its own id.
type Step string

// RequestID returns the id.
func (s Step) RequestID() string { return string(s) }

// Folded reads a Log and returns the entries that are new to it; "restart" stands for a call of restart.
func Folded(t *testing.T, l *store.Log[Step]) (ids []string) {
	t.Helper()
	Must(t, l.Read(func() { ids = append(ids, "restart") }, func(s Step) error {
		ids = append(ids, string(s))
		return nil
	}))
	return ids
}

// Appends adds an entry for each id to a Log.
func Appends(t *testing.T, l *store.Log[Step], ids ...string) {
	t.Helper()
	for _, id := range ids {
		Must(t, l.Append(Step(id)))
	}
}

func wantSteps(t *testing.T, l *store.Log[Step], want ...string) {
	t.Helper()
	if got := Folded(t, l); !slices.Equal(got, want) {
		t.Errorf("the Log reads %q, not %q", got, want)
	}
}

// Grow adds entries of size bytes to a log until the store refuses one, and returns their number.
func Grow(t *testing.T, s store.Store, log string, from, size int) (n int, err error) {
	return untilRefused(t, func(i int) error { return s.Append(Ctx, log, from+i, make([]byte, size)) })
}

func untilRefused(t *testing.T, add func(i int) error) (n int, err error) {
	t.Helper()
	for ; err == nil && n < 100_000; n++ {
		err = add(n)
	}
	if !store.Refused(err) {
		t.Fatalf("%d were added: %v", n, err)
	}
	return n - 1, err
}

// Logger returns a logger that writes to a text.
func Logger(to *strings.Builder) *slog.Logger { return slog.New(slog.NewTextHandler(to, nil)) }

// Must ends a test at an error.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Add appends an entry.
func Add(t testing.TB, s store.Store, log string, n int, entry string) {
	t.Helper()
	if err := s.Append(Ctx, log, n, []byte(entry)); err != nil {
		t.Fatalf("append %.20q to %s, which has %d: %v", entry, log, n, err)
	}
}

// Refused fails a test unless an append gives one of the errors.
func Refused(t testing.TB, s store.Store, log string, n int, want ...error) {
	t.Helper()
	err := s.Append(Ctx, log, n, []byte("refused"))
	if !slices.ContainsFunc(want, func(one error) bool { return errors.Is(err, one) }) {
		t.Errorf("append to %s, as if it had %d: %v, not %v", log, n, err, want)
	}
}

// Read fails a test unless a log has these entries after the first n.
func Read(t testing.TB, s store.Store, log string, n int, want ...string) {
	t.Helper()
	entries, err := s.Read(Ctx, log, n)
	var got []string
	for _, entry := range entries {
		got = append(got, string(entry))
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("after %d, %s has %.300q, not %.300q: %v", n, log, got, want, err)
	}
}

// Healthy fails a test unless the ping gives a reason; "": it succeeds.
func Healthy(t testing.TB, s store.Store, reason string) {
	t.Helper()
	if err := s.Ping(Ctx); Reason(err) != reason || (err == nil) != (reason == "") {
		t.Errorf("the ping says %v, not %q", err, reason)
	}
}

// Reason returns the reason of a store.Failure; "": the error is none.
func Reason(err error) string {
	if failed, ok := errors.AsType[*store.Failure](err); ok {
		return failed.Reason()
	}
	return ""
}

// Between fails a test unless a number is in a range.
func Between[N int | int64](t testing.TB, what string, n, least, most N) {
	t.Helper()
	if n < least || n > most {
		t.Errorf("%s: %d, want %d to %d", what, n, least, most)
	}
}
