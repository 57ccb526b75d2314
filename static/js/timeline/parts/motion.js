/**
 * Draws what moves between two events. Each event has its effects, which are functions
 * of the time since it began: they may outlast it, but not its column. So nothing is
 * left over when the column is full, and any position can be asked for.
 *
 * @typedef {import("../model.js").Marks} Marks
 * @typedef {import("../../trace/state.js").Event} Event
 * @typedef {import("../../trace/state.js").State} State
 * @typedef {import("../layout.js").Frame} Frame
 * @typedef {import("../plan.js").Motion} Motion
 * @typedef {import("../shapes.js").Group} Group
 * @typedef {import("../shapes.js").Shape} Shape
 *
 * @typedef {object} Scene  what an effect needs to know
 * @property {Marks} marks
 * @property {Frame} frame
 * @property {State} state
 * @property {number} edge  px, the playhead
 * @property {number} end  px, where it is when the action is over
 * @property {(seq: number) => number} after  px, the playhead after an event
 * @property {import("../plan.js").Dropped} [dropped]
 */

/**
 * @template S
 * @typedef {(event: Event, age: number, scene: S & {at: number}) => Group[]} Effect  age: ms since the event began, at: its moment
 */

import { timeText } from "../../trace/time.js";
import { ARRIVALS } from "../../trace/state.js";
import { bandText, SIZE } from "../labels.js";
import { atOnce, restsAt, wayUp } from "../messages.js";
import { columnOf } from "../moments.js";
import { BAND, KNOT } from "../scale.js";
import { circle, cross, line, path, rect, rounded } from "../shapes.js";
import { replyText } from "../text.js";
import { EXECUTE_MS, FLY_MS, VIOLATION, ease, lasts, out, over } from "../timing.js";
import { part } from "./causes.js";
import { text } from "./label.js";
import { REPLY, pill, scaleOf, widthOf } from "./pill.js";
import { placeOf, wordsOf } from "./waiting.js";

/** @type {Motion} */
const NOTHING = { groups: [], carried: new Set(), shown: 0 };

/**
 * Which effect shows which kind of event, along either axis.
 * @template S
 * @param {Record<"flight" | "waits" | "rise" | "birth" | "fall" | "begin" | "pass" | "snap" | "blame", Effect<S>> & {changes: (after: number, ...all: Parameters<Effect<S>>) => Group[]}} shown
 * @returns {Record<string, Effect<S>>}
 */
export const effects = ({ flight, changes, waits, rise, birth, fall, begin, pass, snap, blame }) => ({
  ...Object.fromEntries([...ARRIVALS].map((kind) => [kind, flight])),
  deliver: (...all) => [...changes(FLY_MS, ...all), ...flight(...all)],
  expire: (...all) => changes(0, ...all),
  failover: (...all) => changes(0, ...all),
  reply: waits,
  receive: rise,
  send: birth,
  drop: fall,
  enter: begin,
  tick: pass,
  crash: snap,
  violation: blame,
});

const EFFECTS = effects({ flight, changes, waits, rise, birth, fall, begin, pass, snap, blame });

/** Events that move a message. */
const MESSAGES = new Set([...ARRIVALS, "reply", "receive", "drop"]);

/**
 * @param {Marks} marks
 * @param {Frame} frame
 * @param {(position: number) => number} after
 * @param {State} state  after the event before the position
 * @param {number} position
 * @param {import("../plan.js").Dropped} [dropped]
 * @returns {Motion}
 */
export const motion = (marks, frame, after, state, position, dropped) => played(EFFECTS, { marks, frame, state, edge: after(position), after, dropped }, position);

/**
 * Plays the effects of the events of an action.
 * @template {{marks: Marks, state: State, edge: number, after: (seq: number) => number}} S
 * @param {Record<string, Effect<S & {end: number}>>} effects  by the kind of event
 * @param {S} scene
 * @param {number} position
 * @returns {Motion}
 */
