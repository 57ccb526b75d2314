/**
 * Places what is in flight under the playhead: a pill for each message, side by side in
 * the order of the lanes, and as near to its lane as the others let it.
 *
 * @typedef {import("../model.js").Marks} Marks
 * @typedef {import("../../trace/state.js").State} State
 * @typedef {import("../shapes.js").Group} Group
 * @typedef {import("./layout.js").Frame} Frame
 * @typedef {import("../parts/waiting.js").Waiting} Waiting
 * @typedef {import("../parts/pill.js").PillScale} PillScale
 * @typedef {Waiting & {content: string, x: number, y: number, width: number, scale: PillScale}} Placed  x: of the left edge; y: of the middle, from the playhead
 */

import { LARGE, SMALL, pill, widthOf } from "../parts/pill.js";
import { waitsFor } from "../parts/waiting.js";
import { rect } from "../shapes.js";

/** A row of pills is so high: a finger finds each of them, px. */
export const ROW = 48;

/** Between two pills, and from the edge of the pane, px. */
const APART = 6;

/** A finger's least target, px. */
const TARGET = 44;

/**
 * Returns where each waits. The rows are filled in the order of the lanes.
 * @param {Marks} marks
 * @param {State} state
 * @param {Pick<Frame, "across" | "options">} frame
 * @returns {Placed[]}
 */
export function places(marks, state, frame) {
  const { across, options: { measure, tokens = false } } = frame;
  const waiting = waitsFor(marks, state, frame).map((one) => ({ ...one, lane: laneOf(one, across) }));
  waiting.sort((a, b) => a.lane - b.lane);
  const room = across.width - 2 * APART;
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
  return rows.flatMap((row, n) => side(row, across.width).map((one) => ({ ...one, y: ROW * (n + 0.5) })));
}

/** A request waits at its client's lane, a reply beside Redis'. @param {Waiting} one @param {Frame["across"]} across */
const laneOf = ({ token: { client, node }, reply }, across) => (reply ? across.x(node) - across.rise(reply.rank) : across.x(client));

/** Each at its lane, unless the one before it is in the way; none beyond an edge.
 * @template {{lane: number, width: number}} T
 * @param {T[]} row
 * @param {number} width
 */
function side(row, width) {
  let least = APART;
  const placed = row.map((one) => {
    const x = Math.max(least, one.lane - one.width / 2);
    least = x + one.width + APART;
    return { ...one, x };
  });
  let most = width - APART;
  for (const one of placed.reverse()) {
    one.x = Math.min(one.x, most - one.width);
    most = one.x - APART;
  }
  return placed.reverse();
}

/** Returns how much room they take at the end of the log.
 * @param {Marks} marks
 * @param {State} state
 * @param {Pick<Frame, "across" | "options">} frame
 */
export const waitingRoom = (marks, state, frame) => places(marks, state, frame).reduce((most, { y }) => Math.max(most, y + ROW / 2), 0);

/**
 * @param {Marks} marks
 * @param {State} state
 * @param {number} at  px, the playhead
 * @param {Frame} frame
 * @param {Set<number>} [carried]  calls that a motion carries
 * @returns {Group[]}
 */
export function waiting(marks, state, at, frame, carried = new Set()) {
  const { measure, tokens = false } = frame.options;
  return places(marks, state, frame).filter(({ token }) => !carried.has(token.call)).map(({ key, seq, token, content, x, y, width, scale }) => {
    const middle = at + y;
    const target = rect("token-target", x - APART / 2, middle - TARGET / 2, width + APART, TARGET);
    const shapes = pill({ left: x, y: middle, width, height: scale.height }, content, tokens, scale, measure);
    /** @type {Group} */
    const group = { key, seq: tokens ? 0 : seq, class: tokens ? "token" : "label", title: null, shapes: tokens ? [...shapes, target] : shapes };
    return tokens ? { ...group, token } : group;
  });
}
