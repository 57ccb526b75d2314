package static

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The tests of the scripts, run by Node.
func TestScripts(t *testing.T) {
	node := tool(t, "node", "Node")
	var tests []string
	err := filepath.WalkDir("js", func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".test.js") {
			tests = append(tests, path)
		}
		return err
	})
	if err != nil || len(tests) == 0 {
		t.Fatalf("looking for tests: %v, %v", tests, err)
	}
	// That the scripts are modules, as a page loads them, Node knows from package.json.
	if out, err := exec.Command(node, append([]string{"--test"}, tests...)...).CombinedOutput(); err != nil {
		t.Errorf("node --test: %v\n%s", err, out)
	}
}

// The types in the scripts' comments, checked by TypeScript.
func TestTypes(t *testing.T) {
	node := tool(t, "node", "Node")
	compiler := filepath.Join("..", ".ci", "node_modules", "typescript", "lib", "tsc.js")
	if _, err := os.Stat(compiler); err != nil {
		absent(t, "TypeScript is not installed (npm ci --prefix .ci)")
	}
	if out, err := exec.Command(node, compiler, "--project", filepath.Join("..", ".ci", "jsconfig.json")).CombinedOutput(); err != nil {
		t.Errorf("tsc: %v\n%s", err, out)
	}
}

// tool finds a program that the test needs.
func tool(t *testing.T, name, called string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		absent(t, called+" is not installed")
	}
	return path
}

// absent leaves the test out and says why; in CI nothing may be absent.
func absent(t *testing.T, why string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf("%s, and CI=true wants the scripts tested", why)
	}
	t.Skipf("%s: the scripts are not tested", why)
}
