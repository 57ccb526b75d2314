/**
 * Finds where violations begin in a log. An event of the kind "violation" begins one;
 * "cleared" ends it.
 *
 * @typedef {import("./state.js").Event} Event
 */

/**
 * Returns the first violation that begins after a position.
 * @param {Event[]} events
 * @param {number} position
 */
export const nextViolation = (events, position) => events.find((event) => event.kind === "violation" && event.action > position);

/** Returns the first violation that begins with the action that leads to a position. @param {Event[]} events @param {number} position */
export function violationAt(events, position) {
  const next = nextViolation(events, position - 1);
  return next?.action === position ? next : undefined;
}
