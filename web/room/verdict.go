package room

import "lockstep/engine/lang"

// A Verdict is what the explorer has found about the program of the run that the room is shown. Where a lock holds there is
// no run to show but one in which everybody can try what the explorer has tried.
type Verdict struct {
	Stamp lang.Text `json:"stamp"` // in a word or two
	Says  lang.Text `json:"says"`  // in a sentence, with the bounds
}

// size returns how many bytes of text a verdict has.
func (v *Verdict) size() int {
	if v == nil {
		return 0
	}
	return len(v.Stamp.English) + len(v.Stamp.Chinese) + len(v.Says.English) + len(v.Says.Chinese)
}

func (v *Verdict) isFormed() bool {
	return v == nil || isText(v.Stamp) && len(v.Stamp.English) <= maxTitle && len(v.Stamp.Chinese) <= maxTitle && isText(v.Says)
}
