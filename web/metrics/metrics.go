// Package metrics counts, and writes what it has counted in Prometheus' text format, version 0.0.4.
//
//	Set → Family (a name, its help and labels) → Series (the values of the labels) → one number
//
// A family writes its series in the order of their labels' values, and nothing while it has none.
package metrics

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// ContentType is the media type of the text.
const ContentType = "text/plain; version=0.0.4; charset=utf-8"

// A Kind says what a number means: it only grows, or it does not.
type Kind string

const (
	Counter   Kind = "counter"
	Gauge     Kind = "gauge"
	histogram Kind = "histogram"
	summary   Kind = "summary"
)

// A Set holds families by name. All its methods, and those of its parts, are safe for concurrent use.
type Set struct {
	mu       sync.Mutex
	families map[string]*Family
}

// A Family holds the numbers of one name, one for each combination of values of its labels.
type Family struct {
	name, help string
	kind       Kind
	labels     []string
	bounds     []float64 // of a histogram

	mu     sync.Mutex
	series map[string]*Series
}

// A Series counts for one combination of values.
type Series struct {
	values []string
	number atomic.Int64   // of a counter or a gauge
	read   func() float64 // instead of number, if it is not nil

	mu     sync.Mutex // guards the rest, which is a histogram's
	counts []uint64   // observations up to each bound, and above the last
	sum    float64
}

// Family returns the family of a name, and adds it if it is new.
func (s *Set) Family(kind Kind, name, help string, labels ...string) *Family {
	return s.family(&Family{kind: kind, name: name, help: help, labels: labels})
}

// Histogram returns a new family whose series count observations by their size: up to each bound, and above the last.
func (s *Set) Histogram(name, help string, bounds []float64, labels ...string) *Family {
	return s.family(&Family{kind: histogram, name: name, help: help, labels: labels, bounds: bounds})
}

func (s *Set) family(f *Family) *Family {
	s.mu.Lock()
	defer s.mu.Unlock()
	if there := s.families[f.name]; there != nil {
		return there
	}
	if s.families == nil {
		s.families = map[string]*Family{}
	}
	f.series = map[string]*Series{}
	s.families[f.name] = f
	return f
}

// With returns the series with these values of the labels, in the order of the labels, and adds it if it is new.
func (f *Family) With(values ...string) *Series { return f.with(nil, values) }

// Reads adds a series that calls a function whenever somebody wants its number.
func (f *Family) Reads(read func() float64, values ...string) { f.with(read, values) }

func (f *Family) with(read func() float64, values []string) *Series {
	if len(values) != len(f.labels) {
		panic("tally: " + f.name + " has other labels")
	}
	key := strings.Join(values, "\xff")
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.series[key]
	if s == nil {
		s = &Series{values: slices.Clone(values), read: read}
		if f.kind == histogram {
			s.counts = make([]uint64, len(f.bounds)+1)
		}
		f.series[key] = s
	}
	return s
}

// Inc adds one.
func (s *Series) Inc() { s.number.Add(1) }

// Dec takes one away.
func (s *Series) Dec() { s.number.Add(-1) }

// Value returns the number.
func (s *Series) Value() float64 {
	if s.read != nil {
		return s.read()
	}
	return float64(s.number.Load())
}

// observe counts an observation of a family's series.
func (s *Series) observe(bounds []float64, x float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, _ := slices.BinarySearch(bounds, x)
	s.counts[at]++
	s.sum += x
}

// Observe counts an observation of a histogram, for these values of its labels.
func (f *Family) Observe(x float64, values ...string) { f.With(values...).observe(f.bounds, x) }

// Text returns the numbers of all families, in the order of their names.
func (s *Set) Text() []byte {
	s.mu.Lock()
	var all []*Family
	for _, f := range s.families {
		all = append(all, f)
	}
	s.mu.Unlock()
	slices.SortFunc(all, func(a, b *Family) int { return cmp.Compare(a.name, b.name) })
	var b bytes.Buffer
	for _, f := range all {
		f.write(&b)
	}
	return b.Bytes()
}

func (f *Family) write(b *bytes.Buffer) {
	f.mu.Lock()
	var all []*Series
	for _, s := range f.series {
		all = append(all, s)
	}
	f.mu.Unlock()
	if len(all) == 0 {
		return
	}
	slices.SortFunc(all, func(a, b *Series) int { return slices.Compare(a.values, b.values) })
	head(b, f.kind, f.name, f.help)
	if f.kind == summary {
		pauses(b, f.name)
		return
	}
	for _, s := range all {
		var pairs []string
		for i, label := range f.labels {
			pairs = append(pairs, label+`="`+inLabel.Replace(s.values[i])+`"`)
		}
		if f.kind != histogram {
			line(b, f.name, pairs, s.Value())
			continue
		}
		s.mu.Lock()
		counts, sum := slices.Clone(s.counts), s.sum
		s.mu.Unlock()
		upTo := uint64(0)
		for i, n := range counts {
			bound := math.Inf(1)
			if i < len(f.bounds) {
				bound = f.bounds[i]
			}
			upTo += n
			line(b, f.name+"_bucket", append(slices.Clone(pairs), `le="`+number(bound)+`"`), float64(upTo))
		}
		line(b, f.name+"_sum", pairs, sum)
		line(b, f.name+"_count", pairs, float64(upTo))
	}
}

var (
	inLabel = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)
	inHelp  = strings.NewReplacer(`\`, `\\`, "\n", `\n`)
)

func head(b *bytes.Buffer, kind Kind, name, help string) {
	b.WriteString("# HELP " + name + " " + inHelp.Replace(help) + "\n# TYPE " + name + " " + string(kind) + "\n")
}

func line(b *bytes.Buffer, name string, pairs []string, value float64) {
	b.WriteString(name)
	if len(pairs) > 0 {
		b.WriteString("{" + strings.Join(pairs, ",") + "}")
	}
	b.WriteString(" " + number(value) + "\n")
}

// number writes ±Inf and NaN as Prometheus spells them.
func number(x float64) string {
	if math.IsInf(x, 1) {
		return "+Inf"
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
