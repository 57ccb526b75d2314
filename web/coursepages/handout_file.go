package coursepages

import (
	"bytes"
	"fmt"
	"net/http"
	"sync"

	"lockstep/static"
	"lockstep/views"
	courseview "lockstep/views/course"
	"lockstep/web/door"
	"lockstep/web/limit"
	"lockstep/web/live"
	"lockstep/web/present"
)

// HandoutFile answers with lessons on paper in one file. The lessons are those of the courses, so their number bounds its size; writing it is
// work of the visitor's.
func HandoutFile(rs *door.Responder, w http.ResponseWriter, r *http.Request, name string, lessons []present.Taught, answers bool, title string) {
	ctx := r.Context()
	if err := limit.Spend(ctx, handoutWork*int64(len(lessons))); err != nil {
		rs.Busy(w, r, err)
		return
	}
	site := views.Site{Lang: door.Language(r)}
	page, err := handoutPage(present.HandoutFile(lessons, answers, title, site))
	if err != nil {
		panic(fmt.Errorf("writing a handout: %w", err)) // its parts are in the program
	}
	if err := limit.Spend(ctx, live.Drawing(int64(len(page)))); err != nil {
		rs.Busy(w, r, err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Disposition", `attachment; filename="lockstep-`+name+`.html"`)
	h.Set("Cache-Control", "no-cache")
	rs.Answer(w, r, http.StatusOK, func(b *bytes.Buffer) { b.WriteString(page) })
}

// handoutWork is the work of playing a lesson for its handout, in units of the engine's work.
const handoutWork = 100_000

// Every handout contains these two, as every player has its own.
var (
	handoutStyle  = sync.OnceValues(func() ([]byte, error) { return static.Bundle("css/handout-file.css") })
	handoutScript = sync.OnceValues(func() ([]byte, error) { return static.Bundle("js/course/handout-file.js") })
)

// handoutPage returns the file. Its links lead to other sites: this one may be gone when somebody reads it.
func handoutPage(f courseview.HandoutFile) (string, error) {
	style, err := handoutStyle()
	if err != nil {
		return "", err
	}
	script, err := handoutScript()
	if err != nil {
		return "", err
	}
	f.Style, f.Script = string(style), string(script)
	f.Policy = fmt.Sprintf("default-src 'none'; style-src %s; script-src %s; img-src data:", door.HashSource(style), door.HashSource(script))
	return present.WithoutOwnLinks(present.Markup(courseview.HandoutFilePage(f))), nil
}
