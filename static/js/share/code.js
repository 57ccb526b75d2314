/**
 * The code drawer of the player: the program of the client that moved last, with the
 * clients that are in it on their lines.
 *
 * @typedef {import("../trace/state.js").Event} Event
 * @typedef {import("../trace/state.js").State} State
 */

import { element } from "../lib/element.js";
import { mark, running } from "../stage/code.js";

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
    show(state, last) {
      const moved = last?.call?.client ?? last?.lane ?? "";
      const program = programs.get(moved);
      if (sections.some(({ dataset }) => dataset.source === program)) shown = program;
      if (shown) element("program-shown").textContent = shown;
      const there = running(state).filter(({ name }) => programs.get(name) === shown);
      for (const section of sections) {
        section.hidden = section.dataset.source !== shown;
        if (!section.hidden) mark(section, there, moved);
      }
    },
  };
}
