package web

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"sync"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/lang"
	"lockstep/static"
	"lockstep/views"
	"lockstep/web/session"
)

// A playedTrace is what the player in a file plays; the page reads its header
// back when the file is dropped on it (static/js/share/file.js).
type playedTrace struct {
	Format   string                           `json:"format"`
	Version  int                              `json:"version"`
	Scenario string                           `json:"scenario"`
	Lang     lang.Language                    `json:"lang"`
	Actions  int                              `json:"actions"`
	Events   []engine.Event                   `json:"events"`
	Words    map[lang.Language]map[string]any `json:"words"`
}

// What every player has in it, bundled once: that takes longer than all the rest.
var (
	playerStyle  = sync.OnceValues(func() ([]byte, error) { return static.Bundle("css/onefile.css") })
	playerScript = sync.OnceValues(func() ([]byte, error) { return static.Bundle("js/share/onefile.js") })
)

// WriteHTML writes a trace as one file that plays by itself, offline.
func WriteHTML(out io.Writer, trace *engine.Trace, in lang.Language) error {
	style, err := playerStyle()
	if err != nil {
		return err
	}
	script, err := playerScript()
	if err != nil {
		return err
	}
	return views.PlayerPage(views.Player{
		Lang: in, Style: string(style), Script: string(script),
		// The trace is a stranger's text: should some of it pass for a script, it does not run.
		Policy:   fmt.Sprintf("default-src 'none'; style-src %s; script-src %s; img-src data:", hashSource(style), hashSource(script)),
		Scenario: trace.Scenario.String(),
		Trace: playedTrace{
			Format: "lockstep.trace", Version: 1, Scenario: trace.Scenario.String(), Lang: in,
			Actions: len(trace.Run.Actions()), Events: events(trace.Run.World()),
			Words: map[lang.Language]map[string]any{
				lang.English: views.PlayerWords(lang.English, check.Flags(lang.English)),
				lang.Chinese: views.PlayerWords(lang.Chinese, check.Flags(lang.Chinese)),
			},
		},
	}).Render(context.Background(), out)
}

// hashSource allows one inline text in a content security policy.
func hashSource(text []byte) string {
	sum := sha256.Sum256(text)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// handleOneFile saves a run as such a file. It is an attachment, as on this site no
// page may have a script in it.
func (s *Server) handleOneFile(w http.ResponseWriter, r *http.Request) {
	run, done, ok := s.look(w, r)
	if !ok {
		return
	}
	defer done()
	if err := askerOf(r).Spend(session.Drawing(run.Bytes())); err != nil {
		s.busy(w, r, err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Disposition", `attachment; filename="lockstep-`+run.ID()+`.html"`)
	h.Set("Cache-Control", "no-cache")
	s.answer(w, r, http.StatusOK, func(b *bytes.Buffer) {
		if err := run.Trace(func(t *engine.Trace) error { return WriteHTML(b, t, language(r)) }); err != nil {
			panic(fmt.Errorf("writing a player: %w", err)) // it is made of embedded files, in memory
		}
	})
}

// events are those of a world, never null on the wire.
func events(w *engine.World) []engine.Event {
	if all := w.Events(); all != nil {
		return all
	}
	return []engine.Event{}
}
