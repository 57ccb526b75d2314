/**
 * Draws what moves between two events, in either direction of time. Each event has its effects, which are functions
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
 * @property {State} state  after the event before the position
 * @property {number} edge  px, the playhead
 * @property {number} end  px, where it is when the action is over
 * @property {number} at  the moment of the event
 * @property {(seq: number) => number} after  px, the playhead after an event
 * @property {import("../plan.js").Dropped} [dropped]
 *
 * @typedef {(event: Event, age: number, scene: Scene) => Group[]} Effect  age: ms since the event began
 */

import { timeText } from "../../trace/time.js";
import { ARRIVALS, apply } from "../../trace/state.js";
import { wordsOf } from "../in-flight.js";
import { valueText } from "../labels.js";
import { atOnce } from "../messages.js";
import { columnOf } from "../moments.js";
import { BARE, KNOT, ROUND } from "../scale.js";
import { circle, cross, path, rounded } from "../shapes.js";
import { replyText, shorten } from "../text.js";
import { CLOSE, WORD, typeOf } from "../type.js";
import { EXECUTE_MS, FLY_MS, VIOLATION, ease, lasts, out, over } from "../timing.js";
import { wayBack } from "./arrows.js";
import { part } from "./causes.js";
import { text } from "./label.js";
import { REPLY, pill, widthOf } from "./pill.js";
import { placeIn } from "./waiting.js";

/** @type {Motion} */
const NOTHING = { groups: [], carried: new Set(), shown: 0 };

/** @type {Record<string, Effect>} which effect shows which kind of event */
const EFFECTS = {
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
};

/** Events that move a message. */
const MESSAGES = new Set([...ARRIVALS, "reply", "receive", "drop"]);

/**
 * Plays the effects of the events of an action.
 * @param {Marks} marks
 * @param {Frame} frame
 * @param {(position: number) => number} after
 * @param {State} state  after the event before the position
 * @param {number} position
 * @param {import("../plan.js").Dropped} [dropped]
 * @returns {Motion}
 */
export function motion(marks, frame, after, state, position, dropped) {
  const now = Math.ceil(position);
  const { at, events } = marks;
  if (now === 0 || now > events.length) return NOTHING;
  const column = columnOf(at[now - 1]);
  if (now === position && columnOf(at[now] ?? -1) !== column) return NOTHING;
  let [first, last] = [now, now];
  while (first > 1 && columnOf(at[first - 2]) === column) first--;
  while (last < at.length && columnOf(at[last]) === column) last++;
  const carried = new Set(events.slice(first - 1, last).flatMap((e) => (e.call && MESSAGES.has(e.kind) ? [e.call.id] : [])));
  const scene = { marks, frame, state, edge: after(position), end: after(last), after, dropped };
  /** @type {Group[]} */
  const groups = [];
  const spent = (position - (now - 1)) * lasts(marks, now);
  let age = spent;
  for (let seq = now; seq >= first; seq--) {
    const event = events[seq - 1];
    groups.unshift(...(EFFECTS[event.kind]?.(event, age, { ...scene, at: at[seq - 1] }) ?? []));
    if (seq > first) age += lasts(marks, seq - 1);
  }
  const shown = events[now - 1].kind === "violation" ? over(spent, VIOLATION.hold, VIOLATION.hold + VIOLATION.hatch) : 0;
  return { groups, carried, shown };
}

/** Returns where a message waits before or, if it has just come, after its event. @param {Event} event @param {number} at  px @param {Scene} scene */
function placeOfMessage(event, at, { marks, frame, state }) {
  const { call, seq, kind, lost, label } = event;
  if (!call) return undefined;
  const comes = kind === "send" || kind === "reply";
  const reply = kind === "reply" || kind === "receive" || lost === "reply" ? marks.replies.find((p) => p.call.id === call.id) : undefined;
  const said = label ?? marks.requests.find((q) => q.call.id === call.id)?.label;
  return placeIn({ call, label: said, reply }, marks, comes && state.seq < seq ? apply(state, event) : state, at, frame);
}

/** A command glides to its node and draws its arrow behind it; then the node executes it.
 * @type {Effect}
 */
