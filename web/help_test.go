package web

import (
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"lockstep/engine/program"
	"lockstep/web/present"
)

// The example of the SETNX page, SETNX mykey "Hello", works by forms alone.
func TestTheConsoleWorksWithoutScripts(t *testing.T) {
	s := newSite(t, Options{})
	post := func(command string) answer {
		return s.send("POST", aRun+"/actions", url.Values{"action": {"do " + present.ConsoleLane}, "command": {command}})
	}
	for _, command := range []string{`SETNX mykey "Hello"`, `SETNX mykey 'World'`, `GET mykey`, "MGET mykey nokey", "SET k '#1 # 2'", "GET k"} {
		if a := post(command); a.StatusCode != http.StatusSeeOther {
			t.Errorf("%s: %s", command, a.Status)
		}
	}
	body := html.UnescapeString(s.get(aRun).body)
	for _, shown := range []string{
		"<code class=\"whole\">SETNX mykey Hello</code></p><pre class=\"console-reply\" translate=\"no\">(integer) 1</pre>",
		"<code class=\"whole\">SETNX mykey World</code></p><pre class=\"console-reply\" translate=\"no\">(integer) 0</pre>",
		"<code class=\"whole\">GET mykey</code></p><pre class=\"console-reply\" translate=\"no\">\"Hello\"</pre>",
		"1) \"Hello\"\n2) (nil)</pre>",
		"\"#1 # 2\"</pre>",
	} {
		if !strings.Contains(body, shown) {
			t.Errorf("the page does not show %s", shown)
		}
	}

	// A refusal is a sentence, and the typed text is still there.
	for command, why := range map[string]string{
		"FLUSHALL":   `"FLUSHALL" is not one of the commands allowed here`,
		`GET "mykey`: "a quotation mark is missing",
		"":           "the command is empty",
	} {
		a := post(command)
		a.body = html.UnescapeString(a.body)
		a.wants(t, http.StatusUnprocessableEntity, why)
		if !strings.Contains(a.body, `name="command" value="`+command+`"`) {
			t.Errorf("%q is no longer on the line", command)
		}
	}
}

// The help has an address of its own, in both languages.
func TestHelpHasAPageOfItsOwn(t *testing.T) {
	s := newSite(t, Options{})
	s.get("/").wants(t, http.StatusOK, `href="/help"`)
	s.get("/help").wants(t, http.StatusOK, "How to read the picture", "to the next violation", `href="/help?lang=zh"`, `/css/help.css"`)
	s.get("/help?lang=zh").wants(t, http.StatusOK, "怎样看这张图", "跳到下一次违反性质处")
	run := s.get(aRun)
	run.wants(t, http.StatusOK, `href="/help"`)
	run.lacks(t, "to the next violation") // it comes when the reader asks
	text := s.get("/help?text&lang=zh")
	text.wants(t, http.StatusOK, "怎样看这张图", "跳到下一次违反性质处")
	text.lacks(t, "<html")
}

// A page of a run has the texts of its clients' programs and of the next client's. Every other program has a page of its own,
// from which the script brings the same text.
func TestAPageHasTheTextsThatItsRunNeeds(t *testing.T) {
	s := newSite(t, Options{})
	s.act(aRun, "spawn C1 naive")
	for _, l := range []string{"en", "zh"} {
		page := s.get(aRun + "?lang=" + l)
		source := func(name string) string {
			_, rest, _ := strings.Cut(page.body, `<ol id="source-`+name+`" class="source"`)
			text, _, ended := strings.Cut(rest, "</ol>")
			if !ended {
				t.Errorf("%s: the page has no place for %s", l, name)
			}
			return text
		}
		for _, name := range program.Names() {
			if leads := strings.Contains(source(name), `<a href="/programs/`+name+`"`); leads != (name != "naive") {
				t.Errorf("%s: the page leads to the text of %s: %v", l, name, leads)
			}
		}
		page.wants(t, http.StatusOK, `<noscript><a href="/programs/`)
		listing := s.get("/programs/getset?listing&lang=" + l)
		listing.lacks(t, "<html")
		s.get("/programs/getset?lang="+l).wants(t, http.StatusOK, listing.body, `href="/programs/getset/java"`, `href="/programs/redlock"`)
		s.act("/t/getset"+l+"xx", "spawn C1 getset")
		page = s.get("/t/getset" + l + "xx?step=0&lang=" + l)
		if text := source("getset"); !strings.Contains(listing.body, text) {
			t.Errorf("%s: the page of a run shows\n%s\nand the listing is\n%s", l, text, listing.body)
		}
	}
}
