package web

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"
)

// A panic in a goroutine of the server ends that goroutine and never the process, and is counted and logged. Package
// survive starts each goroutine, but for the few that run nothing of this package.
func TestEveryGoroutineSurvives(t *testing.T) {
	library := map[string]int{ // goroutines that only wait for net/http
		"serve.go": 2,
		// This one waits for a signal.
		"flags.go": 1,
		// A panic in a worker is the caller's.
		"search/processors.go": 1,
		// A turn of a queue ends; nothing of a visitor's runs there.
		"search/queue.go": 1,
		// A request no longer waits for a search; nothing of a visitor's runs there.
		"search/short.go": 1,
	}
	files := filesOf(t, ".", "class", "coursepages", "door", "explorepages", "hub", "live", "roompages", "runpages", "search", "store", "store/redis", "store/sqlite")
	found := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, file, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		bare := 0
		begins := func(n ast.Node, what ast.Node) {
			found++
			if code := string(text[set.Position(what.Pos()).Offset:set.Position(what.End()).Offset]); !strings.Contains(strings.ToLower(code), "survives(") {
				if bare++; bare > library[file] {
					t.Errorf("%s: a goroutine is not begun by survives", set.Position(n.Pos()))
				}
			}
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				begins(n, n.Call)
			case *ast.CallExpr:
				if fn, ok := n.Fun.(*ast.SelectorExpr); ok && (fn.Sel.Name == "Go" || fn.Sel.Name == "AfterFunc" || fn.Sel.Name == "Follow") {
					begins(n, n.Args[len(n.Args)-1])
				}
			}
			return true
		})
		if bare < library[file] {
			t.Errorf("%s has %d goroutines without survives, and %d are allowed", file, bare, library[file])
		}
	}
	if found < 10 {
		t.Errorf("only %d goroutines were found", found)
	}
}
