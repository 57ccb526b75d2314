package e2e

import (
	"archive/zip"
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"

	"lockstep/engine/course"
	"lockstep/engine/lang"
	"lockstep/engine/scorm"
	"lockstep/engine/testtools"
	"lockstep/web"
)

// An lmsSite is a learning platform of another site: scorm-again on a page that shows a package.
type lmsSite struct {
	*httptest.Server
	origin string // as the browser reaches it, on another machine than Lockstep
	packed atomic.Pointer[zip.Reader]
}

// lms starts the page when it is asked to, and keeps what the package has reported from one time to the next.
const lms = `<!DOCTYPE html><meta charset="utf-8"><title>A platform</title>
<style>body { margin: 0 } iframe { width: 1000px; height: 800px; border: 0 }</style>
<script src="/runtime.js"></script>
<script>
	const kept = JSON.parse(sessionStorage.kept ?? "{}");
	window.API = new Scorm12API({ autocommit: false });
	if (kept.core) API.loadFromJSON(kept, "cmi");
	const { LMSInitialize } = API;
	API.LMSInitialize = (nothing) => LMSInitialize.call(API, nothing) === "true";
	const told = [];
	for (const call of ["LMSInitialize", "LMSCommit", "LMSFinish"]) API.on(call, () => told.push(call));
	API.on("LMSSetValue", (name, value) => told.push(name + " = " + value));
	const leave = () => { document.querySelector("iframe").remove(); };
	const again = () => { sessionStorage.kept = JSON.stringify(API.cmi); location.reload(); };
</script>
<iframe src="/package/index.html"></iframe>`

func learningPlatform(t testing.TB) *lmsSite {
	t.Helper()
	testtools.NodePackage(t, filepath.Join("..", "..", ".ci"), "scorm-again")
	text := try(os.ReadFile(filepath.Join("..", "..", ".ci", "node_modules", "scorm-again", "dist", "scorm12.min.js"))).orFail(t)
	p := &lmsSite{}
	mux := http.NewServeMux()
	serve := func(path, kind, content string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			fmt.Fprint(w, content)
		})
	}
	serve("/", "text/html; charset=utf-8", lms)
	serve("/runtime.js", "text/javascript", string(text))
	serve("/impostor", "text/html; charset=utf-8", `<!DOCTYPE html><title>An impostor</title><script>
		for (const score of [1, 0.5]) parent.postMessage({ source: "lockstep", version: 1, type: "solved", path: "/courses/right/first", score, actions: 0, par: 0 }, "*");
		top.postMessage("posted", "*");
	</script>`)
	mux.HandleFunc("/package/", func(w http.ResponseWriter, r *http.Request) {
		http.StripPrefix("/package/", http.FileServerFS(p.packed.Load())).ServeHTTP(w, r)
	})
	p.Server = httptest.NewServer(mux)
	t.Cleanup(p.Close)
	p.origin = strings.Replace(p.URL, "127.0.0.1", workshop, 1)
	return p
}

// pack gives the platform a package of the course's first lesson.
func (p *lmsSite) pack(t testing.TB, c *course.Course, server string, l lang.Language) {
	t.Helper()
	packed := try(scorm.Package(scorm.Request{Course: c, Lesson: "first", Server: server, Language: l})).orFail(t)
	r := try(zip.NewReader(bytes.NewReader(packed), int64(len(packed)))).orFail(t)
	p.packed.Store(r)
}