function flight(event, age, scene) {
  const { frame, after, edge, at, dropped } = scene;
  const { call, seq } = event;
  if (!call) return [];
  const { axis, across, knot, lead, options: { measure, tokens = false } } = frame;
  const [lane, node] = [across.lane(call.client), across.lane(call.node)];
  const [foot, head] = [knot(at) - lead, knot(at)];
  const way = over(age, 0, FLY_MS);
  if (way >= 1) {
    const struck = axis.xy(head, node);
    // The veil still hides half of it.
    const whole = edge < head + KNOT + 2 ? [group(`${seq} knot`, [circle("knot", ...struck, KNOT)])] : [];
    return [...whole, ...pulse(`${seq} pulse`, struck, over(age, FLY_MS, FLY_MS + 2 * EXECUTE_MS), "pulse")];
  }
  const waited = placeOfMessage(event, after(seq - 1), scene);
  if (!waited) return [];
  const t = ease(way);
  const small = over(t, 0.72, 1); // it shrinks into the knot
  const width = between(waited.width, 2 * KNOT, small);
  const height = between(waited.scale.height, 2 * KNOT, small);
  const tip = between(foot, head, t);
  const [x, y] = axis.xy(tip, node);
  const by = dropped?.call === call.id ? dropped : { dx: 0, dy: 0 };
  const raised = tokens || frame.down ? 0 : across.scale.above - 4; // words stand over the lane
  return [
    group(`${seq} shaft`, [path("request-arrow", `M${axis.place(foot, lane)}L${axis.place(tip, between(lane, node, t))}`)]),
    above(`${seq} flying`, pill({
      left: between(waited.left + by.dx, x - width / 2, t), y: between(waited.y + raised + by.dy, y, t), width, height,
    }, waited.content, tokens, waited.scale, measure)),
  ];
}

/** A reply that waits comes out of its node to where it waits.
 * @type {Effect}
 */
function waits(event, age, scene) {
  const { marks, frame, after, at } = scene;
  const { call, seq } = event;
  const reply = marks.replies.find((p) => p.seq === seq);
  const there = reply && !atOnce(reply) && placeOfMessage(event, after(seq), scene);
  if (!call || !there) return [];
  const t = ease(over(age, 0, lasts(marks, seq)));
  const { axis, knot, across, options: { measure, tokens = false } } = frame;
  const [x, y] = axis.xy(knot(columnOf(at)), across.lane(call.node));
  if (!frame.down) return [message(`${seq} coming`, there.content, between(x, there.left, t), between(y, there.y, t), frame)];
  const place = { left: between(x - there.width / 2, there.left, t), y: between(y, there.y, t), width: there.width, height: there.scale.height };
  return [above(`${seq} coming`, pill(place, there.content, tokens, there.scale, measure))];
}

/** A reply goes back to its client with its value, which stays where the value is written.
 * @type {Effect}
 */
function rise(event, age, scene) {
  const { marks, frame, after } = scene;
  const { seq } = event;
  const reply = marks.replies.find((p) => p.received === seq);
  const way = over(age, 0, lasts(marks, seq));
  if (!reply || way >= 1) return [];
  const { axis, across, along, lead, rows, options: { measure } } = frame;
  const t = ease(way);
  const shaft = wayBack(reply, frame);
  const content = replyText(reply.text);
  const width = widthOf(content, false, REPLY, measure);
  const waited = atOnce(reply) ? undefined : placeOfMessage(event, after(seq - 1), scene);
  const start = waited ?? { left: shaft.x1 - (rows ? 0 : width), y: shaft.y1 };
  const label = frame.word?.(`${reply.seq} value`);
  const end = rows && label
    ? { left: along(label.at) + label.lean * lead + label.dx + measure(label.text, label.size) / 2 - width / 2, y: rows.baseline(label) - 4 }
    : { left: rows ? shaft.x2 : Math.min(shaft.x2 + BARE - REPLY.pad, across.end - width), y: shaft.y2 };
  const tip = axis.straight({ ...shaft, x2: between(shaft.x1, shaft.x2, t), y2: between(shaft.y1, shaft.y2, t) });
  return [
    group(`${seq} shaft`, [path("reply-shaft", tip)]),
    message(`${seq} rising`, content, between(start.left, end.left, t), between(start.y, end.y, t), frame),
  ];
}

/** The next command is there, at the playhead.
 * @type {Effect}
 */
function birth(event, age, scene) {
  const { frame, marks, edge } = scene;
  const { call, seq, label = "" } = event;
  const t = out(over(age, 0, lasts(marks, seq)));
  if (!call || t >= 1 || !frame.across.seen(call.client)) return [];
  const { across, down, options: { measure, tokens = false } } = frame;
  if (!tokens && !down) {
    return [above(`${seq} born`, [{ ...text("command waiting", edge + 8, across.lane(call.client) + across.scale.above, wordsOf(call, label, frame), WORD, "start", measure), opacity: t }])];
  }
  const there = placeOfMessage(event, edge, scene);
  if (!there) return [];
  const place = { left: there.left + (down ? there.width * (1 - t) / 2 : 0), y: there.y, width: there.width * t, height: there.scale.height * t };
  return [above(`${seq} born`, pill(place, there.content, tokens, there.scale, measure).map((s) => ({ ...s, opacity: t })))];
}

