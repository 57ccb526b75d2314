package static

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"lockstep/engine/testtools"
)

// The tests of the scripts, run by Node.
func TestScripts(t *testing.T) {
	node := testtools.Find(t, "node")
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
	// One process imports them all: as it ends, Node 20 rarely waits forever for a thread of its own, and each process is
	// a chance for it. That the scripts are modules, as a page loads them, Node knows from package.json.
	const importAll = `for (const file of process.argv.slice(1)) await import(process.cwd() + "/" + file)`
	if out, err := exec.Command(node, append([]string{"--input-type=module", "--eval", importAll, "--"}, tests...)...).CombinedOutput(); err != nil {
		t.Errorf("node: %v\n%s", err, out)
	}
}

// The types in the scripts' comments, those of a SCORM package too, checked by TypeScript.
func TestTypes(t *testing.T) {
	node := testtools.Find(t, "node")
	compiler := filepath.Join("..", ".ci", "node_modules", "typescript", "lib", "tsc.js")
	if _, err := os.Stat(compiler); err != nil {
		testtools.Absent(t, "TypeScript is not installed (npm ci --prefix .ci)")
	}
	if out, err := exec.Command(node, compiler, "--project", filepath.Join("..", ".ci", "jsconfig.json")).CombinedOutput(); err != nil {
		t.Errorf("tsc: %v\n%s", err, out)
	}
}
