package render_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"lockstep/views/render"
)

// said is a component of one text, with its children in brackets.
func said(text string) templ.Component {
	return render.Component(func(ctx context.Context, w *render.Writer, children templ.Component) {
		w.WriteString(render.Text(text))
		w.WriteString("[")
		w.Render(ctx, children)
		w.WriteString("]")
	})
}

func rendered(t *testing.T, c templ.Component) string {
	t.Helper()
	var b strings.Builder
	if err := c.Render(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A component gets the children that are given to it, and none of those of the component around it.
func TestChildrenReachTheirComponentOnly(t *testing.T) {
	page := render.Component(func(ctx context.Context, w *render.Writer, _ templ.Component) {
		w.Render(templ.WithChildren(ctx, render.Children(func(ctx context.Context, w *render.Writer) { w.Render(ctx, said("inner")) })), said("<outer>"))
	})
	if got, want := rendered(t, page), "&lt;outer&gt;[inner[]]"; got != want {
		t.Errorf("rendered %s, want %s", got, want)
	}
}

// No write checks for an error, so the buffer has to keep it: the first error comes back, from a component or from the
// reader of the page.
func TestTheFirstErrorComesBack(t *testing.T) {
	first, second := errors.New("the first"), errors.New("the second")
	failing := func(err error) templ.Component {
		return templ.ComponentFunc(func(context.Context, io.Writer) error { return err })
	}
	page := render.Component(func(ctx context.Context, w *render.Writer, _ templ.Component) {
		w.Render(ctx, failing(first))
		w.Render(ctx, failing(second))
		w.WriteString("goes on")
	})
	if err := page.Render(context.Background(), &strings.Builder{}); err != first {
		t.Errorf("a component failed, and the page says %v", err)
	}
	long := said(strings.Repeat("more than a buffer holds ", 1000))
	if err := long.Render(context.Background(), gone{first}); err != first {
		t.Errorf("the reader has gone, and the page says %v", err)
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	if err := said("late").Render(stopped, &strings.Builder{}); err != context.Canceled {
		t.Errorf("nobody waits for the page, and it says %v", err)
	}
}

type gone struct{ err error }

func (g gone) Write([]byte) (int, error) { return 0, g.err }

// What a template takes from a value cannot leave its place in the markup.
func TestValuesAreEscaped(t *testing.T) {
	for got, want := range map[string]string{
		render.Text(`<b>`):                                "&lt;b&gt;",
		render.Attribute(`"><b>`):                         "&#34;&gt;&lt;b&gt;",
		render.Attribute(7):                               "7",
		render.URL("/t/a?b=1&c=2"):                        "/t/a?b=1&amp;c=2",
		render.URL("javascript:alert(1)"):                 string(templ.FailedSanitizationURL),
		render.URL(templ.SafeURL(`data:image/svg+xml,"`)): "data:image/svg+xml,&#34;",
	} {
		if got != want {
			t.Errorf("wrote %s, want %s", got, want)
		}
	}
}
