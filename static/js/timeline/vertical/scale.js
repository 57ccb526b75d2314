/** The measures of the vertical drawing, px. */

/** Of every text but the badges and flags, as in timeline.css. */
export const SIZE = 12;

/** Heads of the lanes, kept in view. */
export const HEAD = 80;

/** Under them a row of buttons, where a page has some. */
export const BUTTONS = 32;

/** And below what waits there is one, too. */
export const BELOW = 56;

/** From one line of text to the next. */
export const LINE = 16;

/** Half the width of a critical section. */
export const BAR = 8;

/** The belief strip, from the lane. */
export const STRIP = { left: 9, width: 7 };

/** A bar with its strip and a little air: narrower lanes have narrower bars. */
export const BAR_ROOM = 27;

/** Half the height of what a command touches on the Redis lane. */
export const KNOT = 7;

/** An arrow to or from Redis falls by so much; after a loss, its client's next move stands clear of the cross. */
export const FALL = { request: 8, reply: 12, lost: 18 };

/** Replies in flight wait left of the Redis lane, one beside the other. */
export const WAITING = { rise: 14, pitch: 10 };

export const FLAG = { height: 24, pitch: 28 };

/** The line under the flags that says what the cause was. */
export const CAUSE = 20;