export function played(effects, scene, position) {
  const { marks } = scene;
  const now = Math.ceil(position);
  const { at, events } = marks;
  if (now === 0 || now > events.length) return NOTHING;
  const column = columnOf(at[now - 1]);
  if (now === position && columnOf(at[now] ?? -1) !== column) return NOTHING;
  let [first, last] = [now, now];
  while (first > 1 && columnOf(at[first - 2]) === column) first--;
  while (last < at.length && columnOf(at[last]) === column) last++;
  const carried = new Set(events.slice(first - 1, last).flatMap((e) => (e.call && MESSAGES.has(e.kind) ? [e.call.id] : [])));
  const end = scene.after(last);
  /** @type {Group[]} */
  const groups = [];
  const spent = (position - (now - 1)) * lasts(marks, now);
  let age = spent;
  for (let seq = now; seq >= first; seq--) {
    const event = events[seq - 1];
    groups.unshift(...(effects[event.kind]?.(event, age, { ...scene, end, at: at[seq - 1] }) ?? []));
    if (seq > first) age += lasts(marks, seq - 1);
  }
  const shown = events[now - 1].kind === "violation" ? over(spent, VIOLATION.hold, VIOLATION.hold + VIOLATION.hatch) : 0;
  return { groups, carried, shown };
}

/** A command glides to Redis and draws its arrow behind it; then Redis executes it.
 * @type {Effect<Scene>}
 */
function flight({ call, seq }, age, { marks, frame, after, edge, at, dropped }) {
  if (!call) return [];
  const { rows, x, lean, options: { measure, tokens = false } } = frame;
  const lane = rows.lane(call.client);
  const foot = { x: x(at) - lean, y: lane };
  const knot = { x: x(at), y: rows.lane(call.node) };
  const way = over(age, 0, FLY_MS);
  if (way >= 1) {
    // The veil still hides half of it.
    const whole = edge < knot.x + KNOT + 2 ? [group(`${seq} knot`, [circle("knot", knot.x, knot.y, KNOT)])] : [];
    return [...whole, ...pulse(`${seq} pulse`, knot, over(age, FLY_MS, FLY_MS + 2 * EXECUTE_MS), "pulse")];
  }
  const t = ease(way);
  const request = marks.requests.find((q) => q.call.id === call.id);
  const content = wordsOf(call, request?.label ?? "", frame);
  const scale = scaleOf(frame);
  const full = widthOf(content, tokens, scale, measure);
  const small = over(t, 0.72, 1); // it shrinks into the knot
  const width = full + (2 * KNOT - full) * small;
  const height = scale.height + (2 * KNOT - scale.height) * small;
  const tip = { x: between(foot.x, knot.x, t), y: between(lane, knot.y, t) };
  const by = dropped?.call === call.id ? dropped : { dx: 0, dy: 0 };
  const start = { x: placeOf(after(seq - 1)) + by.dx, y: (tokens ? lane : lane + rows.scale.above - 4) + by.dy };
  return [
    group(`${seq} shaft`, [path("request-arrow", `M${rounded(foot.x)} ${foot.y}L${rounded(tip.x)} ${rounded(tip.y)}`)]),
    above(`${seq} flying`, pill({ left: between(start.x, tip.x - width / 2, t), y: between(start.y, knot.y, t), width, height }, content, tokens, scale, measure)),
  ];
}

/** A reply that waits comes out of Redis to where it waits.
 * @type {Effect<Scene>}
 */
function waits({ call, seq }, age, { marks, frame, after, at }) {
  const reply = marks.replies.find((p) => p.seq === seq);
  if (!call || !reply || atOnce(reply)) return [];
  const t = ease(over(age, 0, lasts(marks, seq)));
  const knot = { x: frame.x(columnOf(at)), y: frame.rows.lane(call.node) };
  const there = { x: placeOf(after(seq)), y: restsAt(reply, frame) };
  return [message(`${seq} coming`, replyText(reply.text), { x: between(knot.x, there.x, t), y: between(knot.y, there.y, t) }, frame)];
}

/** A reply rises to its client with its value, which stays where the value is written.
 * @type {Effect<Scene>}
 */
