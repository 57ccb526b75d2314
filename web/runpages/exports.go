package runpages

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"slices"

	"lockstep/engine"
	"lockstep/engine/export"
	"lockstep/engine/lang"
	runview "lockstep/views/run"
	"lockstep/web/door"
	"lockstep/web/limit"
	"lockstep/web/live"
)

// Formats lists every format that a run can be saved in: those of the engine, and the player.
var Formats = append(slices.Clip(export.Formats), player)

// handleExport serves a run in a format.
func (p *Pages) handleExport(format export.Format) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		run, done, ok := p.look(w, r)
		if !ok {
			return
		}
		defer done()
		_ = run.AwaitPrograms(r.Context()) // what cannot be learned is missing
		if err := limit.Spend(r.Context(), live.Drawing(run.Bytes())); err != nil {
			p.Busy(w, r, err)
			return
		}
		h := w.Header()
		h.Set("Content-Type", format.MediaType)
		if format.Attachment {
			h.Set("Content-Disposition", `attachment; filename="lockstep-`+run.ID()+"."+format.Extension+`"`)
		}
		h.Set("Cache-Control", "no-cache")
		write := format.Write
		if step, err := Position(r.URL.Query().Get("step")); err == nil && step > 0 && format.Name == player.Name { // it opens where it was saved
			write = func(out io.Writer, t *engine.Trace, l lang.Language) error { return writeHTML(out, t, l, step) }
		}
		p.Answer(w, r, http.StatusOK, func(b *bytes.Buffer) {
			if err := run.Trace(func(t *engine.Trace) error { return write(b, t, door.Language(r)) }); err != nil {
				panic(fmt.Errorf("writing a run as %s: %w", format.Name, err)) // writing to memory does not fail
			}
		})
	}
}

// downloads returns the menu of the formats.
func downloads(l lang.Language) []runview.Download {
	menu := make([]runview.Download, len(Formats))
	for i, f := range Formats {
		menu[i] = runview.Download{Extension: f.Extension, Title: f.Title.In(l)}
	}
	return menu
}
