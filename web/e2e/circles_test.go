package e2e

import (
	"iter"
	"os"
	"slices"
	"strings"
	"testing"

	"lockstep/engine/testtools"
)

// firstCircle are the journeys with a browser that go test ./... takes: a look at each kind of page, and no more. A test
// that needs a browser and is not here is in the second circle, unless it says that it is in the third.
var firstCircle = []string{
	"TestJourneys/first_violation",
	"TestJourneys/race_by_hand",
	"TestJourneys/link",
	"TestJourneys/without_scripts",
	"TestClassOfThreeBrowsers", // a room, with a phone in it
	"TestExploreJourney",
	"TestFocusStaysInALesson", // a lesson by keyboard
	"TestLessonFitsAPhone",    // a card under a thumb
	"TestPhoneWithoutASeatJoinsAgain",
	"TestAPageFitsIntoADeafFrame",
	"TestTheFirstActionMakesTheRun", // the draft
	"TestLostConnectionCatchesUp",
	"TestNothingMissingOverPlainHTTP", // share
}

// inItsCircle leaves a test with a browser to the second circle, unless the first has it. A benchmark runs where it is asked for.
func inItsCircle(t testing.TB) {
	t.Helper()
	if _, measured := t.(*testing.B); measured {
		return
	}
	top, _, _ := strings.Cut(t.Name(), "/")
	if !slices.Contains(firstCircle, t.Name()) && !slices.Contains(firstCircle, top) {
		testtools.Long(t, "it drives a browser, and is not among the journeys of the first circle")
	}
}

// whole reports whether this run has the third circle.
func whole() bool { return testtools.InCircle(false, false, true) }

// seen yields each look of a page in each language in the third circle, and elsewhere one look in one language: the test's
// name chooses both, so that the tests together have all.
func seen[Look any](t testing.TB, looks []Look) iter.Seq2[Look, string] {
	t.Helper()
	top, _, _ := strings.Cut(t.Name(), "/")
	return func(yield func(Look, string) bool) {
		n := 0
		for look, language := range testtools.Matrix(t, looks) {
			if (whole() || n == len(top)%2) && !yield(look, language) {
				return
			}
			n++
		}
	}
}

// spokenBy are the languages of the nth part of a test: both in the third circle, and elsewhere now the one, now the other.
func spokenBy(n int) []string {
	languages := []string{"en", "zh"}
	if whole() {
		return languages
	}
	return languages[n%2 : n%2+1]
}

// The tests of the first circle are there.
func TestTheFirstCircleIsThere(t *testing.T) {
	files := try(os.ReadDir(".")).orFail(t)
	var all strings.Builder
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), "_test.go") {
			continue
		}
		text := try(os.ReadFile(file.Name())).orFail(t)
		all.Write(text)
	}
	for _, name := range firstCircle {
		top, part, parts := strings.Cut(name, "/")
		if !strings.Contains(all.String(), "func "+top+"(t ") || parts && !slices.ContainsFunc(journeys, func(j journey) bool { return strings.ReplaceAll(j.name, " ", "_") == part }) {
			t.Errorf("there is no %s", name)
		}
	}
}
