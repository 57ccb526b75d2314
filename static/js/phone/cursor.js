/**
 * Where in the run the driver looks, and where a press leads from there. The end
 * is -1 on the wire: whoever looks there follows what is added.
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

/** The next position at which something begins to be wrong; -1: there is none. @param {Place} place @param {number[]} breaks */
export const nextBreak = ({ at }, breaks) => breaks.find((b) => b > at) ?? -1;

/** @param {string} text  positions, as the server writes them */
export const breaksOf = (text) => text.split(" ").filter(Boolean).map(Number);
