/**
 * Computes the places across the axis, and the width of the heads. The lanes share the
 * height of the pane. If it is too little, the rows stand closer, and then the lanes
 * scroll between the axis and the lanes of Redis, which stay. If too many would stay,
 * everything scrolls.
 *
 * @typedef {import("./model.js").Marks} Marks
 * @typedef {import("./layout.js").Options} Options
 *
 * @typedef {object} Across  where things stand across the axis, in either direction of time
 * @property {(lane: string) => number} lane
 * @property {(lane: string) => boolean} seen  whether a lane is in view, or scrolled under what stays
 * @property {(lane: string) => number} visible  where an arrow begins or ends, at a lane or, if that is scrolled out of view, at the edge
 * @property {(reply: Pick<import("./messages.js").Reply, "call" | "rank">) => number} rest  where a reply in flight waits, beside the lane of its node
 * @property {number} pitch  from one client's lane to the next
 * @property {{node: string, key: string, at: number, size: number}[]} bands
 * @property {(node: string, key: string) => {at: number, size: number}} band
 * @property {import("./scale.js").LaneScale} scale
 * @property {{from: number, to: number}} body  of the lanes and bands
 * @property {number} end  of the picture
 *
 * @typedef {object} Further  of rows
 * @property {number} axis
 * @property {number} flags  top of the first flag
 * @property {number} flagPitch  from one row of flags to the next
 * @property {number} arc  from the bottom down to where the arrow of a cause begins
 * @property {boolean} compact
 * @property {number} under  from the top of a band to the baseline of the words under it; 0: there are none
 * @property {{top: number, bottom: number} | null} view  of the lanes, when they scroll
 * @property {(lane: string) => boolean} has
 * @property {number} redis  of its first lane
 * @property {(label: import("./labels.js").Label) => number} baseline
 *
 * @typedef {Across & Further} Rows
 */

import { AIRY, BAND, CLOSE_BAND, COMPACT, DENSE, NOTES, ROOMY, TIGHT, WAITING, WALL } from "./scale.js";
import { difference, nodeText, shorten } from "./text.js";
import { WORD, typeOf } from "./type.js";

const LEAST_PITCH = 30;
const MOST_PITCH = 144;

/** The same on a wall, where no lane may hide. */
const WALL_PITCH = 26;

/** @param {Options} options */
const leastPitch = ({ wall }) => (wall ? WALL_PITCH : LEAST_PITCH);

/** The fewest client lanes in view while those of Redis stay. */
const LEAST_LANES = 2;

/** Half the height of a name, px. */
const NAME = { roomy: 15, close: 12 };

/** Lanes are in view down to this distance from that of Redis, to which the last one comes no nearer. */
const ABOVE_REDIS = LEAST_PITCH - NAME.close;

/** From here on there is room for large words over each lane. */
const ROOMY_PITCH = 52;

/** And from here on there is room for whole bars. */
const COMPACT_PITCH = 40;

/** From the flags down to the first lane, over which its words stand, px. */
const FIRST = 38;
const CLOSE_FIRST = 18;

/** The most keys whose bands are large. */
const MOST_LARGE = 2;

/** From one node of Redis down to the next, or to the storage; many move together.
 * @param {Map<string, Set<string>>} keys
 */
const between = (keys) => (keys.size > 2 ? 20 : 40);

/** x at which the lanes begin. The states stand beside the names.
 * @param {Marks} marks
 * @param {Options} options
 * @param {boolean} compact
 */
export function gutter({ lanes, bands }, options, compact) {
  const { measure, words } = options;
  const type = typeOf(compact);
  const states = /** @type {const} */ (["waits", "asleep", "inside", "releasing", "done", "crashed", "failed", "paused"]);
  // All states and a skew count, so that the picture does not shift when one appears.
  const state = !stateless(options) && lanes.some((l) => !l.node) ? Math.max(...states.map((s) => measure(words[s], type.state))) : 0;
  const skew = measure(difference(-10_000), WORD);
  let widest = 0;
  for (const { name, node, label } of lanes) {
    const badge = measure(nodeText(name, words), type.name) + 16;
    const who = Math.min(measure(label, WORD), labelRoom(options));
    if (node) widest = Math.max(widest, badge);
    else if (!label) widest = Math.max(widest, badge + BESIDE + Math.max(state, skew));
    else if (compact) widest = Math.max(widest, badge + BESIDE + Math.max(state + 6 + skew, who));
    else widest = Math.max(widest, badge + BESIDE + Math.max(state, skew), who);
  }
  for (const key of new Set(bands.map((b) => b.key))) widest = Math.max(widest, measure(keyText(key), WORD));
  return 8 * Math.ceil((widest + 24) / 8);
}

/** From a name to its state, px. */
export const BESIDE = 8;

