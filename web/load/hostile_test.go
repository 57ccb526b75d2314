package main

import (
	"errors"
	"net"
	"strings"
	"testing"
	"time"
)

// A row names each target that it misses. A visitor at the class's own address has no target.
func TestRowNamesEachMissedTarget(t *testing.T) {
	fine := verdict{told: times{59 * time.Millisecond}, own: times{time.Second}}
	come, late := new(newcomers), &newcomers{came: 2, late: []error{errors.New("too late")}}
	did := report{Name: "posts", Done: 1, Refused: map[string]int{"429": 2, "503": 3}}
	for _, test := range []struct {
		what   string
		v      verdict
		memory int64
		come   *newcomers
		did    report
		panics float64
		says   string
	}{
		{"nothing", fine, mostMemory - 1, come, did, 0, ""},
		{"the time", verdict{told: times{60 * time.Millisecond}}, 0, come, did, 0, "MISSES: p99"},
		{"memory", fine, mostMemory, come, did, 0, "MISSES: memory"},
		{"newcomers", fine, 0, late, did, 0, "MISSES: newcomers"},
		{"panics", fine, 0, come, did, 2, "MISSES: 2 panics"},
		{"the class", verdict{told: fine.told, hurts: []string{"1 events were left out"}}, 0, come, did, 0, "MISSES: 1 events were left out"},
		{"no harm", fine, 0, come, report{Name: "posts", Failed: "404"}, 0, "MISSES: the harm was not done: 404"},
	} {
		r := class{}.rowOf(test.v, test.memory, test.come, test.did, test.panics, nil)
		if notes := strings.Join(r.notes, "\n"); r.misses != (test.says != "") || r.target != "< 60ms" || !strings.Contains(notes, test.says) || test.says == "" && strings.Contains(notes, "MISSES") {
			t.Errorf("with %s wrong the row is %+v", test.what, r)
		}
		if r := (class{sameNetwork: true}).rowOf(test.v, test.memory, test.come, test.did, test.panics, nil); r.misses || r.target != "" {
			t.Errorf("from the class's own address, with %s wrong, the row is %+v", test.what, r)
		}
	}
	if r := (class{sameNetwork: true}).rowOf(fine, mostMemory, come, report{}, 0, nil); !r.misses {
		t.Errorf("alone, with memory wrong, the row is %+v", r)
	}
	if got, want := did.String(), "0 sent, 1 done, 5 refused (429: 2, 503: 3), 0.0 MB read, 0 connections cut"; got != want {
		t.Errorf("the harm is told as %q, not %q", got, want)
	}
}

// The figures include everybody: a message that never came counts with the time that the class waited for it.
func TestLateMessagesCountInTheFigures(t *testing.T) {
	now := time.Now()
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	member := func(missed int, ended error, heard ...time.Time) *member {
		return &member{surface: "phone", ear: &ear{missed: missed, ended: ended, heard: heard}}
	}
	s := &sitting{presenter: member(0, nil, now, now), projector: member(1, nil, ago(2*time.Second), now)}
	s.phones = append(s.phones, member(0, nil, time.Time{}, ago(time.Second)), member(0, errors.New("cut"), time.Time{}, time.Time{}))
	p := &period{sitting: s, presses: []press{{by: s.presenter, asked: ago(3 * time.Second)}, {by: s.phones[0], asked: ago(3 * time.Second)}}, refusals: 4, refusal: "too fast"}
	v := p.judge()
	if len(v.told) != 3 || v.told[0] != time.Second || v.told[1] < 3*time.Second || v.told[2] < 3*time.Second {
		t.Errorf("the class is told after %s", v.told)
	}
	if len(v.own) != 1 || v.own[0] != 2*time.Second {
		t.Errorf("the pupil is told after %s", v.own)
	}
	want := "1 of the class were disconnected, such as the phone: cut; 1 events were left out; 1 events were not there 5s after the last press; 4 presses were refused: too fast"
	if got := strings.Join(v.hurts, "; "); got != want {
		t.Errorf("what must not be is %q, not %q", got, want)
	}
}

// A stranger counts answers by their status, however the stream splits them.
func TestStrangerCountsAnswersByStatus(t *testing.T) {
	const stream = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 429 Too Many Requests\r\n\r\nHTTP/1.1 303 See Other\r\n\r\nHTTP/1.1 50"
	for size := 1; size < len(stream); size++ {
		s := newStranger(orders{Harm: "files"})
		here, there := net.Pipe()
		done := make(chan struct{})
		go func() { s.reads(here); close(done) }()
		for at := 0; at < len(stream); at += size {
			if _, err := there.Write([]byte(stream[at:min(len(stream), at+size)])); err != nil {
				t.Fatal(err)
			}
		}
		there.Close()
		<-done
		s.stop()
		if r := s.report(nil); r.Done != 2 || len(r.Refused) != 1 || r.Refused["429"] != 1 {
			t.Errorf("in pieces of %d bytes the answers are counted as %s", size, r)
		}
	}
}
