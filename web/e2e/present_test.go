package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// state is the role of the reader in the room.
func (h *hall) state(is string) {
	h.Helper()
	h.until(`document.querySelector("#room-box")?.dataset.state === "` + is + `"`)
}

// at waits until the page shows a position of a run of a length.
func (h *hall) at(position, tip int) {
	h.Helper()
	h.until(fmt.Sprintf(`document.querySelector("#position-text")?.textContent.match(/\d+/g).join() === "%d,%d"`, position, tip))
}

// A follower follows the driver, explores alone, votes, and drives when the presenter allows it.
func TestFollowerFollowsAndDrives(t *testing.T) {
	h := openHall(t)
	h.acts(h.presenter, h.run, "spawn C1 C2", "step C1", "step C2")
	h.joins(2)
	h.becomes(h.seats[0])
	h.visit(h.run + "?lang=en")
	h.state("follows")
	h.at(4, 4)
	const means = `[...document.querySelectorAll(".toolbar, .client .buttons, .spawn, #rerun, #own, .console-form, .ahead-do")].filter((e) => e.checkVisibility()).length`
	h.has(means, 0)

	// The page follows the driver, and stays behind when the reader looks back.
	h.does(h.presenter, "cursor", "at", "2")
	h.at(2, 4)
	h.does(h.presenter, "cursor", "at", "-1")
	h.at(4, 4)
	h.acts(h.presenter, h.run, "step C1")
	h.at(5, 5)
	h.key(" ") // there is nothing further, and nothing is done
	h.press("#back")
	h.state("away")
	h.acts(h.presenter, h.run, "tick 1s")
	h.at(4, 6)
	h.press("[data-room-back]")
	h.state("follows")
	h.at(6, 6)
	h.press("#first")
	h.state("away")
	h.does(h.presenter, "gather")
	h.state("follows")
	h.at(6, 6)

	// A poll has two rounds, and no counts before the answer is known.
	h.does(h.presenter, "ask", "kind", "predict", "client", "C2")
	h.press("#vote-0")
	h.until(`document.querySelector("#vote-0").getAttribute("aria-pressed") === "true"`)
	h.does(h.seats[1], "vote", "choice", "1")
	h.until(`document.querySelector(".poll-phase").textContent.includes("2 of 2")`)
	h.does(h.presenter, "round")
	h.until(`!document.querySelector("#vote-form") && !document.querySelector(".poll-tallies")`)
	h.does(h.presenter, "round")
	h.until(`document.querySelector("#vote-form") && !document.querySelector("#vote-form [aria-pressed=true]")`)
	h.key("2") // the digit of the answer, and of no client meanwhile
	h.until(`document.querySelector("#vote-1").getAttribute("aria-pressed") === "true"`)
	h.does(h.presenter, "reveal")
	h.until(`document.querySelectorAll(".poll-choice.right").length === 1 && document.querySelector(".poll-tallies")`)
	h.does(h.presenter, "drop")

	// The driver acts, and the others follow.
	h.does(h.presenter, "drive", "seat", "1")
	h.state("drives")
	h.at(7, 7)
	h.press("#toolbar .button")
	h.at(8, 8)
	h.press("#back")
	h.at(7, 8)
	h.until(`document.querySelector("#room-box[data-may~=act]")`)
	h.press("#room-drive")
	h.state("follows")

	// The room continues with a branch.
	h.does(h.presenter, "cursor", "at", "-1")
	h.at(8, 8)
	h.form(h.presenter, h.run+"/actions", map[string][]string{"action": {"tick 10s"}, "at": {"3"}, "past": {"1"}})
	h.at(4, 4)
	h.state("follows")

	h.does(h.presenter, "end")
	h.state("over")
	h.until(`document.querySelector(".room-over a")`)
}

// The presenter's page has keys and drawers, and understands a clicker.
func TestPresenterTeachesFromOnePage(t *testing.T) {
	h := openHall(t)
	h.acts(h.presenter, h.run, "spawn C1 C2", "step C1")
	h.joins(3)
	h.becomes(h.presenter)
	h.visit(h.run + "?lang=en")
	h.state("drives")

	h.key("j")
	h.until(`document.querySelector("#join-card").open && document.querySelector("#join-card .qr").getBoundingClientRect().width > 300`)
	h.key(kb.Escape)
	h.until(`!document.querySelector("#join-card").open`)
	h.key(".")
	h.until(`document.querySelector("#room-black").getAttribute("aria-pressed") === "true"`)
	h.key("b")
	h.until(`document.querySelector("#room-black").getAttribute("aria-pressed") === "false"`)

	// The room keeps the driver's position, and a clicker's F5 leaves the page as it is.
	value[bool](h.browser, `window.unmoved = true`)
	h.key(kb.PageUp)
	h.at(2, 3)
	h.key(kb.F5)
	h.has(`window.unmoved === true`, true, "F5 has loaded the page again")
	other := h.another()
	other.goTo(h.run + "?lang=en")
	other.until(`document.querySelector("#position-text")?.textContent === "action 2 of 3"`)

	// Whom the presenter has chosen stays chosen.
	h.press("#room-people > summary")
	h.until(`document.querySelectorAll("#room-people .person").length === 3`)
	h.press("#room-people .person")
	h.joins(1)
	h.until(`document.querySelectorAll("#room-people .person").length === 4 && document.querySelector("#room-people :checked").value === "1"`)

	// A poll opens its own drawer in its place.
	h.does(h.presenter, "ask", "kind", "predict", "client", "C2")
	h.until(`document.querySelector("#room-votes").open && document.querySelector("#room-poll").checkVisibility() && !document.querySelector("#room-people").open`)
	value[bool](h.browser, `document.querySelector("#room-votes > summary").focus() ?? true`)
	h.key(kb.Escape)
	h.until(`!document.querySelector("#room-votes").open`)

	// Somebody else drives, and the presenter takes that back.
	h.does(h.presenter, "drive", "seat", "2")
	h.state("follows")
	h.press("#room-drive")
	h.state("drives")
}

// The panel and the bar of a room fit every look, and axe-core finds nothing.
func TestRoomPanelsPassAxe(t *testing.T) {
	h := openHall(t)
	h.acts(h.presenter, h.run, "spawn C1 C2", "step C1")
	h.joins(5)
	h.does(h.presenter, "lanes", "size", "2")
	h.does(h.presenter, "ask", "kind", "predict", "client", "C2")
	for i, seat := range h.seats {
		h.does(seat, "vote", "choice", fmt.Sprint(i%2))
	}
	examine := func(name, page string) {
		h.inLooks("room-"+name, page, looks, func(string) {
			h.until(`document.querySelector("#room-box") && document.querySelector("#timeline.timeline")`)
			value[bool](h.browser, `document.querySelectorAll("#room-box details").forEach(d => d.open = true) ?? true`)
		}, "#room-box")
	}
	h.becomes(h.seats[0])
	examine("follower", h.run)
	h.does(h.presenter, "reveal")
	h.becomes(h.presenter)
	examine("presenter", h.run)
	examine("single", h.path+"/single")
	h.visit(h.run + "?lang=en")
	h.press("#join-open")
	h.audit("join-card", "#join-card")
}
