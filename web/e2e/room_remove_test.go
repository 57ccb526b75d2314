package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"lockstep/engine/lang"
	"lockstep/engine/testtools"
	"lockstep/views"
)

// A pupil loses a name and then the seat, and comes again. A locked room refuses a newcomer in words. A revoked remote
// does nothing. Everybody reads their own language.
func TestRoomRemoves(t *testing.T) {
	for _, language := range []lang.Language{lang.English, lang.Chinese} {
		t.Run(string(language), func(t *testing.T) {
			if language == lang.Chinese {
				testtools.Exhaustive(t, "it takes the story again")
			}
			c := openClass(t, language, nearly)
			pupil, classmate, wall := c.phone(c.other()), c.phone(language), c.projector(c.other())
			generated := pupil.text("#me")
			c.unfold("people")
			c.press("#switch-free")
			pupil.until(`!document.querySelector("#who").hidden`)
			pupil.press("#who > summary")
			pupil.types("#who-name", "Rude Word")
			pupil.press("#who [type=submit]")
			everybody(`document.body.textContent.includes("Rude Word")`, c.browser, wall)

			// A chosen person has buttons, which name them.
			const first = `document.querySelector("#does-1")`
			c.is(first+`.checkVisibility()`, "false")
			c.press("#room-people label.person:nth-of-type(1)")
			c.press("#does-1 > summary")
			c.is(first+`.querySelectorAll("button").length`, "1")
			c.is(`[...document.querySelectorAll("#does-1 button, .unname[value='1']")].every((b) => b.checkVisibility() && b.textContent.includes("Rude Word"))`, "true")
			c.press(`.unname[value="1"]`)
			pupil.until(fmt.Sprintf(`document.querySelector("#me").textContent === %s`, quoteJS(generated)))
			wall.until(`!document.body.textContent.includes("Rude Word")`)
			c.until(first + `.querySelectorAll("button").length === 1 && ` + first + `.open`)

			// The keyboard alone leads from the chosen person to the button that asks for confirmation, and presses it.
			value[bool](c.browser, first+`.querySelector("summary").focus() ?? true`)
			c.key(kb.Tab)
			c.is(`document.activeElement.form?.id`, "people-remove")
			c.key(kb.Enter)
			pupil.until(`document.querySelector("#lost")?.textContent`)
			pupil.sees(views.Say(lang.Language(c.other()), "room.removed"))
			c.until(`document.querySelectorAll("#room-people .person").length === 1 && !document.querySelector("#person-1")`)
			wall.until(fmt.Sprintf(`!document.querySelector(".screen-joined").textContent.includes(%s)`, quoteJS(generated)))

			// The removed pupil comes again, as somebody else.
			pupil.press("#join [type=submit]")
			pupil.until(`document.querySelector("#me")?.textContent`)
			if again := pupil.text("#me"); again == generated {
				t.Errorf("whoever was removed is %s again", again)
			}
			c.until(`document.querySelector("#person-3")`)

			// Locked, the room takes nobody; the pupil's reload changes nothing.
			c.press("#room-lock")
			c.until(`document.querySelector(".room-locked")`)
			wall.until(`document.querySelector(".screen-locked")`)
			wall.press("#join")
			late := c.another()
			late.sized(390, 844, chromedp.EmulateMobile)
			late.goTo(c.room + "?lang=" + string(language))
			late.sees(views.Say(language, "room.locked"))
			pupil.do(chromedp.Reload())
			pupil.until(`document.querySelector("#me")?.textContent`)
			c.press("#room-lock")
			wall.until(`!document.querySelector(".screen-locked")`)
			late.press("#locked .primary")
			late.until(`document.querySelector("#join, #me")`)

			// The remote is revoked while it is open.
			remote := c.remote(c.pathOf(c.pairs()))
			remote.press("#black")
			wall.until(`document.querySelector("#room[data-black]")`)
			remote.until(`document.querySelector("#black[aria-pressed=true]")`)
			remote.press("#black")
			wall.until(`document.querySelector("#room:not([data-black])")`)
			c.unfold("screens")
			c.press("#room-revoke > summary")
			remote.expects("the server responded with a status of 4")
			c.press("#revoke")
			remote.sees(views.Say(c.other(), "room.revoked"))
			remote.submits(c.room+"/do", "verb", "black", "on", "on")
			remote.sees(views.Say(c.other(), "room.presenter-only"))
			c.until(`!document.querySelector("#room-revoke")`)
			wall.is(`document.querySelector("#room").hasAttribute("data-black")`, "false")
			classmate.is(`document.querySelector("#me").textContent !== ""`, "true")
		})
	}
}

// Every page leads a removed person and a revoked remote to an explanation, which leads on to the site.
func TestRemovalIsExplainedOnEveryPage(t *testing.T) {
	c := openClass(t, lang.English, nearly)
	laptop, copied := c.laptop(lang.English), c.phone(lang.English)
	c.unfold("exercise")
	c.press("#room-fork")
	copied.press("#own-begin")
	copied.until(`document.querySelector("#room-box")?.dataset.state === "own"`)
	copied.arrives()
	for _, path := range []string{c.run(), c.room + "/wall"} {
		paired := c.remote(c.pathOf(c.pairs()))
		paired.expects("the server responded with a status of 4")
		paired.goTo(path)
		paired.until(`document.querySelector("#room-box.presenting, #wall #room")`)
		c.unfold("screens")
		c.press("#room-revoke > summary")
		c.press("#revoke")
		paired.sees(views.Say(c.other(), "room.revoked"))
		c.until(`!document.querySelector("#room-revoke")`)
		if path == c.run() {
			paired.until(`document.querySelector("#room-box.following")`)
		}
	}
	c.unfold("people")
	for number, b := range map[string]*browser{"1": laptop, "2": copied} {
		c.press("#room-people label.person:has(#person-" + number + ")")
		c.press("#does-" + number + " > summary")
		c.press("#does-" + number + " [form=people-remove]")
		b.until(`document.querySelector("#lost") && document.querySelector("#join")`)
		b.is("location.pathname", c.options.BasePath+c.room)
		b.visit(c.run()) // to look on
		b.sees(views.Say(lang.English, "room.removed"))
		b.until(`document.querySelector("#room-box").dataset.state === "follows"`)
	}
}

