package room

import (
	"regexp"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"lockstep/engine/lang"
	runview "lockstep/views/run"
)

var (
	navigations = regexp.MustCompile(`<nav [^>]*>`)
	labelled    = regexp.MustCompile(` aria-label="[^"]+"`)
)

// A screen reader lists the navigations of a page by their names. Only that at the top may do without one.
func TestNavigationsHaveNames(t *testing.T) {
	for _, l := range []lang.Language{lang.English, lang.Chinese} {
		r := aRoom(l)
		p := runview.Page{Site: r.Site, Path: r.Run, Tabs: []runview.Tab{{Name: "main", Path: r.Run, Current: true}, {Name: "branch 1", Path: "/t/bbbbbbbbbb"}}}
		for name, part := range map[string]templ.Component{"a run": runview.RunPage(p), "a phone": PhonePage(r, p)} {
			found := navigations.FindAllString(rendered(t, part), -1)
			if len(found) == 0 {
				t.Errorf("%s: there is no navigation", name)
			}
			for _, nav := range found {
				if !labelled.MatchString(nav) && !strings.Contains(nav, `class="top-links"`) {
					t.Errorf("%s in %s: a navigation has no name: %s", name, l, nav)
				}
			}
		}
	}
}

// A wrong code is a mistake of its field, which leads to the sentence that says why. Where nobody has typed a code yet, nothing is wrong.
func TestTheFieldOfAWrongCodeSaysSo(t *testing.T) {
	field := regexp.MustCompile(`<input[^>]* id="code"[^>]*>`)
	site := aRoom(lang.English).Site
	wrong := rendered(t, NoRoomPage(site, "111111", "No room has this code."))
	if got := field.FindString(wrong); !strings.Contains(got, `value="111111"`) || !strings.Contains(got, ` aria-invalid="true" aria-describedby="refusal"`) {
		t.Errorf("a wrong code is asked for again by %s", got)
	}
	if !regexp.MustCompile(`id="refusal" role="alert">No room has this code\.<`).MatchString(wrong) {
		t.Error("nothing says why the code is wrong")
	}
	if got := field.FindString(rendered(t, NoRoomPage(site, "", ""))); got == "" || strings.Contains(got, "aria-invalid") {
		t.Errorf("before any code it is asked for by %s", got)
	}
}
