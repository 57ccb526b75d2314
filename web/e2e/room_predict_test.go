package e2e

import (
	"fmt"
	"testing"

	"lockstep/engine/lang"
	"lockstep/views"
)

// counted finds everything that reveals the distribution of votes or the correct answer.
const counted = `document.querySelector(".poll-tallies, .poll-votes, .poll-right, .votes, .right, .tag:not(.mine)")`

// Two people predict what Redis will answer: they vote alone, talk, and vote again.
// Until the engine answers, nobody sees the distribution, not even the presenter.
func TestRoomPredictionHidesItsVotes(t *testing.T) {
	spoken(t, func(t *testing.T, language lang.Language) {
		c := openClass(t, language, nearly)
		wall, first, second := c.projector(language), c.phone(language), c.phone(c.other())
		phase := func(says string) { wall.mustContain(".poll-phase", views.Say(language, says)) }
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
		phase("screen.predict.first")
		c.until(`document.querySelector("#room-poll")`)
		first.press("#vote-1")
		second.press("#vote-0")
		second.until(`document.querySelector("#vote-0[aria-pressed=true]")`)
		second.press("#vote-1") // they change their mind while they can
		everybody(`document.querySelector("#vote-1[aria-pressed=true]")`, first, second)
		everybody(`!document.querySelector(".press-says")`, first, second)
		everybody(`document.querySelector("#room").innerText.match(/2\D+2/)`, c.browser, wall, first, second)
		secret()

		c.press("#poll-round")
		everybody(`document.querySelector("#poll[data-phase=discuss]")`, first, second)
		wall.until(`document.querySelector(".screen-poll[data-phase=discuss]")`)
		phase("screen.predict.discuss")
		first.press("#vote-0") // it does nothing now
		secret()

		c.press("#poll-round")
		everybody(`document.querySelector("#poll[data-phase=second] button.choice:not([aria-disabled])")`, first, second)
		everybody(`!document.querySelector("button.choice[aria-pressed=true]")`, first, second)
		phase("screen.predict.second")
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
		for b, counts := range map[*browser]string{
			c.browser: `[...document.querySelectorAll("#room-poll .poll-votes")].map((e) => parseInt(e.textContent)).join(" ")`,
			wall:      `[...document.querySelectorAll(".screen-poll .poll-votes")].map((e) => parseInt(e.textContent)).join(" ")`,
			first:     `[...document.querySelectorAll("#poll .votes .count")].map((e) => e.textContent).join(" ")`,
			second:    `[...document.querySelectorAll("#poll .votes .count")].map((e) => e.textContent).join(" ")`,
		} {
			b.is(counts, "0 1 2 1 0 0") // nobody was not sure
		}
		wall.is(`[...document.querySelectorAll(".poll-choices > li")].map((li) => [li.querySelector(".letter").firstChild.textContent, li.matches(".right"), ...[...li.querySelectorAll(".poll-votes")].map((e) => e.textContent)].join(" ")).join("; ")`, "A false 0 1; B true 2 1; ? false 0 0")
	})
}

// openQuestion opens a room at the first question of a lesson.
func openQuestion(t *testing.T, language lang.Language) *class {
	t.Helper()
	b := open(t)
	b.visit("/courses/redis-lock/race?lang=" + string(language))
	for value[bool](b, `!document.querySelector("#guide [name=guess]")`) {
		moment := value[string](b, `document.querySelector("#guide").dataset.moment ?? ""`)
		b.press("#go-on")
		b.until(`(document.querySelector("#guide").dataset.moment ?? "") !== "` + moment + `"`)
	}
	return b.opensRoom(language, b.here())
}

// A question of a lesson has its own words and its own answers.
func TestRoomPredictsALesson(t *testing.T) {
	spoken(t, func(t *testing.T, language lang.Language) {
		c := openQuestion(t, language)
		phone := c.phone(c.other())
		c.press("#strip-ask")
		phone.until(`document.querySelectorAll("#poll .choice").length === 4`)
		asks := map[lang.Language]string{lang.English: "C2 knows nothing of this, and its DEL is still in flight: what happens when it arrives?", lang.Chinese: "C2 对此一无所知，它的 DEL 还在途中：到了会怎样？"}
		c.mustContain("#room-poll .poll-question", asks[language])
		phone.mustContain("#poll-question", asks[c.other()])
		phone.press("#vote-0")
		phone.until(`document.querySelector("#vote-0[aria-pressed=true]")`)
		c.press("#poll-reveal")
		c.until(`document.querySelectorAll("#room-poll .poll-right").length === 1`)
		phone.until(`document.querySelectorAll("#poll .result.right").length === 1`)
		c.until(`document.querySelector("#guide").dataset.moment === "gone"`) // the engine has gone on
	})
}

