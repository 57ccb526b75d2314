/**
 * Which rows of a long list are in the page: those around a place in it, and more of them as the reader
 * scrolls on. Nothing here knows the page.
 *
 * @typedef {{from: number, to: number}} Rows  from one up to, but not with, another, counted from 0
 */

/** A list of so many rows is in the page as a whole. */
export const WHOLE = 400;

/** Of a longer one, how many rows there are at least before and after the place that is shown. */
const AROUND = { before: 100, after: 50 };

/** So many rows from the edge, others are put around the place. */
const MARGIN = 20;

/** Rows that are added where the reader scrolls on, and as many as there are then at most. */
const MORE = 100;

/**
 * The rows to have in the page when a place is shown. They stay as they are while it is well among them.
 * @param {Rows} rows  as they are
 * @param {number} at  the place: so many rows lie before it
 * @param {number} length  of the list
 * @param {number} whole  a list of so many rows is shown as a whole
 * @returns {Rows}
 */
export function around({ from, to }, at, length, whole) {
  if (length <= whole) return { from: 0, to: length };
  const stays = (from === 0 || at >= from + MARGIN) && (to >= length || at <= to - MARGIN);
  if (stays && to <= length && to - from <= WHOLE) return { from, to };
  return { from: Math.max(0, at - AROUND.before), to: Math.min(length, at + AROUND.after) };
}

/**
 * The rows when the reader comes to the first or to the last of them.
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
