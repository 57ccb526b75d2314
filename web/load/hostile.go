package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"time"
)

// mostMemory is how much memory the server may use beside a hostile visitor. The time limit stays deliveryTime.
const mostMemory = 512 << 20 // bytes

const (
	wardenFrom = "127.0.0.4" // who may read the metrics
	classFrom  = "127.0.0.1"
)

// strangerFrom returns the address of the hostile visitor who does the nth kind of harm. Each visitor has their own,
// because one that spent the limits of an address would hold back the next.
func (c class) strangerFrom(n int) string {
	if c.sameNetwork {
		return classFrom
	}
	return fmt.Sprintf("127.0.2.%d", n+1)
}

// hostiles measures how one hostile address delays a class of phones, always in the same room: alone, beside each kind
// of harm, and alone again.
func hostiles(c class, tell func(row)) (err error) {
	if runtime.GOOS != "linux" {
		tell(row{what: "beside a hostile visitor", figure: "not measured: only Linux says in /proc what a process uses"})
		return nil
	}
	s, err := c.serve("--metrics", wardenFrom+"/32")
	if err != nil {
		return err
	}
	s.client = newVisitor(s.url(), 0).from(wardenFrom).client
	defer func() {
		s.kill()
		if err != nil {
			err = fmt.Errorf("%w\nthe server has said: %s", err, tail(s.said.Bytes()))
		}
	}()
	sits, err := c.gathers(s)
	if err != nil {
		return err
	}
	defer sits.leave()
	what := fmt.Sprintf("%d phones, %d events/s for %s", c.phones, max(1, c.rate/2), c.sits)
	kinds := []string{""}
	for _, h := range harms {
		if len(c.harms) == 0 || slices.Contains(c.harms, h.name) {
			kinds = append(kinds, h.name)
		}
	}
	kinds = append(kinds, "")
	for n, kind := range kinds {
		r, err := c.goesOn(n, kind, s, sits)
		if err != nil {
			return err
		}
		switch {
		case n == 0:
			r.what = what
		case kind == "":
			r.what = "  alone again"
		default:
			r.what = "  beside " + kind
		}
		tell(r)
	}
	return nil
}

// tail returns the end of a server's log.
func tail(said []byte) []byte { return said[max(0, len(said)-4096):] }

// goesOn runs the class for a period, beside one kind of harm or alone.
func (c class) goesOn(n int, kind string, s *server, sits *sitting) (r row, err error) {
	rate := max(1, c.rate/2)
	if err := sits.ready(max(1, int(c.sits.Seconds()*float64(rate)))); err != nil {
		return r, fmt.Errorf("the class does not come together: %w", err)
	}
	broken, err := s.panics()
	if err != nil {
		return r, err
	}
	watched := map[string]int{"server": s.process.Process.Pid, "class": os.Getpid()}
	called := []string{"server", "class"}
	h := &unleashed{stop: func() (report, error) { return report{}, nil }}
	if kind != "" {
		if h, err = c.unleash(n, kind, s, sits); err != nil {
			return r, fmt.Errorf("%s: %w", kind, err)
		}
		watched["hostile"] = h.pid
		called = append(called, "hostile")
	}
	if err := forgetPeak(s.process.Process.Pid); err != nil {
		return r, err
	}
	before, err := spend(watched)
	if err != nil {
		return r, err
	}
	come, ended, arrived := new(newcomers), make(chan struct{}), make(chan struct{})
	go func() {
		come.come(s.url(), sits.room, sits.run, ended)
		close(arrived)
	}()
	p, err := sits.lasts(rate, c.sits)
	close(ended)
	if err != nil {
		_, stopped := h.stop()
		return r, errors.Join(err, stopped)
	}
	v := p.judge()
	<-arrived
	after, err := spend(watched)
	if err != nil {
		return r, err
	}
	memory, err := peak(s.process.Process.Pid)
	if err != nil {
		return r, err
	}
	did, err := h.stop()
	if err != nil {
		return r, err
	}
	rest, err := s.rests()
	if err != nil {
		return r, err
	}
	if err := others(s); err != nil {
		v.hurts = append(v.hurts, "afterwards others cannot make a run that takes long: "+err.Error())
	}
	brokenNow, err := s.panics()
	if err != nil {
		return r, err
	}
	if err := sits.removes(come.seat); err != nil {
		return r, err
	}
	return c.rowOf(v, memory, come, did, brokenNow-broken, []string{
		"CPU: " + after.since(before, called...) + "; the server is at rest " + rest,
	}), nil
}

