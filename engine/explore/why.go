package explore

import (
	"lockstep/engine"
	"lockstep/engine/lang"
)

// why tells the cause of a violation, the event of a number in a log, as a sentence. A lease that has lapsed is told by what its
// holder did then, and overrun is true where it was inside.
func why(log []engine.Event, seq int) (text lang.Text, overrun bool) {
	cause := &log[seq-1]
	told := lang.Both(cause.Sentence(lang.English), cause.Sentence(lang.Chinese))
	if cause.Kind != engine.Expire || len(cause.Changes) == 0 || cause.Changes[0].Old == nil {
		return told, false
	}
	holder := cause.Changes[0].Old.Writer
	inside := false
	for i := range seq {
		switch e := &log[i]; {
		case e.Lane != holder:
		case e.Kind == engine.Enter:
			inside = true
		case e.Kind == engine.Leave, e.Kind == engine.Crash, e.Kind == engine.Error, e.Kind == engine.Done:
			inside = false
		}
	}
	if inside {
		return lang.Format("The lease of %s runs out while it is inside: it has overrun it. %s", "%s 还在临界区内，租约就到期了：它超时了。%s", holder, told), true
	}
	return lang.Format("The lease of %s runs out before it is inside: what it hears of its lock is old. %s", "%s 还没进入临界区，租约就到期了：它得知加锁成功时已经晚了。%s", holder, told), false
}