/** A wall narrower than this has no room for states beside the names: bars and marks show them too, px. */
const STATELESS = 480;

/** Reports whether the heads leave the states out. @param {Options} options */
export const stateless = ({ wall = false, width }) => wall && width < STATELESS;

/** Returns the most room in a head for who its client is, px. @param {Options} options */
export const labelRoom = ({ width }) => (width ? Math.max(88, Math.min(176, 0.16 * width)) : 176);

/** @param {string} key */
export const keyText = (key) => shorten(key, 14);

/** Reports whether the rows have to stand close for want of room.
 * @param {Marks} marks
 * @param {Options} options
 */
export const isCompact = (marks, options) => pitchOf(marks, keysByNode(marks), options) < ROOMY_PITCH;

/**
 * @param {Marks} marks
 * @param {Options} options
 * @param {number} flagRows
 * @returns {Rows}
 */
export function rows(marks, options, flagRows) {
  const keys = keysByNode(marks);
  const clients = marks.lanes.filter((l) => !l.node);
  const roomy = pitchOf(marks, keys, options);
  const compact = roomy < ROOMY_PITCH;
  const { air, free } = airOf(marks, keys, options);
  const band = bandScale(keys, compact);
  const half = compact ? NAME.close : NAME.roomy;
  // More rows of flags than were kept free take what air the lanes have, before they scroll.
  const more = compact || !options.height ? 0 : Math.max(0, air.flag * flagRows - free.flags);
  const pitch = Math.max(Math.min(roomy, ROOMY_PITCH), roomy - 4 * Math.ceil(more / Math.max(1, clients.length) / 4));
  const scale = compact ? (pitch < COMPACT_PITCH ? TIGHT : COMPACT) : ROOMY;
  const { height: pane = 0, scroll = 0 } = options;
  const foot = footHeight(keys, compact) + free.cause;
  const flags = air.flags + notesHeight(marks);
  const top = flags + Math.max(free.flags, air.flag * flagRows);
  const first = top + (compact ? CLOSE_FIRST : FIRST);
  const natural = first + pitch * clients.length + (clients.length === 0 ? 24 : 0);
  const height = natural + foot;
  // Lanes of Redis that left no room for clients scroll along, and so does the axis. For a last band and what is below no lane hides.
  const scrolls = pane > 0 && height - free.cause - CLOSE_BAND.pitch > pane && pane - top - foot >= pitch * Math.min(clients.length, LEAST_LANES);
  const stay = scrolls ? Math.max(0, Math.min(scroll, height - pane)) : 0;

  /** @type {Map<string, number>} */
  const lanes = new Map(clients.map((l, i) => [l.name, first + pitch * i]));
  /** @type {Rows["bands"]} */
  const bands = [];
  let y = scrolls ? stay + pane - foot : natural;
  const view = scrolls ? { top: top + stay, bottom: y - ABOVE_REDIS } : null;
  for (const [node, own] of keys) {
    lanes.set(node, y);
    y += band.from;
    for (const key of own) {
      bands.push({ node, key, at: y, size: band.height });
      y += band.pitch;
    }
    y += between(keys);
  }
  const bottom = y - between(keys);
  const byKey = new Map(bands.map((b) => [`${b.node} ${b.key}`, b]));
  /** @param {string} name */
  const lane = (name) => lanes.get(name) ?? bottom;
  return {
    axis: air.axis + stay, flags: flags + stay, flagPitch: air.flag, arc: air.arc, compact, under: band.under, scale, pitch, lane, bands, body: { from: air.axis + stay, to: bottom }, end: height, view,
    has: (name) => lanes.has(name),
    redis: lanes.get([...keys.keys()][0]) ?? bottom,
    seen: (name) => !view || keys.has(name) || (lane(name) - half >= view.top && lane(name) + half <= view.bottom),
    visible: (name) => visible(lane(name), view),
    rest: (reply) => rest(reply, lane),
    band: (node, key) => byKey.get(`${node} ${key}`) ?? { at: bottom, size: band.height },
    baseline({ strip, lane: name, drop }) {
      switch (strip) {
        case "time": return air.axis + stay - 10;
        case "note": return air.axis + stay + 18;
        case "above": return lane(name) + scale.above + drop;
        case "replies": return lane(name) - WAITING.rise - 8 + drop;
        default: return lane(name) + 24 + drop;
      }
    },
  };
}

/**
 * Returns rows on their way from others to these: what both have moves, and a new lane comes up from Redis.
 * @param {Rows} old
 * @param {Rows} rows
 * @param {number} part  of the way, from 0 to 1
 * @returns {Rows}
 */