// rowOf returns the row with the results, and names each missed target.
func (c class) rowOf(v verdict, memory int64, come *newcomers, did report, panics float64, more []string) row {
	r := within("", deliveryTime, v.told.p99(), v.String())
	hurts := v.hurts
	if r.misses {
		hurts = append([]string{"p99"}, hurts...)
	}
	if memory >= mostMemory {
		hurts = append(hurts, "memory")
	}
	if len(come.late) > 0 {
		hurts = append(hurts, "newcomers")
	}
	if panics > 0 {
		hurts = append(hurts, fmt.Sprintf("%.0f panics", panics))
	}
	if did.Failed != "" {
		hurts = append(hurts, "the harm was not done: "+did.Failed)
	}
	r.misses = len(hurts) > 0
	r.notes = []string{fmt.Sprintf("at most %d MB; %s", memory>>20, come)}
	if did.Name != "" {
		r.notes = append(r.notes, harmCalled(did.Name).what+": "+did.String())
	}
	r.notes = append(r.notes, more...)
	if len(hurts) > 0 {
		r.notes = append(r.notes, hurt(hurts))
	}
	if c.sameNetwork && did.Name != "" { // to be looked at
		r.target, r.misses = "", false
	}
	return r
}

const (
	othersFrom = "127.0.0.5"
	othersTime = 5 * time.Second
)

// others lets another visitor make a run of 0.2 s of work, which is more than a request may use before it has to queue.
func others(s *server) error {
	v := newVisitor(s.url(), 0).from(othersFrom).inTime(othersTime)
	defer v.leaves()
	_, err := v.post("/runs", "scenario", hardest(1))
	return err
}

// panics returns how often the server has panicked.
func (s *server) panics() (float64, error) {
	m, err := s.metrics()
	return m["lockstep_panics_total"], err
}

// restTime bounds the wait until the server uses less than a fifth of a processor.
const restTime = 10 * time.Second

// rests measures how long the server works on for a visitor who has left.
func (s *server) rests() (string, error) {
	const look = 100 * time.Millisecond
	began := time.Now()
	before, err := used(s.process.Process.Pid)
	for err == nil && time.Since(began) < restTime {
		time.Sleep(look)
		var now time.Duration
		if now, err = used(s.process.Process.Pid); now-before < look/5 {
			return "in " + brief(time.Since(began)), err
		}
		before = now
	}
	return "not even after " + restTime.String(), err
}

// unleashed is a hostile visitor at work.
type unleashed struct {
	pid  int
	stop func() (report, error)
}

// Orders tell a hostile visitor what to do.
type orders struct {
	Harm     string
	Address  string  // of the server
	From     string  // where the visitor comes from
	Room     string  // the path of the class's room: its code is on the wall
	Run      string  // the path of its run
	Strength float64 // the share of the connections that are opened
}

// A visitor prepares the harm for so long: the runs are made, the sockets opened.
const prepareTime = time.Minute

// unleash starts a hostile visitor as a process of its own, and returns when everything is ready. The process has a
// lower priority than the server, because a real hostile visitor uses another computer.
func (c class) unleash(n int, kind string, s *server, sits *sitting) (*unleashed, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	process := c.begin("nice", "-n", "19", self, "hostile")
	process.Stderr = os.Stderr
	in, err := process.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := process.Start(); err != nil {
		return nil, err
	}
	said := json.NewDecoder(out)
	stop := func() (r report, err error) {
		err = errors.Join(in.Close(), said.Decode(&r), process.Wait())
		return r, err
	}
	err = json.NewEncoder(in).Encode(orders{Harm: kind, Address: s.address, From: c.strangerFrom(n), Room: sits.room, Run: sits.run, Strength: c.strength})
	if err == nil {
		var ready struct{}
		err = said.Decode(&ready)
	}
	if err != nil {
		_, stopped := stop()
		return nil, errors.Join(err, stopped)
	}
	return &unleashed{pid: process.Process.Pid, stop: stop}, nil
}

// beHostile runs the process of a hostile visitor: it reads its orders, says when it is ready, does harm until its input
// ends, and reports.
func beHostile(in io.Reader, out io.Writer) error {
	var o orders
	input := json.NewDecoder(in)
	if err := input.Decode(&o); err != nil {
		return err
	}
	s := newStranger(o)
	go func() {
		_, _ = io.Copy(io.Discard, io.MultiReader(input.Buffered(), in))
		s.stop()
	}()
	act, failed := harmCalled(o.Harm).begin(s)
	s.forget()
	say := json.NewEncoder(out)
	if err := say.Encode(struct{}{}); err != nil {
		return err
	}
	if failed == nil {
		act()
	}
	<-s.over.Done()
	return say.Encode(s.report(failed))
}
