package web

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lockstep/web/door"
	"lockstep/web/store"
	"lockstep/web/store/sqlite"
)

// lookAgain makes the next check ping the parts.
func (h *health) lookAgain() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.looked = h.looked.Add(-pingEvery)
}

type floodedError struct{}

func (floodedError) Error() string  { return "192.0.2.7 has flooded it" }
func (floodedError) Reason() string { return "it is flooded" }

// The health names the part that fails and the reason, and recovers with it.
func TestHealthNamesTheFailedPart(t *testing.T) {
	var log notebook
	s := newSite(t, Options{Metrics: here, Logger: door.NewLogger(&log, "text", slog.LevelInfo)})
	s.get("/healthz").wants(t, http.StatusOK, "ok\n")
	if r := s.send("HEAD", "/healthz", nil); r.StatusCode != http.StatusOK {
		t.Errorf("HEAD is answered with %s", r.Status)
	}
	broken, asked := map[string]error{}, 0
	h := &s.server.health
	for _, name := range []string{"cellar", "attic"} {
		h.parts = append(h.parts, part{name, func(context.Context) error { asked++; return broken[name] }})
	}
	for _, c := range []struct {
		cellar, attic error
		said          string
		lines         int // of the log, so far
	}{
		{nil, nil, "ok\n", 0},
		{floodedError{}, nil, "cellar: it is flooded\n", 1},
		{floodedError{}, nil, "cellar: it is flooded\n", 1},
		{floodedError{}, context.DeadlineExceeded, "cellar: it is flooded\nattic: it does not answer\n", 2},
		{errors.New("192.0.2.7"), nil, "cellar: it does not work\n", 3},
		{nil, nil, "ok\n", 3},
		{floodedError{}, nil, "cellar: it is flooded\n", 4},
		{nil, nil, "ok\n", 4},
	} {
		broken["cellar"], broken["attic"], asked = c.cellar, c.attic, 0
		h.lookAgain()
		began := time.Now()
		status := http.StatusServiceUnavailable
		if c.said == "ok\n" {
			status = http.StatusOK
		}
		for range 3 {
			if a := s.get("/healthz"); a.StatusCode != status || a.body != c.said {
				t.Errorf("when the cellar is %v and the attic %v: %s, %q", c.cellar, c.attic, a.Status, a.body)
			}
			s.get("/metrics").wants(t, http.StatusOK, `lockstep_health{part="store"} 1`)
		}
		if most := 2 * (1 + int(time.Since(began)/pingEvery)); asked < 2 || asked > most {
			t.Errorf("six questions at once ask the cellar and the attic %d times, want 2 to %d", asked, most)
		}
		if n := strings.Count(log.String(), "msg=health"); n != c.lines || strings.Contains(log.String(), "192.0.2.7") {
			t.Errorf("when the cellar is %v and the attic %v, the log has %d lines, want %d:\n%s", c.cellar, c.attic, n, c.lines, log.String())
		}
	}
	h.end()
	s.get("/healthz").wants(t, http.StatusServiceUnavailable, "ending\n")
}

// siteIn returns a site that keeps its runs in a directory.
func siteIn(t *testing.T, dir string, log *notebook) *site {
	t.Helper()
	logger := door.NewLogger(log, "text", slog.LevelInfo)
	kept, err := sqlite.Open(dir, store.Options{Logger: logger})
	if err != nil {
		t.Fatal(err)
	}
	return newSite(t, Options{Store: kept, Metrics: here, Logger: logger})
}

// feels looks again until the health says something: a store on a busy machine may be too late for one look.
func (s *site) feels(status int, says string) {
	s.Helper()
	until(s.T, "the health says "+says, func() bool {
		s.server.health.lookAgain()
		a := s.get("/healthz")
		return a.StatusCode == status && a.body == says
	})
}

// Somebody moves the directory away and back again.
func TestHealthNoticesAMovedDirectory(t *testing.T) {
	var log notebook
	dir := filepath.Join(t.TempDir(), "data")
	s := siteIn(t, dir, &log)
	s.act(aRun, "spawn C1 naive")
	s.feels(http.StatusOK, "ok\n")
	if err := os.Rename(dir, dir+".away"); err != nil {
		t.Fatal(err)
	}
	s.feels(http.StatusServiceUnavailable, "store: the directory is gone\n")
	s.get("/metrics").wants(t, http.StatusOK, `lockstep_health{part="store"} 0`)
	s.get(aRun).wants(t, http.StatusOK, "C1")
	if err := os.Rename(dir+".away", dir); err != nil {
		t.Fatal(err)
	}
	s.feels(http.StatusOK, "ok\n")
	s.get("/metrics").wants(t, http.StatusOK, `lockstep_health{part="store"} 1`)
	until(t, "an action is kept", func() bool {
		return s.send("POST", aRun+"/actions", map[string][]string{"action": {"step C1"}}).StatusCode == http.StatusSeeOther
	})
}

// A run with a damaged record is refused in a sentence. Other runs are not affected, and
// the log names the damaged one.
func TestADamagedRecord(t *testing.T) {
	var log notebook
	dir := t.TempDir()
	path := filepath.Join(dir, "lockstep.db")
	const damaged, good = "/t/damagedrun", "/t/goodgoodgo"
	s := siteIn(t, dir, &log)
	for i := range 20 {
		s.act(damaged, "note \"a damaged note "+strings.Repeat("x", i)+"\"")
		s.act(good, "note \"a good note\"")
	}
	s.server.Close()
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := strings.Index(string(file), "damaged note xxxxxxx")
	if at < 0 {
		t.Fatal("the file does not have the note")
	}
	file[at] ^= 1
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	s = siteIn(t, dir, &log)
	for range 3 {
		s.get(damaged).wants(t, http.StatusInternalServerError, "The saved record is damaged and cannot be read.")
		s.get(damaged+"?lang=zh").wants(t, http.StatusInternalServerError, "保存下来的记录已损坏，无法读取。")
		s.get(good).wants(t, http.StatusOK, "a good note")
	}
	s.act(good, "note \"and on\"")
	s.get("/metrics").wants(t, http.StatusOK, "lockstep_damaged_records_total 1")
	s.feels(http.StatusServiceUnavailable, "store: the file is damaged\n")
	if said := log.String(); strings.Count(said, "damagedrun") != 2 || strings.Count(said, "log=t/damagedrun") != 1 { // in one line
		t.Errorf("the log says\n%s", said)
	}
}
