package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"lockstep/engine/testtools"
	"lockstep/web"
)

// The scripts, the picture and its motions work in Firefox, too: every page that shows a run draws it, a press on a request
// delivers it, and nothing is thrown. Chromium's tests have the details.
func TestFirefoxShowsEveryStage(t *testing.T) {
	f := openFirefox(t)
	url := "http://" + serve(t, web.Options{})

	f.visit(url + "/?lang=en")
	f.until(`document.querySelector("#timeline .token")`)
	for i, press := range []string{"C3", "C3", "time", "C1", "C1", "C2", "C2"} {
		f.until(fmt.Sprintf(`document.querySelector("#press-%s:not([hidden])") && !document.querySelector(".arriving")`, press))
		f.evaluate(fmt.Sprintf(`document.querySelector("#press-%s").click()`, press))
		f.until(fmt.Sprintf(`document.querySelector("#home").dataset.kind === %q`, []string{"inside", "crashed", "begin", "press", "press", "press", "broken"}[i]))
	}

	f.visit(url + "/courses/redis-lock/race?lang=zh")
	f.until(`document.querySelector("#timeline .token")`)
	f.evaluate(`document.querySelector("#go-on").click()`)
	f.until(`document.querySelector("#guide[data-moment=crashed]") && !document.querySelector(".playing")`)

	f.visit(url + "/new?lang=en")
	f.until(`document.querySelectorAll("#timeline .token").length === 2`)
	f.evaluate(`document.querySelector("#step-C1").click()`)
	f.until(`document.querySelector("#client-C1").dataset.status === "inside"`)

	f.evaluate(`addEventListener("securitypolicyviolation", ({ violatedDirective }) => { window.refused = violatedDirective; })`)
	f.evaluate(`document.querySelector("#own").open = true`)
	f.until(`document.querySelector("#own-form .cm-editor")`)
	f.evaluate(`document.querySelector("#drawer-code[data-closed]") && document.querySelector("#tab-code").click()`)
	f.typesAt("#own-form .cm-line", "c.setn")
	f.until(`document.querySelector(".cm-tooltip-autocomplete [aria-selected]")?.textContent === "setnx(key, value)"`)
	f.until(`document.querySelector("#own-source").value.includes("c.setn")`)
	f.until(`getComputedStyle(document.querySelector(".cm-gutters")).position === "sticky" && window.refused === undefined`)

	f.visit(url + "/explore?lang=en&run=search")
	f.until(`document.querySelector("#verdict") && document.querySelector("#stage .timeline-box:not([hidden]) svg.timeline .node-name")`)
}

// A firefox is a tab of a Firefox, driven by WebDriver BiDi over its own socket.
type firefox struct {
	testing.TB
	socket   *websocket.Conn
	asked    int
	tab      string
	complain []string
}

// bidi is a message of the protocol: an answer, or an event.
type bidi struct {
	ID     int
	Type   string
	Method string
	Error  string
	Result json.RawMessage
	Params struct {
		Level, Text string
	}
	Message string
}

