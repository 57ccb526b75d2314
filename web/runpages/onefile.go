package runpages

import (
	"context"
	"fmt"
	"io"
	"sync"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/export"
	"lockstep/engine/lang"
	"lockstep/static"
	"lockstep/views"
	runview "lockstep/views/run"
	"lockstep/web/door"
	"lockstep/web/present"
)

// player is an attachment, because no page of this site may have a script in it.
var player = export.Format{
	Name: "html", Extension: "html", MediaType: "text/html; charset=utf-8", Attachment: true,
	Title:   lang.Both("Player, .html", "播放页 .html"),
	Purpose: lang.Both("One page that plays the run by itself, offline, in both languages.", "一个网页，离线也能自己播放这次运行，中英文都有。"),
	Write:   WriteHTML,
}

// A playedTrace is the trace that the player in a file plays. When somebody drops the
// file on a page, the page reads its header back (static/js/share/file.js).
type playedTrace struct {
	Format   string                           `json:"format"`
	Version  int                              `json:"version"`
	Scenario string                           `json:"scenario"`
	Lang     lang.Language                    `json:"lang"`
	Actions  int                              `json:"actions"`
	Step     int                              `json:"step,omitempty"` // the action at which it opens; 0: it is ready to be played
	Events   []engine.Event                   `json:"events"`
	Words    map[lang.Language]map[string]any `json:"words"`
}

// Every player contains these two. They are bundled once, because bundling takes longer than all the rest.
var (
	playerStyle  = sync.OnceValues(func() ([]byte, error) { return static.Bundle("css/onefile.css") })
	playerScript = sync.OnceValues(func() ([]byte, error) { return static.Bundle("js/share/onefile.js") })
)

// WriteHTML writes a trace as one file that plays by itself, offline.
func WriteHTML(out io.Writer, trace *engine.Trace, in lang.Language) error {
	return writeHTML(out, trace, in, opensAt(trace.Run))
}

// writeHTML writes a file that opens at an action; 0: it is ready to be played.
func writeHTML(out io.Writer, trace *engine.Trace, in lang.Language, step int) error {
	style, err := playerStyle()
	if err != nil {
		return err
	}
	script, err := playerScript()
	if err != nil {
		return err
	}
	return runview.PlayerPage(runview.Player{
		Lang: in, Style: string(style), Script: string(script),
		// The trace is a stranger's text: if some of it passes for a script, the browser does not run it.
		Policy:   fmt.Sprintf("default-src 'none'; style-src %s; script-src %s; img-src data:", door.HashSource(style), door.HashSource(script)),
		Scenario: trace.Scenario.String(),
		Programs: map[lang.Language][]views.Program{
			lang.English: present.Listings(trace.Run, lang.English),
			lang.Chinese: present.Listings(trace.Run, lang.Chinese),
		},
		Trace: playedTrace{
			Format: "lockstep.trace", Version: 1, Scenario: trace.Scenario.String(), Lang: in,
			Actions: len(trace.Run.Actions()), Step: step, Events: events(trace.Run.World()),
			Words: map[lang.Language]map[string]any{
				lang.English: runview.PlayerWords(lang.English, check.Flags(lang.English)),
				lang.Chinese: runview.PlayerWords(lang.Chinese, check.Flags(lang.Chinese)),
			},
		},
	}).Render(context.Background(), out)
}

// opensAt returns the action at which a run is best opened: one that comes from a real system opens at what went wrong there.
// 0: nobody says so.
func opensAt(run *engine.Run) int {
	if h := run.Header(); h.Began == 0 && len(h.Labels) == 0 {
		return 0
	}
	return accusedAt(run)
}

// events returns the events of a world, never nil: the wire has a list, not null.
func events(w *engine.World) []engine.Event {
	if all := w.Events(); all != nil {
		return all
	}
	return []engine.Event{}
}
