package e2e

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"lockstep/engine/lang"
	"lockstep/web"
)

// A class is a room with its browsers: the presenter's, which the class embeds, and those
// of the people who join. Each reads in a language of its own.
type class struct {
	*browser
	lang lang.Language // the presenter's
	name string        // of its pictures
	room string        // its path
}

// spoken takes a story with a presenter who reads English, and for pictures also with one
// who reads Chinese. Some of the others read the other language.
func spoken(t *testing.T, story func(t *testing.T, language lang.Language)) {
	t.Helper()
	for _, language := range []lang.Language{lang.English, lang.Chinese} {
		if language == lang.Chinese && !pictured {
			continue
		}
		t.Run(string(language), func(t *testing.T) { story(t, language) })
	}
}

// openClass lets a presenter make a run, and open a room with it.
func openClass(t *testing.T, language lang.Language, scenario string) *class {
	t.Helper()
	b := openSite(t, web.Options{VoteTime: time.Hour})
	return b.opensRoom(language, b.leads("/runs", url.Values{"scenario": {scenario}}))
}

// opensRoom opens a room with a run, by the button on its page.
func (b *browser) opensRoom(language lang.Language, run string) *class {
	b.Helper()
	b.visit(run + "?lang=" + string(language))
	b.press("#share > summary")
	b.press(".share-room button")
	return b.presents(language)
}

// presents waits until the reader is the presenter of a room, and shows its run.
func (b *browser) presents(language lang.Language) *class {
	b.Helper()
	b.until(`document.querySelector("#room-box.presenting")`)
	b.arrives()
	name := strings.NewReplacer("Test", "", "/", "-").Replace(b.Name())
	return &class{browser: b, lang: language, name: strings.ToLower(name), room: value[string](b, `document.querySelector("#room-box").dataset.path`)}
}

// other is the language that the presenter does not read.
func (c *class) other() lang.Language {
	if c.lang == lang.Chinese {
		return lang.English
	}
	return lang.Chinese
}

// phone joins as a phone that has scanned the code.
func (c *class) phone(language lang.Language) *browser {
	c.Helper()
	b := c.another()
	b.sized(390, 844, chromedp.EmulateMobile)
	b.goTo(c.room + "?lang=" + string(language))
	b.until(`document.querySelector("#me")?.textContent && document.querySelector("#lane")`)
	return b
}

// projector opens the room's screen for everybody.
func (c *class) projector(language lang.Language) *browser {
	c.Helper()
	b := c.another()
	b.sized(1920, 1080)
	b.visit(c.room + "/screen?lang=" + string(language))
	return b
}

// laptop follows on the page of the run, from its own seat.
func (c *class) laptop(language lang.Language) *browser {
	c.Helper()
	b := c.another()
	b.goTo(c.room + "?lang=" + string(language))
	b.until(`document.querySelector("#me")?.textContent`)
	b.press(".ways a[data-run]")
	b.until(`document.querySelector("#room-box.following")`)
	b.arrives()
	return b
}

// unfold opens a drawer of the presenter's strip (people, class, votes), or a section in that of the class.
func (c *class) unfold(section string) {
	c.Helper()
	pane := "#room-" + section
	if value[bool](c.browser, `document.querySelector("#room-class `+pane+`") !== null`) {
		c.unfold("class")
	}
	if !value[bool](c.browser, `document.querySelector("`+pane+`").open`) {
		c.press(pane + " > summary")
		c.until(`document.querySelector("` + pane + `").open`)
	}
}

// pathOf returns the path of an address within the site, because each browser reaches the
// site at its own address.
func (b *browser) pathOf(address string) string {
	b.Helper()
	if !b.ours(address) {
		b.Errorf("%s leads out of the site", address)
	}
	return strings.TrimPrefix(address, b.url)
}

// everybody waits until a condition holds for all of them.
func everybody(condition string, who ...*browser) {
	for _, b := range who {
		b.Helper()
		b.until(condition)
	}
}
