package present

import (
	"html"
	"regexp"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/lang"
	"lockstep/engine/program"
	"lockstep/views"
	runview "lockstep/views/run"
)

func played(t *testing.T, lines ...string) runview.Page {
	t.Helper()
	r := playedRun(t, lines...)
	return r.Panels(r.Engine, views.Site{Lang: lang.English})
}

func playedRun(t *testing.T, lines ...string) Run {
	t.Helper()
	e := engine.NewRun(engine.Header{}, check.All()...)
	for _, line := range lines {
		scenario, err := engine.Parse("line", line, nil)
		if err == nil {
			_, err = e.Do(scenario.Actions()...)
		}
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	return Run{ID: "aaaaaaaaaa", Engine: e, Branches: []Branch{{Run: "aaaaaaaaaa"}}}
}

// Every status of the engine has its word, on the card and in the picture.
func TestStatusWords(t *testing.T) {
	for _, status := range []engine.Status{
		engine.Waits, engine.Asleep, engine.Inside, engine.Releasing, engine.Finished, engine.Crashed, engine.Failed,
	} {
		for _, key := range []string{"status." + string(status), "timeline." + string(status)} {
			if text := views.Say(lang.Chinese, key); text == key {
				t.Errorf("%s is not in the catalogue", key)
			}
		}
	}
}

// The engine would carry out the action of every button, and each refused button says why.
func TestButtons(t *testing.T) {
	r := playedRun(t, "spawn C1 C2 naive", "step C1", "step C2", "pause C1")
	page := r.Panels(r.Engine, views.Site{Lang: lang.English})
	seen := map[string]runview.Button{}
	for _, c := range page.Clients {
		for _, b := range append(c.Main, c.More...) {
			seen[b.ID] = b
		}
	}
	for _, b := range append(append(page.Ticks, page.Faults...), page.Next.Button) {
		seen[b.ID] = b
	}
	for id, reason := range map[string]string{
		"step-C1":             "C1 is paused",
		"pause-C1":            "",
		"crash-C1":            "",
		"step-C2":             "C2 is asleep until 1001 and has nothing in flight",
		"pause-C2":            "",
		"deliver-C2":          "no request of C2 is in flight",
		"receive-C2":          "no reply to C2 is in flight",
		"faster-C2":           "",
		"tick-1":              "",
		"tick-10":             "",
		"crash-keep-redis":    "",
		"redis-restart-redis": "the Redis node is running",
		"spawn":               "",
	} {
		if b, ok := seen[id]; !ok || b.Refuse != reason {
			t.Errorf("button %s (there: %t) is refused with %q, want %q", id, ok, b.Refuse, reason)
		}
	}
	for id, b := range seen {
		line := b.Action
		if id == "spawn" {
			line += " naive"
		}
		action, err := engine.ParseAction(line)
		if err != nil {
			t.Errorf("button %s does %q: %v", id, b.Action, err)
			continue
		}
		if possible := r.Engine.World().Can(action) == nil; possible != (b.Refuse == "") {
			t.Errorf("button %s: the engine can do %q: %t", id, b.Action, possible)
		}
	}
}

func TestClientCards(t *testing.T) {
	page := played(t, "spawn C1 C2 del-setnx timeout=10s", "step C1", "skew C1 -2s", "deliver C2", "crash C2", "tick 1s", "restart C2")
	first, second := page.Clients[0], page.Clients[1]
	if first.Status != "inside" || first.Belief != "believes until 1011" || strings.Join(first.Facts, "; ") != "own clock 999 (2s behind)" {
		t.Errorf("C1 is %+v", first)
	}
	if second.Status != "waits" || second.Flight != "SETNX lock.foo 1012" || second.FlightIs != "on its way to Redis:" {
		t.Errorf("C2 is %+v", second)
	}
	if step := first.Main[0]; step.Label != "Leave C1" || step.Action != "step C1" {
		t.Errorf("the first button of a client in the critical section is %+v", step)
	}
	if page.Next.Client != "C3" || page.Now != "1001" {
		t.Errorf("the next client is %s at %s", page.Next.Client, page.Now)
	}
}

// A client with another name does not use up a name.
func TestNextFreeName(t *testing.T) {
	for _, c := range []struct{ spawned, next string }{
		{"C3", "C1"}, {"C1", "C2"}, {"C1 C3", "C2"}, {"C1 C2 C3", "C4"},
	} {
		if next := played(t, "spawn "+c.spawned+" naive").Next; next.Client != c.next || next.Action != "spawn "+c.next {
			t.Errorf("after %s comes %s", c.spawned, next.Client)
		}
	}
}

// An alert of a lasting violation stays while it lasts. An alert of an event stays until the next action.
func TestAlerts(t *testing.T) {
	race := []string{
		"spawn C3 del-setnx timeout=10s", "step C3", "crash C3", "tick 12s", "spawn C1 C2 del-setnx timeout=10s",
		"step C1 2", "step C2 2", "step C1 2", "step C2",
	}
	if alerts := played(t, race...).Alerts; len(alerts) != 1 || !strings.HasPrefix(alerts[0].Sentence, "C2 has deleted C1's lock.") {
		t.Errorf("after the DEL: %v", alerts)
	}
	race = append(race, "step C2")
	both := "C1 and C2 are both in the critical section, and both believe that they hold the lock."
	for range 2 {
		page := played(t, race...)
		if len(page.Alerts) != 1 || !strings.HasPrefix(page.Alerts[0].Sentence, both) {
			t.Errorf("two are inside: %v", page.Alerts)
		}
		for i, violating := range []bool{false, true, true} {
			if page.Clients[i].Violating != violating {
				t.Errorf("%s is part of a violation: %t", page.Clients[i].Name, page.Clients[i].Violating)
			}
		}
		race = append(race, `note "look"`)
	}
	if alerts := played(t, append(race, "step C1")...).Alerts; len(alerts) != 0 {
		t.Errorf("one has left: %v", alerts)
	}
}

// The text of a program on the page equals its source. The page reads it back for the
// editor.
func TestSourceIsExact(t *testing.T) {
	tag := regexp.MustCompile(`</?i[^>]*>`)
	line := regexp.MustCompile(`<code[^>]*>(.*?)</code>`)
	for _, name := range program.Names() {
		known, _ := program.Builtin(name)
		text := ""
		for _, m := range line.FindAllStringSubmatch(Markup(runview.TongueListing(Text(known, views.Site{Lang: lang.English}))), -1) {
			text += html.UnescapeString(tag.ReplaceAllString(m[1], "")) + "\n"
		}
		if text != known.Source {
			t.Errorf("%s is shown as\n%s", name, text)
		}
	}
}
