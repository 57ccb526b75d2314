package testtools

import (
	"os/exec"
	"strings"
	"testing"
)

// Find returns the path of the first of the programs that is installed. Without any of them it ends the test as Absent
// does.
func Find(t testing.TB, names ...string) string {
	t.Helper()
	path := Path(names...)
	if path == "" {
		Absent(t, strings.Join(names, " or ")+" is not installed")
	}
	return path
}

// Path returns the path of the first of the programs that is installed, or nothing.
func Path(names ...string) string {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// Absent ends a test that lacks something of the machine, and says what: it skips the test, or fails it where CI=true.
func Absent(t testing.TB, why string) {
	t.Helper()
	if inCI() {
		t.Fatalf("%s, and CI requires it", why)
	}
	t.Skip(why)
}

// Long skips a test where go test is given -short, and says what makes the test long.
func Long(t testing.TB, why string) {
	t.Helper()
	if testing.Short() {
		t.Skip("long: " + why)
	}
}
