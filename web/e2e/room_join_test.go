package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"lockstep/engine/lang"
)

// The first page takes the code in the digits of the reader's keyboard. It says when no
// room has a code, and asks again.
func TestRoomJoinsByCode(t *testing.T) {
	spoken(t, func(t *testing.T, language lang.Language) {
		b := open(t)
		b.goTo("/?lang=" + string(language))
		b.press(`form[action$="/rooms"] button`)
		c := b.presents(language)
		code := strings.TrimPrefix(c.room, "/r/")

		p := c.another()
		p.sized(390, 844, chromedp.EmulateMobile)
		p.expects("the server responded with a status of 4")
		p.goTo("/?lang=" + string(c.other()))
		p.types("#join-code", "12 34")
		p.press(`form:has(#join-code) button`)
		six := map[lang.Language]string{lang.English: "A code has six digits.", lang.Chinese: "加入码是六位数字。"}
		p.sees(six[c.other()])
		p.do(chromedp.SetValue(chromedp.CSS("#code"), "999 99"+string('8'-(code[5]-'0')%8)))
		p.press("main [type=submit]")
		none := map[lang.Language]string{lang.English: "There is no room with this code.", lang.Chinese: "没有与这个加入码对应的房间。"}
		p.sees(none[c.other()])
		p.do(chromedp.SetValue(chromedp.CSS("#code"), wide(code[:3]+" "+code[3:])))
		p.press("main [type=submit]")
		p.until(`document.querySelector("#me")?.textContent`)
		p.is("location.pathname", c.options.BasePath+c.room)
		c.until(`document.querySelector(".room-present").textContent.includes("1")`)

		// The back button leads to no form for a second seat.
		name := p.text("#me")
		p.goTo("/join?code=" + code)
		p.until(`document.querySelector("#me")?.textContent`)
		p.is(`document.querySelector("#me").textContent`, name)

		// A room that is over says this to its people, and does not exist for others.
		c.unfold("end")
		c.press("#room-end .danger")
		p.until(`document.querySelector("#room a.primary")`)
		p.goTo("/join?code=" + code)
		p.until(`document.querySelector("#room a.primary")`)
		late := c.another()
		late.expects("the server responded with a status of 4")
		late.goTo("/join?code=" + code + "&lang=" + string(language))
		late.sees(none[language])
	})
}

// wide are digits as a Chinese keyboard may write them.
func wide(digits string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '\u3000'
		case '0' <= r && r <= '9':
			return r - '0' + '０'
		}
		return r
	}, digits)
}

// Without scripts everything is a form: to join, to vote, to step a client, to change
// the language.
func TestRoomWithoutScripts(t *testing.T) {
	spoken(t, func(t *testing.T, language lang.Language) {
		c := openClass(t, language, two)
		p := c.another()
		p.sized(390, 844, chromedp.EmulateMobile)
		p.blocksScripts()
		p.goTo("/?lang=" + string(c.other()))
		p.types("#join-code", strings.TrimPrefix(c.room, "/r/"))
		p.press(`form:has(#join-code) button`)
		p.until(`document.querySelector("#join")`)
		p.press("#join [type=submit]")
		p.until(`document.querySelector("#me")?.textContent`)

		c.unfold("class")
		c.press(`form:has([name=client][value=C1]) .ask`)
		c.until(`document.querySelector("#room-poll")`)
		p.do(chromedp.Reload())
		p.press("#vote-0")
		p.until(`document.querySelector("#vote-0[aria-pressed=true] .mine:not([hidden])")`)
		c.until(`document.querySelector(".strip-count").textContent.match(/1\D+1/)`)
		c.press("#poll-drop")

		c.unfold("lanes")
		c.press(`#room-lanes button[name=size][value="1"]`)
		c.until(`document.querySelector("#room-lanes .teams")`)
		p.do(chromedp.Reload())
		p.press("#step-C1")
		p.until(`document.querySelector("#lane .self")?.dataset.status === "inside"`)
		c.until(at + `.includes("action 3 of 3")`)
		p.press(`a[hreflang]`)
		p.until(`document.documentElement.lang.startsWith("` + string(language) + `") && document.querySelector("#lane .self")`)
		p.press(".ways a[data-run]") // the whole picture, in words
		p.until(`document.querySelector("#room-box.following") && document.querySelector("#event-rows tr")`)
		p.press(".room-place")
		p.until(`document.querySelector("#lane .self")`)
	})
}

// People choose a name if the presenter allows it, and tell only the presenter who they
// are.
func TestRoomNamesAreForThePresenter(t *testing.T) {
	spoken(t, func(t *testing.T, language lang.Language) {
		c := openClass(t, language, two)
		wall, early := c.projector(c.other()), c.phone(c.other())
		c.unfold("people")
		c.press("#switch-free")
		c.until(`document.querySelector("#switch-free[aria-pressed=true]")`)
		c.press("#switch-roster")
		c.until(`document.querySelector("#switch-roster[aria-pressed=true]")`)

		// A newcomer is asked for a name.
		late := c.another()
		late.sized(390, 844, chromedp.EmulateMobile)
		late.goTo(c.room + "?lang=" + string(language))
		late.until(`document.querySelector("#join-roster")?.checkVisibility()`)
		late.types("#join-name", "小明 Ming")
		late.types("#join-roster", "2024-0815")
		late.press("#join [type=submit]")
		late.until(`document.querySelector("#me")?.textContent === "2 · 小明 Ming"`)
		c.until(`document.querySelector("#room-people").textContent.includes("小明 Ming") && document.querySelector("#room-people").textContent.includes("2024-0815")`)

		// An earlier seat chooses a name, but not somebody else's.
		early.press("#who > summary")
		early.types("#who-name", "小明 ming")
		early.notes("#note")
		early.press("#who [type=submit]")
		early.until(`said.trim()`)
		if !value[bool](early, `document.querySelector("#who").open`) {
			early.press("#who > summary")
		}
		early.do(chromedp.SetValue(chromedp.CSS("#who-name"), "老王"))
		early.press("#who [type=submit]")
		early.until(`document.querySelector("#me").textContent === "1 · 老王"`)
		c.until(`document.querySelector("#room-people").textContent.includes("老王")`)
		wall.until(`document.querySelector(".screen-joined").textContent.includes("老王")`)
		for name, b := range map[string]*browser{"the wall": wall, "another phone": early} {
			b.has(`document.documentElement.outerHTML.includes("2024-0815")`, false, name, "knows who somebody is")
			_, frames := b.heard()
			for _, frame := range frames {
				if strings.Contains(string(frame), "2024-0815") {
					t.Errorf("%s is told who somebody is", name)
				}
			}
		}

		// The presenter turns names off, and newcomers are not asked.
		c.press("#switch-roster")
		c.until(`!document.querySelector("#room-people").textContent.includes("2024-0815")`)
		c.press("#switch-free")
		early.until(`document.querySelector("#who").hidden`)
		c.until(`document.querySelector("#switch-free[aria-pressed=false]")`)
	})
}
