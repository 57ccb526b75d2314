package e2e

import (
	"encoding/json"
	"strings"
	"testing"

	cdpnetwork "github.com/chromedp/cdproto/network"
)

// A first visit downloads few bytes on the wire: the page with all that it loads
// (design: budgets of the screens). A phone loads what lets time run down besides.
func TestFirstVisitDownloadsLittle(t *testing.T) {
	for _, page := range []struct {
		name, path string
		width      int64
		limit      int // bytes
	}{
		{"home", "/", 1280, 60_000},
		{"playground", "/new", 1280, 96_000},
		{"lesson", "/courses/redis-lock/race", 1280, 104_000},
		{"explorer", "/explore?run=search", 1280, 80_000},
		{"home on a phone", "/", 390, 69_000},
		{"playground on a phone", "/new", 390, 104_000},
		{"lesson on a phone", "/courses/redis-lock/race", 390, 113_000},
		{"explorer on a phone", "/explore?run=search", 390, 90_000},
	} {
		t.Run(page.name, func(t *testing.T) {
			b := open(t)
			b.sized(page.width, 844)
			b.goTo(page.path)
			b.until(`document.querySelector("[data-axis] svg.timeline")`) // the scripts have run, with those that the first picture waits for
			b.until(`document.fonts.status === "loaded"`)
			var sent []struct {
				Name string `json:"name"`
				Size int    `json:"encodedBodySize"`
			}
			must(t, json.Unmarshal([]byte(value[string](b, `JSON.stringify([...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")])`)), &sent))
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
		})
	}
}

// A phone shows time that runs down from the first picture, though what that needs comes late.
func TestAPhoneNeverShowsTheDrawingOfADesk(t *testing.T) {
	for _, path := range []string{"/", "/t/aaaaaaaaaa", "/explore?run=search"} {
		t.Run(path, func(t *testing.T) {
			b := open(t)
			b.sized(390, 844)
			b.begins(`window.shown = [];
				requestAnimationFrame(function frame() {
					setTimeout(() => document.querySelector("svg.timeline .life") && shown.push(document.querySelector("[data-axis]").dataset.axis)); // once it is painted
					requestAnimationFrame(frame);
				})`)
			b.connects(cdpnetwork.Conditions{Latency: 200, DownloadThroughput: -1, UploadThroughput: -1})
			b.goTo(path)
			b.until(`shown.length > 10`)
			b.has(`[...new Set(shown)].join()`, "y")
		})
	}
}
