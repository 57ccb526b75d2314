package testtools

import (
	"fmt"
	"slices"
	"testing"
)

// The third circle sees every look in both languages. The others see one look in each, which two parts of a test share.
func TestMatrixIsWholeInTheThirdCircle(t *testing.T) {
	looks := []string{"light", "dark", "projector", "phone"}
	seen := func(t *testing.T) (pairs []string) {
		for look, language := range Matrix(t, looks) {
			pairs = append(pairs, look+" "+language)
		}
		slices.Sort(pairs)
		return pairs
	}
	t.Setenv("LOCKSTEP_TESTS", "all")
	if all := fmt.Sprint(seen(t)); all != "[dark en dark zh light en light zh phone en phone zh projector en projector zh]" {
		t.Errorf("in the third circle: %s", all)
	}
	t.Setenv("LOCKSTEP_TESTS", "")
	here := seen(t)
	if len(here) != 2 || here[0][len(here[0])-2:] == here[1][len(here[1])-2:] {
		t.Errorf("elsewhere: %v, not one look for each language", here)
	}
	for _, part := range []string{"one", "another"} {
		t.Run(part, func(t *testing.T) {
			if parts := seen(t); !slices.Equal(parts, here) {
				t.Errorf("%v, where the test has %v", parts, here)
			}
		})
	}
}
