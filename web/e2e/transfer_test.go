package e2e

import (
	"encoding/json"
	"strings"
	"testing"
)

// A first visit downloads few bytes on the wire: the page with all that it loads
// (design: budgets of the screens), on a phone no more than on a desk.
func TestFirstVisitDownloadsLittle(t *testing.T) {
	for _, page := range []struct {
		name, path string
		limit      int // bytes
	}{
		{"home", "/", 65_000},
		{"playground", "/new", 112_000},
		{"lesson", "/courses/redis-lock/race", 121_000},
		{"explorer", "/explore?run=search", 90_000},
	} {
		t.Run(page.name, func(t *testing.T) {
			b := open(t)
			b.goTo(page.path)
			b.until(`document.querySelector("svg.timeline")`) // the scripts have run
			b.until(`document.fonts.status === "loaded"`)
			var sent []struct {
				Name string `json:"name"`
				Size int    `json:"encodedBodySize"`
			}
			if err := json.Unmarshal([]byte(value[string](b, `JSON.stringify([...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")])`)), &sent); err != nil {
				t.Fatal(err)
			}
			sum, kinds := 0, ""
			for _, one := range sent {
				if one.Size == 0 {
					t.Errorf("%s: its size is not known", one.Name)
				}
				t.Logf("%6d %s", one.Size, one.Name)
				sum += one.Size
				kinds += one.Name + " "
			}
			t.Logf("%s: %d bytes of %d", page.name, sum, page.limit)
			if sum > page.limit {
				t.Errorf("%d bytes are sent, at most %d are wanted", sum, page.limit)
			}
			for _, wanted := range []string{".css", ".js"} {
				if !strings.Contains(kinds, wanted) {
					t.Errorf("no %s is among what is sent: %s", wanted, kinds)
				}
			}
			b.quiet()
		})
	}
}
