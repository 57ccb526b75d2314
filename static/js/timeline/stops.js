/**
 * Where the playhead stands after each event, and between two of them. An action is a
 * column or a few; within a column the playhead stops where its messages leave, arrive
 * and are back.
 *
 * @typedef {import("./model.js").Marks} Marks
 *
 * @typedef {object} Stops
 * @property {(position: number) => number} after  px along the axis: where the playhead stands at a position
 * @property {(px: number) => number} at  the position, a real number, at which it stands there
 */

import { columnOf } from "./moments.js";
import { reach } from "./timing.js";

/** What is noticed about events moves nothing. */
const NOTICED = new Set(["violation", "cleared"]);

/**
 * @param {Marks} marks
 * @param {(at: number) => number} x  of a moment
 * @param {(column: number) => number} before  where the playhead stands when a column is the next
 * @returns {Stops}
 */
export function stops(marks, x, before) {
  const px = placed(marks, x, before);
  const last = px.length - 1;
  /** @param {number} position */
  const after = (position) => {
    const seq = Math.min(Math.ceil(position), last);
    const part = position - (seq - 1);
    if (seq === 0 || part >= 1) return px[seq];
    return px[seq - 1] + (px[seq] - px[seq - 1]) * reach(marks.events[seq - 1].kind, part);
  };
  return {
    after,
    at(wanted) {
      // Of several events at one place it is the last.
      let seq = 0;
      for (let [low, high] = [0, last]; low <= high;) {
        const middle = (low + high) >> 1;
        if (px[middle] <= wanted) [seq, low] = [middle, middle + 1];
        else high = middle - 1;
      }
      if (seq === last || px[seq] >= wanted) return seq;
      let [low, high] = [seq, seq + 1];
      while (high - low > 0.001) {
        const middle = (low + high) / 2;
        if (after(middle) <= wanted) low = middle;
        else high = middle;
      }
      return low;
    },
  };
}

/** Returns the px of the playhead after each event, and first after none.
 * @param {Marks} marks
 * @param {(at: number) => number} x
 * @param {(column: number) => number} before
 */
function placed({ at, events }, x, before) {
  const px = new Float64Array(at.length + 1).fill(before(0));
  let rest = Infinity; // the column of which nothing is to come
  for (let seq = at.length; seq > 0; seq--) {
    const { kind } = events[seq - 1];
    if (NOTICED.has(kind)) continue;
    const moment = at[seq - 1];
    const column = columnOf(moment);
    if (column !== rest) px[seq] = before(column + 1);
    // A reply sets out where its command arrived.
    else px[seq] = x(kind === "reply" ? column : moment);
    rest = column;
  }
  for (let seq = 1; seq < px.length; seq++) if (NOTICED.has(events[seq - 1].kind)) px[seq] = px[seq - 1];
  return px;
}
