package present

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
	"lockstep/views"
	exploreview "lockstep/views/explore"
	"lockstep/web/search"
)

// verdict returns the result of a search, in a sentence that names its bounds.
func verdict(f search.Finding, q explore.Question, l lang.Language) string {
	if f.Failure != nil {
		return views.Say(l, "explore.failure", f.Failure.Sentence(l))
	}
	return q.Sentence(f.Answer, ended(f, l), l)
}

// stamp returns a verdict in a word or two, and what is to be said of it.
func stamp(o exploreview.Outcome, q Question, f search.Finding, l lang.Language) (word, feat string) {
	switch {
	case o.Verdict == "failed":
		return views.Say(l, "explore.failed"), ""
	case len(o.Counterexamples) > 0:
		return views.Say(l, "explore.broken", o.Counterexamples[0].Length), views.Say(l, "explore.broken-feat", explore.Count(f.States))
	case f.Verdict == explore.Holds && q.Property == "":
		return views.Say(l, "explore.counted"), views.Say(l, "explore.counted-feat", explore.Count(f.States))
	case f.Verdict == explore.Holds:
		return views.Say(l, "explore.holds"), views.Say(l, "explore.holds-feat", explore.Count(f.States))
	}
	return views.Say(l, "explore.open-stamp"), views.Say(l, "explore.open-feat", explore.Count(f.States))
}

// shapeOf tells the shape of a search in a sentence.
func shapeOf(depths []int64, l lang.Language) string {
	if len(depths) == 0 {
		return ""
	}
	most, last := slices.Max(depths), len(depths)-1
	return views.Say(l, "explore.shape-says", explore.Count(most), slices.Index(depths, most), explore.Count(depths[last]), last)
}

// exploreSayings returns the texts of static/js/explore.
func exploreSayings(l lang.Language) map[string]string {
	said := map[string]string{"play": views.Say(l, "script.play"), "pause": views.Say(l, "script.pause"), "why": views.Say(l, "why"), "whyOf": views.Say(l, "player.why-of"), "at": views.Say(l, "player.at")}
	for _, name := range []string{"copied", "selected"} {
		said[name] = views.Say(l, "share."+name)
	}
	for _, name := range []string{"searching", "lost", "begin"} {
		said[name] = views.Say(l, "explore."+name)
	}
	return said
}

// ended returns why a search stopped early.
func ended(f search.Finding, l lang.Language) string {
	switch {
	case f.Bound == explore.OfWork:
		return views.Say(l, "explore.ended-work")
	case f.Bound == explore.OfStates, f.Bound == explore.OfAction, f.Bound == explore.OfComponents, f.Bound == explore.OfRecording:
		return f.Ended(l)
	case f.Verdict == explore.Spent:
		return views.Say(l, "explore.ended-memory", bytesOf(f.Memory))
	case f.Spent:
		return views.Say(l, "explore.ended-time", duration(f.Limit, l))
	}
	return views.Say(l, "explore.ended-stop")
}

// causeOf returns the mistake of a counterexample, without the names and times of its run.
func causeOf(c explore.Cause, l lang.Language) string {
	switch {
	case c.Command != "" && c.Line > 0:
		return views.Say(l, "explore.cause-command", c.Command, c.Line)
	case c.Command != "":
		return c.Command
	case c.Kind == engine.Expire:
		return views.Say(l, "explore.cause-expire")
	case c.Kind == engine.Crash:
		return views.Say(l, "explore.cause-crash")
	case c.Kind == engine.Failover:
		return views.Say(l, "explore.cause-failover")
	case c.Kind == engine.Drop:
		return views.Say(l, "explore.cause-drop")
	case c.Kind == engine.Enter:
		return views.Say(l, "explore.cause-enter")
	case c.Kind == engine.Skew:
		return views.Say(l, "explore.cause-skew")
	case c.Kind == "":
		return views.Say(l, "explore.cause-none")
	}
	return views.Say(l, "explore.cause-other", string(c.Kind))
}

// bytesOf writes an amount of memory in MB, with tenths if it is small.
func bytesOf(n int64) string {
	if n < 10<<20 {
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	}
	return explore.Count(n>>20) + " MB"
}

// duration writes how long something took, no more precisely than a reader can notice.
func duration(d time.Duration, l lang.Language) string {
	switch {
	case d < time.Millisecond:
		return views.Say(l, "explore.under-a-millisecond")
	case d < 100*time.Millisecond:
		return views.Say(l, "explore.milliseconds", d.Milliseconds())
	case d < 10*time.Second && d%time.Second != 0:
		return views.Say(l, "explore.seconds", strconv.FormatFloat(d.Seconds(), 'f', 1, 64))
	}
	return views.Say(l, "explore.seconds", strconv.Itoa(int(d.Round(time.Second).Seconds())))
}

// perSecond returns how many states a search saw per second; empty: the search was too short to tell.
func perSecond(states int64, took time.Duration) string {
	if took < 10*time.Millisecond {
		return ""
	}
	return explore.Count(int64(float64(states) / took.Seconds()))
}

// violated returns the word for a violation of a property: its name, or in Chinese a clause of its own.
func violated(name string, l lang.Language) string {
	if p, _ := check.Named(name); l == lang.Chinese {
		return p.InChinese().Violated
	}
	return name
}

// propertyName returns the name of a property. Chinese puts its own word before it.
func propertyName(p *check.Property, l lang.Language) string {
	if l == lang.Chinese {
		return p.InChinese().Name + "（" + p.Name + "）"
	}
	return p.Name
}
