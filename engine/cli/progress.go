package cli

import (
	"fmt"
	"time"

	"lockstep/engine/explore"
	"lockstep/engine/lang"
)

// A progress tells somebody at a terminal how far a search has come: one line, written over once a second and gone with the
// search. A pipe gets nothing.
type progress struct {
	*Host
	began, told time.Time
	shown       bool
}

func (h *Host) progress() *progress {
	now := h.Now()
	return &progress{Host: h, began: now, told: now}
}

const overwrite = "\r\x1b[K" // back to the beginning of the line, which it clears

// tell is called by one worker at a time.
func (p *progress) tell(f explore.Figures) {
	now := p.Now()
	if !p.Terminal || now.Sub(p.told) < time.Second {
		return
	}
	p.told, p.shown = now, true
	fmt.Fprint(p.Err, overwrite, lang.Format("%s states, %s transitions, %d actions deep, %d MiB, %d s; Ctrl-C ends it with what was found",
		"%s 个状态，%s 次转移，深度 %d 个动作，%d MiB，%d 秒；按 Ctrl-C 结束并给出已有结果",
		explore.Count(f.States), explore.Count(f.Transitions), f.Depth, f.Memory>>20, int(now.Sub(p.began).Seconds())).In(p.Language))
}

func (p *progress) end() {
	if p.shown {
		fmt.Fprint(p.Err, overwrite)
	}
}
