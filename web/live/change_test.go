package live

import (
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"lockstep/web/present"
)

var rewrite = flag.Bool("rewrite", false, "write the changes into testdata")

// A sample is a change of HTML. The tests of the page read the same file.
type sample struct {
	What   string `json:"what"`
	Before string `json:"before"`
	Now    string `json:"now"`
	Told   any    `json:"told"`
}

// A change repeats nothing that the viewer has: what stays, moves or is there twice.
func TestChangesAreTheSamples(t *testing.T) {
	const file = "testdata/changes.json"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var samples []sample
	if err := json.Unmarshal(data, &samples); err != nil {
		t.Fatal(err)
	}
	for i, s := range samples {
		samples[i].Told = Changed(s.Before, s.Now)
	}
	now := append(indented(samples), '\n')
	if *rewrite {
		if err := os.WriteFile(file, now, 0o644); err != nil {
			t.Fatal(err)
		}
	} else if string(now) != string(data) {
		t.Errorf("the changes are\n%s\nbut %s is\n%s", now, file, data)
	}
	for _, s := range samples {
		if html := read(t, s.Before, s.Told); html != s.Now {
			t.Errorf("%s: the change makes %q, not %q", s.What, html, s.Now)
		}
	}
}

func indented(samples []sample) []byte {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	_ = encoder.Encode(samples) // plain data
	return []byte(strings.TrimSuffix(b.String(), "\n"))
}

// read returns what a viewer makes of what they are told, as static/js/run/change.js does.
func read(t *testing.T, before string, told any) (html string) {
	t.Helper()
	if html, ok := told.(string); ok {
		return html
	}
	var parts []any
	if err := json.Unmarshal(told.(json.RawMessage), &parts); err != nil {
		t.Fatal(err)
	}
	old := pieces(before)
	for i := 0; i < len(parts); i++ {
		if text, ok := parts[i].(string); ok {
			html += text
			continue
		}
		from, n := int(parts[i].(float64)), int(parts[i+1].(float64))
		html += strings.Join(old[from:from+n], "")
		i++
	}
	return html
}

// Any HTML can become any other: pieces come, go, move and repeat.
func TestAnyChangeMakesTheNewHTML(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	html := func() string {
		var b strings.Builder
		for range r.IntN(12) {
			b.WriteString([]string{"text", "<b>", "</b>", "<i>é</i>", "<p class=\"锁\">", "</p>", "<", "a &lt; b"}[r.IntN(8)])
		}
		return b.String()
	}
	for range 20_000 {
		before, now := html(), html()
		if made := read(t, before, json.RawMessage(present.Encode(append(change{}, compare(pieces(before), pieces(now))...)))); made != now {
			t.Fatalf("from %q to %q the change makes %q", before, now, made)
		}
	}
}

// The work of a change grows with the panels, also where all their pieces are alike.
func BenchmarkChange(b *testing.B) {
	alike := strings.Repeat("<b>", 100_000)
	for _, bench := range []struct{ name, before, now string }{
		{"alike", alike, strings.Repeat("<b><i>", 50_000)},
		{"other", alike, strings.Repeat("<i>", 100_000)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			for b.Loop() {
				Changed(bench.before, bench.now)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(bench.before)+len(bench.now)), "ns/byte")
		})
	}
}
