/** The grid of the whole drawing: multiples of 8 px, and tighter measures for many lanes on a screen. */

import { columnOf } from "./moments.js";

/** The lean of an arrow to or from Redis, which keeps its foot and its head apart. */
export const LEAN = 20;

/** From a column to a moment in it.
 * @param {number} at
 */
export const offset = (at) => (at === columnOf(at) ? 0 : LEAN);

/** From the next column's foot back to the playhead. */
export const BEFORE = 8;

/** Half the height of what a command touches on the Redis lane. */
export const KNOT = 8;

/** From a lane to the words beside it where time runs down and no bar stands between them. */
export const BARE = 11;

/** Replies in flight wait above the Redis lane, one over the other. */
export const WAITING = { rise: 18, pitch: 24 };

/**
 * The bands of keys: from the lane of their node to the first, their height, from one to the next, and from the top of one to
 * the baseline of the words under it; 0: its writer stands in it, behind the value.
 *
 * @typedef {{from: number, height: number, pitch: number, under: number}} BandScale
 */

/** @type {BandScale} */
export const BAND = { from: 34, height: 40, pitch: 66, under: 56 };

/** In close rows, or under several keys. @type {BandScale} */
export const CLOSE_BAND = { from: 28, height: 26, pitch: 32, under: 0 };

export const FLAG = { height: 26, baseline: 19, rows: 2, pitch: 30 };

/**
 * Above and below the lanes: where the axis stands, where the flags begin, from one row
 * of them to the next, what the arrow of a cause takes, and from the bands down to it.
 */
export const AIRY = { axis: 36, flags: 46, flag: 32, cause: 32, arc: -6 };

/** In a pane in which lanes would hide otherwise. */
export const DENSE = { axis: 26, flags: 34, flag: 28, cause: 24, arc: -6 };

/** On a wall, where large letters leave the rows the least room. */
export const WALL = { axis: 24, flags: 28, flag: 27, cause: 21, arc: -9 };

/** What the words of notes take under the axis, px. */
export const NOTES = 14;

/** The width of a second on the Real scale, px. */
export const SECOND = 12;

/**
 * What of a lane stands where, from the lane's line: half the height of the
 * bar, the strip under it, what a pause frames around the bar, where requests of an earlier
 * life run, the baseline of the words above.
 *
 * @typedef {{bar: number, strip: {from: number, size: number}, frame: number, aside: number, above: number}} LaneScale
 */

/** @type {LaneScale} */
export const ROOMY = { bar: 12, strip: { from: 13, size: 6 }, frame: 4, aside: 12, above: -20 };

/** @type {LaneScale} */
export const COMPACT = { bar: 9, strip: { from: 10, size: 4 }, frame: 3, aside: 8, above: -13 };

/** The words of a lane just clear the strip of the one above. @type {LaneScale} */
export const TIGHT = { bar: 7, strip: { from: 7, size: 3 }, frame: 3, aside: 6, above: -10 };

/** The corners of bars and of bands, px. */
export const ROUND = { bar: 5, band: 8 };