function rise({ call, seq }, age, { marks, frame, after }) {
  const reply = marks.replies.find((p) => p.received === seq);
  const way = over(age, 0, lasts(marks, seq));
  if (!call || !reply || way >= 1) return [];
  const { rows, x, lean, word, options: { measure } } = frame;
  const t = ease(way);
  const shaft = wayUp(reply, frame);
  const tip = { x: between(shaft.x1, shaft.x2, t), y: between(shaft.y1, shaft.y2, t) };
  const content = replyText(reply.text);
  const label = word(`${reply.seq} value`);
  const start = atOnce(reply) ? { x: shaft.x1, y: shaft.y1 } : { x: placeOf(after(seq - 1)), y: restsAt(reply, frame) };
  const width = widthOf(content, false, REPLY, measure);
  const end = label
    ? { x: x(label.at) + label.lean * lean + label.dx + measure(label.text, SIZE) / 2 - width / 2, y: rows.baseline(label) - 4 }
    : { x: shaft.x2, y: shaft.y2 };
  return [
    group(`${seq} shaft`, [path("reply-shaft", `M${rounded(shaft.x1)} ${shaft.y1}L${rounded(tip.x)} ${rounded(tip.y)}`)]),
    message(`${seq} rising`, content, { x: between(start.x, end.x, t), y: between(start.y, end.y, t) }, frame),
  ];
}

/** The next command is there, at the playhead.
 * @type {Effect<Scene>}
 */
function birth({ call, seq, label = "" }, age, { frame, marks, edge }) {
  const t = out(over(age, 0, lasts(marks, seq)));
  if (!call || t >= 1 || !frame.rows.seen(call.client)) return [];
  const { rows, options: { measure, tokens = false } } = frame;
  const content = wordsOf(call, label, frame);
  const lane = rows.lane(call.client);
  if (!tokens) return [above(`${seq} born`, [{ ...text("command waiting", edge + 8, lane + rows.scale.above, content, SIZE, "start", measure), opacity: t }])];
  const scale = scaleOf(frame);
  const [width, height] = [widthOf(content, true, scale, measure) * t, scale.height * t];
  return [above(`${seq} born`, pill({ left: placeOf(edge), y: lane, width, height }, content, true, scale, measure).map((s) => ({ ...s, opacity: t })))];
}

/** A lost message falls.
 * @type {Effect<Scene>}
 */
function fall({ call, seq, lost }, age, { frame, marks, after }) {
  const t = over(age, 0, lasts(marks, seq));
  if (!call || t >= 1) return [];
  const reply = lost === "reply" ? marks.replies.find((p) => p.received === seq) : undefined;
  const { rows, options: { measure, tokens = false } } = frame;
  const scale = reply ? REPLY : scaleOf(frame);
  const content = reply ? replyText(reply.text) : wordsOf(call, marks.requests.find((q) => q.call.id === call.id)?.label ?? "", frame);
  const y = (reply ? restsAt(reply, frame) : rows.lane(call.client)) + 28 * t * t;
  const width = widthOf(content, tokens, scale, measure);
  const left = placeOf(after(seq - 1)) + 8 * t;
  const shapes = pill({ left, y, width, height: scale.height }, content, tokens, scale, measure);
  return [above(`${seq} falling`, [...shapes, cross("lost-cross", left + width / 2, y, 6)].map((s) => ({ ...s, opacity: 1 - t })))];
}

/** Redis writes: a band grows, is torn off and falls, dries out, or says something else.
 * @param {number} from  ms after which it does
 * @param {Parameters<Effect<Scene>>} all
 * @returns {Group[]}
 */
