/**
 * Draws the messages in flight at the playhead: a command waits beyond it. Where the
 * reader can deliver them they are tokens: pills on the lanes, to be pressed. Where time
 * runs down they stand side by side (waiting-down.js).
 *
 * @typedef {import("../model.js").Marks} Marks
 * @typedef {import("../../trace/state.js").Call} Call
 * @typedef {import("../../trace/state.js").State} State
 * @typedef {import("../messages.js").Reply} Reply
 * @typedef {import("../layout.js").Frame} Frame
 * @typedef {import("../shapes.js").Group} Group
 * @typedef {import("../in-flight.js").Waiting} Waiting
 * @typedef {{content: string, left: number, y: number, width: number, scale: import("./pill.js").PillScale}} Place  y: of the middle
 */

import { waitsFor, wordsOf } from "../in-flight.js";
import { WORD } from "../type.js";
import { BEFORE, WAITING } from "../scale.js";
import { rect } from "../shapes.js";
import { replyText } from "../text.js";
import { text } from "./label.js";
import { REPLY, pill, scaleOf, widthOf } from "./pill.js";

/** Between two that wait on one lane, px. */
const APART = 12;

/** The most that one lane shows; the others are counted. */
const MOST = 2;

/** What a pill keeps more of the playhead than words do, px. */
const BESIDE = 4;

/** A token takes the pointer in a square of at least this, where its lane has the room, px. */
const TARGET = 44;

/** Around the token that leads, px. */
const HALO = 8;

/** Returns the left edge of what waits beside the playhead. @param {number} at  px, the playhead */
const placeOf = (at) => at + BEFORE + BESIDE;

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
    add(q.call.client, tokens ? widthOf(content, true, scale, measure) : measure(content, WORD));
  }
  if (tokens && words.leave) for (const s of sections) if (s.to === end && s.ending === "open") add(s.client, Math.max(...[words.leave, words.work].map((does) => widthOf(does, true, scale, measure))));
  /** @param {number[]} widths */
  const room = (widths) => widths.slice(0, MOST).reduce((a, b) => a + b, tokens ? BEFORE + BESIDE : BEFORE) + (widths.length > MOST ? measure("+9", WORD) : 0);
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
  const { options: { measure, tokens = false, leads: leading = () => "" } } = frame;
  const lead = tokens && carried.size === 0 ? leading() : "";
  const free = (/** @type {Waiting} */ { token }) => !carried.has(token.call);
  if (frame.down) {
    return frame.down.places(marks, state, at, frame).filter(free).map((one) => {
      const shapes = pill({ ...one, height: one.scale.height }, one.content, tokens, one.scale, measure);
      const square = rect("token-target", one.left - 3, one.y - TARGET / 2, one.width + 6, TARGET);
      return group(one, tokens ? named("token", one.token.client === lead) : "label", tokens ? [...shapes, square] : shapes, tokens);
    });
  }
  const all = waitsFor(marks, state, frame).flatMap((one) => placed(one, frame));
  /** @type {Map<string, {x: number, count: number}>} */
  const rowsTaken = new Map();
  /** @type {Map<string, {x: number, y: number}>} where the others of a lane are counted */
  const more = new Map();
  const groups = all.filter(free).flatMap((one) => {
    const { row, y, content } = one;
    const leads = one.token.client === lead;
    const { x, count } = rowsTaken.get(row) ?? { x: tokens ? placeOf(at) : at + BEFORE, count: 0 };
    const scale = one.token.kind === "reply" ? REPLY : scaleOf(frame);
    const width = tokens ? widthOf(content, true, scale, measure) : measure(content, WORD);
    rowsTaken.set(row, { x: count < MOST ? x + width + APART : x, count: count + 1 });
    if (count === MOST) more.set(row, { x, y });
    if (count >= MOST) return [];
    if (!tokens) return [group(one, "label", [text(`${one.name} waiting`, x, y, content, WORD, "start", measure)], false)];
    return [group(one, named(one.token.kind === "leave" ? "token leaving" : "token", leads), [
      ...(leads ? [rect("halo", x - HALO, y - scale.height / 2 - HALO, width + 2 * HALO, scale.height + 2 * HALO, scale.height / 2 + HALO)] : []),
      ...pill({ left: x, y, width, height: scale.height }, content, true, scale, measure),
      target(x, y, width, frame, one.token.kind === "reply" ? WAITING.pitch : TARGET),
    ], true)];
  });
  for (const [row, { x, y }] of more) {
    groups.push({
      key: `${row} more waiting`, seq: 0, class: "label", title: null, layer: "words",
      shapes: [text("flag-more", x, y, `+${(rowsTaken.get(row)?.count ?? 0) - MOST}`, WORD, "start", measure)],
    });
  }
  return groups;
}

/** @param {string} token @param {boolean} leads */
const named = (token, leads) => (leads ? `${token} lead` : token);

/** @param {Waiting} one @param {string} name @param {Group["shapes"]} shapes @param {boolean} pressed @returns {Group} */
const group = ({ key, seq, token }, name, shapes, pressed) =>
  ({ key, seq: pressed ? 0 : seq, class: name, title: null, layer: "words", shapes, ...(pressed ? { token } : {}) });

/** Returns where a message waits, from which it moves on, with the playhead at `at`.
 * @param {{call: Call, label?: string, reply?: Reply}} message @param {Marks} marks @param {State} state @param {number} at @param {Frame} frame
 * @returns {Place | undefined}
 */
export function placeIn({ call, label = "", reply }, marks, state, at, frame) {
  if (frame.down) return frame.down.places(marks, state, at, frame).find(({ token }) => token.call === call.id);
  const { across, options: { measure, tokens = false } } = frame;
  const scale = reply ? REPLY : scaleOf(frame);
  const content = reply ? replyText(reply.text) : wordsOf(call, label, frame);
  return { content, scale, left: placeOf(at), y: reply ? across.rest(reply) : across.lane(call.client), width: widthOf(content, tokens, scale, measure) };
}

/** Where the pointer takes a token: higher than the pill, but never over the next lane's.
 * @param {number} x @param {number} y @param {number} width @param {Frame} frame @param {number} most
 */
function target(x, y, width, { across }, most) {
  const height = Math.min(most, across.pitch);
  return rect("token-target", x - 4, y - height / 2, width + 8, height);
}

/** On its lane, if that is in view. @param {Waiting} one @param {Frame} frame */
function placed(one, frame) {
  const { across, options: { tokens } } = frame;
  const { token: { client, node }, reply } = one;
  if (!across.seen(client) && !reply) return [];
  const lane = across.lane(client);
  const y = reply ? across.rest(reply) - (tokens ? 0 : 8) : tokens ? lane : lane + across.scale.above;
  return [{ ...one, row: reply ? `${node} ${reply.rank}` : client, y }];
}