// A lesson is done within a learning platform: scorm-again, the SCORM runtime of others, holds that it is completed, with a score.
// Nobody but the lesson's own page may report. Who comes again finds what the platform has kept. The author has typed the server's name in
// capital letters, and this platform answers with true where the standard has "true".
func TestALearningPlatformHearsOfALesson(t *testing.T) {
	testtools.Find(t, browsers...)
	p := learningPlatform(t)
	c := course.Load(os.DirFS("../../engine/course/testdata/right"), "right")
	b := openStrict(t, web.Options{Courses: []*course.Course{c}, EmbedFrom: []string{p.origin}})
	b.around = append(b.around, p.URL, strings.Replace(b.url, "127.0.0.1", "localhost", 1), strings.Replace(b.url, "http://127.0.0.1", "ws://localhost", 1))
	p.pack(t, c, strings.Replace(b.url, "127.0.0.1", "LOCALHOST", 1), lang.English)
	core := func(name, want string) {
		t.Helper()
		b.until(fmt.Sprintf("String(API.cmi.core.%s) === %q", name, want))
	}
	b.do(chromedp.Navigate(p.origin))
	core("lesson_location", "0/2")
	core("lesson_status", "incomplete")

	// A page of another origin in the lesson's place, and the page around, say that all is solved.
	b.do(chromedp.Navigate(p.origin))
	core("lesson_location", "0/2")
	forged := `({ source: "lockstep", version: 1, type: "solved", path: "/courses/right/first", score: 1, actions: 0, par: 0 })`
	b.until(`document.querySelector("iframe").contentWindow.postMessage(` + forged + `, "*") === undefined`)
	b.until(`(addEventListener("message", ({ data }) => { if (data === "posted") window.posted = true; }),
		document.querySelector("iframe").contentWindow.frames[0].location = "` + p.URL + `/impostor", true)`)
	b.until(`window.posted`)
	b.until(`new Promise((done) => setTimeout(() => done(true), 200))`) // what was posted first has been delivered
	b.has(`JSON.stringify([API.cmi.core.lesson_status, API.cmi.core.score.raw, API.cmi.suspend_data])`, `["incomplete","",""]`)

	b.do(chromedp.Navigate(p.origin))
	core("lesson_location", "0/2")
	b.inner().around = b.around           // its script takes keys
	b.do(chromedp.MouseClickXY(300, 490)) // the lesson's card: keys go there
	b.key(" ")
	core("lesson_location", "1/2")
	b.key("2")
	core("lesson_location", "2/2")
	core("lesson_status", "completed")
	score := value[string](b, `String(API.cmi.core.score.raw)`)
	if score != "100" && score != "0" {
		t.Errorf("one answer gives the score %s", score)
	}
	b.until(`API.cmi.core.score.max === "100" && API.cmi.core.score.min === "0"`)
	b.until(`told.includes("LMSCommit") && !told.includes("LMSFinish")`)
	b.until(`(leave(), told.includes("LMSFinish"))`)
	b.until(`told.some((said) => /^cmi.core.session_time = 0000:\d\d:\d\d$/.test(said)) && told.includes("cmi.core.exit = ")`)

	b.until(`(again(), true)`)
	b.until(`kept.core?.lesson_status === "completed" && document.querySelector("iframe").contentDocument.querySelector("iframe")?.style.height`) // the lesson has spoken
	core("lesson_location", "2/2")
	core("lesson_status", "completed")
	core("score.raw", score)
	b.is(`JSON.stringify(told.filter((said) => said.startsWith("cmi.core")))`, "[]")
}

// A server that does not let the platform frame its lessons: the page says who has to do what, and leads to the lesson. Without a
// platform the page says that nobody hears of the result.
func TestAPackageSaysWhyNothingIsReported(t *testing.T) {
	testtools.Find(t, browsers...)
	p := learningPlatform(t)
	c := course.Load(os.DirFS("../../engine/course/testdata/right"), "right")
	b := openSite(t, web.Options{Courses: []*course.Course{c}, EmbedFrom: []string{"https://moodle.example"}})
	b.around = []string{p.origin}
	b.expects("frame-ancestors")
	for language, says := range map[lang.Language][2]string{
		lang.English: {"No learning platform is around this page: it reports nothing.", "The lesson of " + b.url + " does not open here. Its owner has to let this site show it: lockstep serve --embed-from " + p.origin},
		lang.Chinese: {"这个页面不在学习平台里：不会上报任何结果。", b.url + " 的课文无法在这里打开。它的管理员需要允许本站嵌入：lockstep serve --embed-from " + p.origin},
	} {
		p.pack(t, c, b.url+"/", language)
		b.do(chromedp.Navigate(p.origin + "/package/?" + string(language)))
		b.until(fmt.Sprintf("document.querySelector('#says').textContent === %q", says[0]))
		b.until(fmt.Sprintf("document.querySelector('#says').textContent === %q && document.querySelector('#open a').href === %q", says[1], b.url+"/courses/right/first?lang="+string(language)))
	}
}
