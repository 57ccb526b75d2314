/**
 * Draws what moves between two events where time runs downwards: the same effects as
 * on a desk, at a phone's places.
 *
 * @typedef {import("../../model.js").Marks} Marks
 * @typedef {import("../../../trace/state.js").State} State
 * @typedef {import("../layout.js").Frame} Frame
 * @typedef {import("../../plan.js").Motion} Motion
 * @typedef {import("../../shapes.js").Group} Group
 * @typedef {import("../../shapes.js").Shape} Shape
 *
 * @typedef {object} Scene  what an effect needs to know
 * @property {Marks} marks
 * @property {Frame} frame
 * @property {State} state  after the event before the position
 * @property {number} edge  px, the playhead
 * @property {number} end  px, where it is when the action is over
 * @property {(seq: number) => number} after  px, the playhead after an event
 *
 * @typedef {import("../../parts/motion.js").Effect<Scene>} Effect
 */

import { apply } from "../../../trace/state.js";
import { atOnce } from "../../messages.js";
import { columnOf } from "../../moments.js";
import { text } from "../../parts/label.js";
import { above, between, effects, group, played, pulse } from "../../parts/motion.js";
import { REPLY, pill, widthOf } from "../../parts/pill.js";
import { circle, cross, line, path, rect, rounded } from "../../shapes.js";
import { timeText } from "../../../trace/time.js";
import { replyText, shorten } from "../../text.js";
import { FLY_MS, EXECUTE_MS, VIOLATION, ease, lasts, out, over } from "../../timing.js";
import { BARE } from "../row-texts.js";
import { KNOT, SIZE } from "../scale.js";
import { places } from "../waiting.js";
import { part } from "./violations.js";

const EFFECTS = effects({ flight, changes, waits, rise, birth, fall, begin, pass, snap, blame });

/**
 * @param {Marks} marks
 * @param {Frame} frame
 * @param {(position: number) => number} after
 * @param {State} state  after the event before the position
 * @param {number} position
 * @returns {Motion}
 */
export const motion = (marks, frame, after, state, position) => played(EFFECTS, { marks, frame, state, edge: after(position), after }, position);

/** A command glides to Redis and draws its arrow behind it; then Redis executes it.
 * @type {Effect}
 */
function flight({ call, seq }, age, { marks, frame, state, after, at }) {
  if (!call) return [];
  const { across, down, options: { measure, tokens = false } } = frame;
  const foot = { x: across.x(call.client), y: down.client(at) };
  const knot = { x: across.x(call.node), y: down.node(at) };
  const way = over(age, 0, FLY_MS);
  if (way >= 1) return pulse(`${seq} pulse`, knot, over(age, FLY_MS, FLY_MS + 2 * EXECUTE_MS), "pulse");
  const waited = places(marks, state, frame).find(({ token }) => token.call === call.id);
  if (!waited) return [];
  const t = ease(way);
  const small = over(t, 0.72, 1); // it shrinks into the knot
  const [width, height] = [between(waited.width, 2 * KNOT, small), between(waited.scale.height, 2 * KNOT, small)];
  const tip = { x: between(foot.x, knot.x, t), y: between(foot.y, knot.y, t) };
  const y = between(after(seq - 1) + waited.y, knot.y, t);
  return [
    group(`${seq} shaft`, [path("request-arrow", `M${rounded(foot.x)} ${rounded(foot.y)}L${rounded(tip.x)} ${rounded(tip.y)}`)]),
    above(`${seq} flying`, pill({ left: between(waited.x, knot.x - width / 2, t), y, width, height }, waited.content, tokens, waited.scale, measure)),
  ];
}

/** A reply that waits comes out of Redis to where it waits.
 * @type {Effect}
 */
function waits(event, age, { marks, frame, state, after, at }) {
  const { call, seq } = event;
  const reply = marks.replies.find((p) => p.seq === seq);
  if (!call || !reply || atOnce(reply)) return [];
  const there = places(marks, state.seq < seq ? apply(state, event) : state, frame).find(({ token }) => token.call === call.id);
  if (!there) return [];
  const t = ease(over(age, 0, lasts(marks, seq)));
  const knot = { x: frame.across.x(call.node), y: frame.down.node(columnOf(at)) };
  const { measure, tokens = false } = frame.options;
  const place = { left: between(knot.x - there.width / 2, there.x, t), y: between(knot.y, after(seq) + there.y, t), width: there.width, height: there.scale.height };
  return [above(`${seq} coming`, pill(place, there.content, tokens, there.scale, measure))];
}

/** A reply goes back to its client with its value.
 * @type {Effect}
 */