function changes(from, ...[event, age, { frame, end, at }]) {
  const { kind, lane: node = "", seq } = event;
  const { x, rows, options: { measure } } = frame;
  const left = x(at);
  return (event.changes ?? []).flatMap((change) => {
    const { old, key } = change;
    const next = change.new;
    const top = rows.band(node, key);
    const id = `${seq} ${node} ${key}`;
    /** @type {Group[]} */
    const all = [];
    const t = over(age, from, from + 360);
    if (old && (!next || next.value !== old.value || next.writer !== old.writer)) {
      const sticks = Math.min(46, end - left) * over(age, from - 80, from); // beyond the playhead, until it is torn off
      if (sticks > 0 && t < 1) all.push(group(`${id} torn`, kind === "expire" ? dried(left, top, sticks, t) : torn(left, top, sticks, t)));
      if (next && t > 0 && t < 1) {
        const was = { ...text("band-value", left + 8, top + BAND.height / 2 + 4 - 22 * t, bandText(old), SIZE, "start", measure), opacity: 1 - t };
        all.push(above(`${id} was`, [was]));
      }
    }
    if (next && t > 0 && (!old || next.value !== old.value || next.writer !== old.writer)) {
      all.push(group(`${id} grows`, [rect("band open", left, top, (end - left) * out(over(age, from, from + 240)), BAND.height, 2)]));
    }
    return all;
  });
}

/** The end of a band, with a ragged edge where it was torn off, falls and turns.
 * @param {number} left @param {number} top @param {number} width @param {number} t @returns {Shape[]}
 */
function torn(left, top, width, t) {
  const { height } = BAND;
  const ragged = [[0, height], [5, height * 0.8], [0, height * 0.6], [6, height * 0.4], [1, height * 0.2]];
  const corners = [[0, 0], [width, 0], [width, height], ...ragged];
  const angle = 0.3 * t;
  const [dx, dy] = [14 * t, 44 * t * t];
  const d = corners.map(([cx, cy]) => {
    const [px, py] = [cx * Math.cos(angle) - cy * Math.sin(angle), cx * Math.sin(angle) + cy * Math.cos(angle)];
    return `${rounded(left + px + dx)} ${rounded(top + py + dy)}`;
  });
  return [{ ...path("band", `M${d.join("L")}Z`), opacity: 1 - t * t }];
}

/** The end of a band pales and shrinks back to where its time ran out.
 * @param {number} left @param {number} top @param {number} width @param {number} t @returns {Shape[]}
 */
const dried = (left, top, width, t) => [{ ...rect("band dry", left, top, width * (1 - ease(t)), BAND.height, 2), opacity: 1 - t }];

/** A client enters: its bar lights up once.
 * @type {Effect<Scene>}
 */
function begin({ lane = "", seq }, age, { frame, at, edge }) {
  const t = over(age, 0, 300);
  const from = frame.x(at);
  if (t >= 1 || !frame.rows.seen(lane) || edge <= from) return [];
  const half = frame.rows.scale.bar + 6 * t;
  return [group(`${seq} lit`, [{ ...rect("lit", from - 6 * t, frame.rows.lane(lane) - half, edge - from + 12 * t, 2 * half, 2 + 4 * t), opacity: 1 - t }])];
}

/** Seconds run, and leases drain.
 * @type {Effect<Scene>}
 */
function pass({ seq, time, from = time }, age, { frame, marks, state, edge }) {
  const t = over(age, 0, lasts(marks, seq));
  if (t >= 1) return [];
  const { rows, x, lean, word, options: { measure } } = frame;
  const now = from + (time - from) * ease(t);
  const unit = time - from < 4_000 ? 100 : 1_000;
  const label = word(`${seq} time`);
  const place = label ? x(label.at) + label.lean * lean + label.dx : edge + 12;
  const shown = Math.min(1, 5 * t, 5 * (1 - t)); // leases are seen ahead of the playhead only while they drain
  /** How far a time lies ahead of the playhead. @param {number} until @param {number} [skew] */
  const ahead = (until, skew = 0) => Math.max(0, Math.min(AHEAD, ((until - now - skew) / 1000) * AHEAD / 12));
  /** @type {Shape[]} */
  const drains = [];
  for (const { name, believes, lease, skew } of Object.values(state.clients)) {
    const width = believes && lease?.until ? ahead(lease.until, skew) : 0;
    if (width > 0 && rows.seen(name)) drains.push(rect("lease", edge, rows.lane(name) + rows.scale.strip.top, width, rows.scale.strip.height));
  }
  for (const { node, key, y } of rows.bands) {
    const width = ahead(state.keys[node]?.[key]?.expires ?? 0);
    if (width > 0) drains.push(rect("band", edge, y, width, BAND.height, 2));
  }
  return [
    ...(drains.length ? [group(`${seq} drains`, drains.map((s) => ({ ...s, opacity: 0.6 * shown })))] : []),
    above(`${seq} runs`, [{ ...text("running", between(edge + 12, place, ease(over(t, 0.6, 1))), rows.axis - 12, timeText(Math.round(now / unit) * unit, state.began), SIZE, "start", measure), opacity: Math.min(1, 5 * t) }]),
  ];
}

