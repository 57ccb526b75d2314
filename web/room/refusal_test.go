package room_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lockstep/web/room"
)

// constants returns the constants of a file whose names have a prefix, with their values.
func constants(t *testing.T, file, prefix string) map[string]string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	ast.Inspect(parsed, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok && strings.HasPrefix(spec.Names[0].Name, prefix) {
			found[spec.Names[0].Name], _ = strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		}
		return true
	})
	if len(found) == 0 {
		t.Fatalf("%s has no %s…", file, prefix)
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

var verbs = []room.Verb{
	room.VerbOpen, room.VerbPair, room.VerbRevoke, room.VerbJoin, room.VerbRemove, room.VerbLock, room.VerbName, room.VerbSwitch, room.VerbEnd,
	room.VerbShow, room.VerbDrive, room.VerbCursor, room.VerbGather, room.VerbBlack,
	room.VerbLanes, room.VerbPlace,
	room.VerbAsk, room.VerbVote, room.VerbRound, room.VerbReveal, room.VerbDrop,
	room.VerbFork, room.VerbChallenge, room.VerbOwn, room.VerbMark, room.VerbClaim, room.VerbHome,
	room.VerbTimer,
	room.VerbTest, room.VerbHand,
	room.VerbPlan, room.VerbNext,
}

// The tests that go through every verb go through all of them.
func TestVerbsAreAll(t *testing.T) {
	declared := constants(t, "entry.go", "Verb")
	for name, text := range declared {
		if !slices.Contains(verbs, room.Verb(text)) {
			t.Errorf("%s is not among the verbs of the tests", name)
		}
	}
	if len(declared) != len(verbs) {
		t.Errorf("%d verbs are declared, and %d listed", len(declared), len(verbs))
	}
}
