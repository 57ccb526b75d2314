package e2e

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/input"
	cdpnetwork "github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"lockstep/engine/testtools"
	"lockstep/web"
)

// fromAnotherMachine opens the site as in a workshop: over plain http, under a
// host name that the browser does not trust. Browsers then omit the headers that
// reveal a form of another site, and half of the interfaces for scripts.
func fromAnotherMachine(t *testing.T, o web.Options) *browser {
	t.Helper()
	b := openSite(t, o)
	b.url = strings.Replace(b.url, "127.0.0.1", workshop, 1)
	return b
}

// clipboard is held by a test that copies: all windows have the same.
var clipboard sync.Mutex

// Nothing is missing over plain http: the link reaches the clipboard, the picture
// reaches a file, and one reader sees the actions of another.
func TestNothingMissingOverPlainHTTP(t *testing.T) {
	b := fromAnotherMachine(t, web.Options{})
	b.visit(aRun)
	for _, missing := range []string{"isSecureContext", "navigator.clipboard", "navigator.serviceWorker", "crypto.randomUUID", "crypto.subtle"} {
		b.is(`Boolean(`+missing+`)`, "false")
	}
	b.click("spawn-two")
	b.post(aRun+"/actions", url.Values{"action": {"step C2"}})
	b.sees("C2 is in the critical section")

	b.presses("Share")
	b.notes("#share-note")
	clipboard.Lock()
	b.presses("Copy")
	b.noted("Copied.")
	link := value[string](b, `document.querySelector("#share-link").value`)
	b.opens("console")
	b.do(chromedp.Focus(chromedp.CSS(line)), paste)
	b.is(`document.querySelector("`+line+`").value`, link)
	clipboard.Unlock()
	if !strings.HasPrefix(link, b.url+"/p?s=") {
		t.Errorf("the link is %s", link)
	}

	dir := t.TempDir()
	b.do(func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
		return chromedp.CallBrowser(ctx, cdpbrowser.SetDownloadBehavior, cdpbrowser.SetDownloadBehaviorParams{
			Behavior: cdpbrowser.SetDownloadBehaviorBehaviorAllow, DownloadPath: dir, BrowserContextID: chromedp.FromContext(ctx).BrowserContextID,
		})
	})
	for name, begins := range map[string]string{"SVG": "<svg ", "PNG": "\x89PNG", "Scenario, .txt": "spawn C1", "Events, .ndjson": `{"format"`, "Player, .html": "<!doctype html>"} {
		if !value[bool](b, `document.querySelector("#share").open`) {
			b.presses("Share")
		}
		if strings.Contains(name, ".") && !value[bool](b, `document.querySelector(".share-more").open`) {
			b.presses("Files for other tools")
		}
		b.presses(name)
		if content := b.downloaded(dir); !strings.HasPrefix(content, begins) {
			t.Errorf("%s is saved as %.60q…", name, content)
		}
	}
}

// paste pastes as its keys do.
func paste(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
	return chromedp.Call(ctx, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: "v", Commands: []string{"paste"}})
}

// downloaded waits for a file, removes it and returns its content.
func (b *browser) downloaded(dir string) (saved string) {
	b.Helper()
	come := testtools.Eventually(func() bool {
		files := try(filepath.Glob(filepath.Join(dir, "lockstep-*"))).orFail(b)
		for _, file := range files {
			content, err := os.ReadFile(file)
			if strings.HasSuffix(file, ".crdownload") || err != nil || len(content) == 0 {
				continue
			}
			must(b, os.Remove(file))
			saved = string(content)
			return true
		}
		return false
	})
	if !come {
		b.Fatal("nothing has been saved")
	}
	return saved
}

const basePath = "/tools/lockstep"

// The journeys work below a base path, from another machine over plain http. A
// request to any other place fails them.
func TestJourneysBelowABasePath(t *testing.T) {
	testtools.Exhaustive(t, "it takes every journey again")
	for _, journey := range journeys {
		t.Run(journey.name, func(t *testing.T) {
			b := fromAnotherMachine(t, web.Options{BasePath: basePath})
			journey.take(b)
		})
	}
}

// The browser sends the site's cookies to no neighbour of the base path.
func TestCookiesStayBelowTheBasePath(t *testing.T) {
	b := openSite(t, web.Options{BasePath: basePath})
	b.visit("/t/aaaaaaaaaa?lang=zh")
	b.presses("设置")
	b.do(chromedp.SetValue(chromedp.CSS("#setting-theme"), "dark"))
	b.until(`document.documentElement.dataset.theme === "dark"`)
	b.saves(1)
	b.visit("/t/aaaaaaaaaa")
	b.until(`document.documentElement.lang === "zh-Hans" && document.documentElement.dataset.theme === "dark"`)
	cookies := call(b, cdpnetwork.GetCookies, cdpnetwork.GetCookiesParams{})
	if len(cookies.Cookies) != 3 {
		t.Errorf("the site keeps %d cookies, want its language, its settings and its visitor", len(cookies.Cookies))
	}
	for _, cookie := range cookies.Cookies {
		if !strings.HasPrefix(cookie.Path, basePath+"/") {
			t.Errorf("the cookie %s is sent to %s", cookie.Name, cookie.Path)
		}
	}
}