function rise({ call, seq }, age, { marks, frame, state, after }) {
  const reply = marks.replies.find((p) => p.received === seq);
  const way = over(age, 0, lasts(marks, seq));
  if (!call || !reply || way >= 1) return [];
  const { across, down, options: { measure } } = frame;
  const t = ease(way);
  const content = replyText(reply.text);
  const width = widthOf(content, false, REPLY, measure);
  const waited = places(marks, state, frame).find(({ token }) => token.call === call.id);
  const head = { x: across.x(call.client), y: down.client(reply.to) };
  const from = atOnce(reply)
    ? { x: across.x(call.node) - KNOT, y: down.node(columnOf(reply.from)) + KNOT - 3 }
    : { x: across.x(call.node) - across.rise(reply.rank), y: head.y };
  const start = waited && !atOnce(reply) ? { x: waited.x, y: after(seq - 1) + waited.y } : { x: from.x - width, y: from.y };
  const tip = { x: between(from.x, head.x, t), y: between(from.y, head.y, t) };
  const place = { left: between(start.x, Math.min(head.x + BARE - REPLY.pad, across.width - width), t), y: between(start.y, head.y, t), width, height: REPLY.height };
  return [
    group(`${seq} shaft`, [path("reply-shaft", `M${rounded(from.x)} ${rounded(from.y)}L${rounded(tip.x)} ${rounded(tip.y)}`)]),
    above(`${seq} rising`, pill(place, content, false, REPLY, measure, "pill reply-pill")),
  ];
}

/** The next command is there, under the playhead.
 * @type {Effect}
 */
function birth(event, age, { frame, marks, state, edge }) {
  const { call, seq } = event;
  const t = out(over(age, 0, lasts(marks, seq)));
  if (!call || t >= 1) return [];
  const there = places(marks, state.seq < seq ? apply(state, event) : state, frame).find(({ token }) => token.call === call.id);
  if (!there) return [];
  const { measure, tokens = false } = frame.options;
  const place = { left: there.x + there.width * (1 - t) / 2, y: edge + there.y, width: there.width * t, height: there.scale.height * t };
  return [above(`${seq} born`, pill(place, there.content, tokens, there.scale, measure).map((s) => ({ ...s, opacity: t })))];
}

/** A lost message falls.
 * @type {Effect}
 */
function fall({ call, seq }, age, { frame, marks, state, after }) {
  const t = over(age, 0, lasts(marks, seq));
  const waited = places(marks, state, frame).find(({ token }) => token.call === call?.id);
  if (!waited || t >= 1) return [];
  const { measure, tokens = false } = frame.options;
  const y = after(seq - 1) + waited.y + 28 * t * t;
  const shapes = pill({ left: waited.x, y, width: waited.width, height: waited.scale.height }, waited.content, tokens, waited.scale, measure);
  return [above(`${seq} falling`, [...shapes, cross("lost-cross", waited.x + waited.width / 2, y, 6)].map((s) => ({ ...s, opacity: 1 - t })))];
}

/** Redis writes: a band grows, is torn off and falls, dries out, or says something else.
 * @param {number} from  ms after which it does
 * @param {Parameters<Effect>} all
 * @returns {Group[]}
 */
function changes(from, ...[event, age, { frame, end, at }]) {
  const { kind, lane: node = "", seq } = event;
  const { across, down, options: { measure } } = frame;
  const top = down.node(at);
  return (event.changes ?? []).flatMap(({ old, key, new: next }) => {
    const { x, width } = across.band(node, key);
    const id = `${seq} ${node} ${key}`;
    if (old && next && next.value === old.value && next.writer === old.writer) return [];
    /** @type {Group[]} */
    const all = [];
    const t = over(age, from, from + 360);
    if (old && t < 1) {
      const sticks = Math.min(46, end - top) * over(age, from - 80, from); // beyond the playhead, until it is torn off
      if (sticks > 0) all.push(group(`${id} torn`, [kind === "expire" ? dried(x, top, width, sticks, t) : torn(x, top, width, sticks, t)]));
      if (next && t > 0) all.push(above(`${id} was`, [{ ...text("band-value", x + width / 2, top + 4 - 22 * t, shorten(old.value, 8), SIZE, "middle", measure), opacity: 1 - t }]));
    }
    if (next && t > 0) all.push(group(`${id} grows`, [rect("band open", x, top, width, (end - top) * out(over(age, from, from + 240)), 2)]));
    return all;
  });
}

/** The end of a band, with a ragged edge where it was torn off, falls and turns.
 * @param {number} x @param {number} y @param {number} width @param {number} height @param {number} t @returns {Shape}
 */
