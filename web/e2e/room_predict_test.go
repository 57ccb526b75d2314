package e2e

import (
	"testing"

	"lockstep/engine/lang"
)

// counted finds everything that reveals the distribution of votes or the correct answer.
const counted = `document.querySelector(".poll-tallies, .poll-votes, .poll-right, .votes, .right, .tag:not(.mine)")`

// Two people predict what Redis will answer: they vote alone, talk, and vote again.
// Until the engine answers, nobody sees the distribution, not even the presenter.
func TestRoomPredictionHidesItsVotes(t *testing.T) {
	spoken(t, func(t *testing.T, language lang.Language) {
		c := openClass(t, language, nearly)
		wall, first, second := c.projector(c.other()), c.phone(language), c.phone(c.other())
		people := map[string]*browser{"presenter": c.browser, "wall": wall, "phone-1": first, "phone-2": second}
		secret := func() {
			t.Helper()
			for name, b := range people {
				b.has(counted+" !== null", false, name, "sees counts before the answer")
			}
		}

		c.unfold("class")
		c.press(`form:has([name=client][value=C2]) .ask`)
		everybody(`document.querySelector("#poll[data-phase=first] button.choice")`, first, second)
		wall.until(`document.querySelector(".screen-poll[data-phase=first]")`)
		c.until(`document.querySelector("#room-poll")`)
		c.shots("0-asked", people)
		first.press("#vote-1")
		second.press("#vote-0")
		second.until(`document.querySelector("#vote-0[aria-pressed=true]")`)
		second.press("#vote-1") // they change their mind while they can
		everybody(`document.querySelector("#vote-1[aria-pressed=true]")`, first, second)
		everybody(`!document.querySelector(".press-says")`, first, second)
		everybody(`document.querySelector("#room").innerText.match(/2\D+2/)`, c.browser, wall, first, second)
		c.shots("1-alone", people)
		secret()

		c.press("#poll-round")
		everybody(`document.querySelector("#poll[data-phase=discuss]")`, first, second)
		wall.until(`document.querySelector(".screen-poll[data-phase=discuss]")`)
		first.press("#vote-0") // it does nothing now
		c.shots("2-discuss", people)
		secret()

		c.press("#poll-round")
		everybody(`document.querySelector("#poll[data-phase=second] button.choice:not([aria-disabled])")`, first, second)
		everybody(`!document.querySelector("button.choice[aria-pressed=true]")`, first, second)
		first.press("#vote-0")
		second.press("#vote-1")
		everybody(`document.querySelector("#room").innerText.match(/2\D+2/)`, c.browser, wall, first, second)
		everybody(`!document.querySelector(".press-says")`, first, second)
		secret()

		// The next step of the engine is the answer.
		c.press("#poll-reveal")
		c.until(`document.querySelector("#position-text").textContent.includes("action 11 of 11")`)
		c.until(`document.querySelectorAll("#room-poll .poll-right").length === 1`)
		wall.until(`document.querySelectorAll(".screen-poll .poll-right").length === 1`)
		everybody(`document.querySelectorAll("#poll .result.right").length === 1`, first, second)
		c.shots("3-revealed", people)
		for b, counts := range map[*browser]string{
			c.browser: `[...document.querySelectorAll("#room-poll .poll-votes")].map((e) => parseInt(e.textContent)).join(" ")`,
			wall:      `[...document.querySelectorAll(".screen-poll .poll-votes")].map((e) => parseInt(e.textContent)).join(" ")`,
			first:     `[...document.querySelectorAll("#poll .votes .count")].map((e) => e.textContent).join(" ")`,
			second:    `[...document.querySelectorAll("#poll .votes .count")].map((e) => e.textContent).join(" ")`,
		} {
			b.is(counts, "0 1 2 1 0 0") // nobody was not sure
		}
	})
}

