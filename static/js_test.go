package static

import (
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
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

// Each name that a script exports is imported somewhere, or the script is a bundle, whose names are asked for when it is loaded.
func TestExportsAreImported(t *testing.T) {
	scripts := map[string]string{} // by path
	err := filepath.WalkDir("js", func(name string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, ".js") {
			var text []byte
			text, err = os.ReadFile(name)
			scripts[filepath.ToSlash(name)] = string(text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	imported := map[[2]string]bool{} // path, name
	imports := regexp.MustCompile(`(?:import|const) \{([^}]*)\}\s*(?:from|= await import\()\s*"([^"]+)"`)
	for from, text := range scripts {
		for _, found := range imports.FindAllStringSubmatch(text, -1) {
			for name := range strings.SplitSeq(found[1], ",") {
				name, _, _ = strings.Cut(strings.TrimSpace(name), " ") // "a as b" asks for a
				imported[[2]string{path.Join(path.Dir(from), found[2]), name}] = true
			}
		}
	}
	exports, count := regexp.MustCompile(`(?m)^export (?:async )?(?:const|let|class|function\*?) (\w+)`), 0
	for name, text := range scripts {
		if served()[name] != nil {
			continue
		}
		for _, found := range exports.FindAllStringSubmatch(text, -1) {
			count++
			if !imported[[2]string{name, found[1]}] {
				t.Errorf("%s exports %s, which nobody imports", name, found[1])
			}
		}
	}
	if count < 300 {
		t.Errorf("only %d exports are found", count)
	}
}
