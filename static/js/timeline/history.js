/**
 * Returns the state after any event of a log. It keeps steps of the fold: a scrubber
 * that is dragged across two thousand events folds a few at a time.
 *
 * @typedef {import("../trace/state.js").Event} Event
 * @typedef {import("../trace/state.js").State} State
 */

import { apply, empty } from "../trace/state.js";

/** From one state that is kept to the next, events. */
const STRIDE = 32;

export function history() {
  /** @type {Event[]} */
  let log = [];
  /** @type {State[]} the state after 0, 32, 64 … events of the log */
  let kept = [empty()];

  return {
    /** The log that is asked about from now on. What it has in common with the one before is not folded again.
     * @param {Event[]} events
     */
    read(events) {
      let common = kept.length - 1;
      while (common > 0 && events[common * STRIDE - 1] !== log[common * STRIDE - 1]) common--;
      kept = kept.slice(0, common + 1);
      log = events;
    },

    /** @param {number} seq  of the last event that has happened; 0: none has @returns {State} */
    at(seq) {
      const last = Math.min(seq, log.length);
      while (kept.length <= Math.floor(last / STRIDE)) {
        const from = (kept.length - 1) * STRIDE;
        kept.push(log.slice(from, from + STRIDE).reduce(apply, kept[kept.length - 1]));
      }
      const nearest = Math.floor(last / STRIDE);
      return log.slice(nearest * STRIDE, last).reduce(apply, kept[nearest]);
    },
  };
}
