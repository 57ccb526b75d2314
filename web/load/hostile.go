package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// deliveryTime is how soon a step must reach every screen, before anybody notices a delay.
const deliveryTime = 60 * time.Millisecond

const (
	classFrom    = "127.0.0.1"
	strangerFrom = "127.0.2.1" // Linux answers at it without further ado
)

// hostiles measures how one hostile address delays a class of phones: first nobody, then each kind of harm, beside a
// server and a class that have met no other.
func hostiles(c class) (rows []row, err error) {
	for _, h := range append([]harm{{name: ""}}, harms...) {
		if h.name != "" && len(c.harms) > 0 && !slices.Contains(c.harms, h.name) {
			continue
		}
		r, err := c.goesOn(h)
		if err != nil {
			return rows, fmt.Errorf("%s: %w", h.name, err)
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// goesOn runs a class beside one kind of harm, or alone.
func (c class) goesOn(h harm) (row, error) {
	rate := max(1, c.rate/2)
	s, err := c.serve()
	if err != nil {
		return row{}, err
	}
	defer s.kill()
	r, err := s.opens(begins...)
	if err != nil {
		return row{}, err
	}
	defer r.end()
	if err := r.fills(c.phones, "phone", r.joins); err != nil {
		return row{}, err
	}
	what, did := fmt.Sprintf("%d phones, %d steps/s for %d s", c.phones, rate, c.seconds), ""
	stranger := new(helper)
	if h.name != "" {
		what = "  beside " + h.name + ": " + h.what
		if stranger, err = c.unleash(h, s, r); err != nil {
			return row{}, err
		}
	}
	took, hurt := r.presses(rate*c.seconds, rate)
	if h.name != "" {
		if did, err = stranger.end(); err != nil {
			return row{}, err
		}
	}
	r.end()
	s.kill()
	if bytes.Contains(s.said.Bytes(), []byte("panic")) {
		hurt = errors.Join(hurt, errors.New("the server has panicked"))
	}
	told := within(what, deliveryTime, took.p99(), strings.TrimSuffix(took.String()+"; "+did, "; "))
	if hurt != nil {
		told.misses, told.figure = true, told.figure+"; "+hurt.Error()
	}
	if c.sameNetwork && h.name != "" { // to be looked at
		told.target, told.misses = "", false
	}
	return told, nil
}

// Orders tell a hostile visitor what to do.
type orders struct {
	Harm     string
	Site     string
	From     string  // the visitor's address
	Room     string  // the path of the class's room: its code is on the wall
	Run      string  // the path of its run
	Strength float64 // the share of the visitors
}

// unleash starts a hostile visitor as a process of its own, and returns when it has begun.
func (c class) unleash(harm harm, s *server, r *room) (*helper, error) {
	h, err := c.helper("stranger", "nice", "-n", "19") // a real one uses another computer
	if err != nil {
		return nil, err
	}
	o := orders{harm.name, s.url(), strangerFrom, r.path, r.run, c.strength}
	if c.sameNetwork {
		o.From = classFrom
	}
	if err = json.NewEncoder(h.in).Encode(o); err == nil {
		if _, err = h.out.ReadString('\n'); err == nil {
			return h, nil
		}
	}
	_, ended := h.end()
	return nil, errors.Join(err, ended)
}

// A stranger is the hostile visitor: one address with any number of browsers.
type stranger struct {
	orders
	runs                []string // their paths, made before the harm
	sent, done, refused atomic.Int64
}

// newVisitor returns one of the stranger's browsers.
func (s *stranger) newVisitor(n int) *visitor {
	v := newVisitor(s.Site, n)
	v.dialer.LocalAddr = &net.TCPAddr{IP: net.ParseIP(s.From)}
	return v
}

// count counts a request or a message whose answer is an error or none.
func (s *stranger) count(err error) {
	s.sent.Add(1)
	if err == nil {
		s.done.Add(1)
	} else {
		s.refused.Add(1)
	}
}

// beStranger runs the process of a hostile visitor: it reads its orders, prepares, says when it has begun, does harm
// until its input ends, and reports.
func beStranger(in io.Reader, out io.Writer) error {
	s := new(stranger)
	input := json.NewDecoder(in)
	if err := input.Decode(&s.orders); err != nil {
		return err
	}
	h := harms[slices.Index(harmNames(), s.Harm)]
	maker := s.newVisitor(0)
	for _, text := range h.texts {
		run, err := maker.post("/runs", "scenario", text)
		for began := time.Now(); err != nil && time.Since(began) < patience; time.Sleep(50 * time.Millisecond) {
			run, err = maker.post("/runs", "scenario", text)
		}
		if err != nil {
			return err
		}
		s.runs = append(s.runs, path(run))
	}
	for i := range max(1, int(float64(h.visitors)*s.Strength)) {
		go func() {
			v := s.newVisitor(i)
			if i%2 == 0 { // the others have no cookie
				_, _, _ = v.get("/")
			}
			for turn := 0; ; turn++ {
				if h.do(s, v, i, turn) != nil {
					time.Sleep(20 * time.Millisecond)
				}
			}
		}()
	}
	for began := time.Now(); s.sent.Load() == 0 && time.Since(began) < patience; {
		time.Sleep(time.Millisecond)
	}
	fmt.Fprintln(out, "ready")
	_, _ = io.Copy(io.Discard, io.MultiReader(input.Buffered(), in))
	fmt.Fprintf(out, "%d sent, %d done, %d refused\n", s.sent.Load(), s.done.Load(), s.refused.Load())
	return nil
}
