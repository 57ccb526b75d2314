package main

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// The pace of a class on one radio. Most of it hold phones, and every fourth person follows on a laptop.
const (
	trickle = 30 * time.Millisecond  // between two people who do the same
	quiet   = 400 * time.Millisecond // after which nothing more comes
)

// moments measures what a class receives while it joins, votes and comes back.
func moments(c class, s *server) ([]row, error) {
	presenter := newVisitor(s.url(), 0)
	room, run, err := presenter.opens(begins...)
	if err != nil {
		return nil, err
	}
	var all []*listener
	listens := func(what, surface string, v *visitor) error {
		l, err := newListener(what, v, run, surface)
		if err != nil {
			return err
		}
		go l.hears()
		all = append(all, l)
		return nil
	}
	defer func() {
		for _, l := range all {
			l.socket.close()
		}
	}()
	for _, on := range []struct{ what, surface string }{{"the presenter's laptop", "page"}, {"the wall", "screen"}, {"the remote", "remote"}} {
		if err := listens(on.what, on.surface, presenter); err != nil {
			return nil, err
		}
	}
	var people []*visitor
	joins := func(what, surface string, n int) error {
		for range n {
			v := newVisitor(s.url(), 0)
			defer v.leaves()
			if _, err := v.post(room + "/seats"); err != nil {
				return err
			}
			if err := listens(what, surface, v); err != nil {
				return err
			}
			people = append(people, v)
			time.Sleep(trickle)
		}
		return nil
	}
	if err := errors.Join(joins("a phone", "phone", 1), joins("a laptop", "page", 1)); err != nil {
		return nil, err
	}
	told, laptops := all[:5:5], c.people/4
	does := func(fields ...string) func() error {
		return func() error {
			_, err := presenter.post(room+"/do", fields...)
			return err
		}
	}
	votes := func(of int) func() error {
		return func() error {
			for i, v := range people {
				if _, err := v.post(room+"/do", "verb", "vote", "choice", fmt.Sprint((i+of)%2)); err != nil {
					return err
				}
				time.Sleep(trickle)
			}
			return nil
		}
	}
	var rows []row
	for _, moment := range []struct {
		what string
		does func() error
	}{
		{fmt.Sprintf("%d others join", c.people-2), func() error {
			return errors.Join(joins("a phone", "phone", c.people-laptops-1), joins("a laptop", "page", laptops-1))
		}},
		{"the phones become clients", does("verb", "lanes", "size", "6")},
		{"a question", does("verb", "ask", "kind", "predict", "client", "C2")},
		{fmt.Sprintf("%d vote", c.people), votes(0)},
		{"they discuss", does("verb", "round")},
		{"the second round", does("verb", "round")},
		{fmt.Sprintf("%d vote again", c.people), votes(1)},
		{"the answer", does("verb", "reveal")},
		{"the question goes", does("verb", "drop")},
		{"the driver looks back", does("verb", "cursor", "at", "5")},
		{"everyone is brought there", does("verb", "gather")},
	} {
		time.Sleep(quiet)
		for _, l := range told {
			_ = l.arrived()
		}
		if err := moment.does(); err != nil {
			return nil, fmt.Errorf("%s: %w", moment.what, err)
		}
		time.Sleep(quiet)
		var figures []string
		for _, l := range told {
			figures = append(figures, fmt.Sprintf("%s %d", l.what, l.arrived()))
		}
		rows = append(rows, row{what: moment.what, figure: strings.Join(figures, ", ") + " bytes"})
	}
	back, err := returns(people, room, run)
	return append(rows, back...), err
}

// returns measures what the first phone and the first laptop receive when they come and when they come back.
func returns(people []*visitor, room, run string) ([]row, error) {
	var rows []row
	for _, one := range []struct {
		what, surface string
		who           *visitor
		page          string
	}{{"a phone", "phone", people[0], room}, {"a laptop", "page", people[1], run}} {
		page, files, err := one.who.loads(one.page)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row{what: one.what + " loads its page", figure: fmt.Sprintf("%d bytes, and %d of files, once", page, files)})
		for _, has := range []string{"", "&epoch=E&after=A&since=S"} {
			what := " connects with nothing"
			if has != "" {
				if one.surface == "phone" {
					continue // it draws nothing of the log
				}
				what = " connects again"
				if has, err = one.who.extent(run); err != nil {
					return nil, err
				}
			}
			l, err := newListener("", one.who, run, one.surface+has)
			if err != nil {
				return nil, err
			}
			rows = append(rows, row{what: one.what + what, figure: fmt.Sprintf("%d bytes", l.socket.wire.bytes)})
			l.socket.close()
		}
	}
	join, files, err := newVisitor(people[0].site, 0).loads(room)
	if err != nil {
		return nil, err
	}
	return append(rows, row{what: "the page to join", figure: fmt.Sprintf("%d bytes, and %d of files, once", join, files)}), nil
}

// extent returns the query of somebody who has the whole log.
func (v *visitor) extent(run string) (string, error) {
	text, _, err := v.get(run + "/events")
	if err != nil {
		return "", err
	}
	var log struct {
		Epoch          string
		Actions, Total int
	}
	err = json.Unmarshal(text, &log)
	return fmt.Sprintf("&epoch=%s&after=%d&since=%d", log.Epoch, log.Actions, log.Total), err
}

// loads returns how many bytes arrive for a page, headers included, and for the files that it names.
func (v *visitor) loads(path string) (page, files int, err error) {
	wire := new(meter)
	client := &http.Client{Jar: v.client.Jar, Transport: &http.Transport{DisableCompression: true, MaxConnsPerHost: 1, DialContext: func(ctx context.Context, network, address string) (conn net.Conn, err error) {
		wire.Conn, err = v.dialer.DialContext(ctx, network, address)
		return wire, err
	}}}
	defer client.CloseIdleConnections()
	get := func(path string) ([]byte, error) {
		request, err := http.NewRequest(http.MethodGet, v.site+path, nil)
		if err != nil {
			return nil, err
		}
		request.Header.Set("Accept-Encoding", "gzip")
		request.Header.Set("Accept-Language", v.lang)
		response, err := client.Do(request)
		if err != nil {
			return nil, err
		}
		defer response.Body.Close()
		if response.Header.Get("Content-Encoding") != "gzip" {
			return io.ReadAll(response.Body)
		}
		plain, err := gzip.NewReader(response.Body)
		if err != nil {
			return nil, err
		}
		return io.ReadAll(plain)
	}
	html, err := get(path)
	if err != nil {
		return 0, 0, err
	}
	page = wire.bytes
	for _, file := range filesOf(html) {
		if _, err := get(file); err != nil {
			return 0, 0, err
		}
	}
	return page, wire.bytes - page, nil
}

// filesOf returns the files that a page names, each once.
func filesOf(page []byte) (all []string) {
	seen := map[string]bool{}
	for _, file := range files.FindAllSubmatch(page, -1) {
		if name := string(file[1]); !seen[name] {
			seen[name] = true
			all = append(all, name)
		}
	}
	return all
}