// A question of a lesson has its own words and its own answers.
func TestRoomPredictsALesson(t *testing.T) {
	spoken(t, func(t *testing.T, language lang.Language) {
		b := open(t)
		b.goTo("/courses/redis-lock/race?lang=" + string(language))
		b.arrives()
		for value[bool](b, `!document.querySelector("#guide [name=guess]")`) {
			moment := value[string](b, `document.querySelector("#guide").dataset.moment ?? ""`)
			b.press("#go-on")
			b.until(`(document.querySelector("#guide").dataset.moment ?? "") !== "` + moment + `"`)
		}
		c := b.opensRoom(language, value[string](b, "location.pathname"))
		phone := c.phone(c.other())
		c.press("#strip-ask")
		phone.until(`document.querySelectorAll("#poll .choice").length === 4`)
		asks := map[lang.Language]string{lang.English: "C2 knows nothing of this, and its DEL is still in flight: what happens when it arrives?", lang.Chinese: "C2 对此一无所知，它的 DEL 还在途中：到了会怎样？"}
		c.mustContain("#room-poll .poll-question", asks[language])
		phone.mustContain("#poll-question", asks[c.other()])
		people := map[string]*browser{"presenter": c.browser, "phone": phone}
		c.shots("0-asked", people)
		phone.press("#vote-0")
		phone.until(`document.querySelector("#vote-0[aria-pressed=true]")`)
		c.press("#poll-reveal")
		c.until(`document.querySelectorAll("#room-poll .poll-right").length === 1`)
		phone.until(`document.querySelectorAll("#poll .result.right").length === 1`)
		c.until(`document.querySelector("#guide").dataset.moment === "gone"`) // the engine has gone on
		c.shots("1-revealed", people)
	})
}

// While the class looks at what came of a lesson's question, the presenter's one way forward is to put it away, and a follower has
// none. Space leads there, too. Then the lesson goes on.
func TestLessonWaitsUntilItsQuestionIsPutAway(t *testing.T) {
	spoken(t, func(t *testing.T, language lang.Language) {
		b := open(t)
		b.goTo("/courses/redis-lock/race?lang=" + string(language))
		b.arrives()
		for value[bool](b, `!document.querySelector("#guide [name=guess]")`) {
			moment := value[string](b, `document.querySelector("#guide").dataset.moment ?? ""`)
			b.press("#go-on")
			b.until(`(document.querySelector("#guide").dataset.moment ?? "") !== "` + moment + `"`)
		}
		c := b.opensRoom(language, value[string](b, "location.pathname"))
		c.sized(1280, 800)
		laptop, phone := c.laptop(c.other()), c.phone(c.other())
		laptop.sized(1280, 800)
		phone.press(".ways a[data-run]")
		phone.until(`document.querySelector("#room-box.following")`)
		// forward is every control that leads the lesson on: in the strip what is next, in the card all of its foot.
		const forward = `[...document.querySelectorAll(".strip-next .primary, .strip-others .button, .card-foot :is(button, a)")].filter((e) => e.checkVisibility()).map((e) => e.id || e.value).join(" ")`
		everyone := map[string]*browser{"presenter": c.browser, "laptop": laptop, "phone": phone}

		c.press("#strip-ask")
		everybody(`document.querySelector("#vote-form")`, laptop, phone)
		c.until(`document.querySelector("#poll-reveal")`)
		c.is(forward, "poll-round poll-reveal poll-drop")
		c.press("#poll-reveal")
		for name, b := range everyone {
			b.until(`document.querySelector("#room-poll[data-phase=revealed]") && document.querySelector("#guide").dataset.moment === "gone" && !document.querySelector(".playing")`)
			want := ""
			if b == c.browser {
				want = "poll-drop"
			}
			b.has(forward, want, name)
		}
		c.shots("0-revealed", everyone)

		tip := c.text("#position-text")
		c.key(" ")
		c.until(`document.activeElement.id === "poll-drop"`)
		if now := c.text("#position-text"); now != tip {
			t.Errorf("Space went from %s to %s", tip, now)
		}
		c.key(" ")
		everybody(`!document.querySelector("#room-poll")`, c.browser, laptop, phone)
		c.until(`document.querySelector("#guide-form").checkVisibility() && document.querySelector("#strip-ask")`) // the next question, for the class or for one
		for _, b := range []*browser{laptop, phone} {
			b.is(forward, "")
		}
		c.shots("1-put-away", everyone)
	})
}
