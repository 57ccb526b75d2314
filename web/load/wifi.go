package main

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"lockstep/engine/course"
)

// The bytes of a class on its radio are the bytes that arrive on each socket, without TCP's and the radio's own headers.

// The most bytes that a step costs: a class shares one radio.
const (
	laptopStep = 3 << 10
	phoneStep  = 1 << 10
)

const (
	trickle = 30 * time.Millisecond  // between two people who do the same
	quiet   = 400 * time.Millisecond // after which nothing more comes
)

// followers are the kinds of pages whose bytes are counted.
var followers = []struct {
	what, surface, lang string
	most                int
	who                 func(presenter, phone, spectator *visitor) *visitor
}{
	{"a laptop that follows", "page", "en", laptopStep, third},
	{"  in Chinese", "page", "zh", laptopStep, third},
	{"the projector", "screen", "en", laptopStep, first},
	{"the wall of sandboxes", "wall", "en", phoneStep, first},
	{"a phone that is a client", "phone", "en", phoneStep, second},
	{"  in Chinese", "phone", "zh", phoneStep, second},
	{"a phone that is none", "phone", "en", phoneStep, third},
	{"the remote", "remote", "en", phoneStep, first},
}

func first(v, _, _ *visitor) *visitor  { return v }
func second(_, v, _ *visitor) *visitor { return v }
func third(_, _, v *visitor) *visitor  { return v }

// A cost is what one step has cost a follower.
type cost struct {
	bytes int
	step  string
}

// wifis measures the bytes of a class: of the steps of every lesson, and of a class that joins, votes and comes back.
func wifis(c class) ([]row, error) {
	s, err := c.serve()
	if err != nil {
		return nil, err
	}
	defer s.kill()
	costs := make([][]cost, len(followers))
	all := course.Builtin()
	for _, l := range all.Lessons[:min(len(all.Lessons), c.lessons)] {
		if err := s.teaches(all.Name, l, costs); err != nil {
			return nil, fmt.Errorf("%s: %w", l.Name, err)
		}
	}
	rows := []row{{what: "bytes of a step of a lesson", figure: fmt.Sprintf("%d steps", len(costs[0]))}}
	for i, f := range followers {
		sum := 0
		for _, one := range costs[i] {
			sum += one.bytes
		}
		slices.SortFunc(costs[i], func(a, b cost) int { return a.bytes - b.bytes })
		// Nearly all must be within the bound: a lesson's last step may bring its closing text.
		nearly, dearest := costs[i][len(costs[i])*99/100], costs[i][len(costs[i])-1]
		rows = append(rows, row{
			what: "  " + f.what, target: fmt.Sprintf("<= %d KB", f.most>>10), misses: nearly.bytes > f.most,
			figure: fmt.Sprintf("%d on average, p99 %d, max %d (%s)", sum/len(costs[i]), nearly.bytes, dearest.bytes, dearest.step),
		})
	}
	more, err := s.comesBack(c.people)
	return append(rows, more...), err
}

// draftID finds the run on the page of a lesson.
var draftID = regexp.MustCompile(`/t/([a-z0-9]{10})`)

