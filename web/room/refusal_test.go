package room_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lockstep/web/room"
)

// constants returns the constants of some files whose names have a prefix, with their values.
func constants(t *testing.T, files, prefix string) map[string]string {
	t.Helper()
	paths, _ := filepath.Glob(files)
	found := map[string]string{}
	for _, path := range paths {
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok && strings.HasPrefix(spec.Names[0].Name, prefix) {
				found[spec.Names[0].Name], _ = strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			}
			return true
		})
	}
	if len(found) == 0 {
		t.Fatalf("%s has no %s…", files, prefix)
	}
	return found
}

// Refusals lists every refusal once: the site tests its catalogue with it.
func TestRefusalsAreAll(t *testing.T) {
	declared := constants(t, "refusal.go", "Err")
	for name, text := range declared {
		if !slices.Contains(room.Refusals, room.Refusal(text)) {
			t.Errorf("%s is not in Refusals", name)
		}
	}
	shape := regexp.MustCompile(`^room\.[a-z]+(-[a-z]+)*$`)
	for i, r := range room.Refusals {
		if !shape.MatchString(r.Error()) || slices.Contains(room.Refusals[:i], r) {
			t.Errorf("%q is no key of the site's words, or is there twice", r)
		}
	}
	if len(declared) != len(room.Refusals) {
		t.Errorf("%d refusals are declared, and %d listed", len(declared), len(room.Refusals))
	}
}
