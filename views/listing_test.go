package views_test

import (
	"strings"
	"testing"

	"lockstep/engine/lang"
	"lockstep/views"
)

// A comment that a page lacks in its language is marked, on a line of its own and behind code. The code is not.
func TestACommentInAnotherLanguageIsMarked(t *testing.T) {
	comment, code := views.Part{Class: "comment", Text: "# why"}, views.Part{Text: "x "}
	for want, line := range map[string]views.SourceLine{
		`<code lang="en"># why</code>`:                          {Parts: []views.Part{comment}, Comment: true, Lang: lang.English},
		`<code>x <i class="comment" lang="en"># why</i></code>`: {Parts: []views.Part{code, comment}, Lang: lang.English},
		`<code>x <i class="comment"># why</i></code>`:           {Parts: []views.Part{code, comment}},
		`<code data-text="# why"># 原因</code>`:                   {Parts: []views.Part{{Class: "comment", Text: "# 原因"}}, Text: "# why", Comment: true},
	} {
		var b strings.Builder
		if err := views.CodeLine(line).Render(t.Context(), &b); err != nil || b.String() != want {
			t.Errorf("%+v is %s, not %s: %v", line, &b, want, err)
		}
	}
}
