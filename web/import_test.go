package web

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"

	"lockstep/web/runpages"
)

// sendsLog drops a log on the playground.
func (s *site) sendsLog(t *testing.T, name string, log []byte, language string) answer {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("log", name)
	if err == nil {
		_, err = part.Write(log)
	}
	if err == nil {
		err = form.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return s.sendBody("POST", "/imports", &body, "Content-Type", form.FormDataContentType(), "Accept-Language", language)
}

// A log that is dropped on the playground opens as a run, at what went wrong, with the remarks of its import.
func TestALogBecomesARun(t *testing.T) {
	s := newSite(t, Options{})
	for name, want := range map[string]struct{ step, page string }{
		"dedupe.log":       {"?step=5", "C1 was granted the lock with t1."},
		"getset-steal.rec": {"?step=", "Imported from a recording."},
		"pool-correct.log": {"?step=", "each for one owner of the lock at a time."},
		"noise.log":        {"?step=", "Left out: lines that are no command (1): line 12."},
	} {
		log, err := os.ReadFile("../engine/monitor/testdata/cases/" + name)
		if err != nil {
			t.Fatal(err)
		}
		a := s.sendsLog(t, name, log, "en")
		a.wants(t, http.StatusSeeOther)
		to := a.Header.Get("Location")
		if !strings.Contains(to, want.step) {
			t.Errorf("%s opens at %s, not %s", name, to, want.step)
		}
		s.get(to).wants(t, 200, `id="remarks"`, want.page)
	}
}

// The scenario that import has made of the logs of a Redlock's nodes opens the same way, though its header names the nodes.
func TestTheScenarioOfSeveralLogsOpensAtItsFinding(t *testing.T) {
	text, err := os.ReadFile("../engine/monitor/testdata/nodes/restart.lock")
	if err != nil {
		t.Fatal(err)
	}
	s := newSite(t, Options{})
	a := s.send("POST", "/runs", url.Values{"scenario": {string(text)}})
	if to := a.Header.Get("Location"); !strings.HasSuffix(to, "?step=18") {
		t.Errorf("it opens at %s", to)
	}
	s.get(a.Header.Get("Location")).wants(t, 200, `id="remarks"`, "redis2 is node B.")
}

// What is no log is refused with a sentence, in the reader's language, and a log that is too long is never read as a whole.
func TestWhatIsNoLogIsRefused(t *testing.T) {
	s := newSite(t, Options{})
	s.sendsLog(t, "x", []byte("hello\n"), "en").wants(t, http.StatusUnprocessableEntity, "line 1: this is not what MONITOR prints")
	s.sendsLog(t, "x", []byte("REDIS0011"), "zh").wants(t, http.StatusUnprocessableEntity, "这是 Redis 的快照（RDB）")
	s.sendsLog(t, "x", bytes.Repeat([]byte("x"), runpages.MaxLogForm), "en").wants(t, http.StatusRequestEntityTooLarge, "The log is larger than 3 MB.")
	s.sendBody("POST", "/imports", strings.NewReader("log=x"), "Content-Type", "application/x-www-form-urlencoded").wants(t, http.StatusBadRequest)
}

// A scenario that was imported before has its remarks, too.
func TestAnImportedScenarioKeepsItsRemarks(t *testing.T) {
	s := newSite(t, Options{})
	text, err := os.ReadFile("../engine/monitor/testdata/late-del.lock")
	if err != nil {
		t.Fatal(err)
	}
	scenario, _, _ := strings.Cut(string(text), "\n# lockstep run prints")
	a := s.send("POST", "/runs", map[string][]string{"scenario": {scenario}})
	a.wants(t, http.StatusSeeOther)
	to := a.Header.Get("Location")
	if !strings.HasSuffix(to, "?step=5") {
		t.Errorf("it opens at %s", to)
	}
	s.get(to).wants(t, 200, `id="remarks"`, "C1 was granted the lock with 5f0c1b-a.", "The run begins at 2026-11-24T09:50:35.272Z. Times are in UTC.", `<span class="lane-label" translate="no">127.0.0.1:52204</span>`)
}