/** So far beyond the playhead a lease of twelve seconds or more is seen to drain, px. */
const AHEAD = 96;

/** The lane snaps: what would have gone on falls off.
 * @type {Effect<Scene>}
 */
function snap({ lane = "", seq }, age, { frame, at }) {
  const t = over(age, 0, 150);
  const { rows, x } = frame;
  if (t >= 1 || !rows.seen(lane)) return [];
  const [px, y] = [x(at), rows.lane(lane)];
  const far = 40;
  const fall = 26 * t * t;
  return [
    group(`${seq} snapped`, [{ ...line("snapped", px + 6 + 6 * t, y + fall * 0.4, px + far, y + fall), opacity: 1 - t }]),
    group(`${seq} struck`, [circle("crash-disc", px, y, 10 * out(t)), cross("crash-cross", px, y, 4 * out(t))]),
  ];
}

/** When bars have turned to hatching, the arrow runs backwards to the guilty command.
 * @type {Effect<Scene>}
 */
function blame({ seq }, age, { frame, marks }) {
  const t = over(age, VIOLATION.hold + VIOLATION.hatch, VIOLATION.hold + VIOLATION.hatch + VIOLATION.arc * 0.8);
  const cause = marks.causes.find((c) => c.reached === seq);
  if (!cause || t <= 0) return [];
  const arc = part(cause, frame, ease(t));
  if (!arc) return [];
  const guilty = marks.requests.find((q) => q.arrival === cause.seq);
  const struck = guilty ? { x: frame.x(guilty.to), y: frame.rows.lane(guilty.call.node) } : undefined;
  const strikes = over(age, VIOLATION.hold + VIOLATION.hatch + VIOLATION.arc * 0.7, VIOLATION.hold + VIOLATION.hatch + VIOLATION.arc);
  return [above(`${seq} runs back`, [path("cause-arc running-back", arc)]), ...(struck && strikes > 0 ? pulse(`${seq} struck`, struck, strikes, "pulse guilty-pulse") : [])];
}

/** A ring that spreads. @param {string} key @param {{x: number, y: number}} from @param {number} t @param {string} name @returns {Group[]} */
export const pulse = (key, { x, y }, t, name) => (t >= 1 ? [] : [group(key, [{ ...circle(name, x, y, KNOT + 26 * out(t)), "stroke-width": 3 * (1 - t) }])]);

/** A reply on its way. @param {string} key @param {string} content @param {{x: number, y: number}} at @param {Frame} frame */
function message(key, content, { x, y }, { options: { measure } }) {
  return above(key, pill({ left: x, y, width: widthOf(content, false, REPLY, measure), height: REPLY.height }, content, false, REPLY, measure, "pill reply-pill"));
}

/** @param {number} from @param {number} to @param {number} t */
export const between = (from, to, t) => from + (to - from) * t;

/** Under the words. @param {string} key @param {Shape[]} shapes @returns {Group} */
export const group = (key, shapes) => ({ key, seq: 0, class: "moving", title: null, shapes });

/** Over everything. @param {string} key @param {Shape[]} shapes @returns {Group} */
export const above = (key, shapes) => ({ ...group(key, shapes), layer: "words" });
