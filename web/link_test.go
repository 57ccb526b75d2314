package web

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// What is posted comes back as the same text, whichever way lines end.
func TestScenarioBecomesARun(t *testing.T) {
	s := newSite(t, Options{})
	text := "program del-setnx timeout=10s\nspawn C1 C2\nstep C1\ndo C9 SET note \"锁\"\n"
	for _, sent := range []string{text, strings.ReplaceAll(text, "\n", "\r\n")} {
		a := s.send("POST", "/runs", url.Values{"scenario": {sent}, "step": {"3"}})
		a.wants(t, http.StatusSeeOther)
		target := a.Header.Get("Location")
		if !regexp.MustCompile(`^/t/[a-z0-9]{10}\?step=3$`).MatchString(target) {
			t.Fatalf("the run is at %q", target)
		}
		path, _, _ := strings.Cut(target, "?")
		if back := s.get(path + ".txt").body; back != strings.Replace(text, "spawn C1 C2", "spawn C1\nspawn C2", 1) {
			t.Errorf("the run's text is\n%s", back)
		}
		s.get(path).wants(t, 200, "C2")
	}
}

// A program of one's own travels with the text.
func TestScenarioBringsItsProgram(t *testing.T) {
	s := newSite(t, Options{})
	text := "define mine\n| def acquire(c):\n|     return c.setnx(\"k\", c.name) == 1\n|\n| def release(c, lease):\n|     c.delete(\"k\")\nspawn C1 mine\n"
	a := s.send("POST", "/runs", url.Values{"scenario": {text}})
	a.wants(t, http.StatusSeeOther)
	if back := s.get(a.Header.Get("Location") + ".txt").body; back != text {
		t.Errorf("the run's text is\n%s\nwant\n%s", back, text)
	}
}

// A text that is no run is given back, with the place that is wrong.
func TestScenarioThatIsNone(t *testing.T) {
	s := newSite(t, Options{})
	for _, c := range []struct{ text, lang, want string }{
		{"spawn C1\n  frobnicate <C1>\n", "en", "Line 2, column 3: "},
		{"spawn C1\n  frobnicate <C1>\n", "zh", "第 2 行第 3 列：没有 &#34;frobnicate&#34; 这个动作"},
		{"spawn C1 naive\nrestart C1\n", "en", "Line 2, column 9: "},
		{"program /etc/passwd.star\n", "en", "Line 1, column 9: "},
		{strings.Repeat("#", 257<<10), "en", "Line 1, column 1: the scenario has 263168 bytes"},
		{"spawn C1\x00", "en", "Line 1, column"},
		{"\xff", "en", "not UTF-8"},
	} {
		a := s.send("POST", "/runs?lang="+c.lang, url.Values{"scenario": {c.text}, "step": {"<2>"}})
		a.wants(t, http.StatusUnprocessableEntity, c.want)
		if strings.Contains(a.body, "<C1>") || strings.Contains(a.body, "<2>") {
			t.Error("the text is shown as markup")
		}
		if strings.Contains(c.text, "frobnicate") && !strings.Contains(a.body, "frobnicate &lt;C1&gt;") {
			t.Error("the text is not given back")
		}
	}
	s.send("POST", "/runs", url.Values{"scenario": {strings.Repeat("x", maxScenarioForm)}}).wants(t, http.StatusRequestEntityTooLarge)
	s.send("POST", "/runs", url.Values{"scenario": {"spawn C1"}}, "Sec-Fetch-Site", "cross-site").wants(t, http.StatusForbidden)
	if n := s.places(); n != 0 {
		t.Errorf("%d runs are kept, want none", n)
	}
}

// The link's page works in both languages, hands a position on, and needs no script to take a text.
func TestLinkPage(t *testing.T) {
	s := newSite(t, Options{})
	s.get("/p?step=9").wants(t, 200, `name="step" value="9"`, `action="/runs?lang=en"`, "Open a run")
	s.get("/p?step=%22%3E&lang=zh").wants(t, 200, `name="step" value=""`, `action="/runs?lang=zh"`, "打开一次运行")
	s.get("/p?step=9").wants(t, 200, `href="/p?step=9&amp;lang=zh"`, `id="settings"`, `id="help-open"`)
	s.send("POST", "/runs", url.Values{"scenario": {"frobnicate"}}).wants(t, 422, `href="/p?lang=zh"`)
	if a := s.get("/runs?lang=zh"); a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/" {
		t.Errorf("GET /runs leads to %s %q", a.Status, a.Header.Get("Location"))
	}
	s.get("/").wants(t, 200, `id="settings"`, `id="help-open"`)
}

// What is wrong is said in Chinese on the Chinese page, from the frame to the reason.
func TestMistakesInChinese(t *testing.T) {
	s := newSite(t, Options{})
	s.send("POST", "/runs?lang=zh", url.Values{"scenario": {"step C1\nfrobnicate"}}).wants(t, 422, "第 2 行第 1 列：没有 &#34;frobnicate&#34; 这个动作")
	s.send("POST", "/runs?lang=zh", url.Values{"scenario": {"define mine\n| while True:\n|     pass"}}).wants(t, 422, "第 2 行第 3 列：程序 mine：")
	s.send("POST", aRun+"/reruns?lang=zh", url.Values{"from": {"naive"}, "source": {"def acquire(c):\n    return c.stnx(1, 2)\n"}}).wants(t, 422, "第 2 行第 14 列：没有 .stnx；是不是想写 setnx？")
	s.send("POST", aRun+"/actions?lang=zh", url.Values{"action": {"spawn C1 naive timeout=soon"}}).wants(t, 422, "timeout=soon 不是以整毫秒计的时长")
}

// A browser that is started again asks for the address of the form that it showed last.
func TestAddressOfAForm(t *testing.T) {
	s := newSite(t, Options{BasePath: "/tools"})
	for path, page := range map[string]string{"/runs": "/", aRun + "/actions": aRun, aRun + "/reruns": aRun, aRun + "/forks": aRun} {
		a := s.get("/tools" + path)
		if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/tools"+page {
			t.Errorf("%s answers %s and leads to %q, want %q", path, a.Status, a.Header.Get("Location"), page)
		}
	}
	if s.server.runs.runs[strings.TrimPrefix(aRun, "/t/")] != nil {
		t.Error("to ask for a form takes a place")
	}
}
