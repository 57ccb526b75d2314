package present

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
	"lockstep/views"
	exploreview "lockstep/views/explore"
)

// values returns the words of a question's sentence that the reader can change, by the names of their fields.
func values(q Question, l lang.Language) map[string]exploreview.Value {
	all := map[string]exploreview.Value{}
	add := func(b bound, now int, word func(n int) string) {
		v := exploreview.Value{Name: b.name, Chosen: strconv.Itoa(now)}
		for n := b.least; n <= b.most; n++ {
			v.Choices = append(v.Choices, exploreview.Choice{Value: strconv.Itoa(n), Label: word(n)})
		}
		all[b.name] = v
	}
	long := func(n int) string { return views.Say(l, "explore.seconds-of", n) }
	add(bounds[0], q.Clients, strconv.Itoa)
	add(bounds[1], q.Ticks, strconv.Itoa)
	add(bounds[2], int(q.Timeout/1000), long)
	add(bounds[3], q.Crashes, func(n int) string { return views.Say(l, fmt.Sprint("explore.crashes.", n)) })
	add(length, max(length.usual, int(q.Tick/1000)), long)
	add(delays, q.Delays, func(n int) string {
		if n > 1 {
			return views.Say(l, "explore.delays.n", n)
		}
		return views.Say(l, fmt.Sprint("explore.delays.", n))
	})
	v := all[delays.name]
	v.Choices = slices.Insert(v.Choices, 0, exploreview.Choice{Value: delayWord(explore.Any), Label: views.Say(l, "explore.delays.any")})
	v.Chosen = delayWord(q.Delays)
	all[delays.name] = v
	return all
}

// also names what a question has besides its sentence.
func also(q Question, l lang.Language) string {
	var all []string
	value := func(word, to string) { all = append(all, views.Say(l, "explore.also.value", word, to)) }
	number := func(name string, n int) {
		if n > 0 {
			value(views.Say(l, "explore.bound."+name), strconv.Itoa(n))
		}
	}
	yes := func(name string, is bool) {
		if is {
			all = append(all, views.Say(l, "explore."+name))
		}
	}
	yes("replies", q.Replies)
	number("losses", q.Losses)
	number("failovers", q.Failovers)
	if q.Nodes > 1 {
		number("nodes", q.Nodes)
		number("node-crashes", q.NodeCrashes)
		number("restart-delay", q.RestartDelay)
		yes("lose", q.Lose)
	}
	for _, client := range slices.Sorted(maps.Keys(q.Skew)) {
		value(views.Say(l, "explore.skew-of", client), signed(q.Skew[client], l))
	}
	if l == lang.Chinese {
		return strings.Join(all, "；")
	}
	return strings.Join(all, "; ")
}

// signed writes how far a clock is ahead.
func signed(by engine.Time, l lang.Language) string {
	text := views.Say(l, "explore.seconds", by.String())
	if by > 0 {
		return "+" + text
	}
	return strings.Replace(text, "-", "−", 1)
}
