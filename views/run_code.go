package views

import (
	"context"
	"io"
	"strings"

	"github.com/a-h/templ"
)

// codeLine writes the text of a line in its colours. Go writes it instead of a template
// because the page reads the program back, and a template could add a space.
// Where a translated comment is shown, the page reads the line's own text.
func codeLine(line SourceLine) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		var b strings.Builder
		b.WriteString("<code")
		if line.Text != "" {
			b.WriteString(` data-text="` + templ.EscapeString(line.Text) + `"`)
		}
		b.WriteString(">")
		for _, part := range line.Parts {
			if part.Class == "" || line.Comment { // a line of comment has the class of one
				b.WriteString(templ.EscapeString(part.Text))
				continue
			}
			b.WriteString(`<i class="` + templ.EscapeString(part.Class) + `">` + templ.EscapeString(part.Text) + "</i>")
		}
		b.WriteString("</code>")
		_, err := io.WriteString(w, b.String())
		return err
	})
}