/** A lost message falls.
 * @type {Effect}
 */
function fall(event, age, scene) {
  const { frame, marks, after } = scene;
  const { seq } = event;
  const t = over(age, 0, lasts(marks, seq));
  const waited = t < 1 && placeOfMessage(event, after(seq - 1), scene);
  if (!waited) return [];
  const { content, width, scale } = waited;
  const left = waited.left + (frame.down ? 0 : 8 * t);
  const y = waited.y + 28 * t * t;
  const { measure, tokens = false } = frame.options;
  const shapes = pill({ left, y, width, height: scale.height }, content, tokens, scale, measure);
  return [above(`${seq} falling`, [...shapes, cross("lost-cross", left + width / 2, y, 6)].map((s) => ({ ...s, opacity: 1 - t })))];
}

/** Redis writes: a band grows, is torn off and falls, dries out, or says something else.
 * @param {number} from  ms after which it does
 * @param {Parameters<Effect>} all
 * @returns {Group[]}
 */
function changes(from, ...[event, age, { frame, end, at }]) {
  const { kind, lane: node = "", seq } = event;
  const { axis, knot, across, down, rows, options: { measure } } = frame;
  const { value: size } = typeOf(rows?.compact ?? true);
  const start = knot(at);
  return (event.changes ?? []).flatMap(({ old, key, new: next }) => {
    if (old && next && next.value === old.value && next.writer === old.writer) return [];
    const band = across.band(node, key);
    const id = `${seq} ${node} ${key}`;
    /** @type {Group[]} */
    const all = [];
    const t = over(age, from, from + 360);
    if (old && t < 1) {
      const sticks = Math.min(46, end - start) * over(age, from - 80, from); // beyond the playhead, until it is torn off
      if (sticks > 0) all.push(group(`${id} torn`, [(kind === "expire" ? dried : torn)(axis, start, band, sticks, t)]));
      const was = down
        ? text("band-value", band.at + band.size / 2, start + 4 - 22 * t, shorten(old.value, 8), CLOSE.value, "middle", measure)
        : text("band-value", start + 8, band.at + band.size / 2 + 0.36 * size - 22 * t, valueText(old), size, "start", measure);
      if (next && t > 0) all.push(above(`${id} was`, [{ ...was, opacity: 1 - t }]));
    }
    if (next && t > 0) all.push(group(`${id} grows`, [axis.rect("band open", start, band.at, (end - start) * out(over(age, from, from + 240)), band.size, ROUND.band)]));
    return all;
  });
}

/** The teeth of a band that was torn off: px along it, and parts of its width. */
const TEETH = [[0, 1], [5, 0.8], [0, 0.6], [6, 0.4], [1, 0.2]];

/** The end of a band, with a ragged edge where it was torn off, falls and turns.
 * @param {Frame["axis"]} axis @param {number} start @param {{at: number, size: number}} band @param {number} long @param {number} t @returns {Shape}
 */
function torn(axis, start, { at, size }, long, t) {
  const [left, top] = axis.xy(start, at);
  const angle = 0.3 * t;
  const corners = [[0, 0], [long, 0], [long, size], ...TEETH.map(([depth, part]) => [depth, part * size])].map(([a, c]) => axis.xy(a, c));
  const d = corners.map(([x, y]) => {
    const [turnedX, turnedY] = [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle)];
    return `${rounded(left + turnedX + axis.torn * t)} ${rounded(top + turnedY + 44 * t * t)}`;
  });
  return { ...path("band", `M${d.join("L")}Z`), opacity: 1 - t * t };
}

/** The end of a band pales and shrinks back to where its time ran out.
 * @param {Frame["axis"]} axis @param {number} start @param {{at: number, size: number}} band @param {number} long @param {number} t @returns {Shape}
 */
const dried = (axis, start, { at, size }, long, t) => ({ ...axis.rect("band dry", start, at, long * (1 - ease(t)), size, 2), opacity: 1 - t });

/** A client enters: its bar lights up once.
 * @type {Effect}
 */
function begin({ lane = "", seq }, age, { frame: { axis, along, across }, at, edge }) {
  const t = over(age, 0, 300);
  const from = along(at);
  if (t >= 1 || !across.seen(lane) || edge <= from) return [];
  const half = across.scale.bar + 6 * t;
  return [group(`${seq} lit`, [{ ...axis.rect("lit", from - 6 * t, across.lane(lane) - half, edge - from + 12 * t, 2 * half, 2 + 4 * t), opacity: 1 - t }])];
}

