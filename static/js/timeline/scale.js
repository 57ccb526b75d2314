/** The grid that the whole drawing hangs on: multiples of 8 px. */

import { columnOf } from "./moments.js";

/** An arrow to or from Redis leans by so much, so that its foot and its head stand apart. */
export const LEAN = 16;

/** From a column to a moment in it.
 * @param {number} at
 */
export const offset = (at) => (at === columnOf(at) ? 0 : LEAN);

/** Half the height of a critical section. */
export const BAR = 8;

/** The belief strip, from the lane. */
export const STRIP = { top: 9, height: 7 };

/** Half the height of what a command touches on the Redis lane. */
export const KNOT = 7;

/** Replies in flight wait above the Redis lane, one over the other. */
export const WAITING = { rise: 16, pitch: 20 };

export const BAND = { height: 24, pitch: 32 };

export const FLAG = { height: 24, pitch: 32 };

export const CAUSE = { height: 24, pitch: 40 };
