/**
 * Draws the messages in flight at the playhead: a command waits beyond it. Where the
 * reader can deliver them they are tokens: pills on the lanes, to be pressed.
 *
 * @typedef {import("../model.js").Marks} Marks
 * @typedef {import("../../trace/state.js").Call} Call
 * @typedef {import("../../trace/state.js").State} State
 * @typedef {import("../layout.js").Frame} Frame
 * @typedef {import("../shapes.js").Group} Group
 * @typedef {import("../shapes.js").Token} Token
 * @typedef {{key: string, seq: number, content: string, name: string, token: Token, reply?: import("../messages.js").Reply}} Waiting
 */

import { SIZE } from "../labels.js";
import { restsAt } from "../messages.js";
import { BEFORE, WAITING } from "../scale.js";
import { rect } from "../shapes.js";
import { commandText, replyText } from "../text.js";
import { text } from "./label.js";
import { REPLY, pill, scaleOf, widthOf } from "./pill.js";

/** Between two that wait on one lane, px. */
const APART = 12;

/** The most that one lane shows; the others are counted. */
const MOST = 2;

/** The playhead leaves a pill so much more room than words, px. */
const BESIDE = 4;

/** A token takes the pointer in a square of at least this, where its lane has the room, px. */
const TARGET = 44;

/** Around the one token there is, px. */
const HALO = 8;

/** A wall narrower than this has room for what has happened only if what waits is brief, px. */
const BRIEF = 300;

/** Returns what a request in flight says: as a token, and where there is little room, its verb alone, as the band will tell the rest.
 * @param {Call} call
 * @param {string} label
 * @param {Pick<Frame, "options">} frame
 */
export const wordsOf = (call, label, { options: { tokens, wall, width } }) =>
  (tokens || (wall && width < BRIEF) ? commandText(call, label).split(" ")[0] : commandText(call, label));

/** Returns the left edge of what waits beside the playhead. @param {number} at  px, the playhead */
export const placeOf = (at) => at + BEFORE + BESIDE;

/** Returns how far they reach at the end of the log, px.
 * @param {Marks} marks
 * @param {import("../layout.js").Options} options
 * @param {Parameters<typeof scaleOf>[0]["rows"]} rows
 */
export function waitingRoom({ requests, sections, end }, options, rows) {
  const { measure, words, tokens } = options;
  const scale = scaleOf({ rows });
  /** @type {Map<string, number[]>} */
  const lanes = new Map();
  /** @param {string} lane @param {number} width */
  const add = (lane, width) => lanes.set(lane, [width + APART, ...(lanes.get(lane) ?? [])]);
  for (const q of requests) {
    if (q.fate !== "inFlight") continue;
    const content = wordsOf(q.call, q.label, { options });
    add(q.call.client, tokens ? widthOf(content, true, scale, measure) : measure(content, SIZE));
  }
  if (tokens && words.leave) for (const s of sections) if (s.to === end && s.ending === "open") add(s.client, Math.max(...[words.leave, words.work].map((does) => widthOf(does, true, scale, measure))));
  /** @param {number[]} widths */
  const room = (widths) => widths.slice(0, MOST).reduce((a, b) => a + b, tokens ? BEFORE + BESIDE : BEFORE) + (widths.length > MOST ? measure("+9", SIZE) : 0);
  return Math.max(0, ...[...lanes.values()].map(room));
}

/**
 * @param {Marks} marks
 * @param {State} state
 * @param {number} at  px, the playhead
 * @param {Frame} frame
 * @param {Set<number>} [carried]  calls that a motion carries
 * @returns {Group[]}
 */
