package monitor_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"lockstep/engine/monitor"
	"lockstep/engine/monitor/detect"
)

// incident is a lock that broke: the first holder's DEL removes the lock of the second, on another host.
var incident = line(0, "10.0.0.1:1", `"FLUSHALL"`) +
	line(1e5, "10.0.0.1:1", `"SET" "lock:a" "t1" "NX" "PX" "300"`) +
	line(5e5, "10.0.0.2:1", `"SET" "lock:a" "t2" "NX" "PX" "300"`) +
	line(6e5, "10.0.0.1:1", `"DEL" "lock:a"`) +
	line(7e5, "10.0.0.2:1", `"DEL" "lock:a"`)

// Whatever wrote the log, its odd lines are left out by number, and the incident is found.
func TestOddLines(t *testing.T) {
	each := func(prefix string) string {
		var b strings.Builder
		for l := range strings.Lines(incident) {
			b.WriteString(prefix + l)
		}
		return b.String()
	}
	wide := func(text string) string {
		b := []byte{0xff, 0xfe}
		for _, unit := range utf16.Encode([]rune(text)) {
			b = append(b, byte(unit), byte(unit>>8))
		}
		return string(b)
	}
	lines := strings.SplitAfter(incident, "\n")
	for _, test := range []struct{ name, log, remark string }{
		{"a closed connection", "OK\n" + incident + "Error: Server closed the connection\n", "(1): line 7."},
		{"replies in between", lines[0] + "(1.20s)\n(integer) 1\n" + strings.Join(lines[1:], ""), "(2): line 2, 3."},
		{"kubectl", each("redis-0 redis "), ""},
		{"journald", each("Nov 27 21:50:09 host redis-cli[1234]: "), ""},
		{"docker", each("2026-11-27T21:50:09.893629Z "), ""},
		{"a byte order mark", "\ufeff" + incident, ""},
		{"UTF-16", wide(incident), ""},
		{"CRLF", strings.ReplaceAll(incident, "\n", "\r\n"), ""},
		{"two records on one line", lines[0] + strings.TrimSuffix(lines[1], "\n") + strings.Join(lines[2:], ""), "Two commands on one line, read as two (1): line 2."},
		{"a first line that is cut", `.0.1:9] "GET" "k"` + "\n" + incident, "(1): line 1."},
		{"a last line that is cut", incident + `1795513835.9 [0 10.0`, "The last line of the log is not complete"},
	} {
		a := accounted(t, test.log)
		remarks := ""
		for _, r := range a.Remarks() {
			remarks += r.English + "\n"
		}
		if a.Found != 2 || a.Findings[0].First.Token != "t1" || a.Findings[1].Kind != detect.ForeignDelete || !strings.Contains(remarks, test.remark) || test.remark == "" && strings.Contains(remarks, "Left out") {
			t.Errorf("%s: %+v\n%s", test.name, a.Findings, remarks)
		}
		if scenario, violated := window(t, test.log, monitor.Window{}); len(violated) < 2 {
			t.Errorf("%s: %q\n%s", test.name, violated, scenario)
		}
	}
}

// A key that limits a rate or finds duplicates is no lock, however many clients ask for it.
func TestWhatIsNoLock(t *testing.T) {
	for name, command := range map[string]string{
		"duplicates":    `"SET" "seen:evt" "1" "NX" "EX" "60"`,
		"a rate":        `"SET" "rate:7" "%d" "EX" "1" "NX"`,
		"a cron job":    `"SET" "cron:daily" "host-%d" "NX" "PX" "50000"`,
		"SETNX":         `"SETNX" "first" "%d"`,
		"one per event": `"SET" "seen:%d" "1" "NX" "EX" "60"`,
	} {
		var log strings.Builder
		for i := range int64(40) {
			c := command
			if strings.Contains(c, "%d") {
				c = fmt.Sprintf(c, i)
			}
			log.WriteString(line(i*1e4, fmt.Sprintf("10.0.0.%d:%d", i%7, i), c))
		}
		var moved strings.Builder
		for l := range strings.Lines(incident) {
			moved.WriteString(l)
		}
		a := accounted(t, moved.String()+strings.ReplaceAll(log.String(), "17955138", "17955148"))
		if len(a.Locks) != 1 || a.Locks[0].Key != "lock:a" || a.Found != 2 || a.NoLocks == 0 {
			t.Errorf("%s: %d found, %d locks, %d are none", name, a.Found, len(a.Locks), a.NoLocks)
		}
	}
}

// A right lock through pools, in five forms: its window shows one holder at a time, and each release is the holder's.
func TestFivePools(t *testing.T) {
	for _, acquire := range []string{"set", "multi", "script", "exists", "redisson"} {
		for seed := range uint64(5) {
			m := newModel(seed, 500)
			m.acquire, m.pick, m.crashes = acquire, "random", 0
			m.release, m.token = "script", "fresh"
			if acquire == "redisson" {
				m.release, m.token = "redisson", "thread"
			}
			for _, h := range m.hosts {
				h.pool = 6
			}
			text := m.run()
			a := accounted(t, text)
			scenario, violated := window(t, text, monitor.Window{})
			if a.Found > 0 || len(violated) > 0 || !strings.Contains(scenario, "enter ") || !strings.Contains(scenario, "The clients have pools") {
				t.Errorf("%s, seed %d: %d found, %q\n%.2000s", acquire, seed, a.Found, violated, scenario)
			}
		}
	}
}

// A holder whose clock is behind is inside with the thief, whose GETSET returned a time that has passed by its own clock.
func TestFiveSteals(t *testing.T) {
	for i, lead := range []int64{1, 50, 300, 2_000, 10_000} { // ms that the thief is late
		log := line(0, "10.0.0.1:1", `"FLUSHALL"`) +
			line(1e5, "10.0.0.1:1", `"SETNX" "lock" "1795513836.1"`) +
			line(2e5, "10.0.0.2:1", `"SETNX" "lock" "1795513899.2"`) +
			line(2e5+lead*1000, "10.0.0.2:1", `"GET" "lock"`) +
			line(2e5+lead*1000+500, "10.0.0.2:1", fmt.Sprintf(`"GETSET" "lock" "1795513899.%d"`, i+3)) +
			line(2e5+lead*1000+90_000, "10.0.0.1:1", `"DEL" "lock"`) +
			line(2e5+lead*1000+190_000, "10.0.0.2:1", `"DEL" "lock"`)
		a := accounted(t, log)
		_, violated := window(t, log, monitor.Window{})
		if a.Found != 2 || a.Findings[0].Kind != detect.Overlap || a.Findings[0].First.Address != "10.0.0.1:1" || a.Findings[0].Second.Address != "10.0.0.2:1" || len(violated) == 0 {
			t.Errorf("%d ms: %+v, %q", lead, a.Findings, violated)
		}
	}
}
