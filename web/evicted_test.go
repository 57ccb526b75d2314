package web

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"lockstep/engine/program"
	"lockstep/web/present"
)

// A run that gave up its place in memory comes back from its log as it was: its
// events byte by byte, its tabs, what it is for, and its page in both languages.
func TestEvictedRunsComeBackTheSame(t *testing.T) {
	s := newSite(t, Options{MaxRuns: 2, Limits: unhurried})
	post := func(path string, fields ...string) string {
		t.Helper()
		form := url.Values{}
		for i := 0; i < len(fields); i += 2 {
			form.Set(fields[i], fields[i+1])
		}
		a := s.send("POST", path, form)
		a.wants(t, http.StatusSeeOther)
		return regexp.MustCompile(`/t/[a-z0-9]{10}`).FindString(a.Header.Get("Location"))
	}
	const plain = "/t/plainplain"
	naive, _ := program.Builtin("naive")
	own := strings.Replace(naive.Source, "lock.foo", "lock.bar", -1)
	runs := []string{plain}
	for _, line := range []string{"spawn C1 C2 del-setnx timeout=10s skew=2s", "step C1 2", "tick 12s", "crash C1", `note "时间到了"`, "step C2 2"} {
		s.act(plain, line)
	}
	runs = append(runs,
		post(plain+"/actions", "action", "restart C1", "at", "5", "past", "1"),
		post(plain+"/reruns", "program", "getset"),
		post(plain+"/reruns", "from", "del-setnx", "source", own),
		post("/runs", "scenario", present.HomeScenario),
		post("/courses/redis-lock/race"),
	)
	for _, run := range runs[1:] {
		s.send("POST", run+"/actions", url.Values{"action": {"tick 3s"}})
		s.send("POST", run+"/actions", url.Values{"action": {"schedule"}})
	}

	look := func() map[string]string {
		all := map[string]string{}
		for i, run := range runs {
			for _, what := range []string{".ndjson", ".txt", "?lang=en", "?lang=zh", "?step=2"} {
				a := s.get(run + what)
				a.wants(t, http.StatusOK)
				all[fmt.Sprintf("run %d%s", i, what)] = a.body
			}
		}
		return all
	}
	// evict uses other runs until none of these is in memory.
	evict := func() {
		t.Helper()
		for i := range 2 {
			s.act(fmt.Sprintf("/t/otherrun%02d", i), "tick 1s")
		}
		for _, run := range runs {
			if s.kept(run) {
				t.Fatalf("%s is still in memory", run)
			}
		}
	}
	first := look()
	if tabs := strings.Count(first["run 0?lang=en"], `?beside=`); tabs < 3 {
		t.Fatalf("the family has %d tabs", tabs)
	}
	evict()
	for what, page := range look() {
		if page != first[what] {
			t.Errorf("%s was\n%s\nand comes back as\n%s", what, first[what], page)
		}
	}

	// Whoever watched it goes on where they were: nothing is told twice.
	v := s.watch(plain + "/live").witness()
	seen := len(v.events)
	v.conn.Close()
	until(t, "nobody watches", func() bool {
		for i := range 2 {
			s.act(fmt.Sprintf("/t/otherrun%02d", i), "tick 1s")
		}
		return !s.kept(plain)
	})
	again := s.watch(fmt.Sprintf("%s/live?epoch=%s&since=%d", plain, v.epoch, seen))
	if m := again.want("hello"); m.Since != seen || m.Epoch != v.epoch || len(m.Events.([]any)) != 0 {
		t.Errorf("whoever has %d events is told again: %+v", seen, m)
	}
}