/** Seconds run, and leases drain.
 * @type {Effect}
 */
function pass({ seq, time, from = time }, age, { frame, marks, state, edge }) {
  const t = over(age, 0, lasts(marks, seq));
  if (t >= 1) return [];
  const { axis, along, lead, across, rows, options: { measure } } = frame;
  const now = from + (time - from) * ease(rows ? t : over(t, 0, 0.5));
  // Leases are seen ahead of the playhead only while they drain and, where time runs down, before it reaches what is written there.
  const shown = rows ? Math.min(1, 5 * t, 5 * (1 - t)) : Math.max(0, Math.min(1, 6 * t, 6 * (0.6 - t)));
  /** How far a time lies ahead of the playhead. @param {number} until @param {number} [skew] */
  const ahead = (until, skew = 0) => Math.max(0, Math.min(axis.drained, ((until - now - skew) / 1000) * axis.drained / 12));
  /** @type {Shape[]} */
  const drains = [];
  const { strip } = across.scale;
  for (const { name, believes, lease, skew } of Object.values(state.clients)) {
    const long = believes && lease?.until ? ahead(lease.until, skew) : 0;
    if (long > 0 && across.seen(name)) drains.push(axis.rect("lease", edge, across.lane(name) + strip.from, long, strip.size));
  }
  for (const { node, key, at, size } of across.bands) {
    const long = ahead(state.keys[node]?.[key]?.expires ?? 0);
    if (long > 0) drains.push(axis.rect("band", edge, at, long, size, 2));
  }
  const unit = rows && time - from >= 4_000 ? 1_000 : 100;
  const content = timeText(Math.round(now / unit) * unit, state.began);
  const label = frame.word?.(`${seq} time`);
  const place = label ? along(label.at) + label.lean * lead + label.dx : edge + 12;
  const runs = rows
    ? { ...text("running", between(edge + 12, place, ease(over(t, 0.6, 1))), rows.axis - 10, content, typeOf(rows.compact).clock, "start", measure), opacity: Math.min(1, 5 * t) }
    : { ...text("running", 12, edge - 8, content, 14, "start", measure), opacity: shown };
  return [...(drains.length ? [group(`${seq} drains`, drains.map((s) => ({ ...s, opacity: 0.6 * shown })))] : []), above(`${seq} runs`, [runs])];
}

/** The lane snaps: what would have gone on falls off.
 * @type {Effect}
 */
function snap({ lane = "", seq }, age, { frame: { axis, along, across }, at }) {
  const t = over(age, 0, 150);
  if (t >= 1 || !across.seen(lane)) return [];
  const [from, there] = [along(at), across.lane(lane)];
  const off = axis.snapped * t * t;
  const struck = axis.xy(from, there);
  return [
    group(`${seq} snapped`, [{ ...axis.line("snapped", from + 6 + 6 * t, there + off * 0.4, from + 40, there + off), opacity: 1 - t }]),
    group(`${seq} struck`, [circle("crash-disc", ...struck, 10 * out(t)), cross("crash-cross", ...struck, 4 * out(t))]),
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
  const struck = guilty && frame.axis.xy(frame.knot(guilty.to), frame.across.lane(guilty.call.node));
  const strikes = over(age, from + VIOLATION.arc * 0.7, from + VIOLATION.arc);
  return [above(`${seq} runs back`, [path("cause-arc running-back", arc)]), ...(struck && strikes > 0 ? pulse(`${seq} struck`, struck, strikes, "pulse guilty-pulse") : [])];
}

/** A ring that spreads. @param {string} key @param {[number, number]} from @param {number} t @param {string} name @returns {Group[]} */
const pulse = (key, from, t, name) => (t >= 1 ? [] : [group(key, [{ ...circle(name, ...from, KNOT + 26 * out(t)), "stroke-width": 3 * (1 - t) }])]);

/** A reply on its way. @param {string} key @param {string} content @param {number} left @param {number} y @param {Frame} frame */
function message(key, content, left, y, { options: { measure } }) {
  return above(key, pill({ left, y, width: widthOf(content, false, REPLY, measure), height: REPLY.height }, content, false, REPLY, measure, "pill reply-pill"));
}

/** @param {number} from @param {number} to @param {number} t */
const between = (from, to, t) => from + (to - from) * t;

/** Under the words. @param {string} key @param {Shape[]} shapes @returns {Group} */
const group = (key, shapes) => ({ key, seq: 0, class: "moving", title: null, shapes });

/** Over everything. @param {string} key @param {Shape[]} shapes @returns {Group} */
const above = (key, shapes) => ({ ...group(key, shapes), layer: "words" });
