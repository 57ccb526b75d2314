package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/testtools"
	runview "lockstep/views/run"
	"lockstep/web/live"
	"lockstep/web/present"
)

// worst lists the characters that take most bytes somewhere: in JSON, in HTML, or in a command as shown to a reader.
// The second of each pair is its form in a scenario.
var worst = [][2]string{{"<", "<"}, {"&", "&"}, {`"`, `\"`}, {"\x01", `\x01`}, {"\u00a0", "\u00a0"}, {"锁", "锁"}}

// argument returns the longest argument that a command takes.
func argument(c [2]string, prefix string) string {
	return `"` + prefix + strings.Repeat(c[1], (512-len(prefix))/len(c[0])) + `"`
}

// own returns a program of 8 KB that repeats a line and sends long commands.
func own(name, line string) string {
	text := "def acquire(c):\n    c.set(\"key\" * 100, \"<>&\" * 100)\n    return True\ndef release(c, lease):\n    pass\n"
	for len(text)+len(line)+1 <= 8<<10 {
		text += line + "\n"
	}
	return "define " + name + "\n| " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n| ") + "\n"
}

// owns returns as many of these programs as a run takes.
func owns(line string) (text string) {
	for i := range engine.MaxOwn {
		text += own(fmt.Sprint("p", i), line)
	}
	return text
}

func spawned(n int, program string) string {
	text := "spawn"
	for i := range n {
		text += fmt.Sprint(" C", i+1)
	}
	return text + " " + program + "\n"
}

// each repeats a line for the numbers from 1, which replace %d in it.
func each(n int, line string) (text string) {
	for i := range n {
		text += strings.ReplaceAll(line, "%d", fmt.Sprint(i+1)) + "\n"
	}
	return text
}

// keys returns seven arguments of a command, each followed by a value.
func keys(from int, c [2]string, value string) (text string) {
	for i := range 7 {
		text += " " + argument(c, fmt.Sprint(from+i, "-")) + value
	}
	return text
}

// stores fills Redis with keys whose names and values are as long as they may be.
func stores(c [2]string) (text string) {
	for from := 0; from < engine.MaxKeys-7; from += 7 {
		text += "do A1 MSET" + keys(from, c, " "+argument(c, "")) + "\n"
	}
	return text
}

// few stores as many keys as a page shows.
func few(c [2]string) (text string) {
	for i := range present.KeysShown {
		text += fmt.Sprintf("do A1 SET %s %s\n", argument(c, fmt.Sprint(i, "-")), argument(c, ""))
	}
	return text
}

// deletes makes keys by the hundred and takes them away again.
func deletes(c [2]string) (text string) {
	for from := 0; from < 7*50; from += 7 {
		text += "do A1 MSET" + keys(from, c, " v") + "\ndo A1 DEL" + keys(from, c, "") + "\n"
	}
	return text
}

// everyRun returns scenarios with as much of something as a run takes. A longer one ends where the run is full.
func everyRun() map[string]string {
	runs := map[string]string{
		"5,000 events":  "spawn C1 C2 C3 naive\n" + strings.Repeat("do A1 GET lock.foo\n", 1245),
		"4,000 actions": strings.Repeat("note \"x\"\n", engine.MaxActions),
		"16 clients":    spawned(16, "set-px") + strings.Repeat(each(16, "deliver C%d")+each(16, "receive C%d"), 4),
		"violations":    own("open", "") + spawned(15, "open") + each(15, "step C%d") + "tick 1s\n",
		"9 nodes":       "program redlock nodes=9\nspawn C1 C2\n" + strings.Repeat("step C1\nstep C2\n", 30) + stores(worst[0]),
		"the console":   strings.Repeat("do CLI SET k "+argument(worst[0], "")+"\ndo CLI MGET k k k k k k\n", 100),
		"empty lines":   owns("") + spawned(15, "p0"),
		"numbers":       owns("    x = 1+2+3+4+5+6+7+8+9+1+2+3+4+5+6+7+8+9") + spawned(15, "p0"),
	}
	for _, c := range worst {
		runs["notes of "+c[1]] = strings.Repeat("note "+argument(c, "")+"\n", 500)
		if c[0] == "\x01" { // neither a note nor a program may contain it
			delete(runs, "notes of "+c[1])
		}
		runs["keys of "+c[1]] = stores(c) + deletes(c)
		if c[0] != "\x01" {
			runs["programs of "+c[1]] = owns("# "+strings.Repeat(c[0], 80)) + spawned(15, "p0")
		}
	}
	runs["programs and events"] = owns("# "+strings.Repeat("&", 90)) + spawned(14, "p7") + each(14, "step C%d") + few(worst[1]) + strings.Repeat("do A1 GET k\n", 1000)
	runs["all of it"] = "program nodes=9\n" + owns("#"+strings.Repeat("&", 90)) + spawned(14, "p7") + each(14, "step C%d") + stores(worst[1]) +
		strings.Repeat("do CLI SET k "+argument(worst[1], "")+"\ndo CLI MGET k k k k k k\n", 20) + each(14, "deliver C%d") + "tick 1s\n"
	return runs
}

