/**
 * Draws the coarser levels: like marks share one node, however many there are. Of a call there is a stub at its client's
 * lane and one at its node's or, at the coarsest level, as much as how many there are. Violations have their flags besides.
 *
 * @typedef {import("../model.js").Marks} Marks
 * @typedef {import("../layout.js").Frame} Frame
 * @typedef {import("../shapes.js").Group} Group
 */

import { boxed, circle, circled, crossed, hatch, path, rect, rounded } from "../shapes.js";
import { KNOT } from "../scale.js";
import { axisLine, stays } from "./frame.js";
import { graduations } from "./graduations.js";
import { within } from "./lasting.js";

/** More crashes, or pauses, in a window than this are one node too. */
const MANY = 60;

/** The least that can be seen, px. */
const LEAST = 3;

/** The length of a stub, px. */
const STUB = 10;

/** The middle level, with the marks that can still be told apart. @param {Marks} marks @param {Frame} frame @returns {Group[]} */
function stubs(marks, frame) {
  return [...behind(marks, frame, true), ...stubsOf(marks, frame), ...faults(marks, frame)];
}

/** The coarsest level. @param {Marks} marks @param {Frame} frame @returns {Group[]} */
function densities(marks, frame) {
  return [...behind(marks, frame, false), ...densitiesOf(marks, frame), ...faults(marks, frame)];
}

/** What draws them. */
export const coarse = { stubs, densities };

/** @param {Marks} marks @param {Frame} frame @param {boolean} single  each bar is a node @returns {Group[]} */
const behind = (marks, frame, single) => [
  ...ground(marks, frame), ...bars(marks, frame, single), ...stays(frame), ...axisLine(frame), ...graduations(marks, frame), ...bandsTogether(marks, frame),
];

/** @param {Marks} marks @param {Frame} frame @returns {Group[]} */
function stubsOf({ requests }, { along, across, touches }) {
  return requests.filter((q) => q.fate !== "inFlight" && touches(q.to, q.to)).map((q) => {
    const at = Math.round(along(q.to) * 10) / 10;
    const sent = across.seen(q.call.client) ? `M${at} ${across.lane(q.call.client)}v${STUB}` : "";
    const done = q.fate === "delivered" ? `M${at} ${across.lane(q.call.node) - KNOT - 2}v${2 * KNOT}` : "";
    return {
      key: `${q.arrival} arrival`, seq: q.arrival, class: "request", title: q.told, ...(q.blamed ? { blamed: q.blamed } : {}),
      shapes: [path("stub", sent + done)],
    };
  });
}

/** @param {Marks} marks @param {Frame} frame @returns {Group[]} */
function densitiesOf({ requests, lanes }, { along, across, touches }) {
  /** @type {Map<string, Set<number>>} one mark for all that fall on one px */
  const calls = new Map();
  let guilty = "";
  for (const q of requests) {
    if (q.fate === "inFlight" || !touches(q.to, q.to)) continue;
    const at = Math.round(along(q.to));
    if (q.blamed) guilty += `M${at} ${across.lane(q.call.node) - KNOT - 4}v${2 * KNOT + 8}`;
    for (const lane of q.fate === "delivered" ? [q.call.client, q.call.node] : [q.call.client]) {
      if (across.seen(lane)) calls.set(lane, (calls.get(lane) ?? new Set()).add(at));
    }
  }
  const nodes = new Set(lanes.filter((l) => l.node).map((l) => l.name));
  return [
    ...[...calls].flatMap(([lane, marked]) => {
      const half = nodes.has(lane) ? KNOT + 1 : 4;
      return merged(`calls ${lane}`, "density", [...marked].map((at) => `M${at} ${across.lane(lane) - half}v${2 * half}`).join(""));
    }),
    ...merged("guilty calls", "density guilty-mark", guilty),
  ];
}

/** @param {string} key @param {string} name @param {string} d @param {string} [kind] @returns {Group[]} */
export const merged = (key, name, d, kind = "decor") => (d ? [{ key, seq: 0, class: kind, title: null, shapes: [path(name, d)] }] : []);

/** Tints, lanes and what lasts along them.
 * @param {Marks} marks
 * @param {Frame} frame
 * @returns {Group[]}
 */
