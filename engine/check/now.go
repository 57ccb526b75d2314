package check

import (
	"strings"

	"lockstep/engine"
	"lockstep/engine/lang"
)

// names puts the names of the clients that count into a pattern, or says that none does.
func names(w *engine.World, pattern, none lang.Text, counts func(*engine.Client) bool) lang.Text {
	var all []string
	for _, c := range w.Clients() {
		if counts(c) {
			all = append(all, c.Name)
		}
	}
	if len(all) == 0 {
		return none
	}
	return lang.Both(pattern.Fill(lang.English, strings.Join(all, ", ")), pattern.Fill(lang.Chinese, strings.Join(all, "、")))
}

// alone is the pattern for names that need no words, and what stands there without them.
var alone, nobody = lang.Both("%s", "%s"), lang.Both("nobody", "还没有")

func insideNow(w *engine.World) lang.Text {
	return names(w, alone, nobody, func(c *engine.Client) bool { return c.Status == engine.Inside })
}

func holdersNow(w *engine.World) lang.Text {
	return names(w, alone, nobody, func(c *engine.Client) bool { return c.Status == engine.Inside && c.Believes })
}

// keysNow names the clients whose keys are there and protect them.
func keysNow(w *engine.World) lang.Text {
	there, none := lang.Both("the key of %s is there", "%s 的键还在"), lang.Both("no key is a holder's", "没有哪个键属于持有者")
	return names(w, there, none, func(c *engine.Client) bool {
		g := c.Grant
		if g == nil {
			return false
		}
		s := w.Stored(g.Node, g.Key)
		return s != nil && s.Writer == c.Name && holdsBy(w, w.Nodes()[g.Node], engine.Change{Key: g.Key, Old: s})
	})
}

func waitingNow(w *engine.World) lang.Text {
	return names(w, lang.Both("waiting: %s", "%s 在等"), lang.Both("nobody waits", "没有客户端在等"), wants)
}

// writtenNow names the client whose write took effect last.
func writtenNow(w *engine.World) lang.Text {
	written := last(w, func(e *engine.Event) bool { return e.Kind == engine.Write || e.Kind == engine.Commit })
	if written == 0 {
		return lang.Both("no write has taken effect", "还没有生效的写入")
	}
	return lang.Format("%s has written last", "最后写入的是 %s", w.Events()[written-1].Call.Client)
}
