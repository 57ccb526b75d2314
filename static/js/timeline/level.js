/**
 * Chooses how much of each call is drawn, by the number of calls in view: whole arrows
 * with their words, stubs, or density marks. Every level draws violations, crashes and
 * pauses.
 *
 * @typedef {import("./model.js").Marks} Marks
 * @typedef {import("./layout.js").Frame} Frame
 * @typedef {"full" | "stubs" | "densities"} Level
 */

const ORDER = /** @type {const} */ (["full", "stubs", "densities"]);

/** The most calls in view at each level. */
const MOST = { full: 60, stubs: 250, densities: Infinity };

/** A window has a quarter of the view on each side of it. */
const VIEW = 2 / 3;

/**
 * @param {Marks} marks
 * @param {Frame} frame
 * @returns {Level}
 */
export function level(marks, { from, to, along }) {
  if (to === Infinity) return "full";
  const margin = ((1 - VIEW) * (to - from)) / 2;
  let calls = 0;
  for (const q of marks.requests) {
    const at = along(q.to);
    if (at >= from + margin && at <= to - margin) calls++;
  }
  return ORDER.find((name) => calls <= MOST[name]) ?? "densities";
}

/** A level and those that are coarser.
 * @param {Level} finest
 */
export const levels = (finest) => ORDER.slice(ORDER.indexOf(finest));
