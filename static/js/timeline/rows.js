/**
 * Where everything stands from top to bottom, and how wide the heads of the lanes are.
 *
 * @typedef {import("./model.js").Marks} Marks
 * @typedef {import("./layout.js").Options} Options
 *
 * @typedef {object} Rows
 * @property {number} axis
 * @property {number} flags  top of the first flag
 * @property {number} top  of the lanes
 * @property {(lane: string) => number} lane
 * @property {{node: string, key: string, y: number}[]} bands  y is the top
 * @property {(node: string, key: string) => number} band
 * @property {number} bottom  of the lanes and bands
 * @property {number} height
 * @property {(row: string) => number} baseline  of the texts of a row
 */

import { BAND, CAUSE, FLAG, WAITING } from "./scale.js";
import { nodeText, shorten } from "./text.js";

const AXIS = 32;
const FLAGS = 56;

/** x at which the lanes begin.
 * @param {Marks} marks
 * @param {Options} options
 */
export function gutter({ lanes, bands }, { measure, words }) {
  const states = ["waits", "asleep", "inside", "releasing", "done", "crashed", "failed", "paused"];
  const widths = [
    // All states count, so that the picture does not shift when one changes.
    ...(lanes.some((l) => !l.node) ? states.map((s) => measure(words[/** @type {"waits"} */ (s)], 12)) : []),
    ...lanes.map((l) => measure(nodeText(l.name), 14) + 16),
    ...bands.map((b) => measure(keyText(b.key), 12)),
  ];
  return 8 * Math.ceil((Math.max(...widths) + 24) / 8);
}

/** @param {string} key */
export const keyText = (key) => shorten(key, 14);

/**
 * @param {Marks} marks
 * @param {number} flagRows
 * @param {number} causeRows
 * @returns {Rows}
 */
export function rows(marks, flagRows, causeRows) {
  const clients = marks.lanes.filter((l) => !l.node);
  const pitch = lanePitch(clients.length);
  // One row of flags and one of causes are kept free, so that a violation moves nothing.
  const top = FLAGS + FLAG.pitch * Math.max(1, flagRows);
  /** @type {Map<string, number>} */
  const lanes = new Map();
  let y = top + 40;
  for (const lane of clients) {
    lanes.set(lane.name, y);
    y += pitch;
  }
  if (clients.length === 0) y += 24;
  /** @type {Rows["bands"]} */
  const bands = [];
  for (const { name: node } of marks.lanes.filter((l) => l.node)) {
    lanes.set(node, y);
    y += 32;
    for (const key of keysOf(marks, node)) {
      bands.push({ node, key, y });
      y += BAND.pitch;
    }
    y += 40;
  }
  const bottom = y - 40;
  /** @param {string} name */
  const lane = (name) => lanes.get(name) ?? bottom;
  return {
    axis: AXIS, flags: FLAGS, top, lane, bands, bottom,
    band: (node, key) => bands.find((b) => b.node === node && b.key === key)?.y ?? bottom,
    height: bottom + CAUSE.pitch * Math.max(1, causeRows) + 8,
    baseline(row) {
      const [strip, name] = row.split(" ");
      switch (strip) {
        case "time": return AXIS - 12;
        case "tick": return AXIS + 18;
        case "above": return lane(name) - 18;
        case "below": return lane(name) + 20;
        case "replies": return lane(name) - WAITING.rise - 8;
        default: return lane(name) + 23;
      }
    },
  };
}

/** The fewer lanes, the more air. @param {number} clients */
const lanePitch = (clients) => Math.min(104, Math.max(64, 8 * Math.round(40 / Math.max(1, clients))));

/** In order of first being written. @param {Marks} marks @param {string} node */
const keysOf = (marks, node) => [...new Set(marks.bands.filter((b) => b.node === node).map((b) => b.key))];
