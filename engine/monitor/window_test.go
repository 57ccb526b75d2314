package monitor_test

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/lang"
	"lockstep/engine/monitor"
)

// window returns the part of a log in a window as a scenario, and what the run of it violates.
func window(t testing.TB, text string, w monitor.Window) (scenario string, violated []string) {
	t.Helper()
	log, _, err := monitor.Cut(func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }, w)
	if err != nil {
		t.Fatal(err)
	}
	scenario = log.Scenario(lang.English).String()
	trace := play(t, scenario)
	defer trace.Run.World().Close()
	for _, e := range trace.Run.World().Events() {
		if e.Kind == engine.Violated && (e.Violation.Property == check.Overlap.Name || e.Violation.Property == check.ForeignDelete.Name) {
			violated = append(violated, e.Violation.Property+": "+e.Violation.Text.English)
		}
	}
	return scenario, violated
}

// The scenario of a log accuses nobody whom the log does not convict, and shows what it convicts somebody of.
func TestTheCasesRun(t *testing.T) {
	for file, want := range map[string]string{
		"closed.log": "", "glued.log": "", "noise.log": "", "pool-correct.log": "", "redisson-pool.log": "",
		"dedupe.log":       "overlap: C1 and C2 are both in the critical section; foreign-delete: C1 has deleted C2's lock",
		"getset-steal.rec": "overlap: C1 and C3 are both in the critical section",
	} {
		log, err := os.ReadFile(filepath.Join("testdata/cases", file))
		if err != nil {
			t.Fatal(err)
		}
		for _, redact := range []bool{false, true} {
			scenario, violated := window(t, string(log), monitor.Window{Options: monitor.Options{Redact: redact}})
			got := strings.Join(violated, "; ")
			if got != want && (want == "" || !strings.HasPrefix(got, want)) {
				t.Errorf("%s, redacted %v: %q, not %q\n%s", file, redact, got, want, scenario)
			}
			if strings.Contains(scenario, "differ from") {
				t.Errorf("%s, redacted %v: import makes up differences\n%s", file, redact, scenario)
			}
		}
	}
}

var windows = flag.Int("windows", 60, "how many windows of right locks to run")

// The scenario of a right lock has no overlap and no foreign delete, though its connections are those of pools.
//
//	go test ./engine/monitor -run RunsRight -windows 1000 -v
func TestTheWindowOfARightLockRunsRight(t *testing.T) {
	accused, entered := 0, 0
	for seed := range uint64(*windows) {
		m := newModel(seed, 300+int(seed*37%900))
		text := m.run()
		scenario, violated := window(t, text, monitor.Window{})
		entered += strings.Count(scenario, "\nenter ")
		if len(violated) > 0 {
			if accused++; accused < 4 {
				t.Errorf("model %d (%s, %s, %s, %s): %q\n%s", seed, m.acquire, m.release, m.pick, m.token, violated[0], scenario)
			}
		}
	}
	t.Logf("%d windows, %d times somebody is inside; accused: %d", *windows, entered, accused)
	if entered < *windows*3 {
		t.Errorf("only %d times somebody is inside", entered)
	}
}

// An incident anywhere in a long log, of many connections and databases, is in the scenario, with its lines and addresses.
func TestTheWindowHasTheFinding(t *testing.T) {
	shown, made := 0, 0
	for seed := uint64(1); made < 25; seed++ {
		m := newModel(seed, 5000)
		m.plant, m.crashes, m.doubles, m.looks, m.after = true, 0, false, false, 3000
		text := m.run()
		if m.fault.second == "" || m.fault.left == 0 || !m.provable() || detected(t, text).Found == 0 {
			continue
		}
		made++
		scenario, violated := window(t, text, monitor.Window{})
		if len(violated) > 0 && strings.Contains(scenario, m.fault.first) && strings.Contains(scenario, m.fault.second) {
			shown++
		} else {
			t.Logf("model %d (%s, %s, %s, %s) does not show %+v: %q\n%.1500s", seed, m.acquire, m.release, m.pick, m.token, m.fault, violated, scenario)
		}
	}
	if shown < made {
		t.Errorf("%d of %d are shown", shown, made)
	}
}

// Where the window is, the user may say: around a time, or by its lines, in a database.
func TestTheUserChoosesTheWindow(t *testing.T) {
	var log strings.Builder
	for i := range int64(60) { // a hold of 100 ms each second
		log.WriteString(line(i*1e6, "a:1", fmt.Sprintf(`"set" "lock" "t%d" "nx" "px" "10000"`, i)) + line(i*1e6+1e5, "a:1", `"del" "lock"`))
	}
	for i := range int64(3) {
		log.WriteString(strings.Replace(line(61e6+i*1e6, "b:1", fmt.Sprintf(`"set" "lock" "other%d" "nx" "px" "10000"`, i))+line(61e6+i*1e6+1e5, "b:1", `"del" "lock"`), "[0", "[3", 2))
	}
	three := 3
	for _, test := range []struct {
		w           monitor.Window
		has, hasNot string
		begins      string
	}{
		{monitor.Window{First: 41, Last: 44}, "# line 44", "# line 45", "The scenario begins at line 41 of the log."},
		{monitor.Window{First: 42, Last: 44}, "do C1 SET lock t20 nx px 10000 # line 41", "# line 45", "The scenario begins at line 42 of the log, with the grant of line 41 before it."},
		{monitor.Window{At: "09:51:30"}, "t55", "SET lock other", ""},
		{monitor.Window{At: "17:51:30+08:00"}, "t55", "SET lock other", ""},
		{monitor.Window{Options: monitor.Options{DB: &three}}, "other2", "t59", "C1 was granted the lock with other0, other1, other2."},
	} {
		scenario, violated := window(t, log.String(), test.w)
		if len(violated) > 0 || !strings.Contains(scenario, test.has) || strings.Contains(scenario, test.hasNot) || !strings.Contains(scenario, test.begins) {
			t.Errorf("%+v: %q\n%s", test.w, violated, scenario)
		}
	}
	for at, want := range map[string]string{
		"soon": "soon is no time", "08:00": "2026-11-24T08:00:00.000Z is not in the log, which runs from 2026-11-24T09:50:35.000Z to", "2026-11-23T09:51:00Z": "is not in the log",
	} {
		if _, _, err := monitor.Cut(func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(log.String())), nil }, monitor.Window{At: at}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", at, err)
		}
	}
}

