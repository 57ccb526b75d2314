package e2e

import (
	"strings"
	"testing"

	cdpnetwork "github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"lockstep/engine/testtools"
	"lockstep/web"
)

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
	b.goTo("/t/aaaaaaaaaa?lang=zh")
	b.arrives()
	b.presses("设置")
	b.do(chromedp.SetValue(chromedp.CSS("#setting-theme"), "dark"))
	b.until(`document.documentElement.dataset.theme === "dark"`)
	b.saves(1)
	b.goTo("/t/aaaaaaaaaa")
	b.arrives()
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