export function ground(marks, frame) {
  const { along, across, playhead, end, stretch, touches } = frame;
  const nodes = new Set(marks.lanes.filter((l) => l.node).map((l) => l.name));
  const d = { tint: "", lane: "", "lane-dead": "", tick: "", sleep: "", node: "", "node-down": "", ghost: "" };
  for (const v of marks.violations) {
    if (!touches(v.from, v.to)) continue;
    const { from, to } = stretch(v);
    d.tint += boxed(from, across.body.from, Math.max(LEAST, to - from), across.body.to - across.body.from);
  }
  for (const l of marks.lives) {
    if (!touches(l.from, l.to) || !across.seen(l.lane)) continue;
    const name = nodes.has(l.lane) ? (l.dead ? "node-down" : "node") : l.dead ? "lane-dead" : "lane";
    d[name] += `M${rounded(along(l.from))} ${across.lane(l.lane)}H${rounded(along(l.to))}`;
  }
  for (const l of marks.lanes) {
    if (!l.node && across.seen(l.name) && !["crashed", "done", "failed"].includes(l.state)) d.ghost += `M${rounded(playhead)} ${across.lane(l.name)}H${rounded(end)}`;
  }
  for (const t of marks.ticks) if (touches(t.at, t.at)) d.tick += `M${rounded(along(t.at))} ${across.body.from - 5}V${across.body.from + 8}`;
  for (const s of marks.sleeps) {
    if (touches(s.from, s.to) && across.seen(s.lane)) d.sleep += boxed(along(s.from), across.lane(s.lane) - 3, along(s.to) - along(s.from), 6);
  }
  return [
    ...merged("tints", "tint", d.tint, "violation"),
    ...merged("ghosts", "ghost-lane", d.ghost),
    ...merged("lanes", "lane", d.lane),
    ...merged("dead lanes", "lane-dead", d["lane-dead"]),
    ...merged("sleeps", "sleep-box", d.sleep),
    ...merged("tick marks", "tick-mark", d.tick),
    ...merged("nodes", "node", d.node),
    ...merged("nodes down", "node-down", d["node-down"]),
  ];
}

/** Critical sections with their strips, and what a violation hatches.
 * @param {Marks} marks
 * @param {Frame} frame
 * @param {boolean} single  each bar is a node
 * @returns {Group[]}
 */
export function bars(marks, { along, across, touches }, single) {
  const { bar, strip } = across.scale;
  /** @type {Group[]} */
  const singles = [];
  const d = { hold: "", overlap: "", lease: "", over: "" };
  for (const s of marks.sections) {
    if (!touches(s.from, s.to) || !across.seen(s.client)) continue;
    const y = across.lane(s.client);
    const [from, long] = [along(s.from), Math.max(LEAST, along(s.to) - along(s.from))];
    if (single) singles.push({ key: `${s.seq} section`, seq: s.seq, class: "section", title: s.sentence, shapes: [rect("hold", from, y - bar, long, bar * 2, 2)] });
    else d.hold += boxed(from, y - bar, long, bar * 2);
    for (const h of s.hatched) d.overlap += boxed(along(h.from), y - bar, Math.max(LEAST, along(h.to) - along(h.from)), bar * 2);
    for (const b of s.strip) d[b.borneOut ? "lease" : "over"] += boxed(along(b.from), y + strip.from, along(b.to) - along(b.from), strip.size);
  }
  return [
    ...merged("leases", "lease", d.lease), ...merged("leases over", "lease-over", d.over),
    ...merged("bars", "hold", d.hold), ...singles, ...merged("overlaps", "overlap filled", d.overlap),
  ];
}

/** @param {Marks} marks @param {Frame} frame @returns {Group[]} */
function bandsTogether({ bands }, { along, across, touches }) {
  let d = "";
  for (const b of bands) {
    const { at, size } = across.band(b.node, b.key);
    if (touches(b.from, b.to)) d += boxed(along(b.from), at, Math.max(1, along(b.to) - along(b.from)), size);
  }
  return merged("bands", "band", d);
}

/** Crashes and pauses, at every level.
 * @param {Marks} marks
 * @param {Frame} frame
 * @returns {Group[]}
 */
export function faults(marks, frame) {
  const { along, across, touches } = frame;
  const { bar } = across.scale;
  const paused = marks.pauses.filter((p) => touches(p.from, p.to) && across.seen(p.lane));
  const crashed = marks.crashes.filter((c) => touches(c.at, c.at) && across.seen(c.lane));
  /** @param {import("../lanes.js").Span} p @returns {[number, number, number, number]} */
  const box = (p) => [along(p.from), across.lane(p.lane) - bar - 4, Math.max(LEAST, along(p.to) - along(p.from)), 2 * bar + 8];
  // The least box has no room for hatching.
  const hatched = paused.map((p) => box(p)).filter((b) => b[2] > LEAST).map(([left, top, width, height]) =>
    hatch("", within({ x: left, y: top, width, height }, 8, frame), "upright", 8).d).join("");
  const crosses = crashed.map((c) => crossed(along(c.at), across.lane(c.lane), 3)).join("");
  return [
    ...(paused.length > MANY
      ? merged("pauses", "pause-box", paused.map((p) => boxed(...box(p))).join(""), "pause")
      : paused.map((p) => ({ key: `${p.seq} pause`, seq: p.seq, class: "pause", title: p.sentence, shapes: [rect("pause-box", ...box(p), 2)] }))),
    ...merged("pause hatches", "pause-hatch", hatched),
    ...(crashed.length > MANY
      ? merged("crashes", "crash-disc", crashed.map((c) => circled(along(c.at), across.lane(c.lane), 8)).join(""), "crash")
      : crashed.map((c) => ({ key: `${c.seq} crash`, seq: c.seq, class: "crash", title: c.sentence, shapes: [circle("crash-disc", along(c.at), across.lane(c.lane), 8)] }))),
    ...merged("crash crosses", "crash-cross", crosses),
  ];
}