export function waiting(marks, state, at, frame, carried = new Set()) {
  const all = waitsFor(marks, state, frame).flatMap((one) => placed(one, frame));
  /** @type {Map<string, {x: number, count: number}>} */
  const rowsTaken = new Map();
  /** @type {Map<string, {x: number, y: number}>} where the others of a lane are counted */
  const more = new Map();
  const { measure, tokens } = frame.options;
  const only = tokens && all.length === 1 && carried.size === 0;
  const groups = all.filter(({ token }) => !carried.has(token.call)).flatMap((one) => {
    const { row, y, content } = one;
    const { x, count } = rowsTaken.get(row) ?? { x: tokens ? placeOf(at) : at + BEFORE, count: 0 };
    const scale = one.token.kind === "reply" ? REPLY : scaleOf(frame);
    const width = tokens ? widthOf(content, true, scale, measure) : measure(content, SIZE);
    rowsTaken.set(row, { x: count < MOST ? x + width + APART : x, count: count + 1 });
    if (count === MOST) more.set(row, { x, y });
    if (count >= MOST) return [];
    const shapes = tokens
      ? [
        ...(only ? [rect("halo", x - HALO, y - scale.height / 2 - HALO, width + 2 * HALO, scale.height + 2 * HALO, scale.height / 2 + HALO)] : []),
        ...pill({ left: x, y, width, height: scale.height }, content, true, scale, measure),
        target(x, y, width, frame, one.token.kind === "reply" ? WAITING.pitch : TARGET),
      ]
      : [text(`${one.name} waiting`, x, y, content, SIZE, "start", measure)];
    /** @type {Group} */
    const group = { key: one.key, seq: tokens ? 0 : one.seq, class: !tokens ? "label" : one.token.kind === "leave" ? "token leaving" : "token", title: null, layer: "words", shapes };
    return [tokens ? { ...group, token: one.token } : group];
  });
  for (const [row, { x, y }] of more) {
    groups.push({
      key: `${row} more waiting`, seq: 0, class: "label", title: null, layer: "words",
      shapes: [text("flag-more", x, y, `+${(rowsTaken.get(row)?.count ?? 0) - MOST}`, SIZE, "start", measure)],
    });
  }
  return groups;
}

/** Where the pointer takes a token: higher than the pill, but never over the next lane's.
 * @param {number} x @param {number} y @param {number} width @param {Frame} frame @param {number} most
 */
function target(x, y, width, { rows }, most) {
  const height = Math.min(most, rows.pitch);
  return rect("token-target", x - 4, y - height / 2, width + 8, height);
}

/** On its lane, if that is in view. @param {Waiting} one @param {Frame} frame */
function placed(one, frame) {
  const { rows, options: { tokens } } = frame;
  const { token: { client, node }, reply } = one;
  if (!rows.seen(client) && !reply) return [];
  const lane = rows.lane(reply ? node : client);
  const y = reply ? restsAt(reply, frame) - (tokens ? 0 : 8) : tokens ? lane : lane + rows.scale.above;
  return [{ ...one, row: reply ? `${node} ${reply.rank}` : client, y }];
}

/** Returns what waits for the reader: messages, and clients that are inside and can leave.
 * @param {Marks} marks @param {State} state @param {Pick<Frame, "options">} frame @returns {Waiting[]}
 */
export const waitsFor = (marks, state, frame) => [...messages(marks, state, frame), ...(frame.options.tokens ? leaving(state, frame) : [])];

/** The newest stands nearest; those of a life that is over wait behind it.
 * @param {Marks} marks @param {State} state @param {Pick<Frame, "options">} frame @returns {Waiting[]}
 */
function messages({ replies }, state, frame) {
  const byCall = new Map(replies.map((p) => [p.call.id, p]));
  return Object.values(state.inFlight).reverse().flatMap(({ call, label, sent, delivered }) => {
    const reply = delivered ? byCall.get(call.id) : undefined;
    if (delivered && !reply) return [];
    return [{
      key: `${sent} waiting`, seq: reply?.seq ?? sent, ...(reply ? { reply } : {}),
      content: reply ? replyText(reply.text) : wordsOf(call, label, frame), name: reply ? "reply-value" : "command",
      token: { client: call.client, seq: reply?.seq ?? sent, kind: reply ? "reply" : "request", call: call.id, node: call.node, whole: call.command.join(" ") },
    }];
  });
}

/** Who is inside and waits for nothing can leave or work on, unless there is no word for it.
 * @param {State} state @param {Pick<Frame, "options">} frame @returns {Waiting[]}
 */
function leaving(state, { options: { words } }) {
  if (!words.leave) return [];
  return Object.values(state.clients).filter((c) => c.status === "inside" && !c.paused && !c.request).map(({ name, works }) => ({
    key: `${name} leaves`, seq: 0, content: works ? words.work : words.leave, name: "",
    token: { client: name, seq: state.seq, kind: "leave", call: 0, node: "", whole: works ? words.work : words.leave },
  }));
}
