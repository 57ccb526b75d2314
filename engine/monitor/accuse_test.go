package monitor_test

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"lockstep/engine/monitor"
	"lockstep/engine/monitor/detect"
)

var seeds = flag.Uint64("seeds", 0, "where the seeds of the logs begin")

var models = flag.Int("models", 300, "how many logs of right locks to make")

func detected(t testing.TB, log string) *detect.Report {
	t.Helper()
	d := detect.New()
	if err := monitor.NewScanner(strings.NewReader(log)).Detect(d); err != nil {
		t.Fatal(err)
	}
	return d.End()
}

// Nobody is accused in a log of a right lock.
//
//	go test ./engine/monitor -run RightLock -models 10000 -v
func TestARightLockIsNotAccused(t *testing.T) {
	accused, releases, pooled, expired, lines := 0, 0, 0, 0, 0
	kinds := map[string]int{}
	for seed := *seeds; seed < *seeds+uint64(*models); seed++ {
		m := newModel(seed, 100+int(seed*37%900))
		text := m.run()
		if m.overlaps > 0 {
			t.Fatalf("model %d is wrong itself: %d overlaps", seed, m.overlaps)
		}
		if seed%3 == 0 { // MONITOR began in the middle
			for range m.IntN(40) {
				_, text, _ = strings.Cut(text, "\n")
			}
		}
		r := detected(t, text)
		kinds[m.acquire+" "+m.release]++
		lines += m.lines
		for _, row := range r.Locks {
			releases, pooled, expired = releases+row.Released, pooled+row.Pooled, expired+row.Expired
		}
		if r.Found > 0 {
			if accused++; accused < 4 {
				t.Errorf("model %d (%s, %s, %s, %s): %+v\n%s", seed, m.acquire, m.release, m.pick, m.token, r.Findings[0], about(text, r.Findings[0].Line))
			}
		}
	}
	t.Logf("%d logs, %d lines; accused: %d; releases: %d, of them from another connection: %d; leases that ran out: %d; kinds: %v", *models, lines, accused, releases, pooled, expired, kinds)
	if accused > 0 || releases == 0 || pooled == 0 || expired == 0 {
		t.Errorf("%d of %d are accused", accused, *models)
	}
}

func about(text string, line int) string {
	var b strings.Builder
	n := 0
	for l := range strings.Lines(text) {
		if n++; n > line-40 && n <= line+3 {
			fmt.Fprintf(&b, "%d: %s", n, l)
		}
	}
	return b.String()
}

var faults = flag.Int("faults", 60, "how many logs with a fault to make")

// A holder that stays after its lease has run out, while another is granted the lock, is found: with both tokens, and the time.
//
//	go test ./engine/monitor -run Planted -faults 1000 -v
func TestAPlantedFaultIsFound(t *testing.T) {
	made, found, lines, bytes, vague := 0, 0, 0, 0, 0
	missed, all := map[string]int{}, map[string]int{}
	for seed := *seeds + 1; made < *faults; seed++ {
		length := 300 << (seed % 5)
		if *faults >= 1000 {
			length = 300 << (seed % 9)
		}
		m := newModel(seed, min(length, 100_000))
		m.plant, m.crashes, m.doubles, m.looks, m.after = true, 0, false, false, m.IntN(length*2/3)
		text := m.run()
		if m.fault.second == "" || m.fault.left == 0 {
			continue // nobody else wanted that lock
		}
		if !m.provable() {
			vague++
			continue
		}
		made, lines, bytes = made+1, lines+m.lines, bytes+len(text)
		kind := m.acquire + " " + m.release + " " + m.pick
		all[kind]++
		r := detected(t, text)
		if len(r.Findings) > 0 {
			f := r.Findings[0]
			if f.Kind == detect.Overlap && f.First.Token == m.fault.first && f.Second.Token == m.fault.second && max(f.From/1000-m.fault.at, m.fault.at-f.From/1000) < 1000 {
				found++
				continue
			}
			if f.From/1000 < m.fault.at-1000 && f.First.Token != m.fault.first {
				t.Errorf("model %d (%s): a false accusation before the fault: %+v, fault %+v", seed, kind, f, m.fault)
			}
		}
		missed[kind]++
		if testing.Verbose() && missed[kind] == 1 {
			t.Logf("model %d (%s, %s) misses %+v: %+v", seed, kind, m.token, m.fault, r.Findings)
		}
	}
	slow := slices.Sorted(maps.Keys(missed))
	for _, k := range slow {
		t.Log(k, missed[k], all[k])
	}
	t.Logf("%d logs with a fault, %d lines, %d MB: found %d; missed: %v; all: %v; beside them, that no log proves: %d", made, lines, bytes>>20, found, missed, all, vague)
	if found < made*95/100 {
		t.Errorf("%d of %d are found", found, made)
	}
}
