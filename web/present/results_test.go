package present

import (
	"testing"

	"lockstep/engine/lang"
)

// The words of a course may be anybody's, and a spreadsheet runs what it takes for a formula.
func TestNoCellOfATableIsAFormula(t *testing.T) {
	for _, test := range []struct{ says, cell string }{
		{"=1+1", "'=1+1"}, {"  @SUM(A1)", "'@SUM(A1)"}, {"\r\n\t=1", "'=1"}, {"-C1", "'-C1"}, {"+1 more", "'+1 more"},
		{"＝1+1", "'＝1+1"}, {"＋A1", "'＋A1"}, {"－A1", "'－A1"}, {"＠A1", "'＠A1"},
		{`yes;=HYPERLINK("//x")`, `yes;'=HYPERLINK("//x")`}, {"yes; \t=1", "yes; '=1"},
		{"-0.25", "-0.25"}, {"+1", "+1"}, {"a = b; c-d", "a = b; c-d"}, {"two\rlines\n here", "two lines here"}, {"", ""},
	} {
		q := QuestionResult{Text: lang.Both(test.says, test.says), Choices: []ChoiceResult{{ID: "a"}}, Rounds: [][]int{{1}}, Answer: -1, Idea: -1}
		table := ClassResults{Questions: []QuestionResult{q}}.Table(lang.English)
		if got := table[1][2]; got != test.cell {
			t.Errorf("%q stands in the table as %q, want %q", test.says, got, test.cell)
		}
	}
}
