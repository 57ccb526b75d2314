/** The grid of the whole drawing: multiples of 8 px, and tighter measures for many lanes on a screen. */

import { columnOf } from "./moments.js";

/** The lean of an arrow to or from Redis, which keeps its foot and its head apart. */
export const LEAN = 16;

/** From a column to a moment in it.
 * @param {number} at
 */
export const offset = (at) => (at === columnOf(at) ? 0 : LEAN);

/** From the next column's foot back to the playhead. */
export const BEFORE = 8;

/** Half the height of what a command touches on the Redis lane. */
export const KNOT = 7;

/** Replies in flight wait above the Redis lane, one over the other. */
export const WAITING = { rise: 16, pitch: 20 };

export const BAND = { height: 24, pitch: 32 };

export const FLAG = { height: 24, pitch: 32, rows: { roomy: 2, compact: 1 } };

export const CAUSE = { height: 24, pitch: 40 };

/** On the Real scale a second is so wide, px. */
export const SECOND = 12;

/**
 * What of a lane stands where, from the lane's line: half the height of the
 * bar, the strip under it, where requests of an earlier life run, the baselines of
 * the texts above and below.
 *
 * @typedef {{bar: number, strip: {top: number, height: number}, aside: number, above: number, below: number}} LaneScale
 */

/** @type {LaneScale} */
export const ROOMY = { bar: 8, strip: { top: 9, height: 7 }, aside: 12, above: -18, below: 20 };

/** Replies stand above too: below there is no room. @type {LaneScale} */
export const COMPACT = { bar: 8, strip: { top: 9, height: 5 }, aside: 8, above: -11, below: -11 };

/** The words of a lane just clear the strip of the one above. @type {LaneScale} */
export const TIGHT = { bar: 6, strip: { top: 6, height: 3 }, aside: 6, above: -9, below: -9 };