// A finding has a lane for each of its parties, named by address and token. Who held the lock before, or after, has none.
func TestAFindingHasItsPartiesAlone(t *testing.T) {
	var log strings.Builder
	grant := func(at int64, from, token string) {
		log.WriteString(line(at, from, fmt.Sprintf(`"set" "lock" "%s" "nx" "px" "5000"`, token)))
	}
	release := func(at int64, from, token, commands string) { // by a script of the client's own
		log.WriteString(line(at, from, `"evalsha" "e9f69f2beb755be68b5e456ee2ce9aadfbc4ebf4" "1" "lock" "`+token+`"`))
		for _, command := range strings.Split(commands, ";") {
			log.WriteString(line(at, "lua", command))
		}
	}
	for i := range int64(8) {
		grant(i*1e6, "10.0.0.9:1", fmt.Sprintf("before%d", i))
		release(i*1e6+5e5, "10.0.0.9:2", fmt.Sprintf("before%d", i), `"get" "lock";"del" "lock"`)
	}
	grant(10e6, "10.0.0.1:1", "one")
	grant(15.2e6, "10.0.0.2:1", "two")
	log.WriteString(line(16.4e6, "10.0.0.1:1", `"del" "lock"`))
	grant(16.6e6, "10.0.0.3:1", "three")
	release(18.3e6, "10.0.0.2:1", "two", `"get" "lock"`)
	release(19e6, "10.0.0.3:2", "three", `"get" "lock";"del" "lock"`)
	for i := range int64(8) {
		grant((20+i)*1e6, "10.0.0.9:1", fmt.Sprintf("after%d", i))
		release((20+i)*1e6+5e5, "10.0.0.9:1", fmt.Sprintf("after%d", i), `"get" "lock";"del" "lock"`)
	}
	scenario, violated := window(t, log.String(), monitor.Window{})
	for _, want := range []string{"lanes: 3, each for an owner of the lock.", "label C1 10.0.0.1:1\nlabel C2 10.0.0.2:1\nlabel C3 10.0.0.3:1\n", "# C1 was granted the lock with one.\n# C2 was granted the lock with two.\n# C3 was granted the lock with three.\n"} {
		if !strings.Contains(scenario, want) {
			t.Errorf("no %q", want)
		}
	}
	if len(violated) != 3 || strings.Contains(scenario, "SET lock before") || strings.Contains(scenario, "SET lock after") {
		t.Errorf("%q\n%s", violated, scenario)
	}
}

// A redacted report and a redacted scenario of one log call a token, a key and a connection the same.
func TestReportAndScenarioGiveTheSameNames(t *testing.T) {
	text := line(0, "a:1", `"set" "noise" "other" "nx" "px" "300"`) + line(5e4, "a:1", `"set" "lock" "zero" "nx" "px" "300"`) + line(1e5, "a:1", `"del" "lock"`) + line(2e5, "b:1", `"set" "lock" "one" "nx" "px" "300"`) +
		line(6e5, "c:1", `"set" "lock" "two" "nx" "px" "300"`) + line(7e5, "b:1", `"del" "lock"`)
	a := accounted(t, text)
	a.Redact()
	scenario, _ := window(t, text, monitor.Window{Options: monitor.Options{Redact: true}})
	f := &a.Findings[0]
	for _, want := range []string{
		fmt.Sprintf("label C1 %s\nlabel C2 %s\n", f.First.Address, f.Second.Address), fmt.Sprintf("C1 was granted the lock with %s.\n# C2 was granted the lock with %s.", f.First.Token, f.Second.Token), fmt.Sprintf("do C1 SET %s %s nx", f.Key, f.First.Token),
	} {
		if !strings.Contains(scenario, want) {
			t.Errorf("no %q in\n%s", want, scenario)
		}
	}
	if strings.Contains(scenario, "b:1") || strings.Contains(scenario, "lock one") {
		t.Error(scenario)
	}
}

// Whoever sends a log decides how it reads, but not how often it is read: as often as tries are allowed, and three times more.
func TestALogIsReadSoOften(t *testing.T) {
	most := 0
	for seed := range uint64(40) {
		m := newModel(seed, 400)
		m.plant = seed%2 == 0
		text, opened := m.run(), 0
		if _, _, err := monitor.Cut(func() (io.ReadCloser, error) {
			opened++
			return io.NopCloser(strings.NewReader(text)), nil
		}, monitor.Window{Tries: 3}); err != nil {
			t.Fatal(err)
		}
		most = max(most, opened)
	}
	if most < 3 || most > 6 {
		t.Errorf("read %d times", most)
	}
}