// begins adds a run with as much of a scenario as a run takes, and returns its path.
func (s *site) begins(text string) (path string, world *engine.World) {
	s.Helper()
	if len(text) > engine.MaxText {
		text = text[:strings.LastIndex(text[:engine.MaxText], "\n")+1]
	}
	scenario, err := engine.Parse("begins", text, nil)
	if err != nil {
		s.Fatalf("%.200q: %v", text, err)
	}
	e := engine.NewRun(scenario.Header, check.All()...)
	for i, a := range scenario.Actions() {
		_, err := e.Do(a)
		if full := (*engine.FullError)(nil); errors.As(err, &full) {
			break
		}
		if err != nil && a.Verb != engine.VerbStep && a.Verb != engine.VerbDeliver && a.Verb != engine.VerbReceive {
			s.Fatalf("action %d, %.100q: %v", i+1, a, err)
		}
	}
	r, err := s.server.Rooms.Runs.Add(context.Background(), e, live.Beginning{})
	if err != nil {
		s.Fatal(err)
	}
	return r.Path(), e.World()
}

// size returns the bytes of the next message.
func (v *socketViewer) size() int {
	v.Helper()
	_, data, err := v.conn.ReadMessage()
	if err != nil {
		v.Fatal(err)
	}
	return len(data)
}

// A page has at most 352 KB, whatever its run contains. This holds at every position, in every language, beside
// another run, with branches that have long names, and for the presenter of a room.
func TestPagesOfFullRunsFit(t *testing.T) {
	testtools.Long(t, "it asks for every page of the largest runs")
	for name, text := range everyRun() {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, Options{})
			path, world := s.begins(text)
			t.Logf("%d actions, %d events, %d KB", world.Actions(), len(world.Events()), world.Meter().Bytes()>>10)
			for range live.MaxBranches - 1 {
				s.send("POST", path+"/actions", url.Values{"action": {"do B1 SET k " + argument(worst[2], "")}, "at": {"0"}, "past": {"1"}}).wants(t, http.StatusSeeOther)
			}
			other, _ := s.begins(text)
			teacher := s.person()
			room := teacher.send("POST", "/rooms", url.Values{"run": {strings.TrimPrefix(path, "/t/")}, "at": {fmt.Sprint(world.Actions())}})
			room.wants(t, http.StatusSeeOther)
			inRoom := teacher.send("GET", room.Header.Get("Location"), nil).Header.Get("Location")
			most := 0
			fits := func(query string, a answer) {
				t.Helper()
				a.wants(t, http.StatusOK)
				if most = max(most, len(a.body)); len(a.body) > present.PageSize {
					t.Errorf("%s has %d bytes", query, len(a.body))
				}
			}
			for _, l := range everyLanguage {
				lang := "&lang=" + string(l)
				for _, query := range []string{"?", "?step=0", fmt.Sprint("?step=", world.Actions()/2), "?events=1", "?events=2-2", "?events=1-400&here=" + strings.Repeat("%22", 3000)} {
					fits(query, s.get(path+query+lang))
				}
				fits("beside another run", s.get(path+"?beside="+strings.TrimPrefix(other, "/t/")+lang))
				fits("for a presenter", teacher.send("GET", inRoom+"?"+lang, nil))
				refused := s.send("POST", path+"/reruns?"+lang, url.Values{"from": {"naive"}, "source": {strings.Repeat("<", 20<<10)}})
				if most = max(most, len(refused.body)); len(refused.body) > present.PageSize || !strings.Contains(refused.body, strings.Repeat("&lt;", 11_000)) {
					t.Errorf("with a refused program the page has %d bytes", len(refused.body))
				}
			}
			if log := s.get(path).begins(t).Log; log.Actions != world.Actions() || log.Total != len(world.Events()) {
				t.Errorf("the page says that there are %d actions and %d events", log.Actions, log.Total)
			}
			hello := s.watch(path + "/live").size()
			if hello > 1<<20 {
				t.Errorf("a newcomer is told %d bytes", hello)
			}
			t.Logf("the largest page has %d bytes, and the first message to a newcomer %d", most, hello)
		})
	}
}

// The page of a short run contains all of it, so its scripts request nothing more.
func TestAShortRunsPageIsComplete(t *testing.T) {
	for _, program := range []string{"del-setnx", "set-px-fencing", "redlock"} {
		s := newSite(t, Options{})
		e := engine.NewRun(engine.Header{Program: program}, check.All()...)
		for n := 1; n <= engine.MaxClients; n++ {
			if _, err := e.Do(engine.Action{Verb: engine.VerbSpawn, Client: fmt.Sprint("C", n)}); err != nil {
				t.Fatal(err)
			}
		}
		for seed := uint64(1); ; seed++ {
			next, ok := engine.Scheduler{Random: true, Seed: seed}.Next(e.World())
			if !ok {
				next = engine.Action{Verb: engine.VerbTick, Time: 11_000}
			}
			twin := e.Prefix(len(e.Actions()))
			if _, err := twin.Do(next); err != nil {
				t.Fatal(err)
			}
			if len(twin.World().Events()) > runview.EventsListed {
				break
			}
			e = twin
		}
		r, err := s.server.Rooms.Runs.Add(context.Background(), e, live.Beginning{})
		if err != nil {
			t.Fatal(err)
		}
		events := len(e.World().Events())
		for _, l := range everyLanguage {
			a := s.get(r.Path() + "?lang=" + string(l))
			log := a.begins(t).Log
			if log.Header == nil || len(log.Lines) != len(e.Actions()) || len(log.Events) != events || strings.Count(a.body, `<td class="seq">`) != events+1 { // one is the template of a row
				t.Errorf("%s: of %d actions and %d events the page has %d and %d, in %d bytes", program, len(e.Actions()), events, len(log.Lines), len(log.Events), len(a.body))
			}
			a.lacks(t, `id="event-pages"`)
			t.Logf("%s: %d events in %d bytes", program, events, len(a.body))
		}
	}
}