// remote lets a phone follow a link that pairs it as the presenter's remote.
func (c *class) remote(link string) *browser {
	c.Helper()
	b := c.another()
	b.sized(390, 844, chromedp.EmulateMobile)
	b.goTo(link + "&lang=" + string(c.other()))
	b.press("main [type=submit]")
	b.until(`document.querySelector("#remote #gather")`)
	return b
}

// pairs makes a link that pairs another device as a remote, and returns to the run.
func (c *class) pairs() string {
	c.Helper()
	c.unfold("screens")
	value[bool](c.browser, `((form) => {
		form.removeAttribute("target"); // this window will do
		form.requestSubmit();
		return true;
	})(document.querySelector("form:has(#room-remote)"))`)
	c.until(`document.querySelector("svg.qr")?.getBoundingClientRect().width > 150`)
	link := c.scans()
	c.press("main a")
	c.presents(c.lang)
	return link
}

// Without scripts the presenter removes and locks by forms, which ask for confirmation.
func TestRoomRemovesWithoutScripts(t *testing.T) {
	c := openClass(t, lang.English, nearly)
	pupil, classmate := c.phone(lang.English), c.phone(lang.Chinese)
	c.blocksScripts()
	c.do(chromedp.Reload())
	c.until(`document.readyState === "complete" && document.querySelector("#room-box.presenting")`)
	c.press("#room-people > summary")
	c.press("#room-people label.person:nth-of-type(1)")
	c.press("#does-1 > summary")
	c.press("#does-1 [form=people-remove]")
	c.until(`document.readyState === "complete" && document.querySelector("#person-2") && !document.querySelector("#person-1")`)
	pupil.until(`document.querySelector("#lost")`)
	c.unfold("people")
	c.press("#room-lock")
	c.until(`document.readyState === "complete" && document.querySelector(".room-locked")`)
	pupil.expects("the server responded with a status of 4")
	pupil.press("#join [type=submit]")
	pupil.sees(views.Say(lang.English, "room.locked"))
	classmate.is(`document.querySelector("#me").textContent !== ""`, "true")
}

// The presenter finds somebody by name in a list of three hundred, and the list stays filtered while the class continues.
func TestPresenterFindsSomebodyByName(t *testing.T) {
	c := openClass(t, lang.English, nearly)
	for range 40 {
		c.leads(c.room+"/seats", nil)
	}
	c.unfold("people")
	c.until(`document.querySelectorAll("#room-people .person").length === 40`)
	whom := c.text("#person-31 + .person-name")
	found := `[...document.querySelectorAll("#room-people .person")].filter((p) => p.checkVisibility()).map((p) => p.querySelector("input").value).join(" ")`
	c.types("#people-find", whom)
	c.until(found + ` === "31"`)
	c.leads(c.room+"/seats", nil) // the panel comes again
	c.until(`document.querySelectorAll("#room-people .person").length === 41`)
	c.is(found, "31")
	c.is(`document.querySelector("#people-find").value`, whom)
	c.press("#room-people label.person:has(#person-31)")
	c.press("#does-31 > summary")
	c.press("#does-31 [form=people-remove]")
	c.until(`!document.querySelector("#person-31")`)
	c.types("#people-find", "")
	c.until(`document.querySelectorAll("#room-people .person:not([hidden])").length === 40`)

	// People who have never opened a page of the room count as absent.
	c.press("#people-gone > summary")
	c.press("#people-gone-remove")
	c.until(`document.querySelectorAll("#room-people .person").length === 0`)
}

// axe-core finds nothing wrong with these buttons and pages in any look.
func TestRoomRemovalPassesAxe(t *testing.T) {
	c := openClass(t, lang.English, nearly)
	pupil, wall := c.phone(lang.English), c.projector(lang.English)
	c.leads(c.room+"/seats", nil)
	c.until(`document.querySelectorAll("#room-people .person").length === 2`) // the list no longer grows above what is pressed
	c.unfold("people")
	c.press("#switch-free")
	pupil.until(`!document.querySelector("#who").hidden`)
	pupil.press("#who > summary")
	pupil.types("#who-name", "A name of twenty-four ww")
	pupil.press("#who [type=submit]")
	c.until(`document.body.textContent.includes("A name of twenty-four ww")`)
	c.press("#room-lock")
	c.until(`document.querySelector(".room-locked")`)
	wall.until(`document.querySelector(".screen-locked")`)
	wall.press("#join")
	wall.audit("wall-locked")
	c.inLooks(c.name, c.here(), looks, func(string) {
		c.arrives()
		c.unfold("people")
		value[bool](c.browser, `(document.querySelector("#person-1").checked = document.querySelector("#does-1").open = document.querySelector("#people-gone").open = true)`)
	}, "#room-box")
	late := c.another()
	for _, language := range []string{"en", "zh"} {
		late.sized(390, 844)
		late.goTo(c.room + "?lang=" + language)
		late.until(`document.querySelector("#locked")`)
		late.seesAll(c.name + "-late-" + language)
	}
	c.see(looks[0])
	c.press("#does-1 [form=people-remove]")
	pupil.until(`document.querySelector("#lost") && document.querySelector("#locked")`)
	pupil.seesAll(c.name + "-removed-locked")
}
