/**
 * What is said at a position, for a page that has no server to say it: the same
 * as web/present.go says.
 *
 * @typedef {import("./state.js").Event} Event
 * @typedef {import("./state.js").Violation} Violation
 */

import { same } from "./state.js";

/**
 * The latest thing that has happened, and what is wrong: that which the latest
 * action has done, and that which still is. A violation that says less about the
 * same clients than another is left to the list of events.
 * @param {Event[]} happened  up to the position
 * @param {number} position
 * @param {Violation[]} violations  those that last
 * @returns {{caption: Event | undefined, alerts: Event[]}}
 */
export function captionOf(happened, position, violations) {
  /** @type {Map<string, Event>} by clients */
  const alerts = new Map();
  let open = violations;
  for (const event of happened.toReversed()) {
    if (event.action < position && open.length === 0) break;
    const { violation } = event;
    if (event.kind !== "violation" || !violation) continue;
    const lasts = open.some((v) => same(v, violation));
    if (!lasts && event.action !== position) continue;
    open = open.filter((v) => !same(v, violation));
    alerts.set(violation.clients.join(), event);
  }
  return { caption: happened.findLast((e) => e.kind !== "violation" && e.action === position), alerts: [...alerts.values()] };
}

/** The events that made inevitable what is wrong, each once. @param {Event[]} alerts */
export const causesOf = (alerts) => [...new Set(alerts.flatMap((e) => e.violation?.cause || []))];
