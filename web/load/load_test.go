package main

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	_ "lockstep/engine/cli" // a part of the program: a change there makes the tests run again
	"lockstep/engine/testtools"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && helps(os.Args[1:]) {
		return
	}
	code := m.Run()
	removeServer()
	os.Exit(code)
}

// built returns the program to measure. All tests share it, because each link takes seconds.
func built(t *testing.T) string {
	t.Helper()
	path, err := buildOnce()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// buildOnce reads main.go, which no test imports, so that Go's test cache knows of it.
var buildOnce = sync.OnceValues(func() (path string, err error) {
	if _, err := os.ReadFile("../../main.go"); err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "lockstep-load-")
	if err != nil {
		return "", err
	}
	removeServer = func() { os.RemoveAll(dir) }
	return build(dir)
})

// removeServer removes what buildOnce has built.
var removeServer = func() {}

// Every measurement runs with a few people, and every kind of harm is done by a few visitors. Their times do not matter
// here, because other tests use the machine too.
func TestEveryMeasurementPrintsItsRows(t *testing.T) {
	testtools.Long(t, "it builds a server and measures it")
	all := slices.DeleteFunc(names(), func(name string) bool { return name == "hostile" })
	measured := testtools.InCircle(nil, []string{"join", "deliver"}, append(all, "hostile"))
	rows := []string{"5 phones join", "5 viewers, 10 steps/s for 1 s", "x the plain broadcast's"}
	if slices.Contains(measured, "hostile") {
		rows = append(rows, "10 come back after a kill -9", "10 come back after a cut",
			"an idle viewer", "an idle room",
			"a laptop that follows", "bytes of a step of a lesson", "(one-winner 12)", "8 vote", "a laptop comes, and comes back", "the page to join",
			"8 people join", "after a kill -9 all are back", "a step is seen", "seats lost 0 yes", "votes kept, of two questions in two rounds 32 yes", "sandboxes begun",
			"5 phones, 5 steps/s for 1 s")
		for _, h := range harms {
			rows = append(rows, "beside "+h.name+": "+h.what)
		}
	}
	var table bytes.Buffer
	c := class{server: built(t), phones: 5, viewers: 5, rate: 10, seconds: 1, idle: 3, people: 8, lessons: 1, strength: .01}
	c.begin = func(program string, args ...string) *exec.Cmd {
		if program == "nice" { // on a busy machine the hostile visitor must get its turn, too
			program, args = args[2], args[3:]
		}
		return exec.CommandContext(t.Context(), program, args...)
	}
	if _, err := run(&table, c, measured); err != nil {
		t.Fatalf("%v\n%s", err, &table)
	}
	text := strings.Join(strings.Fields(table.String()), " ")
	for _, row := range rows {
		if !strings.Contains(text, row) {
			t.Errorf("the table has no row %q", row)
		}
	}
	if wrong := regexp.MustCompile(`[1-9]\d* seats lost|left out|panicked|; 0 sent`).FindString(table.String()); wrong != "" {
		t.Error(wrong)
	}
	t.Log("\n" + table.String())
}

// A row gives the quantiles, and misses its target when the 99th percentile does.
func TestRowMissesItsTargetByThe99thPercentile(t *testing.T) {
	var took times
	for i := range 200 {
		took = append(took, time.Duration(200-i)*time.Millisecond)
	}
	r := within("steps", deliveryTime, sorted(took).p99(), took.String())
	if want := "p50 101ms, p99 199ms, max 200ms"; r.figure != want || !r.misses {
		t.Errorf("the row is %+v, want one that misses its target with %s", r, want)
	}
	if r := within("steps", deliveryTime, 59*time.Millisecond, ""); r.misses {
		t.Error("59 ms are taken for too long")
	}
}

func TestLengthReadsTheActionsOfAMessage(t *testing.T) {
	for message, want := range map[string]int{
		`{"type":"events","id":"load-42","actions":51}`:      51,
		`{"type":"events","actions":52,"lines":["step C2"]}`: 52,
		`{"type":"done","id":"load-42"}`:                     -1,
	} {
		if n := length([]byte(message)); n != want {
			t.Errorf("%s is taken for %d actions, want %d", message, n, want)
		}
	}
	if !is([]byte(`{"type":"seat","seat":1}`), "seat") || is([]byte(`{"type":"seats"}`), "seat") {
		t.Error("messages are not told apart by their types")
	}
}