// openFirefox starts Firefox with a tab and some preferences. Without one the test is skipped and says why; in CI it fails.
func openFirefox(t *testing.T, preferences ...string) *firefox {
	t.Helper()
	inItsCircle(t)
	path := testtools.Find(t, "firefox-esr", "firefox")
	t.Parallel()
	profile := t.TempDir()
	must(t, os.WriteFile(filepath.Join(profile, "user.js"), []byte(strings.Join(preferences, "\n")), 0o600))
	ctx, stop := context.WithCancel(context.Background())
	command := exec.CommandContext(ctx, path, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port=0", "about:blank")
	says := try(command.StderrPipe()).orFail(t)
	must(t, command.Start())
	t.Cleanup(func() {
		stop()
		command.Wait()
	})
	address := ""
	listens := regexp.MustCompile(`WebDriver BiDi listening on (ws://\S+)`)
	for lines := bufio.NewScanner(says); address == "" && lines.Scan(); {
		if found := listens.FindStringSubmatch(lines.Text()); found != nil {
			address = found[1]
		}
	}
	go func() { // it must not wait for a reader
		for lines := bufio.NewScanner(says); lines.Scan(); {
		}
	}()
	socket, _, err := websocket.DefaultDialer.Dial(address+"/session", nil)
	if err != nil {
		t.Fatalf("Firefox at %q: %v", address, err)
	}
	t.Cleanup(func() { socket.Close() })
	f := &firefox{TB: t, socket: socket}
	f.call("session.new", `{"capabilities": {}}`, nil)
	f.call("session.subscribe", `{"events": ["log.entryAdded"]}`, nil)
	var tree struct{ Contexts []struct{ Context string } }
	f.call("browsingContext.getTree", `{}`, &tree)
	f.tab = tree.Contexts[0].Context
	t.Cleanup(func() {
		for _, complaint := range f.complain {
			t.Errorf("the console says: %s", complaint)
		}
	})
	return f
}

// call sends a command and waits for its result.
func (f *firefox) call(method, params string, result any) {
	f.Helper()
	f.asked++
	f.socket.SetReadDeadline(time.Now().Add(testtools.Patience))
	must(f, f.socket.WriteMessage(websocket.TextMessage, fmt.Appendf(nil, `{"id": %d, "method": %q, "params": %s}`, f.asked, method, params)))
	for {
		var m bidi
		if err := f.socket.ReadJSON(&m); err != nil {
			f.Fatalf("%s: %v", method, err)
		}
		switch {
		case m.Method == "log.entryAdded" && m.Params.Level == "error":
			f.complain = append(f.complain, m.Params.Text)
		case m.ID == f.asked && m.Type == "error":
			f.Fatalf("%s %s: %s, %s", method, params, m.Error, m.Message)
		case m.ID == f.asked:
			if result != nil {
				must(f, json.Unmarshal(m.Result, result))
			}
			return
		}
	}
}

func (f *firefox) visit(url string) {
	f.Helper()
	f.call("browsingContext.navigate", fmt.Sprintf(`{"context": %q, "url": %q, "wait": "complete"}`, f.tab, url), nil)
}

// typesAt presses a place, as a hand does, and the keys of a text. A focus that a script sets brings no key to a page while the window's
// is in the address bar.
func (f *firefox) typesAt(selector, text string) {
	f.Helper()
	place := f.evaluate(fmt.Sprintf(`(({x, y}) => JSON.stringify({x: Math.ceil(x) + 1, y: Math.ceil(y) + 1}))(document.querySelector(%q).getBoundingClientRect())`, selector))
	var at struct{ X, Y int }
	must(f, json.Unmarshal([]byte(place), &at))
	var presses []string
	for _, letter := range text {
		presses = append(presses, fmt.Sprintf(`{"type": "keyDown", "value": %q}, {"type": "keyUp", "value": %[1]q}`, string(letter)))
	}
	f.call("input.performActions", fmt.Sprintf(`{"context": %q, "actions": [{"type": "pointer", "id": "hand", "actions": [{"type": "pointerMove", "x": %d, "y": %d}, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]}]}`, f.tab, at.X, at.Y), nil)
	f.call("input.performActions", fmt.Sprintf(`{"context": %q, "actions": [{"type": "key", "id": "keyboard", "actions": [%s]}]}`, f.tab, strings.Join(presses, ", ")), nil)
}

// evaluate returns the value of an expression, as text.
func (f *firefox) evaluate(expression string) string {
	f.Helper()
	code := try(json.Marshal("String(" + expression + ")")).orFail(f)
	var found struct{ Result struct{ Value string } }
	f.call("script.evaluate", fmt.Sprintf(`{"expression": %s, "target": {"context": %q}, "awaitPromise": true}`, code, f.tab), &found)
	return found.Result.Value
}

// until waits for a condition of the page.
func (f *firefox) until(condition string) {
	f.Helper()
	if !testtools.Eventually(func() bool { return f.evaluate("Boolean("+condition+")") == "true" }) {
		f.Fatalf("%s never comes to %s; the console says %s", f.evaluate("location.href"), condition, strings.Join(f.complain, "; "))
	}
}