function torn(x, y, width, height, t) {
  const ragged = [0, 0.25, 0.5, 0.75, 1].map((part, i) => [width * part, i % 2 ? 5 : 0]);
  const angle = 0.3 * t;
  const d = [...ragged, [width, height], [0, height]].map(([dx, dy]) =>
    `${rounded(x + dx * Math.cos(angle) - dy * Math.sin(angle) + 10 * t)} ${rounded(y + dx * Math.sin(angle) + dy * Math.cos(angle) + 44 * t * t)}`);
  return { ...path("band", `M${d.join("L")}Z`), opacity: 1 - t * t };
}

/** The end of a band pales and shrinks back to where its time ran out.
 * @param {number} x @param {number} y @param {number} width @param {number} height @param {number} t @returns {Shape}
 */
const dried = (x, y, width, height, t) => ({ ...rect("band dry", x, y, width, height * (1 - ease(t)), 2), opacity: 1 - t });

/** A client enters: its bar lights up once.
 * @type {Effect}
 */
function begin({ lane = "", seq }, age, { frame: { across, down }, at, edge }) {
  const t = over(age, 0, 300);
  const from = down.client(at);
  if (t >= 1 || edge <= from) return [];
  const half = across.bar + 6 * t;
  return [group(`${seq} lit`, [{ ...rect("lit", across.x(lane) - half, from - 6 * t, 2 * half, edge - from + 12 * t, 2 + 4 * t), opacity: 1 - t }])];
}

/** Seconds run, and leases drain.
 * @type {Effect}
 */
function pass({ seq, time, from = time }, age, { frame, marks, state, edge }) {
  const t = over(age, 0, lasts(marks, seq));
  if (t >= 1) return [];
  const { across, options: { measure } } = frame;
  const now = from + (time - from) * ease(over(t, 0, 0.5));
  const shown = Math.max(0, Math.min(1, 6 * t, 6 * (0.6 - t))); // it comes, and goes before the playhead reaches what is written there
  /** How far a time lies below the playhead. @param {number} until @param {number} [skew] */
  const ahead = (until, skew = 0) => Math.max(0, Math.min(AHEAD, ((until - now - skew) / 1000) * AHEAD / 12));
  /** @type {Shape[]} */
  const drains = [];
  for (const { name, believes, lease, skew } of Object.values(state.clients)) {
    const height = believes && lease?.until ? ahead(lease.until, skew) : 0;
    if (height > 0) drains.push(rect("lease", across.x(name) + across.strip.left, edge, across.strip.width, height));
  }
  for (const [node, keys] of Object.entries(state.keys)) {
    for (const [key, { expires = 0 }] of Object.entries(keys)) {
      const { x, width } = across.band(node, key);
      const height = ahead(expires);
      if (height > 0) drains.push(rect("band", x, edge, width, height, 2));
    }
  }
  return [
    ...(drains.length ? [group(`${seq} drains`, drains.map((s) => ({ ...s, opacity: 0.6 * shown })))] : []),
    above(`${seq} runs`, [{ ...text("running", 12, edge - 8, timeText(Math.round(now / 100) * 100, state.began), 14, "start", measure), opacity: shown }]),
  ];
}

/** So far below the playhead a lease of twelve seconds or more is seen to drain, px. */
const AHEAD = 72;

/** The lane snaps: what would have gone on falls off.
 * @type {Effect}
 */
function snap({ lane = "", seq }, age, { frame: { across, down }, at }) {
  const t = over(age, 0, 150);
  if (t >= 1) return [];
  const [x, y] = [across.x(lane), down.client(at)];
  const aside = 18 * t * t;
  return [
    group(`${seq} snapped`, [{ ...line("snapped", x + aside * 0.4, y + 6 + 6 * t, x + aside, y + 40), opacity: 1 - t }]),
    group(`${seq} struck`, [circle("crash-disc", x, y, 10 * out(t)), cross("crash-cross", x, y, 4 * out(t))]),
  ];
}

/** When bars have turned to hatching, the arrow runs backwards to the guilty command.
 * @type {Effect}
 */
function blame({ seq }, age, { frame, marks }) {
  const from = VIOLATION.hold + VIOLATION.hatch;
  const t = over(age, from, from + VIOLATION.arc * 0.8);
  const cause = marks.causes.find((c) => c.reached === seq);
  if (!cause || t <= 0) return [];
  const guilty = marks.requests.find((q) => q.arrival === cause.seq);
  const arc = part(cause, guilty, frame, ease(t));
  if (!arc) return [];
  const knot = guilty ? { x: frame.across.x(guilty.call.node), y: frame.down.node(guilty.to) } : undefined;
  const strikes = over(age, from + VIOLATION.arc * 0.7, from + VIOLATION.arc);
  return [above(`${seq} runs back`, [path("cause-arc running-back", arc)]), ...(knot && strikes > 0 ? pulse(`${seq} struck`, knot, strikes, "pulse guilty-pulse") : [])];
}
