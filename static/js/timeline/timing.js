/**
 * How long the motion of an event lasts, and its phases. Times are in ms at the
 * reader's speed 1; a part is of one event's time, from 0 to 1.
 *
 * @typedef {import("./model.js").Marks} Marks
 */

import { ARRIVALS } from "../trace/state.js";
import { columnOf } from "./moments.js";

/** A command glides to Redis, and Redis executes it. */
export const FLY_MS = 250;
export const EXECUTE_MS = 150;

/** Lanes make room for another one. */
export const ROOM_MS = 200;

/** At a violation everything holds; then bars turn to hatching, and the arrow runs back to the guilty command. */
export const VIOLATION = { hold: 400, hatch: 200, arc: 300 };

/** @type {Record<string, number>} */
const LASTS = {
  ...Object.fromEntries([...ARRIVALS].map((kind) => [kind, FLY_MS + EXECUTE_MS])), receive: 250, drop: 250, tick: 400,
  spawn: 200, crash: 150, restart: 150, failover: 150, enter: 150, leave: 150, pause: 150, resume: 150, skew: 150, expire: 150, send: 120,
  violation: VIOLATION.hold + VIOLATION.hatch + VIOLATION.arc,
};

/** What else is said on the way to the next column. */
const OTHERS_MS = 80;

/**
 * Returns how long the motion of an event lasts.
 * @param {Marks} marks
 * @param {number} seq
 */
export function lasts({ events, at, violations }, seq) {
  const { kind } = events[seq - 1];
  if (kind === "violation") return violations.some((v) => v.seq === seq) ? LASTS.violation : 0; // one flag, one hold
  if (kind === "cleared") return 0;
  // A reply that is received at once rises with its receive.
  if (kind === "reply") return columnOf(at[seq - 1]) === columnOf(at[seq] ?? -1) ? 0 : LASTS.receive;
  return LASTS[kind] ?? OTHERS_MS;
}

/** @param {number} t  from 0 to 1 */
export const ease = (t) => (t < 0.5 ? 2 * t * t : 1 - 2 * (1 - t) * (1 - t));

/** Quick at first. @param {number} t  from 0 to 1 */
export const out = (t) => 1 - (1 - t) * (1 - t);

/** How much of a stretch from one time to another is over.
 * @param {number} t @param {number} from @param {number} to
 */
export const over = (t, from, to) => Math.max(0, Math.min(1, (t - from) / (to - from)));

/** How far the playhead has come on its way to the place after an event: it stands still while Redis executes.
 * @param {string} kind
 * @param {number} part
 */
export const reach = (kind, part) => ease(over(part, 0, ARRIVALS.has(kind) ? FLY_MS / (FLY_MS + EXECUTE_MS) : 1));
