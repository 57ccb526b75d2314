/**
 * Places what is in flight under the playhead: a pill for each message, side by side in
 * the order of the lanes, and as near to its lane as the others let it.
 *
 * @typedef {import("../model.js").Marks} Marks
 * @typedef {import("../../trace/state.js").State} State
 * @typedef {import("../layout.js").Frame} Frame
 * @typedef {import("../in-flight.js").Waiting} Waiting
 * @typedef {import("./pill.js").PillScale} PillScale
 * @typedef {Waiting & import("./waiting.js").Place} Placed
 */

import { waitsFor } from "../in-flight.js";
import { LARGE, SMALL, widthOf } from "./pill.js";

/** The height of a row of pills, of which a finger finds each, px. */
const ROW = 48;

/** Between two pills, and from the edge of the pane, px. */
const APART = 6;

/**
 * Returns where each waits. The rows are filled in the order of the lanes.
 * @param {Marks} marks
 * @param {State} state
 * @param {number} at  px, the playhead
 * @param {Pick<Frame, "across" | "options">} frame
 * @returns {Placed[]}
 */
export function places(marks, state, at, frame) {
  const { across, options: { measure, tokens = false } } = frame;
  const waiting = waitsFor(marks, state, frame).map((one) => ({ ...one, lane: laneOf(one, across) }));
  waiting.sort((a, b) => a.lane - b.lane);
  const room = across.end - 2 * APART;
  /** @param {PillScale} scale @param {boolean} named */
  const sized = (scale, named) => waiting.map((one) => {
    const content = named ? `${one.token.client} ${one.content}` : one.content;
    return { ...one, content, scale, width: Math.min(room, widthOf(content, tokens, scale, measure)) };
  });
  const large = sized(LARGE, false);
  // Where they stand aside of their lanes they say whose they are.
  const all = large.reduce((sum, { width }) => sum + width + APART, -APART) <= room ? large : sized(SMALL, true);
  /** @type {(typeof all)[]} */
  const rows = [];
  let used = Infinity;
  for (const one of all) {
    if (used + one.width > room) {
      rows.push([]);
      used = 0;
    }
    rows[rows.length - 1].push(one);
    used += one.width + APART;
  }
  return rows.flatMap((row, n) => side(row, across.end).map((one) => ({ ...one, y: at + ROW * (n + 0.5) })));
}

/** A request waits at its client's lane, a reply beside Redis'. @param {Waiting} one @param {Frame["across"]} across */
const laneOf = ({ token: { client }, reply }, across) => (reply ? across.rest(reply) : across.lane(client));

/** Each at its lane, unless the one before it is in the way; none beyond an edge.
 * @template {{lane: number, width: number}} T
 * @param {T[]} row
 * @param {number} width
 */
function side(row, width) {
  let least = APART;
  const placed = row.map((one) => {
    const left = Math.max(least, one.lane - one.width / 2);
    least = left + one.width + APART;
    return { ...one, left };
  });
  let most = width - APART;
  for (const one of placed.reverse()) {
    one.left = Math.min(one.left, most - one.width);
    most = one.left - APART;
  }
  return placed.reverse();
}

/** Returns how much room they take at the end of the log.
 * @param {Marks} marks
 * @param {Pick<Frame, "across" | "options">} frame
 */
export const waitingRoomDown = (marks, frame) => places(marks, marks.state, 0, frame).reduce((most, { y }) => Math.max(most, y + ROW / 2), 0);
