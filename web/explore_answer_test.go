package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"lockstep/engine/explore"
	"lockstep/engine/program"
	"lockstep/engine/testtools"
	"lockstep/web/door"
)

// asked gets the answer of a question as the page's script does.
func (s *site) asked(query string, status int, headers ...string) explorerTold {
	s.Helper()
	a := s.get("/explore/answer?"+query, append(headers, "Accept", "application/json")...)
	a.wants(s.T, status)
	if kind := a.Header.Get("Content-Type"); kind != "application/json" || a.Header.Get("Cache-Control") != "no-store" {
		s.Errorf("%s has the type %s", query, kind)
	}
	return s.read(a)
}

func (s *site) read(a answer) (m explorerTold) {
	s.Helper()
	if err := json.Unmarshal([]byte(a.body), &m); err != nil {
		s.Fatal(err)
	}
	return m
}

// A question is answered at once, with the same answer as on a socket, and in the language of each who asks.
func TestAQuestionIsAnsweredAtOnce(t *testing.T) {
	s := newSite(t, Options{})
	m := s.asked("ticks=4", http.StatusOK)
	if m.Type != "answer" || m.Verdict != "violated" || m.States == 0 || len(m.Counterexamples) != 1 || m.Counterexamples[0].Line == 0 || !strings.Contains(strings.ReplaceAll(m.HTML, "\u00a0", " "), m.Text) {
		t.Errorf("told %+v", m)
	}
	sum := int64(0)
	for _, n := range m.Depths {
		sum += n
	}
	if m.Depths[0] != 1 || sum != m.States {
		t.Errorf("of %d states %v are new", m.States, m.Depths)
	}
	s.server.explorer.Search = nil // which would panic
	if live := s.explores("/explore/live", `{"type":"search","query":"ticks=4"}`).answer(); live.Text != m.Text || live.HTML != m.HTML || !slices.Equal(live.Depths, m.Depths) {
		t.Errorf("a socket is told %+v", live)
	}
	if zh := s.asked("ticks=4&lang=zh", http.StatusOK); !strings.HasPrefix(zh.Text, "互斥被破坏：最短 ") || zh.States != m.States {
		t.Errorf("told %+v", zh)
	}
	if old := s.asked("ticks=4&symmetry=1", http.StatusOK); old.Text != m.Text {
		t.Errorf("an older address is told %+v", old)
	}
	s.get("/explore?ticks=4").wants(t, http.StatusOK, m.Text, `"depths":[1,2,`)
	s.get("/explore?ticks=4&run=search&lang=zh").wants(t, http.StatusOK, "互斥被破坏：最短 ")
	s.get("/explore?ticks=4&causes=1").wants(t, http.StatusOK, "Nothing has been searched yet.", `"depths":[]`)
}

// A large question says that it is unfinished, always at the same state, and the second time without a search.
func TestALargeQuestionIsUnfinished(t *testing.T) {
	s := newSite(t, Options{})
	first := s.asked("program=set-px&clients=4&ticks=6", http.StatusOK)
	if first.Type != "unfinished" || first.States == 0 || len(first.Depths) == 0 || first.Text != "" {
		t.Errorf("told %+v", first)
	}
	s.server.explorer.Search = nil
	if second := s.asked("program=set-px&clients=4&ticks=6", http.StatusOK); second.Type != "unfinished" || second.States != first.States {
		t.Errorf("told %+v, and before %+v", second, first)
	}
	other := newSite(t, Options{})
	if again := other.asked("program=set-px&clients=4&ticks=6", http.StatusOK); again.States != first.States || !slices.Equal(again.Depths, first.Depths) {
		t.Errorf("another server says %+v, this one %+v", again, first)
	}
}

// The usual bounds fit into a short search, for nearly every program.
func TestTheUsualBoundsFitIntoAShortSearch(t *testing.T) {
	s := newSite(t, Options{})
	var large []string
	for _, name := range program.Names() {
		if m := s.asked("program="+name, http.StatusOK); m.Type != "answer" {
			large = append(large, name)
		}
	}
	if want := []string{"set-px-watchdog", "set-px-fencing", "set-px-fencing-write", "set-px-fencing-read", "set-px-fencing-incr"}; !slices.Equal(large, want) {
		t.Errorf("too large are %v, not %v", large, want)
	}
}

// The text of an own program comes with a form. Mistakes have a sentence and their place.
func TestAnOwnProgramIsAnsweredAtOnce(t *testing.T) {
	s := newSite(t, Options{})
	ask := func(source string, status int) explorerTold {
		t.Helper()
		a := s.send("POST", "/explore/answer", url.Values{"own": {"1"}, "program": {"naive"}, "clients": {"2"}, "ticks": {"2"}, "source": {source}})
		a.wants(t, status)
		return s.read(a)
	}
	own := strings.ReplaceAll(mustSource(t, "naive"), "lock.foo", "lock.mine")
	if m := ask(own, http.StatusOK); m.Verdict != "holds" || !strings.Contains(m.Text, "2 clients of naive-mine") || !strings.Contains(m.Text, "count once.") {
		t.Errorf("told %+v", m)
	}
	if m := ask(strings.ReplaceAll(own, "lock.mine", "lock.C"), http.StatusOK); m.Verdict != "holds" || strings.Contains(m.Text, "count once.") {
		t.Errorf("clients that a program may tell apart: %+v", m)
	}
	if m := ask("def acquire(c):\n    oops()\n", http.StatusUnprocessableEntity); m.Type != "error" || m.Code != "program" || m.Line != 2 {
		t.Errorf("told %+v", m)
	}
	if m := s.asked("clients=9", http.StatusUnprocessableEntity); m.Type != "error" || !strings.Contains(m.Text, "from 1 to 5") {
		t.Errorf("told %+v", m)
	}
	if m := s.asked("lang=zh&clients=0", http.StatusUnprocessableEntity); m.Text != `客户端数："0" 不是 1 到 5 之间的整数。没有开始穷举。` {
		t.Errorf("told %+v", m)
	}
	s.send("POST", "/explore/answer", url.Values{"source": {strings.Repeat("#", door.MaxForm)}}).wants(t, http.StatusRequestEntityTooLarge)
	s.send("POST", "/explore/answer", url.Values{}, "Sec-Fetch-Site", "cross-site").wants(t, http.StatusForbidden)
}

