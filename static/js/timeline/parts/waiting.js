/**
 * What is in flight where the playhead stands: the command waits beyond it.
 *
 * @typedef {import("../model.js").Marks} Marks
 * @typedef {import("../../store.js").State} State
 * @typedef {import("../layout.js").Frame} Frame
 * @typedef {import("../shapes.js").Group} Group
 */

import { SIZE } from "../labels.js";
import { BEFORE, WAITING } from "../scale.js";
import { commandText, replyText } from "../text.js";
import { text } from "./label.js";

/** Between two that wait on one lane, px. */
const APART = 12;

/** How far they reach where the log ends, px.
 * @param {Marks} marks
 * @param {import("../layout.js").Options} options
 */
export function waitingRoom({ requests }, { measure }) {
  /** @type {Map<string, number>} */
  const lanes = new Map();
  for (const q of requests) {
    if (q.fate === "inFlight") lanes.set(q.call.client, (lanes.get(q.call.client) ?? BEFORE) + measure(commandText(q.call, q.label), SIZE) + APART);
  }
  return Math.max(0, ...lanes.values());
}

/**
 * @param {Marks} marks
 * @param {State} state
 * @param {number} at  px, the playhead
 * @param {Frame} frame
 * @returns {Group[]}
 */
export function waiting({ replies }, state, at, { rows, options: { measure } }) {
  /** @type {Map<string, number>} */
  const taken = new Map();
  /** @type {Group[]} */
  const all = [];
  const byCall = new Map(replies.map((p) => [p.call.id, p]));
  // The newest stands nearest; those of a life that is over wait behind it.
  for (const { call, label, sent, delivered } of Object.values(state.inFlight).reverse()) {
    const reply = delivered ? byCall.get(call.id) : undefined;
    if (delivered && !reply) continue;
    if (!rows.seen(call.client) && !reply) continue;
    const row = reply ? `${call.node} ${reply.rank}` : call.client;
    const x = taken.get(row) ?? at + BEFORE;
    const y = reply
      ? rows.lane(call.node) - WAITING.rise - 8 - reply.rank * WAITING.pitch
      : rows.lane(call.client) + rows.scale.above;
    const content = reply ? replyText(reply.text) : commandText(call, label);
    all.push({
      key: `${sent} waiting`, seq: reply?.seq ?? sent, class: "label", title: null, layer: "words",
      shapes: [text(reply ? "reply-value waiting" : "command waiting", x, y, content, SIZE, "start", measure)],
    });
    taken.set(row, x + measure(content, SIZE) + APART);
  }
  return all;
}