// teaches lets the presenter step through a lesson, and adds what each step has cost each follower. What comes after
// everybody has heard of a step counts for the next one.
func (s *server) teaches(of string, l *course.Lesson, costs [][]cost) error {
	presenter, phone := newVisitor(s.url(), 0), newVisitor(s.url(), 0)
	lesson := of + "/" + l.Name
	page, _, err := presenter.get("/courses/" + lesson)
	if err != nil {
		return err
	}
	id := draftID.FindSubmatch(page)
	if id == nil {
		return errors.New("its page shows no run")
	}
	to, err := presenter.post("/rooms?begin="+lesson, "run", string(id[1]))
	if err != nil {
		return err
	}
	_, run, err := presenter.get(to)
	if err != nil {
		return err
	}
	r := &room{path: strings.TrimSuffix(to, "/present"), run: run, presenter: presenter.shows(run, "page")}
	defer func() { r.end() }()
	if _, err := phone.post(r.path + "/seats"); err != nil {
		return err
	}
	_ = r.does("lanes", "size", "1") // it is refused where a lesson begins without clients
	for _, f := range followers {
		v := *f.who(presenter, phone, newVisitor(s.url(), 0))
		v.lang = f.lang
		r.class = append(r.class, v.shows(run, f.surface))
	}
	if err := append(crowd{r.presenter}, r.class...).wait("come", (*viewer).isUp); err != nil {
		return err
	}
	time.Sleep(quiet) // the last news of who is here
	for _, v := range r.class {
		_ = v.arrived()
	}
	for at := l.Opening(); at < len(l.Scenario.Actions()); at++ {
		if err := r.presenter.press(at); err != nil {
			return err
		}
		if err := r.class.wait("heard of a step", func(v *viewer) bool { return v.at > at }); err != nil {
			return err
		}
		for i, v := range r.class {
			costs[i] = append(costs[i], cost{v.arrived(), fmt.Sprintf("%s %d", l.Name, at+1)})
		}
	}
	return nil
}

// comesBack measures what a phone and a laptop receive while a class votes, and when they come and come back.
func (s *server) comesBack(people int) ([]row, error) {
	r, err := s.opens(begins...)
	if err != nil {
		return nil, err
	}
	defer r.end()
	joins := func(n int, surface string) error {
		for range n {
			if err := r.fills(1, surface, r.joins); err != nil {
				return err
			}
			time.Sleep(trickle)
		}
		return nil
	}
	if err := errors.Join(joins(1, "phone"), joins(1, "page")); err != nil {
		return nil, err
	}
	phone, laptop := r.class[0], r.class[1]
	if err := errors.Join(joins(people-people/4-1, "phone"), joins(people/4-1, "page"), r.does("ask", "kind", "predict", "client", "C2")); err != nil {
		return nil, err
	}
	time.Sleep(quiet)
	_, _ = phone.arrived(), laptop.arrived()
	for i, v := range r.class {
		if _, err := v.post(r.path+"/do", "verb", "vote", "choice", fmt.Sprint(i%2)); err != nil {
			return nil, err
		}
		time.Sleep(trickle)
	}
	time.Sleep(quiet)
	rows := []row{{what: fmt.Sprintf("%d vote", people), figure: fmt.Sprintf("a phone %d bytes, a laptop %d", phone.arrived(), laptop.arrived())}}
	log, err := phone.extent(r.run)
	if err != nil {
		return nil, err
	}
	has := fmt.Sprintf("page&epoch=%s&after=%d&since=%d", log.Epoch, log.Actions, log.Total)
	for _, one := range []struct {
		what    string
		who     *viewer
		page    string
		surface string // with the extent that a laptop has; a phone draws nothing of the log
	}{{"a phone", phone, r.path, "phone"}, {"a laptop", laptop, r.run, has}} {
		page, files, err := one.who.loads(one.page)
		if err != nil {
			return nil, err
		}
		w := one.who.shows(r.run, one.surface)
		err = crowd{w}.wait("come back", (*viewer).isUp)
		rows = append(rows, row{
			what:   one.what + " comes, and comes back",
			figure: fmt.Sprintf("its page %d bytes, files %d, once; the socket again %d", page, files, w.arrived()),
		})
		crowd{w}.end()
		if err != nil {
			return nil, err
		}
	}
	join, files, err := newVisitor(s.url(), 0).loads(r.path)
	return append(rows, row{what: "the page to join", figure: fmt.Sprintf("%d bytes, and %d of files, once", join, files)}), err
}

// loads returns how many bytes arrive for a page, headers included, and for the files that it names.
func (v *visitor) loads(path string) (page, extra int, err error) {
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
	seen := map[string]bool{}
	for _, file := range files.FindAllSubmatch(html, -1) {
		name := string(file[1])
		if seen[name] {
			continue
		}
		seen[name] = true
		if _, err := get(name); err != nil {
			return 0, 0, err
		}
	}
	return page, wire.bytes - page, nil
}
