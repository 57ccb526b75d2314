package monitor_test

import (
	"io"
	"runtime"
	"strings"
	"testing"

	"lockstep/engine/monitor"
)

// production returns some MB of what MONITOR prints on a server whose clients do much else than lock: about one line in ten is
// on a lock.
func production(megabytes int) string {
	var b strings.Builder
	for seed := uint64(0); b.Len() < megabytes<<20; seed++ {
		m := newModel(seed, 10_000)
		m.noise = 8
		b.WriteString(m.run())
	}
	return b.String()
}

// A repeated text is read as often as it takes to have many bytes.
type repeated struct {
	text string
	left int
	at   int
}

func (r *repeated) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, io.EOF
	}
	n := copy(p, r.text[r.at:])
	if r.at += n; r.at == len(r.text) {
		r.at = 0
	}
	r.left -= n
	return n, nil
}

// go test ./engine/monitor -run - -bench Investigate
func BenchmarkInvestigate(b *testing.B) {
	text := production(16)
	for _, size := range []struct {
		name  string
		bytes int
	}{{"64MB", 64 << 20}, {"1GB", 1 << 30}} {
		b.Run(size.name, func(b *testing.B) {
			b.SetBytes(int64(size.bytes))
			b.ReportAllocs()
			for b.Loop() {
				a, err := monitor.Investigate(&repeated{text: text, left: size.bytes})
				if err != nil || a.Commands == 0 {
					b.Fatal(err)
				}
			}
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			b.ReportMetric(float64(m.Sys)/(1<<20), "MB-of-process")
		})
	}
}
