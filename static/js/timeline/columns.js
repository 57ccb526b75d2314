/**
 * Places the lanes where time runs down: across the pane, whose width is given. The clients come first, then
 * each node of Redis with its numbers and a narrow band per key. With more lanes there
 * is less air; the numbers and the bands give way first.
 *
 * @typedef {import("./model.js").Marks} Marks
 * @typedef {import("./layout.js").Options} Options
 *
 * @typedef {import("./rows.js").Across & {redis: number, right: number, keys: string[], rise: (rank: number) => number}} Columns  redis: of the first node;
 *   right: where the bands end; keys: all there are, in order of first being written; rise: from a node to a reply that waits beside it
 */

import { STORAGE } from "../trace/state.js";
import { KNOT } from "./scale.js";
import { WORD } from "./type.js";

/**
 * From roomy to cramped: room for the times at the left, width of a band,
 * whether the numbers have a column of their own, and the least pitch for which
 * all that is worth it.
 */
const MODES = [
  { gutter: 48, band: 48, numbers: true, least: 48 },
  { gutter: 48, band: 16, numbers: true, least: 40 },
  { gutter: 8, band: 16, numbers: true, least: 24 },
  { gutter: 8, band: 8, numbers: true, least: 17 },
];

/** The times of a wall clock are longer: where lanes have room, they make way. */
const WALL_MODE = { ...MODES[0], gutter: 108, least: 60 };

const CRAMPED = { gutter: 8, band: 6 };

const EDGE = 4;

/** A bar, as on a desk but narrower. */
const BAR = { half: 8, strip: { from: 9, size: 7 }, aside: 12 };

/** A bar with its strip and a little air: narrower lanes have narrower bars. */
const BAR_ROOM = 27;

/** Replies in flight wait left of the lane of their node, one beside the other. */
const WAITING = { rise: 14, pitch: 10 };

/** From the last client to Redis there is a part of the pitch, and at least room for an arrow. */
const LAST = 0.75;
const LAST_LEAST = 24;

/**
 * @param {Marks} marks
 * @param {Options} options
 * @returns {Columns}
 */
export function columns(marks, options) {
  for (const mode of marks.began ? [WALL_MODE, ...MODES] : MODES) {
    const built = build(marks, options, mode);
    if (built.pitch >= mode.least) return built;
  }
  // One node's numbers always have their place; those of several stand over the next.
  return build(marks, options, { ...CRAMPED, numbers: marks.lanes.filter((l) => l.node).length === 1 });
}

/**
 * @param {Marks} marks
 * @param {Options} options
 * @param {typeof CRAMPED & {numbers: boolean}} mode
 * @returns {Columns}
 */
function build(marks, { width, measure, words }, mode) {
  const clients = marks.lanes.filter((l) => !l.node).map((l) => l.name);
  const nodes = marks.lanes.filter((l) => l.node).map((l) => l.name);
  const keys = new Map(nodes.map((node) => [node, keysOf(marks, node)]));
  const digits = String(marks.requests.reduce((most, q) => Math.max(most, q.order), 10)).length;
  const numbers = mode.numbers ? measure("#".padEnd(digits + 1, "0"), WORD) + 8 : 0;
  const bandCount = nodes.map((n) => (n === STORAGE ? 0 : Math.max(1, keys.get(n)?.length ?? 0)));
  const bandWidth = Math.min(mode.band, (width / 4) / Math.max(...bandCount));
  const verdicts = mode.numbers ? measure(words.accepted, WORD) : 0;
  const wanted = bandCount.map((n) => KNOT + 4 + (n ? numbers + n * bandWidth : verdicts) + EDGE);
  const sum = wanted.reduce((a, b) => a + b, 0);
  // Nine nodes are drawn over each other's bands before they take the clients' half.
  const squeeze = Math.min(1, width * 0.55 / sum);

  /** @type {Map<string, number>} */
  const xs = new Map();
  let x = width - sum * squeeze;
  const redis = x;
  nodes.forEach((node, i) => {
    xs.set(node, x);
    x += wanted[i] * squeeze;
  });
  const before = clients.length > 6 ? 12 : 20;
  const room = redis - mode.gutter - before;
  const between = Math.max(0, clients.length - 1);
  const airy = room / (between + LAST);
  const pitch = between && airy * LAST < LAST_LEAST ? (room - LAST_LEAST) / between : airy;
  clients.forEach((client, i) => xs.set(client, Math.round(mode.gutter + before + i * pitch)));

  const scale = Math.min(1, pitch / BAR_ROOM);
  const most = marks.replies.reduce((top, p) => Math.max(top, p.rank), 0);
  const step = Math.min(WAITING.pitch, Math.max(redis - WAITING.rise - mode.gutter, 0) / (most + 1));
  /** @param {string} name */
  const lane = (name) => xs.get(name) ?? redis;
  /** @param {number} rank */
  const rise = (rank) => WAITING.rise + rank * step;
  /** @param {string} node @param {string} key */
  const band = (node, key) => {
    const i = Math.max(0, keys.get(node)?.indexOf(key) ?? 0);
    return { at: lane(node) + (KNOT + 4 + numbers + i * bandWidth) * squeeze, size: bandWidth * squeeze - 2 };
  };
  return {
    pitch, redis, lane, band, rise, right: (xs.get(STORAGE) ?? width + KNOT) - KNOT - 2, body: { from: 0, to: width }, end: width,
    seen: () => true,
    visible: lane,
    rest: ({ call, rank }) => lane(call.node) - rise(rank),
    bands: nodes.flatMap((node) => (keys.get(node) ?? []).map((key) => ({ node, key, ...band(node, key) }))),
    keys: [...new Set(marks.bands.map((b) => b.key))],
    scale: {
      bar: BAR.half * scale, strip: { from: BAR.strip.from * scale, size: BAR.strip.size * scale }, frame: BAR.half * scale / 2,
      aside: Math.min(BAR.aside, pitch / 2), above: 0,
    },
  };
}

/** In order of first being written. @param {Marks} marks @param {string} node */
const keysOf = (marks, node) => [...new Set(marks.bands.filter((b) => b.node === node).map((b) => b.key))];
