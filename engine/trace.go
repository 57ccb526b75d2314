package engine

import (
	"bufio"
	"fmt"
	"io"
	"slices"

	"lockstep/engine/lang"
)

// A Trace is the result of a scenario: its events, and its unmet expectations.
type Trace struct {
	Scenario *Scenario
	Run      *Run
	Unmet    []*Problem
}

// Play runs a scenario to its end. Where an action is not possible at its
// place, it returns a *Problem and no trace: nothing runs half.
func (s *Scenario) Play(file string, properties ...Property) (*Trace, error) {
	return s.PlayAt(nil, file, properties...)
}

// PlayAt does what Play does, at a pace.
func (s *Scenario) PlayAt(pace Pace, file string, properties ...Property) (*Trace, error) {
	names := make([]string, len(properties))
	for i, p := range properties {
		names[i] = p.Name
	}
	for _, line := range s.Lines {
		if e := line.Expect; e != nil && e.Property != "" && !slices.Contains(names, e.Property) {
			return nil, &Problem{file, line.Number, e.Column, refuse("unknown property %q; expected one of %v", "未知的性质 %q；应为 %v 之一", e.Property, names)}
		}
	}
	t := &Trace{Scenario: s, Run: NewRun(s.Header, properties...)}
	for _, line := range s.Lines {
		for i, a := range line.Actions {
			refused, ended := pace.Do(t.Run, a)
			if ended != nil {
				return nil, ended
			}
			if refused != nil {
				return nil, &Problem{file, line.Number, line.Columns[i], refused}
			}
		}
		if line.Expect == nil {
			continue
		}
		if err := line.Expect.Judge(t.Run.world); err != nil {
			t.Unmet = append(t.Unmet, &Problem{file, line.Number, line.Expect.Column, fmt.Errorf("%s: %w", line.Expect, err)})
		}
	}
	return t, nil
}

// WriteText prints one line per event: number, time, lane, sentence. The time is the true one, or that of the wall clock where the
// run has one; then a line before the events tells its date.
func (t *Trace) WriteText(out io.Writer, in lang.Language) error {
	buffered, wide := bufio.NewWriter(out), 8
	if began := t.Run.world.header.Began; began != 0 {
		wide = len(began.At(t.Run.world.now))
		fmt.Fprintln(buffered, lang.Format("The run begins at %s. Times are in UTC.", "运行从 %s 开始。时刻均为 UTC。", began).In(in))
	}
	for _, e := range t.Run.world.events {
		lane := e.Lane
		if lane == "" {
			lane = "-"
		}
		fmt.Fprintf(buffered, "%4d %*s  %-8s %s\n", e.Seq, wide, e.When(e.Time), lane, e.Sentence(in))
	}
	return buffered.Flush()
}