export function moved(old, rows, part) {
  /** @param {number} a @param {number} b */
  const mid = (a, b) => a + (b - a) * part;
  /** @param {string} name */
  const lane = (name) => mid(old.has(name) ? old.lane(name) : old.redis, rows.lane(name));
  /** @param {string} node @param {string} key */
  const band = (node, key) => ({ at: mid(old.band(node, key).at, rows.band(node, key).at), size: rows.band(node, key).size });
  return {
    ...rows, lane, band,
    visible: (name) => visible(lane(name), rows.view),
    rest: (reply) => rest(reply, lane),
    bands: rows.bands.map((b) => ({ ...b, ...band(b.node, b.key) })),
    redis: mid(old.redis, rows.redis),
    body: { ...rows.body, to: mid(old.body.to, rows.body.to) },
    baseline: (label) => rows.baseline(label) + (rows.has(label.lane) ? lane(label.lane) - rows.lane(label.lane) : 0),
  };
}

/** On a lane that is scrolled out of view an arrow begins, or ends, at the edge.
 * @param {number} y  on a client's lane
 * @param {Rows["view"]} view
 */
export const visible = (y, view) => (view ? Math.max(view.top, Math.min(y, view.bottom)) : y);

/** Replies in flight wait above the lane of their node, one over the other.
 * @param {Parameters<Across["rest"]>[0]} reply
 * @param {(lane: string) => number} lane
 */
const rest = ({ call, rank }, lane) => lane(call.node) - WAITING.rise - rank * WAITING.pitch;

/** The distance of two lanes: the fewer, the more air.
 * @param {Marks} marks
 * @param {Map<string, Set<string>>} keys
 * @param {Options} options
 */
function pitchOf(marks, keys, options) {
  const { height = 0, pitch: most = 104 } = options;
  const clients = Math.max(1, marks.lanes.filter((l) => !l.node).length);
  if (height === 0) return Math.min(most, Math.max(64, 8 * Math.round(40 / clients)));
  const { air, free } = airOf(marks, keys, options);
  /** @param {boolean} compact */
  const pitch = (compact) => (height - air.flags - notesHeight(marks) - free.flags - (compact ? CLOSE_FIRST : FIRST) - footHeight(keys, compact) - free.cause) / clients;
  const roomy = 4 * Math.floor(Math.min(MOST_PITCH, pitch(false)) / 4);
  return roomy >= ROOMY_PITCH ? roomy : Math.max(leastPitch(options), Math.min(ROOMY_PITCH - 4, (options.wall ? 2 : 4) * Math.floor(pitch(true) / (options.wall ? 2 : 4))));
}

/** Returns how many rows are kept free for flags. @param {Options} options */
export const freeFlags = ({ height = 0, stacked = Infinity }) => (height > stacked ? 2 : 1);

/**
 * How close the rows stand, and what is kept free for a flag and for the arrow of a
 * cause, so that the first violation moves nothing; while there is none the lanes have
 * it where they would have to scroll.
 * @param {Marks} marks
 * @param {Map<string, Set<string>>} keys
 * @param {Options} options
 */
function airOf({ lanes, violations, causes }, keys, options) {
  const { height = 0, wall } = options;
  const clients = lanes.filter((l) => !l.node).length;
  const [wide, narrow] = wall ? [WALL, WALL] : [AIRY, DENSE];
  const wanted = wide.flags + wide.flag + CLOSE_FIRST + leastPitch(options) * clients + footHeight(keys, true) + wide.cause;
  const short = height > 0 && height < wanted;
  const air = short ? narrow : wide;
  return { air, free: { flags: short && violations.length === 0 ? 0 : air.flag * freeFlags(options), cause: short && causes.length === 0 ? 0 : air.cause } };
}

/** From the first lane of Redis down, without what is below the bands.
 * @param {Map<string, Set<string>>} keys
 * @param {boolean} compact
 */
function footHeight(keys, compact) {
  const { from, pitch } = bandScale(keys, compact);
  let height = -between(keys);
  for (const own of keys.values()) height += from + pitch * own.size + between(keys);
  return height;
}

/** @param {Map<string, Set<string>>} keys @param {boolean} compact */
const bandScale = (keys, compact) => (compact || [...keys.values()].reduce((n, own) => n + own.size, 0) > MOST_LARGE ? CLOSE_BAND : BAND);

/** Reports whether the writer of a key stands under its band. @param {Marks} marks @param {boolean} compact */
export const isUnder = (marks, compact) => bandScale(keysByNode(marks), compact).under > 0;

/** @param {Pick<Marks, "notes">} marks */
const notesHeight = ({ notes }) => (notes.length > 0 ? NOTES : 0);

/** The keys of each node, in order of first being written.
 * @param {Marks} marks
 */
function keysByNode({ lanes, bands }) {
  const keys = new Map(lanes.filter((l) => l.node).map((l) => [l.name, /** @type {Set<string>} */ (new Set())]));
  for (const b of bands) keys.get(b.node)?.add(b.key);
  return keys;
}
