package e2e

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	_ "lockstep/engine/cli" // with which alone the binary is built: a change there makes the tests run anew
)

// built returns the path of the binary that web/DEPLOY.md builds.
func built(t testing.TB) string {
	t.Helper()
	binary, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return binary
}

// build builds the binary once for all tests, because each link takes seconds.
// It reads main.go, which no test imports, so that Go's test cache knows of it.
var build = sync.OnceValues(func() (binary string, err error) {
	root, err := filepath.Abs("../..")
	if err != nil {
		return "", err
	}
	guide, err := os.ReadFile(filepath.Join(root, "web", "DEPLOY.md"))
	if err != nil {
		return "", err
	}
	if _, err := os.ReadFile(filepath.Join(root, "main.go")); err != nil {
		return "", err
	}
	line := regexp.MustCompile(`(?m)^CGO_ENABLED=0 go build .*$`).FindString(string(guide))
	if line == "" {
		return "", errors.New("web/DEPLOY.md builds no static binary")
	}
	dir, err := os.MkdirTemp("", "lockstep")
	if err != nil {
		return "", err
	}
	removeBinary = func() { os.RemoveAll(dir) }
	binary = filepath.Join(dir, "lockstep")
	build := exec.Command("sh", "-c", strings.Replace(line, "go build", "go build -o "+binary, 1))
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %v\n%s", line, err, out)
	}
	return binary, nil
})

// removeBinary removes the binary.
var removeBinary = func() {}
