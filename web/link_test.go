package web

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"html"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/engine/testtools"
	"lockstep/web/door"
	"lockstep/web/live"
	"lockstep/web/picture"
	"lockstep/web/present"
	"lockstep/web/runpages"
	"lockstep/web/store"
)

// A posted scenario comes back as the same text, whatever its line ends.
func TestAScenarioBecomesARun(t *testing.T) {
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

// A run that somebody sends is ready to be played: its first clients stand on their lanes, and all of it lies ahead.
func TestAScenarioOpensAtItsBeginning(t *testing.T) {
	s := newSite(t, Options{})
	const text = "spawn C1 C2 naive\nstep C1\nspawn C3 naive\nstep C2\n"
	for step, at := range map[string]string{"": "?step=2", "0": "?step=0", "4": "?step=4", "5": "", "end": "", "x": "?step=2"} {
		to := s.send("POST", "/runs", url.Values{"scenario": {text}, "step": {step}}).Header.Get("Location")
		if !strings.HasSuffix(to, runOf(t, to)+at) {
			t.Errorf("step %q leads to %s, want %q", step, to, at)
		}
	}
	if to := s.send("POST", "/runs", url.Values{"scenario": {"spawn C1 naive\n"}}).Header.Get("Location"); to != runOf(t, to) {
		t.Errorf("a run without a step leads to %s", to)
	}
}

// A program of one's own travels with the text.
func TestAScenarioBringsItsProgram(t *testing.T) {
	s := newSite(t, Options{})
	text := "define mine\n| def acquire(c):\n|     return c.setnx(\"k\", c.name) == 1\n|\n| def release(c, lease):\n|     c.delete(\"k\")\nspawn C1 mine\n"
	a := s.send("POST", "/runs", url.Values{"scenario": {text}})
	a.wants(t, http.StatusSeeOther)
	if back := s.get(runOf(t, a.Header.Get("Location")) + ".txt").body; back != text {
		t.Errorf("the run's text is\n%s\nwant\n%s", back, text)
	}
}

// A text that is no scenario is given back, with the place of the mistake.
func TestABadScenarioIsGivenBack(t *testing.T) {
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
	s.send("POST", "/runs", url.Values{"scenario": {strings.Repeat("x", runpages.MaxScenarioForm)}}).wants(t, http.StatusRequestEntityTooLarge)
	s.send("POST", "/runs", url.Values{"scenario": {"spawn C1"}}, "Sec-Fetch-Site", "cross-site").wants(t, http.StatusForbidden)
	if n := s.places(); n != 0 {
		t.Errorf("%d runs are kept, want none", n)
	}
}

// The link's page works in both languages, hands a position on, and needs no script to take a text.
func TestTheLinkPageNeedsNoScript(t *testing.T) {
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

// A Chinese page tells a mistake in Chinese, from the frame to the reason.
func TestMistakesAreToldInChinese(t *testing.T) {
	s := newSite(t, Options{})
	s.send("POST", "/runs?lang=zh", url.Values{"scenario": {"step C1\nfrobnicate"}}).wants(t, 422, "第 2 行第 1 列：没有 &#34;frobnicate&#34; 这个动作")
	s.send("POST", "/runs?lang=zh", url.Values{"scenario": {"define mine\n| while True:\n|     pass"}}).wants(t, 422, "第 2 行第 3 列：程序 mine：")
	s.send("POST", aRun+"/reruns?lang=zh", url.Values{"from": {"naive"}, "source": {"def acquire(c):\n    return c.stnx(1, 2)\n"}}).wants(t, 422, "第 2 行第 14 列：没有 .stnx；是不是想写 setnx？")
	s.send("POST", aRun+"/actions?lang=zh", url.Values{"action": {"spawn C1 naive timeout=soon"}}).wants(t, 422, "timeout=soon 不是以整毫秒计的时长")
}

// A restarted browser asks for the address of the form that it showed last.
func TestTheAddressOfAFormLeadsToItsPage(t *testing.T) {
	s := newSite(t, Options{BasePath: "/tools"})
	for path, page := range map[string]string{"/runs": "/", aRun + "/actions": aRun, aRun + "/reruns": aRun, aRun + "/forks": aRun} {
		a := s.get("/tools" + path)
		if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/tools"+page {
			t.Errorf("%s answers %s and leads to %q, want %q", path, a.Status, a.Header.Get("Location"), page)
		}
	}
	if s.kept(aRun) {
		t.Error("to ask for a form takes a place")
	}
}

// A look at a link says in both languages what the link would open, and opens nothing. It makes and keeps nothing, and does not
// count as a new run.
func TestLookingAtALinkOpensNothing(t *testing.T) {
	kept := &ledger{Store: store.Memory(store.Options{})}
	s := newSite(t, Options{Store: kept, Limits: door.Limits{Makings: 1}})
	before := len(kept.entries("")) // the secret that cookies are signed with
	own := func(name string) string {
		return "define " + name + "\n| def acquire(c):\n|     return c.setnx(\"k\", c.name) == 1\n|\n| def release(c, lease):\n|     c.delete(\"k\")\n"
	}
	var eight strings.Builder
	for i := range engine.MaxOwn {
		eight.WriteString(own("own-" + strconv.Itoa(i)))
	}
	thousands := strings.Builder{} // the picture shows three actions, and nobody does the others
	thousands.WriteString("spawn C1 C2 C3 naive\n")
	for i := range engine.MaxLines - 3 {
		thousands.WriteString("spawn C1 p" + strconv.Itoa(i) + "\n")
	}
	for _, c := range []struct{ name, text, en, zh string }{
		{"a race", "program del-setnx timeout=10s\nspawn C1 C2\nstep C1 3\nspawn C3 getset # <b>\n",
			"Programs del-setnx getset Brings along no program of its own Actions 4 Size 74 bytes", "程序 del-setnx getset 自带的程序 无 动作数 4 大小 74 字节"},
		{"a program of its own", own("mine") + "spawn C1 mine\n", "Programs mine Brings along mine Actions 1 Size 130 bytes", "程序 mine 自带的程序 mine 动作数 1 大小 130 字节"},
		{"eight of them that nobody runs", eight.String(),
			"Programs none Brings along own-0 own-1 own-2 own-3 own-4 own-5 own-6 own-7 Actions 0 Size 936 bytes", "程序 无 自带的程序 own-0 own-1 own-2 own-3 own-4 own-5 own-6 own-7 动作数 0 大小 936 字节"},
		{"thousands of programs", thousands.String(),
			"Programs naive p0 p1 p2 p3 p4 p5 p6 p7 p8 p9 p10 and 4986 more Brings along no program of its own Actions 5000 Size 72.1 KB", "程序 naive p0 p1 p2 p3 p4 p5 p6 p7 p8 p9 p10 还有 4986 个 自带的程序 无 动作数 5000 大小 72.1 KB"},
		{"nothing", "", "Programs none Brings along no program of its own Actions 0 Size 0 bytes", "程序 无 自带的程序 无 动作数 0 大小 0 字节"},
		{"a text as long as may be", "# " + strings.Repeat("<", engine.MaxText-2), "Programs none Brings along no program of its own Actions 0 Size 256.0 KB", "程序 无 自带的程序 无 动作数 0 大小 256.0 KB"},
	} {
		for lang, want := range map[string]string{"en": c.en, "zh": c.zh} {
			a := s.send("POST", "/p?lang="+lang, url.Values{"scenario": {c.text}, "step": {"3"}})
			if said := summaryIn(t, a.body); a.StatusCode != http.StatusOK || said != want {
				t.Errorf("%s: %s says %q, want %q", c.name, a.Status, said, want)
			}
			for _, text := range []string{`action="/runs?lang=` + lang + `"`, `name="step" value="3"`, `id="link-open" type="submit"`, `href="/p?step=3&amp;lang=`} {
				if !strings.Contains(a.body, text) {
					t.Errorf("%s: the page lacks %q", c.name, text)
				}
			}
			if back := textIn(t, a.body); back != c.text || strings.Contains(a.body, "<b>") {
				t.Errorf("%s: the page gives on %.100q", c.name, back)
			}
		}
	}
	if n, entries := s.places(), kept.entries("")[before:]; n != 0 || len(entries) != 0 {
		t.Errorf("%d runs and %d entries are kept, want none", n, len(entries))
	}
	s.send("POST", "/runs", url.Values{"scenario": {"spawn C1 naive"}}).wants(t, http.StatusSeeOther) // the one that may be made
}

// summaryIn returns the words in which a page says what a link would open.
func summaryIn(t *testing.T, page string) string {
	t.Helper()
	list := regexp.MustCompile(`(?s)<dl[^>]*id="link-summary">(.*)</dl>`).FindStringSubmatch(page)
	if list == nil {
		t.Fatalf("the page has no summary: %.1000s", page)
	}
	return strings.Join(strings.Fields(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(list[1], " ")), " ")
}

// textIn returns the scenario that a link's page posts on.
func textIn(t *testing.T, page string) string {
	t.Helper()
	text := regexp.MustCompile(`(?s)<textarea id="link-text"[^>]*>\s*?\n(.*)</textarea>`).FindStringSubmatch(page)
	if text == nil {
		t.Fatal("the page has no scenario")
	}
	return html.UnescapeString(text[1])
}

// A look at a link that is no run names the place of the mistake, as for a pasted text.
func TestABadLinkNamesTheMistake(t *testing.T) {
	s := newSite(t, Options{})
	for _, c := range []struct{ text, lang, want string }{
		{"spawn C1\n  frobnicate <C1>\n", "en", "Line 2, column 3: unknown action"},
		{"spawn C1\n  frobnicate <C1>\n", "zh", "第 2 行第 3 列：没有 &#34;frobnicate&#34; 这个动作"},
		{"define mine\n| while True:\n|     pass", "zh", "第 2 行第 3 列：程序 mine："},
		{strings.Repeat("#", engine.MaxText+1), "en", "Line 1, column 1: the scenario has 262145 bytes, more than 262144"},
		{strings.Repeat("#", engine.MaxText+1), "zh", "第 1 行第 1 列：场景文本有 262145 字节，超过 262144"},
		{"step" + strings.Repeat(" C1", engine.MaxWords), "en", "Line 1, column 3003: the line has more than 1000 words"},
		{"\xff\x00\x1b", "en", "not UTF-8"},
		{"spawn C1 naive\nspawn C1\n", "en", "Line 2, column 7: there is a client C1 already"},
		{"spawn C1 no-such-program\n", "en", "Line 1, column "},
	} {
		a := s.send("POST", "/p?lang="+c.lang, url.Values{"scenario": {c.text}})
		a.wants(t, http.StatusUnprocessableEntity, c.want, `action="/runs?lang=`+c.lang)
		a.lacks(t, `id="link-open"`, "<C1>")
	}
	s.send("POST", "/p", url.Values{"scenario": {strings.Repeat("x", runpages.MaxScenarioForm)}}).wants(t, http.StatusRequestEntityTooLarge)
	for _, headers := range [][]string{{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}, {"Origin", "https://evil.example"}} {
		s.send("POST", "/p", url.Values{"scenario": {"spawn C1 naive"}}, headers...).wants(t, http.StatusForbidden)
	}
	if n := s.places(); n != 0 {
		t.Errorf("%d runs are kept, want none", n)
	}
}

// A look at a link costs one reading of its text and the page about it: 20 ms of a processor for the worst text that
// fits, on the author's machine.
func TestLookingAtALinkIsCheap(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	site := s.Handler()
	var own strings.Builder // as much as eight programs hold
	for i := range engine.MaxOwn {
		body := "    if c.now()>1 and c.now()<2: pass\n"
		source := "def acquire(c):\n" + strings.Repeat(body, (8<<10-100)/len(body)) + "def release(c, lease):\n    c.delete(\"k\")\n"
		own.WriteString("define p" + strconv.Itoa(i) + "\n| " + strings.ReplaceAll(strings.TrimSpace(source), "\n", "\n| ") + "\n")
	}
	for name, text := range map[string]string{
		"eight programs and as many lines as may be": own.String() + strings.Repeat("step C1 2\n", engine.MaxLines-engine.MaxOwn),
		"a picture":      "spawn C1 naive\n" + strings.Repeat("do A1 SET note \""+strings.Repeat("<", 26)+"\"\n", 249),
		"commands":       strings.Repeat("do C1 SET note \""+strings.Repeat("<", 26)+"\"\n", engine.MaxLines),
		"one line":       strings.Repeat("A ", engine.MaxText/2),
		"nothing but \"": "# " + strings.Repeat("\"", engine.MaxText-2),
	} {
		form := url.Values{"scenario": {text}}.Encode()
		best := time.Minute
		for range 3 {
			w, r := httptest.NewRecorder(), httptest.NewRequest("POST", "/p", strings.NewReader(form))
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			r.Header.Set("Accept-Encoding", "gzip")
			began := time.Now()
			site.ServeHTTP(w, r)
			best = min(best, time.Since(began))
			if drawn := w.Code == http.StatusOK; drawn != (name == "a picture" || name == "nothing but \"") {
				t.Fatalf("%s: %d", name, w.Code)
			}
			if most := 5*engine.MaxText + 3*picture.MostBytes + 20<<10; w.Body.Len() > most {
				t.Errorf("%s: the answer has %d bytes, more than %d", name, w.Body.Len(), most)
			}
		}
		t.Logf("%s: %d bytes, %v", name, len(text), best)
		if best > testtools.Patience/6 { // it takes milliseconds
			t.Errorf("%s: a look takes %v", name, best)
		}
	}
}

// coded returns the code of a short link to a text, as static/js/share/fragment.js writes it.
func coded(t *testing.T, text string) string {
	t.Helper()
	var deflated bytes.Buffer
	zip, err := flate.NewWriter(&deflated, flate.BestCompression)
	if err == nil {
		_, err = zip.Write([]byte(text))
	}
	if err == nil {
		err = zip.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return base64.RawURLEncoding.EncodeToString(deflated.Bytes())
}

// A short link shows its run to a reader without scripts: as an image, in the theme of the reader, with its title and one button.
func TestAShortLinkShowsItsRun(t *testing.T) {
	s := newSite(t, Options{Limits: door.Limits{Makings: 1}})
	link := "/p?s=" + coded(t, present.HomeScenario)
	for lang, says := range map[string][]string{
		"en": {"Two clients hold the lock after 14 actions", "C1 and C2 are both in the critical section", "Open it"},
		"zh": {"14 个动作后，两个客户端同时持有锁", "打开"},
	} {
		a := s.get(link + "&lang=" + lang)
		a.wants(t, http.StatusOK, append(says, `<source media="(prefers-color-scheme: dark)"`, `/p/card.png?s=`, `action="/runs?lang=`+lang+`"`, `name="step" value="end"`)...)
		if back := textIn(t, a.body); back != present.HomeScenario {
			t.Errorf("the page opens %q", back)
		}
		image := regexp.MustCompile(`<img src="([^"]*)"`).FindStringSubmatch(a.body)
		if image == nil {
			t.Fatal("the page has no image")
		}
		s.get(html.UnescapeString(image[1])).wants(t, http.StatusOK)
	}
	s.get(link+"&step=3").wants(t, http.StatusOK, `name="step" value="3"`, "del-setnx", "1 client, 3 actions")
	s.get(link+"&step=3&theme=dark").lacks(t, "<source")
	for text, says := range map[string]string{
		"":                             "The run has no action yet",
		strings.Repeat("tick 1h\n", 9): "",
	} {
		s.get("/p?s="+coded(t, text)).wants(t, http.StatusOK, says, `id="link-open"`)
	}
	if n := s.places(); n != 0 {
		t.Errorf("%d runs are kept, want none", n)
	}
}

// A stranger's code costs no more than its bounds, whatever it inflates to, and its picture is refused or is one of those that the
// server keeps.
func TestStrangersSendCodesOfLinks(t *testing.T) {
	s := newSite(t, Options{})
	whole := coded(t, present.HomeScenario)
	spawns := "spawn C1 C2 C3 C4 C5 C6 C7 C8 ponder\n"
	for name, c := range map[string]struct {
		code         string
		page, card   int
		says, cannot string
	}{
		"letters that are none of a code's": {"%3Cscript%3E", 422, 422, "The link is damaged", `id="link-open"`},
		"padding":                           {whole + "=", 422, 422, "The link is damaged", `id="link-open"`},
		"a code cut off":                    {whole[:len(whole)-6], 422, 422, "The link is damaged", `id="link-open"`},
		"what deflate does not read":        {"AAAA", 422, 422, "The link is damaged", `id="link-open"`},
		"bytes that are no text":            {coded(t, "\xff\xfe"), 422, 422, "The link is damaged", `id="link-open"`},
		"a longer code than any link has":   {coded(t, present.HomeScenario+noise(runpages.MostCode)), 422, 422, "The link is damaged", `id="link-open"`},
		"a bomb":                            {coded(t, strings.Repeat("#", engine.MaxText+1)), 422, 422, "The link is damaged", `id="link-open"`},
		"more lines than a run may have":    {coded(t, strings.Repeat("tick 1s\n", 6000)), 422, 422, "more than 5000 lines", `id="link-open"`},
		"markup":                            {coded(t, "note \"<script>alert(1)</script>\"\n"), 200, 200, "&lt;script&gt;", "<script>alert"},
		"a program that computes for long":  {coded(t, testtools.Ponder+spawns+"tick 1h\n"), 200, 422, "too long to be drawn", "<img"},
		"more events than a picture has":    {coded(t, "spawn C1 naive\n"+strings.Repeat("do A1 GET lock.foo\n", 1000)), 200, 200, "too long to be drawn", "<img"},
	} {
		if len(c.code) > runpages.MostCode && c.page == 200 {
			t.Fatalf("%s: the code has %d characters", name, len(c.code))
		}
		page := s.get("/p?s=" + c.code)
		page.wants(t, c.page, c.says)
		page.lacks(t, c.cannot)
		if got := s.get("/p/card.png?s=" + c.code); got.StatusCode != c.card {
			t.Errorf("%s: the picture is answered with %s", name, got.Status)
		}
		if most := 5*engine.MaxText + picture.MostBytes*3 + 20<<10; len(page.body) > most {
			t.Errorf("%s: the page has %d bytes", name, len(page.body))
		}
	}
	if n := s.places(); n != 0 {
		t.Errorf("%d runs are kept, want none", n)
	}
}

// noise returns a comment that deflate makes hardly shorter than n characters.
func noise(n int) string {
	source := rand.NewChaCha8([32]byte{})
	bytes := make([]byte, n)
	source.Read(bytes)
	return "# " + base64.StdEncoding.EncodeToString(bytes) + "\n"
}

// A sketch takes a bounded amount of work, and of one action too.
func TestASketchIsBounded(t *testing.T) {
	for _, text := range []string{
		testtools.Ponder + "spawn C1 C2 C3 C4 C5 C6 C7 C8 ponder\ntick 1h\n",
		testtools.Flip + "spawn C1 flip\ntick 24h\n",
		"spawn C1 naive\n" + strings.Repeat("do A1 GET lock.foo\n", 4000),
	} {
		spent, parsed := int64(0), int64(0)
		pace := func(work int64) error { spent += work; return nil }
		scenario, err := live.Parse(pace, text)
		if err != nil {
			t.Fatal(err)
		}
		parsed = spent
		run, err := live.Sketch(pace, scenario, engine.MaxLines)
		t.Logf("%d units, %v", spent-parsed, err)
		if run != nil {
			run.World().Close()
		}
		if spent-parsed > live.SketchWork*5/4 {
			t.Errorf("a sketch of %.40q takes %d units", text, spent-parsed)
		}
	}
}
