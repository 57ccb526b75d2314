/**
 * The Steps scale: a column for every event that moves something, however much time
 * passes in between.
 *
 * A moment is a number: a whole number is a column, and a half is right after
 * it, when the reply of the command delivered there has arrived, or when its
 * client has noticed that a message is lost. So a step, which is deliver, reply,
 * receive and what the client does next, is one column, and moments compare like
 * times.
 *
 * @typedef {import("../trace/state.js").Event} Event
 * @typedef {{event: Event, at: number}} Moment
 */

import { ARRIVALS } from "../trace/state.js";

/** Events that end the flight of a message: their consequences stand half a column later. */
const ENDS = [...ARRIVALS, "drop"];

/** Events that open a column. Others, such as a violation, stand in that of their action. */
const OPENS = new Set([...ENDS, "spawn", "leave", "crash", "restart", "failover", "pause", "resume", "skew", "tick", "note"]);

/**
 * @param {Event[]} events
 * @returns {{moments: Moment[], end: number}} end is the playhead: the column after the last
 */
export function moments(events) {
  let column = -1;
  let action = -1;
  let ended = "";
  const placed = events.map((event) => {
    const opens = OPENS.has(event.kind) || event.action !== action;
    if (opens || column < 0) {
      column++;
      action = event.action;
      ended = ENDS.includes(event.kind) ? event.kind : "";
    }
    const after = ended && event.kind !== ended;
    return { event, at: after ? column + 0.5 : column };
  });
  return { moments: placed, end: column + 1 };
}

/** The column a moment lies in.
 * @param {number} at
 */
export const columnOf = (at) => Math.floor(at);
