/**
 * Computes where in the run the driver looks, and where a press leads from there.
 * On the wire the end is -1: a driver at the end follows new actions.
 *
 * @typedef {{at: number, tip: number, end: boolean}} Place
 */

/** @param {number} cursor @param {number} tip  actions of the run @returns {Place} */
export function placeOf(cursor, tip) {
  const end = cursor < 0 || cursor >= tip;
  return { at: end ? tip : cursor, tip, end };
}

/** @param {Place} place */
export const forward = ({ at, tip }) => (at + 1 < tip ? at + 1 : -1);

/** @param {Place} place */
export const backward = ({ at }) => Math.max(0, at - 1);

/** Returns the next position at which a violation begins; -1: there is none. @param {Place} place @param {number[]} breaks */
export const nextBreak = ({ at }, breaks) => breaks.find((b) => b > at) ?? -1;

/** @param {string} text  positions, as the server writes them */
export const breaksOf = (text) => text.split(" ").filter(Boolean).map(Number);
