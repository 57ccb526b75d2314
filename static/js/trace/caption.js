/**
 * Chooses the caption and the alerts of a position, for a page without a server. The
 * server chooses the same for its own pages.
 *
 * @typedef {import("./state.js").Event} Event
 * @typedef {import("./state.js").Violation} Violation
 */

import { same } from "./state.js";

/**
 * Returns the latest event and the alerts: the violations of the latest action, and
 * those that last. A violation that says less than another about the same clients
 * is left to the list of events.
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

/**
 * Returns the sentence of an alert, in which the number of the command that caused the violation stands for the sentence about
 * that command: the picture points at it.
 * @param {Event} alert
 * @param {Event[]} events
 * @param {"en" | "zh"} lang
 */
export function brief({ sentence, violation }, events, lang) {
  const cause = events[(violation?.cause ?? 0) - 1];
  const order = cause?.execution?.order;
  const because = cause?.sentence[lang] ?? "";
  return order ? sentence[lang].replace(because, `#${order}${because.slice(-1)}`) : sentence[lang];
}

/** Returns the causes of the alerts, each once. @param {Event[]} alerts */
export const causesOf = (alerts) => [...new Set(alerts.flatMap((e) => e.violation?.cause || []))];
