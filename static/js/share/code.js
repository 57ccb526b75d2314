/**
 * The code drawer of the player: the program of the client that moved last, with the
 * clients that are in it on their lines.
 *
 * @typedef {import("../trace/state.js").Event} Event
 * @typedef {import("../trace/state.js").State} State
 */

import { element } from "../lib/element.js";
import { reveal } from "../lib/reveal.js";

/** Clients in these states are nowhere in the program. */
const NOWHERE = ["done", "crashed", "failed"];

/**
 * @param {HTMLElement} root  has a section for each program
 * @param {Event[]} events  of the whole run
 */
export function code(root, events) {
  const sections = /** @type {HTMLElement[]} */ ([...root.querySelectorAll("[data-source]")]);
  /** @type {Map<string, string | undefined>} */
  const programs = new Map(events.filter(({ kind }) => kind === "spawn").map(({ lane = "", spawned }) => [lane, spawned?.program]));
  let shown = sections[0]?.dataset.source;

  return {
    /** @param {State} state  at the playhead @param {Event} [last]  the last event there */
    show({ clients }, last) {
      const moved = last?.call?.client ?? last?.lane ?? "";
      const program = programs.get(moved);
      if (sections.some(({ dataset }) => dataset.source === program)) shown = program;
      if (shown) element("program-shown").textContent = shown;
      const there = Object.values(clients).filter(({ name, status }) => programs.get(name) === shown && !NOWHERE.includes(status));
      for (const section of sections) {
        section.hidden = section.dataset.source !== shown;
        if (!section.hidden) mark(section, there.map(({ name, line }) => ({ name, line })), moved);
      }
    },
  };
}

/** @param {HTMLElement} section @param {{name: string, line?: number}[]} clients @param {string} moved */
function mark(section, clients, moved) {
  for (const [i, line] of section.querySelectorAll("li").entries()) {
    const here = clients.filter((client) => client.line === i + 1);
    line.classList.toggle("here", here.length > 0);
    line.querySelector(".badges")?.remove();
    if (here.length === 0) continue;
    const badges = document.createElement("span");
    badges.className = here.length > 4 ? "badges many" : "badges";
    for (const { name } of here) {
      const badge = document.createElement("span");
      badge.className = "badge";
      badge.textContent = name;
      badges.append(badge);
    }
    line.append(badges);
    if (here.some(({ name }) => name === moved)) reveal(line);
  }
}
