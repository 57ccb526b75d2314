package runpages

import (
	"context"
	"io"

	"github.com/a-h/templ"

	runview "lockstep/views/run"
	"lockstep/web/limit"
	"lockstep/web/live"
	"lockstep/web/present"
)

// InPageSize returns the page of a run, cut to the size of a page. The asker pays for each drawing.
func InPageSize(ctx context.Context, page runview.Page) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := io.WriteString(w, present.Fit(page, func(bytes int) { limit.Charge(ctx, live.Drawing(int64(bytes))) }))
		return err
	})
}
