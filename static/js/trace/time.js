/** Tells the times of a run: in its own seconds, or by the wall clock of a run that has one. */

import { START } from "./state.js";

/**
 * Seconds, with a fraction only where there is one: 1012, 1012.5. By a wall clock the time in UTC: 21:54:07.985, with the date where
 * that is another one than at the start.
 * @param {number} ms  of the run
 * @param {number} [began]  the wall time at which it starts, Unix ms; 0: it has none
 */
export function timeText(ms, began = 0) {
  if (!began) return String(ms / 1000);
  const [date, clock] = written(began + ms - START);
  return date === written(began)[0] ? clock : `${date.slice(-5)} ${clock}`;
}

/** The wall time at which a run starts, whole. @param {number} began  Unix ms */
export const startText = (began) => `${written(began).join(" ")} UTC`;

/** The date and the time. @param {number} unix  ms */
const written = (unix) => new Date(unix).toISOString().slice(0, -1).split("T");
