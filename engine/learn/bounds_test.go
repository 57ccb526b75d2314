package learn

import (
	"strconv"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
	"lockstep/engine/program"
)

// However much there is to learn, few processes go on at once.
func TestFewProcessesGoOnAtOnce(t *testing.T) {
	l := NewLearner("fake", launch(func(c *client) int {
		c.Do("INCR", "lock.foo")
		c.Do("DEL", "lock.foo")
		return 0
	}))
	defer l.Close()
	begin := explore.Gap{Clock: engine.Start}
	if err := l.Learn([]explore.Gap{begin}, nil); err != nil {
		t.Fatal(err)
	}
	var gaps []explore.Gap
	for n := range 3 * mostAtOnce {
		gaps = append(gaps, explore.Gap{History: []string{strconv.Itoa(n)}, Clock: engine.Start})
	}
	atOnce := 0
	err := l.Learn(gaps, func(n int, work func(i int)) {
		atOnce = n
		for i := range n {
			work(i)
		}
	})
	if err != nil || atOnce != mostAtOnce {
		t.Errorf("%d at once, %v", atOnce, err)
	}
	for _, gap := range gaps {
		if op, known := l.Recording().At(gap.History); !known || op.Command[0] != "DEL" {
			t.Errorf("after %s: %v", gap.History, op)
		}
	}
}

// A sleep of years is one of a day: the program sleeps again.
func TestALongSleepIsOneOfADay(t *testing.T) {
	_, l := onClocks(t, func(c timed) {
		c.Do("SET", "lock.foo", "1", "NX")
		c.sleep(1000 * program.MaxSleep)
		c.Do("DEL", "lock.foo")
	}, explore.Question{Property: "overlap", Clients: 2})
	if text := l.Program("fake").Source; !strings.Contains(text, "sleep "+strconv.Itoa(program.MaxSleep)) {
		t.Error(text)
	}
}

// A program that sleeps and ends before it has sent a command is told so, and not that no tick wakes it.
func TestAProgramThatSleepsAndEndsIsSilent(t *testing.T) {
	r, _ := onClocks(t, func(c timed) { c.sleep(1000) }, explore.Question{Property: "overlap", Clients: 2, Ticks: 1, Tick: 2000})
	if text := r.Sentence(lang.English); !strings.Contains(text, "it ends with exit code 0 before it has sent a command") {
		t.Error(text)
	}
	r, _ = onClocks(t, func(c timed) { c.sleep(3000); c.Do("SET", "lock.foo", "1", "NX") }, explore.Question{Property: "overlap", Clients: 2, Ticks: 1, Tick: 2000})
	if text := r.Sentence(lang.English); !strings.Contains(text, "too few or too short to wake it") {
		t.Error(text)
	}
}
