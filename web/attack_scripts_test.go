package web

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A stranger brings no Lua: not by a form of a run, by a scenario that becomes a run, or over the socket. A library's script,
// which the server has, runs.
func TestNoStrangerBringsAScript(t *testing.T) {
	s := newSite(t, Options{})
	live := s.watch(aRun + "/live")
	hello := live.next()
	for _, command := range []string{
		`EVAL "return 1" 0`,
		`EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0`,
		`MULTI "EVAL \"return 1\" 0" EXEC`,
		`SCRIPT LOAD "return 1"`,
	} {
		line := "do A " + command
		for path, form := range map[string]url.Values{aRun + "/actions": {"action": {line}}, "/runs": {"scenario": {line + "\n"}}} {
			if a := s.send("POST", path, form); a.StatusCode < 400 || a.StatusCode >= 500 {
				t.Errorf("%s to %s: %s", command, path, a.Status)
			}
		}
		if a := s.send("POST", aRun+"/actions", url.Values{"action": {"do A"}, "command": {command}}); a.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("%s in the console: %s", command, a.Status)
		}
		if err := live.conn.WriteJSON(map[string]any{"type": "act", "id": "1", "at": hello.Actions, "action": line}); err != nil {
			t.Fatal(err)
		}
		if m := live.next(); m.Type != "error" || m.Code != "syntax" && m.Code != "refused" {
			t.Errorf("%s over the socket: %+v", command, m)
		}
	}
	// Recorded effects are data. None brings Lua, or has an effect on other commands or in another situation.
	const effect = "effect EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 1 k\n| none k\n| = OK\n| string k v\n"
	for _, text := range []string{
		"effect EVAL \"return 1\" 1 k\n| none k\n| = OK\n",
		"effect SET k v\n| none k\n| = OK\n",
		"effect EVALSHA c3f8721cbb97f72bc19e972846bd7aaf91901658 1 k token\n| none k\n| = OK\n",
		effect + "do A EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0\n",
		effect + "do A SET k w\ndo A EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 1 k\n",
		effect + "do A EVAL \"return 1\" 1 k\n",
		effect + "| string other v\n",
	} {
		if a := s.send("POST", "/runs", url.Values{"scenario": {text}}); a.StatusCode < 400 || a.StatusCode >= 500 {
			t.Errorf("%s: %s", text, a.Status)
		}
	}
	if a := s.send("POST", "/runs", url.Values{"scenario": {effect + "do A EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 1 k\n"}}); a.StatusCode != http.StatusSeeOther {
		t.Errorf("a recorded effect: %s", a.Status)
	}
	s.act(aRun, `do A EVALSHA c3f8721cbb97f72bc19e972846bd7aaf91901658 1 k token`)
}

// Nothing that a server is made of gives a run scripts. Package real/attach does, which no server imports: see
// TestASiteNeedsNoMachine.
func TestNoHandlerGivesARunScripts(t *testing.T) {
	gives := regexp.MustCompile(`\.Bring\(|redis\.Scripts|CheckOwn\(|\bScripts:`)
	files, err := filepath.Glob("*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	own, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	if files = append(files, own...); len(files) < 50 {
		t.Errorf("%d files", len(files))
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if found := gives.Find(text); found != nil && !strings.HasSuffix(file, "_test.go") {
			t.Errorf("%s has %s", file, found)
		}
	}
}
