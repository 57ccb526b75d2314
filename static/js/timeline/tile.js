/**
 * Lays out a whole run on a tile: critical sections, violations, crashes, pauses and
 * the density of calls, as at the coarse levels of the picture. A tile has no words, so
 * its columns share the width. It is pure, like layout.js.
 *
 * @typedef {import("./model.js").Marks} Marks
 * @typedef {import("./layout.js").Frame} Frame
 * @typedef {import("./shapes.js").Group} Group
 * @typedef {{width: number, height: number, groups: Group[]}} Tile  a drawing of that size, to be scaled to the tile's
 */

import { AXES } from "./axis.js";
import { columnOf } from "./moments.js";
import { bars, faults, ground, merged } from "./parts/coarse.js";
import { stretched } from "./parts/violations.js";
import { hatch, rounded } from "./shapes.js";

/** From lane to lane, and from the edge to what is drawn, px. */
const PITCH = 24;
const EDGE = 12;

const SCALE = { bar: 7, strip: { from: 8, size: 4 }, frame: 4, aside: 0, above: 0 };

/** Half of what a call is on a lane. */
const CALL = 4;

/** A column is no wider than that: of a run that has just begun most is still to come. */
const WIDEST = 28;

/** With more columns than that on a tile, nobody can tell calls apart. */
const MOST = 80;

/**
 * @param {Marks} marks
 * @param {{width: number, height: number}} tile  px
 * @returns {Tile}
 */
export function tile(marks, { width: wide, height: high }) {
  const names = new Map(marks.lanes.map((l, i) => [l.name, i]));
  const height = Math.max(high, 2 * EDGE + PITCH * (names.size - 1));
  const width = wide * (height / high);
  const pitch = Math.min(2 * PITCH, (height - 2 * EDGE) / Math.max(1, names.size - 1));
  const top = (height - pitch * (names.size - 1)) / 2;
  const column = Math.min(WIDEST, (width - 2 * EDGE) / Math.max(1, marks.end));
  const along = (/** @type {number} */ at) => EDGE + column * (columnOf(at) + (at === columnOf(at) ? 0 : 0.3));
  const lane = (/** @type {string} */ name) => top + pitch * (names.get(name) ?? 0);
  const frame = /** @type {Frame} */ (/** @type {unknown} */ ({
    axis: AXES.x, along, playhead: along(marks.end), end: along(marks.end), from: 0, to: width, touches: () => true,
    stretch: stretched({ along, lead: column * 0.3 }),
    across: { body: { from: 0, to: height }, scale: SCALE, lane, seen: () => true },
  }));
  let [calls, holding] = ["", ""];
  if (marks.end <= MOST) {
    for (const q of marks.requests) {
      if (q.fate !== "delivered") continue;
      for (const name of [q.call.client, q.call.node]) calls += `M${rounded(along(q.to))} ${rounded(lane(name) - CALL)}v${2 * CALL}`;
    }
  }
  // Colour alone would not do: who is inside together is hatched, as in the picture.
  for (const s of marks.sections) {
    for (const h of s.hatched) {
      holding += hatch("", { x: along(h.from), y: lane(s.client) - SCALE.bar, width: Math.max(3, along(h.to) - along(h.from)), height: 2 * SCALE.bar }, "rising", 6).d;
    }
  }
  return {
    width, height,
    groups: [
      ...ground(marks, frame),
      ...merged("calls", "density", calls),
      ...bars(marks, frame, false),
      ...merged("hatches", "tile-hatch", holding),
      ...faults(marks, frame),
    ],
  };
}
