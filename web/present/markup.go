package present

import (
	"bytes"
	"context"
	"fmt"

	"github.com/a-h/templ"
)

// Markup returns a component as HTML.
func Markup(c templ.Component) string {
	var b bytes.Buffer
	Write(&b, c)
	return b.String()
}

// Write writes a component as HTML.
func Write(b *bytes.Buffer, c templ.Component) {
	if err := c.Render(context.Background(), b); err != nil {
		panic(fmt.Errorf("rendering: %w", err)) // it is written to memory
	}
}
