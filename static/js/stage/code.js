/**
 * Marks in the text of a program where its clients are, where no server does it.
 *
 * @typedef {import("../trace/state.js").State} State
 */

import { reveal } from "../lib/reveal.js";

/** Clients in these states are nowhere in the program. */
const NOWHERE = ["done", "crashed", "failed"];

/** A line with more clients gives them a row of their own. */
const MANY = 4;

/** Returns the clients that are somewhere in their programs. @param {State} state */
export const running = ({ clients }) => Object.values(clients).filter(({ status }) => !NOWHERE.includes(status));

/**
 * @param {Element} source  its lines may have numbers, or are all there
 * @param {ReturnType<typeof running>} clients
 * @param {string} moved  the client that moved last: its line comes into view
 */
export function mark(source, clients, moved) {
  for (const [i, line] of /** @type {NodeListOf<HTMLElement>} */ (source.querySelectorAll("li")).entries()) {
    const here = clients.filter((client) => client.line === (Number(line.dataset.number) || i + 1));
    line.classList.toggle("here", here.length > 0);
    line.querySelector(".badges")?.remove();
    if (here.length === 0) continue;
    const badges = document.createElement("span");
    badges.className = here.length > MANY ? "badges many" : "badges";
    badges.append(...here.map(({ name }) => {
      const badge = document.createElement("span");
      badge.className = "badge";
      badge.textContent = name;
      return badge;
    }));
    line.append(badges);
    if (here.some(({ name }) => name === moved)) reveal(line);
  }
}
