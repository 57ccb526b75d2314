package views

import (
	"context"
	"io"
	"strings"

	"github.com/a-h/templ"
)

// codeLine writes the text of a line in its colours. Go writes it instead of a template
// because the page reads the program back, and a template could add a space.
func codeLine(line SourceLine) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		var b strings.Builder
		b.WriteString("<code>")
		for _, part := range line.Parts {
			if part.Class == "" {
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
