package web

import (
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"

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
		"<code>SETNX mykey Hello</code></p><pre class=\"console-reply\" translate=\"no\">(integer) 1</pre>",
		"<code>SETNX mykey World</code></p><pre class=\"console-reply\" translate=\"no\">(integer) 0</pre>",
		"<code>GET mykey</code></p><pre class=\"console-reply\" translate=\"no\">\"Hello\"</pre>",
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
}
