package testtools

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
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

// Python returns the path of a Python that has a module: of the interpreter itself, where another program such as pyenv's stands
// in for it. Without any it ends the test as Absent does.
func Python(t testing.TB, module string) string {
	t.Helper()
	pythons.Lock()
	defer pythons.Unlock()
	path, asked := pythons.with[module]
	for _, name := range []string{"python3", "/usr/bin/python3"} { // Debian's packages are for the second
		if path != "" || asked {
			break
		}
		if said, err := exec.Command(name, "-c", "import sys, "+module+"; print(sys.executable)").Output(); err == nil {
			path = strings.TrimSpace(string(said))
		}
	}
	pythons.with[module] = path
	if path == "" {
		Absent(t, "no Python has the module "+module)
	}
	return path
}

// pythons keeps what Python has found: to ask one takes as long as a test.
var pythons = struct {
	sync.Mutex
	with map[string]string // by the module
}{with: map[string]string{}}

// NodePackage returns a path from which Node finds a package of .ci. Without the package it ends the test as Absent does.
func NodePackage(t testing.TB, ci, name string) string {
	t.Helper()
	from, err := filepath.Abs(filepath.Join(ci, "package.json"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(ci, "node_modules", name)); err != nil {
		Absent(t, name+" is not installed (npm ci --prefix .ci)")
	}
	return from
}

// Absent ends a test that lacks something of the machine, and says what: it skips the test, or fails it where CI=true.
func Absent(t testing.TB, why string) {
	t.Helper()
	if inCI() {
		t.Fatalf("%s, and CI requires it", why)
	}
	t.Skip(why)
}
