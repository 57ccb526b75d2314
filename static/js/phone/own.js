import { showControls } from "../room/controls.js";

/**
 * Marks what is the reader's own on a page that is the same for everybody.
 *
 * @typedef {import("../room/connection.js").Seat} Seat
 */

/**
 * Reports whether the reader's vote counts in a poll: the network's poll is for participants without a client.
 * @param {Seat} seat
 * @param {boolean} network  it is the network's poll
 */
export const votes = (seat, network) => seat.seat > 0 && !(network && seat.lane !== "");

/**
 * Marks the room's panel, which the server renders for everybody.
 * @param {HTMLElement} panel
 * @param {Seat} seat
 * @param {string} base  of every path of the site
 */
export function markOwn(panel, seat, base) {
  const poll = /** @type {HTMLElement | null} */ (panel.querySelector("#poll"));
  if (poll) {
    const may = votes(seat, poll.hasAttribute("data-network"));
    const open = poll.dataset.phase === "first" || poll.dataset.phase === "second";
    show(poll.querySelectorAll(".vote-now"), may);
    show(poll.querySelectorAll(".vote-not"), !may);
    for (const choice of poll.querySelectorAll("button.choice")) {
      const mine = Number(/** @type {HTMLButtonElement} */ (choice).value) === seat.vote;
      choice.setAttribute("aria-pressed", String(mine));
      choice.toggleAttribute("aria-disabled", false);
      if (!may || !open) choice.setAttribute("aria-disabled", "true");
      show(choice.querySelectorAll(".mine"), mine);
    }
    for (const result of poll.querySelectorAll("[data-choice]")) {
      show(result.querySelectorAll(".mine"), Number(result.getAttribute("data-choice")) === seat.vote);
    }
  }
  const own = panel.querySelector("#own");
  if (own instanceof HTMLAnchorElement) {
    own.hidden = seat.own === "";
    if (seat.own) own.href = base + seat.own;
    show(panel.querySelectorAll("#own-begin"), seat.own === "" && seat.seat > 0);
  }
  showControls(panel, seat.may);
  for (const team of panel.querySelectorAll("[data-team]")) show([team], team.getAttribute("data-team") === seat.lane);
  for (const row of panel.querySelectorAll("[data-name]")) row.classList.toggle("own", row.getAttribute("data-name") === seat.name);
}

/** @param {Iterable<Element>} elements @param {boolean} shown */
function show(elements, shown) {
  for (const element of elements) /** @type {HTMLElement} */ (element).hidden = !shown;
}
