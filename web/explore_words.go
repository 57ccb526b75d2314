package web

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"lockstep/engine"
	"lockstep/engine/explore"
	"lockstep/views"
)

// verdict is what a search has found, as a sentence that names its bounds.
func verdict(f finding, q question, l views.Language) string {
	property, who, within := q.Property, clientsOf(q, l), boundsOf(q, l)
	seen := l.Say("explore.seen", count(f.States), count(f.Transitions))
	switch {
	case f.failure != nil:
		return l.Say("explore.failure", f.failure.Sentence(engineLanguage(l)))
	case len(f.Counterexamples) > 0:
		return l.Say("explore.violated", property, count(int64(f.Counterexamples[0].Length)), who, within, seen)
	case f.Verdict == explore.Holds && property == "":
		return l.Say("explore.counted", who, within, count(f.States), count(f.Transitions))
	case f.Verdict == explore.Holds:
		return l.Say("explore.holds", property, who, within, seen)
	}
	if property == "" {
		return l.Say("explore.uncounted", ended(f, l), who, within, seen, f.Depth)
	}
	return l.Say("explore.undecided", ended(f, l), property, who, within, seen, f.Depth)
}

// ended is why a search did not come to its end.
func ended(f finding, l views.Language) string {
	switch {
	case f.Verdict == explore.Spent:
		return l.Say("explore.ended-memory", bytesOf(f.memory))
	case f.spent:
		return l.Say("explore.ended-time", duration(f.limit, l))
	}
	return l.Say("explore.ended-stop")
}

// clientsOf is who takes part: 3 clients of del-setnx.
func clientsOf(q question, l views.Language) string {
	clients := counted("client", q.Clients, l)
	if q.Nodes > 1 {
		return l.Say("explore.clients-nodes", clients, q.Program.Name, q.Nodes)
	}
	return l.Say("explore.clients", clients, q.Program.Name)
}

// boundsOf lists what may happen to them.
func boundsOf(q question, l views.Language) string {
	parts := []string{
		l.Say("explore.within-ticks", counted("tick", q.Ticks, l)),
		l.Say("explore.within-timeout", q.Timeout.String()),
	}
	if q.Crashes == 0 {
		parts = append(parts, l.Say("explore.within-no-crash"))
	} else {
		parts = append(parts, l.Say("explore.within-crashes", counted("crash", q.Crashes, l)))
	}
	switch q.Delays {
	case explore.Any:
		parts = append(parts, l.Say("explore.within-any-delay"))
	case 0:
		parts = append(parts, l.Say("explore.within-no-delay"))
	default:
		parts = append(parts, l.Say("explore.within-delays", counted("tick", q.Delays, l)))
	}
	if q.Replies {
		parts = append(parts, l.Say("explore.within-replies"))
	}
	for _, client := range skewed(q.Skew) {
		if by := q.Skew[client]; by > 0 {
			parts = append(parts, l.Say("explore.within-ahead", client, by.String()))
		} else {
			parts = append(parts, l.Say("explore.within-behind", client, (-by).String()))
		}
	}
	if q.Nodes > 1 {
		switch {
		case q.NodeCrashes == 0:
			parts = append(parts, l.Say("explore.within-no-node-crash"))
		case q.Lose:
			parts = append(parts, l.Say("explore.within-node-loses", counted("crash", q.NodeCrashes, l)))
		default:
			parts = append(parts, l.Say("explore.within-node-keeps", counted("crash", q.NodeCrashes, l)))
		}
		if q.NodeCrashes > 0 && q.RestartDelay > 0 {
			parts = append(parts, l.Say("explore.within-restart", counted("tick", q.RestartDelay, l)))
		}
	}
	if q.Symmetry {
		parts = append(parts, l.Say("explore.within-symmetry"))
	}
	last := len(parts) - 1
	return parts[0] + l.Say("explore.within-with") + strings.Join(parts[1:last], l.Say("explore.within-and")) + l.Say("explore.within-last") + parts[last]
}

// counted is a number with its noun.
func counted(noun string, n int, l views.Language) string {
	if n == 1 {
		return l.Say("explore.one-" + noun)
	}
	many := l.Say("explore.many-" + noun)
	return fmt.Sprintf(many, n)
}

// causeOf is the mistake of a counterexample, without the names and times of the one run.
func causeOf(c explore.Cause, l views.Language) string {
	switch {
	case c.Command != "" && c.Line > 0:
		return l.Say("explore.cause-command", c.Command, c.Line)
	case c.Command != "":
		return c.Command
	case c.Kind == engine.Expire:
		return l.Say("explore.cause-expire")
	case c.Kind == engine.Crash:
		return l.Say("explore.cause-crash")
	case c.Kind == engine.Enter:
		return l.Say("explore.cause-enter")
	case c.Kind == engine.Skew:
		return l.Say("explore.cause-skew")
	case c.Kind == "":
		return l.Say("explore.cause-none")
	}
	return l.Say("explore.cause-other", string(c.Kind))
}

// count writes a number with its thousands apart: 1,234,567.
func count(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// bytesOf writes an amount of memory in MB, of a small one the tenths too.
func bytesOf(n int64) string {
	if n < 10<<20 {
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	}
	return count(n>>20) + " MB"
}

// duration writes how long something took, no finer than anybody could tell.
func duration(d time.Duration, l views.Language) string {
	switch {
	case d < time.Millisecond:
		return l.Say("explore.under-a-millisecond")
	case d < 100*time.Millisecond:
		return l.Say("explore.milliseconds", d.Milliseconds())
	case d < 10*time.Second && d%time.Second != 0:
		return l.Say("explore.seconds", strconv.FormatFloat(d.Seconds(), 'f', 1, 64))
	}
	return l.Say("explore.seconds", strconv.Itoa(int(d.Round(time.Second).Seconds())))
}

// perSecond is how many states a search sees in a second; empty: it was too short to tell.
func perSecond(states int64, took time.Duration) string {
	if took < 10*time.Millisecond {
		return ""
	}
	return count(int64(float64(states) / took.Seconds()))
}

// explainQuestion says why a question is not answered.
func explainQuestion(err error, l views.Language) refusal {
	var (
		said   interface{ say(views.Language) string }
		told   interface{ Sentence(engine.Language) string }
		failed *explore.FailureError
	)
	switch f := (refusal{Type: "error", Code: "refused"}); {
	case errors.Is(err, errQueueFull), errors.Is(err, errReplaced), errors.Is(err, errClosing), errors.Is(err, errUnknownProperty), errors.Is(err, errNoLuck):
		f.Text = l.Say(err.Error())
		return f
	case errors.As(err, &said):
		f.Text = said.say(l)
		return f
	case errors.As(err, &failed):
		f.Text = l.Say("explore.failure", failed.Sentence(engineLanguage(l)))
		return f
	case errors.As(err, &told):
		f.Text = told.Sentence(engineLanguage(l))
		return f
	}
	return explain(err, l)
}
