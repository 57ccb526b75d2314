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

/** From a lane to the words beside it where time runs down and no bar stands between them. */
export const BARE = 11;

/** Replies in flight wait above the Redis lane, one over the other. */
export const WAITING = { rise: 16, pitch: 20 };

export const BAND = { height: 24, pitch: 32 };

export const FLAG = { height: 24, rows: { roomy: 2, compact: 1 }, pitch: 28 };

/**
 * Above and below the lanes: where the axis stands, where the flags begin, from one row
 * of them to the next, what the arrow of a cause takes, and from the bands down to it.
 */
export const AIRY = { axis: 32, flags: 56, flag: 32, cause: 40, arc: 4 };

/** In a pane in which lanes would hide otherwise. */
export const DENSE = { axis: 24, flags: 46, flag: 28, cause: 24, arc: -6 };

/** On a wall, where large letters leave the rows the least room. */
export const WALL = { axis: 22, flags: 37, flag: 27, cause: 21, arc: -9 };

/** The width of a second on the Real scale, px. */
export const SECOND = 12;

/**
 * What of a lane stands where, from the lane's line: half the height of the
 * bar, the strip under it, what a pause frames around the bar, where requests of an earlier
 * life run, the baselines of the texts above and below.
 *
 * @typedef {{bar: number, strip: {from: number, size: number}, frame: number, aside: number, above: number, below: number}} LaneScale
 */

/** @type {LaneScale} */
export const ROOMY = { bar: 8, strip: { from: 9, size: 7 }, frame: 4, aside: 12, above: -18, below: 20 };

/** Replies stand above too: below there is no room. @type {LaneScale} */
export const COMPACT = { bar: 8, strip: { from: 9, size: 5 }, frame: 4, aside: 8, above: -11, below: -11 };

/** The words of a lane just clear the strip of the one above. @type {LaneScale} */
export const TIGHT = { bar: 6, strip: { from: 6, size: 3 }, frame: 4, aside: 6, above: -9, below: -9 };
