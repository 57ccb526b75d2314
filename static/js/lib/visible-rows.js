/**
 * Chooses the rows of a long list that are in the page: the rows around a place in it, and more of them as
 * the reader scrolls. Nothing here knows the page.
 *
 * @typedef {{from: number, to: number}} Rows  from one up to, but not with, another, counted from 0
 */

/** The longest list that is in the page as a whole. */
export const WHOLE = 400;

/** The fewest rows before and after the place, in a longer list. */
const AROUND = { before: 100, after: 50 };

/** Distance from the edge at which the rows are chosen again. */
const MARGIN = 20;

/** Rows that are added where the reader scrolls, and the most that there are then. */
const MORE = 100;

/**
 * Returns the rows for a place. They stay as they are while the place is well among them.
 * @param {Rows} rows  as they are
 * @param {number} at  the index of the place
 * @param {number} length  of the list
 * @param {number} whole  the longest list that is shown as a whole
 * @returns {Rows}
 */
export function around({ from, to }, at, length, whole) {
  if (length <= whole) return { from: 0, to: length };
  const stays = (from === 0 || at >= from + MARGIN) && (to >= length || at <= to - MARGIN);
  if (stays && to <= length && to - from <= WHOLE) return { from, to };
  return { from: Math.max(0, at - AROUND.before), to: Math.min(length, at + AROUND.after) };
}

/**
 * Returns the rows when the reader comes to the first or the last of them.
 * @param {Rows} rows
 * @param {"first" | "last"} edge
 * @param {number} length
 * @returns {Rows}
 */
export function further({ from, to }, edge, length) {
  if (edge === "first") {
    const start = Math.max(0, from - MORE);
    return { from: start, to: Math.min(to, start + WHOLE) };
  }
  const end = Math.min(length, to + MORE);
  return { from: Math.max(from, end - WHOLE), to: end };
}