// While the class looks at what came of a lesson's question, the presenter's one way forward is to put it away, and a follower has
// none. Space leads there, too. Then the lesson goes on.
func TestLessonWaitsUntilItsQuestionIsPutAway(t *testing.T) {
	spoken(t, func(t *testing.T, language lang.Language) {
		c := openQuestion(t, language)
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

		tip := c.text("#position-text")
		c.key(" ")
		c.until(`document.activeElement.id === "poll-drop"`)
		same(t, c.text("#position-text"), tip, "Space went on")
		c.key(" ")
		everybody(`!document.querySelector("#room-poll")`, c.browser, laptop, phone)
		c.until(`document.querySelector("#guide-form").checkVisibility() && document.querySelector("#strip-ask")`) // the next question, for the class or for one
		for _, b := range []*browser{laptop, phone} {
			b.is(forward, "")
		}
	})
}

// two wait for the same lock; nothing has been delivered yet.
const two = `program del-setnx timeout=10s
spawn C1 C2
`

// Three phones share two clients and the network, which chooses the next message to
// arrive. Then the presenter moves people about, and somebody comes late.
func TestRoomLanesShareClientsAndNetwork(t *testing.T) {
	spoken(t, func(t *testing.T, language lang.Language) {
		c := openClass(t, language, two)
		first, second, third := c.phone(language), c.phone(c.other()), c.phone(c.other())
		wall := c.projector(language)
		people := map[string]*browser{"presenter": c.browser, "wall": wall, "phone-1": first, "phone-2": second, "phone-3": third}

		c.unfold("lanes")
		c.press(`#room-lanes button[name=size][value="1"]`)
		first.until(`document.querySelector("#lane").dataset.lane === "C1" && document.querySelector("#step-C1")`)
		second.until(`document.querySelector("#lane").dataset.lane === "C2"`)
		third.until(`document.querySelector("#lane [data-role=network]:not([hidden])")`)
		wall.until(`document.querySelectorAll(".screen-lanes li").length === 3`)

		// The network lets C2's message arrive first.
		c.unfold("class")
		c.press("#ask-network")
		third.until(`document.querySelector("#poll .vote-now:not([hidden])")`)
		first.until(`document.querySelector("#poll .vote-not:not([hidden])")`)
		wall.until(`document.querySelector(".screen-poll")`)
		first.press("#vote-0") // this is not asked of clients
		third.press("#vote-1") // the whole network has voted: the message is delivered by itself
		c.until(`document.querySelector("#position-text").textContent.includes("` + views.Say(language, "position.action", 3, 3) + `")`)
		second.until(`document.querySelector("#lane .self").dataset.status === "inside"`)
		third.until(`document.querySelectorAll("#poll .result.right").length === 1`)
		c.press("#poll-drop")
		everybody(`!document.querySelector("#poll")`, first, second, third)

		// The third helps the first, and a newcomer finds every team full.
		c.unfold("people")
		c.press("#room-people label.person:nth-of-type(3)")
		value[string](c.browser, `document.querySelector("#people-lane").value = "C1"`)
		c.press(`#room-people button[value=place]`)
		everybody(`document.querySelector("#room .team[data-team=C1]:not([hidden])")`, first, third)
		c.unfold("lanes")
		late := c.phone(c.other())
		late.until(`document.querySelector("#lane [data-role=network]:not([hidden])")`)
		people["phone-4"] = late
		c.press(`#room-lanes button[name=size][value="2"]`)
		late.until(`document.querySelector("#lane").dataset.lane === "C2"`)

		// Two of a team press at the same moment. The slower one gets a conflict.
		third.notes("#note")
		third.pressesLate("#step-C1", c.run(), "step C1")
		third.noted("C1")
		first.until(`document.querySelector("#caption").textContent.includes("GET")`)
		c.until(`document.querySelector("#position-text").textContent.includes("` + views.Say(language, "position.action", 4, 4) + `")`)
	})
}

// run returns the path of the run that the presenter sees.
func (c *class) run() string {
	c.Helper()
	return c.here()
}

// pressesLate lets somebody else act, and presses before the page can receive the
// action, because the page is frozen meanwhile.
func (b *browser) pressesLate(button, run, action string) {
	b.Helper()
	value[bool](b, fmt.Sprintf(`(() => {
		const request = new XMLHttpRequest();
		request.open("POST", %q, false);
		request.setRequestHeader("Content-Type", "application/x-www-form-urlencoded");
		request.send(new URLSearchParams({ action: %q }));
		document.querySelector(%q).click();
		return true;
	})()`, b.options.BasePath+run+"/actions", action, button))
}