// A crawler begins no search: it has no cookie, and follows links. A visitor who comes back does, and so does a form.
func TestACrawlerBeginsNoSearch(t *testing.T) {
	s := newSite(t, Options{})
	searches := 0
	s.server.explorer.Search = func(explore.Question, explore.Budget, explore.Runtime, int) (*explore.Answer, error) {
		searches++
		return &explore.Answer{Verdict: explore.Holds}, nil
	}
	for _, path := range []string{"/explore", "/explore?ticks=3", "/explore?run=search", "/explore?run=causes", "/explore?run=luck", "/explore/answer", "/explore/answer?ticks=3"} {
		s.get(path).wants(t, http.StatusOK)
		s.get(path, "Accept", "text/html,application/xhtml+xml", "Cookie", door.VisitorCookie+"=aaaaaaaaaa.forged").wants(t, http.StatusOK)
	}
	if m := s.read(s.get("/explore/answer")); m.Type != "unfinished" || m.States != 0 {
		t.Errorf("a crawler is told %+v", m)
	}
	s.get("/explore?run=search").wants(t, http.StatusOK, "Nothing has been searched yet.", `"unfinished":true`, `type="submit"`)
	if searches > 0 {
		t.Errorf("crawlers begin %d searches", searches)
	}
	first := s.get("/explore")
	s.get("/explore?run=search", "Cookie", strings.Split(first.Header.Get("Set-Cookie"), ";")[0]).wants(t, http.StatusOK, "mutual-exclusion holds")
	s.send("POST", "/explore", url.Values{"run": {"search"}, "ticks": {"3"}}).wants(t, http.StatusOK, "mutual-exclusion holds")
	if searches != 2 {
		t.Errorf("two visitors begin %d searches", searches)
	}
	s.get("/explore?run=search").wants(t, http.StatusOK, "mutual-exclusion holds") // which is known now
	for _, left := range []string{"/explore/answer", "/explore/live", "/new", "/r/"} {
		s.get("/robots.txt").wants(t, http.StatusOK, "User-agent: *\n", "Disallow: "+left+"\n")
	}
	s.get("/robots.txt").lacks(t, "Disallow: /\n", "Disallow: /explore\n", "Disallow: /courses", "Disallow: /t/\n")
}

// A server has answered the page's question before anybody asks, and starts without waiting for it.
func TestTheFirstAnswerIsThereFromTheStart(t *testing.T) {
	s, _ := served(t, New(Options{}))
	until(t, "the first answer is known", func() bool { return strings.Contains(s.get("/explore").body, "mutual-exclusion is violated") })
}

// Forty pupils behind one address each move a slider, and each gets every answer, while a stranger of another network and
// one of their own ask for everything at once.
func TestAClassIsServedBesideStrangers(t *testing.T) {
	testtools.Long(t, "64 strangers search")
	s := newSite(t, Options{Limits: unhurried})
	ctx, done := context.WithCancel(t.Context())
	var strangers, pupils sync.WaitGroup
	for i := range 64 {
		strangers.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				q, _ := http.NewRequestWithContext(ctx, "GET", fmt.Sprintf("%s/explore/answer?program=set-px&clients=5&ticks=%d&timeout=%d", s.url, 10+i%20, 1+n%30), nil)
				q.Header.Set("Accept", "application/json")
				if r, err := s.client.Do(q); err == nil {
					r.Body.Close()
				}
			}
		})
	}
	for i := range 40 {
		name := fmt.Sprintf("pupil%05d", i)
		cookie := door.VisitorCookie + "=" + name + "." + s.server.Sign("visitor", name)
		pupils.Go(func() {
			for ticks := range 3 {
				q, _ := http.NewRequestWithContext(t.Context(), "GET", fmt.Sprintf("%s/explore/answer?ticks=%d&timeout=%d", s.url, ticks, 1+i%10), nil)
				q.Header.Set("Accept", "application/json")
				q.Header.Set("Cookie", cookie)
				r, err := s.client.Do(q)
				if err != nil {
					t.Error(err)
					return
				}
				var m explorerTold
				if err := json.NewDecoder(r.Body).Decode(&m); err != nil || m.Type != "answer" {
					t.Errorf("%s is told %s %+v (%v)", name, r.Status, m, err)
				}
				r.Body.Close()
			}
		})
	}
	pupils.Wait()
	done()
	strangers.Wait()
	until(t, "nothing is left of the requests", func() bool { return s.server.Guard.AtOnce.Held() == 0 })
}
