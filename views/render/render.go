// Package render is what the code of a template calls. It writes a component into one buffer, and keeps the first error.
//
// Templ writes an error check after each write, and opens each component with twenty lines. A page needs none of them: a
// buffer keeps its first error and returns it when it is flushed, and a string has no error. So views/shorten.go writes these
// calls in place of templ's own, which makes the code of all pages a quarter as long.
package render

import (
	"context"
	"io"

	"github.com/a-h/templ"
	"github.com/a-h/templ/runtime"
)

// A Writer writes a component.
type Writer struct {
	*runtime.Buffer
	err error // the first of a component below, or of attributes
}

// Component returns the component that a function writes. Its children are those that another template has given it.
// Inlined, its closure would be compiled again for each template.
//
//go:noinline
func Component(write func(ctx context.Context, w *Writer, children templ.Component)) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		ctx = templ.InitializeContext(ctx)
		children := templ.GetChildren(ctx)
		if children == nil {
			children = templ.NopComponent
		}
		ctx = templ.ClearChildren(ctx)
		return buffered(w, func(b *Writer) { write(ctx, b, children) })
	})
}

// Children returns what a template gives to a component as its children.
//
//go:noinline
func Children(write func(ctx context.Context, w *Writer)) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		ctx = templ.InitializeContext(ctx)
		return buffered(w, func(b *Writer) { write(ctx, b) })
	})
}

// buffered lets a function write into the buffer of the whole page, or into one of its own.
func buffered(w io.Writer, write func(*Writer)) error {
	buffer, whole := runtime.GetBuffer(w)
	b := Writer{Buffer: buffer}
	write(&b)
	if !whole {
		if err := runtime.ReleaseBuffer(buffer); b.err == nil {
			b.err = err
		}
	}
	return b.err
}

// Render writes a component.
func (w *Writer) Render(ctx context.Context, c templ.Component) {
	if w.err == nil {
		w.err = c.Render(ctx, w.Buffer)
	}
}

// Attributes writes attributes that a template takes from a value.
func (w *Writer) Attributes(ctx context.Context, a templ.Attributes) {
	if err := templ.RenderAttributes(ctx, w.Buffer, a); w.err == nil {
		w.err = err
	}
}

// Text returns a string as text in markup.
func Text[T ~string](text T) string { return templ.EscapeString(text) }

// URL returns an address as an attribute. Templ passes on an address that is no [templ.SafeURL] only if it cannot run a script.
func URL[T ~string](address T) string {
	safe, _ := templ.JoinURLErrs(address) // the error is of a second argument
	return templ.EscapeString(safe)
}

// Attribute returns a value as an attribute.
func Attribute(value any) string {
	text, _ := templ.ResolveAttributeValue(value) // the error is of a second argument
	return text
}
