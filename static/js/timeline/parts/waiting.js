/**
 * Draws the messages in flight at the playhead: a command waits beyond it.
 *
 * @typedef {import("../model.js").Marks} Marks
 * @typedef {import("../../trace/state.js").State} State
 * @typedef {import("../layout.js").Frame} Frame
 * @typedef {import("../shapes.js").Group} Group
 */

import { SIZE } from "../labels.js";
import { BEFORE, WAITING } from "../scale.js";
import { commandText, replyText } from "../text.js";
import { text } from "./label.js";

/** Between two that wait on one lane, px. */
const APART = 12;

/** The most that one lane shows; the others are counted. */
const MOST = 2;

/** Returns how far they reach at the end of the log, px.
 * @param {Marks} marks
 * @param {import("../layout.js").Options} options
 */
export function waitingRoom({ requests }, { measure }) {
  /** @type {Map<string, number[]>} */
  const lanes = new Map();
  for (const q of requests) {
    if (q.fate !== "inFlight") continue;
    const width = measure(commandText(q.call, q.label), SIZE) + APART;
    lanes.set(q.call.client, [width, ...(lanes.get(q.call.client) ?? [])]);
  }
  /** @param {number[]} widths */
  const room = (widths) => widths.slice(0, MOST).reduce((a, b) => a + b, BEFORE) + (widths.length > MOST ? measure("+9", SIZE) : 0);
  return Math.max(0, ...[...lanes.values()].map(room));
}

/**
 * @param {Marks} marks
 * @param {State} state
 * @param {number} at  px, the playhead
 * @param {Frame} frame
 * @returns {Group[]}
 */
export function waiting({ replies }, state, at, { rows, options: { measure } }) {
  /** @type {Map<string, {x: number, count: number}>} */
  const rowsTaken = new Map();
  /** @type {Group[]} */
  const all = [];
  /** @type {Map<string, {x: number, y: number}>} where the others of a lane are counted */
  const more = new Map();
  const byCall = new Map(replies.map((p) => [p.call.id, p]));
  // The newest stands nearest; those of a life that is over wait behind it.
  for (const { call, label, sent, delivered } of Object.values(state.inFlight).reverse()) {
    const reply = delivered ? byCall.get(call.id) : undefined;
    if (delivered && !reply) continue;
    if (!rows.seen(call.client) && !reply) continue;
    const row = reply ? `${call.node} ${reply.rank}` : call.client;
    const { x, count } = rowsTaken.get(row) ?? { x: at + BEFORE, count: 0 };
    const y = reply
      ? rows.lane(call.node) - WAITING.rise - 8 - reply.rank * WAITING.pitch
      : rows.lane(call.client) + rows.scale.above;
    const content = reply ? replyText(reply.text) : commandText(call, label);
    rowsTaken.set(row, { x: count < MOST ? x + measure(content, SIZE) + APART : x, count: count + 1 });
    if (count === MOST) more.set(row, { x, y });
    if (count >= MOST) continue;
    all.push({
      key: `${sent} waiting`, seq: reply?.seq ?? sent, class: "label", title: null, layer: "words",
      shapes: [text(reply ? "reply-value waiting" : "command waiting", x, y, content, SIZE, "start", measure)],
    });
  }
  for (const [row, place] of more) {
    all.push({
      key: `${row} more waiting`, seq: 0, class: "label", title: null, layer: "words",
      shapes: [text("flag-more", place.x, place.y, `+${(rowsTaken.get(row)?.count ?? 0) - MOST}`, SIZE, "start", measure)],
    });
  }
  return all;
}
