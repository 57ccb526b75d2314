package testtools

import (
	"os"
	"testing"
)

// The tests stand in three circles, each inside the next. The first is what a person runs: go test ./... asks for it. The
// second is what a submission must pass: CI=true, which .ci/run sets. The third is the rest: .ci/run --all sets
// LOCKSTEP_TESTS=all as well. A test moves outwards only if one further in still catches its fault.

// Long leaves a test to the second circle, and says what makes it long.
func Long(t testing.TB, why string) {
	t.Helper()
	if !inCI() && !whole() {
		t.Skip("CI=true runs this: " + why)
	}
}

// Exhaustive leaves a test to the third circle, and says what makes it longer than a submission can wait.
func Exhaustive(t testing.TB, why string) {
	t.Helper()
	if !whole() {
		t.Skip("LOCKSTEP_TESTS=all runs this: " + why)
	}
}

// InCircle returns what a test uses in the circle of this run: how many cases of a rule it tries, or which.
func InCircle[T any](first, second, third T) T {
	switch {
	case whole():
		return third
	case inCI():
		return second
	}
	return first
}

// Untranslated reports words that a language lacks. Pages show the other language in their place, so the work can go on: a test
// logs what is missing, and only a submission fails.
func Untranslated(t testing.TB, format string, arguments ...any) {
	t.Helper()
	if inCI() {
		t.Errorf(format, arguments...)
	} else {
		t.Logf("warning, and CI=true fails: "+format, arguments...)
	}
}

// inCI reports whether this machine decides about a change.
func inCI() bool { return os.Getenv("CI") == "true" }

// whole reports whether this run has the third circle.
func whole() bool { return os.Getenv("LOCKSTEP_TESTS") == "all" }
