/**
 * Lays marks out where time runs down: the lanes share the width of the pane, and a row is as high as what happens in
 * it. It is always drawn in full. Phones alone load this (downwards.js): what both directions have in common is layout.js's.
 *
 * @typedef {import("./model.js").Marks} Marks
 * @typedef {import("./layout.js").Down} Frame
 * @typedef {import("./shapes.js").Group} Group
 * @typedef {import("./ruler-down.js").Down & {places: typeof places, arc: typeof arcDown, labels: Both["labels"]}} Only  places: of what waits; arc: a part of the arrow of a cause
 *
 * @typedef {object} Both  what the layout hands in, as every page has loaded it
 * @property {import("./axis.js").Axis} axis
 * @property {typeof import("./labels.js").labels} labels
 * @property {(marks: Marks, frame: import("./layout.js").Frame, arcs: Group[]) => Group[]} ground  of the words
 */

import { columns } from "./columns.js";
import { arcDown, causeWordsDown, causesDown } from "./parts/causes-down.js";
import { HEAD, headsDown } from "./parts/heads-down.js";
import { bandWordsDown, textsDown } from "./parts/texts-down.js";
import { flagsDown } from "./parts/violations-down.js";
import { places, waitingRoomDown } from "./parts/waiting-down.js";
import { rulerDown } from "./ruler-down.js";

/** The least stretch of the future, and its margin after what waits; the narrowest pane that does not scroll sideways; the buttons that a page may have under the heads, and below what waits, px. */
const FUTURE = 48;
const MARGIN = 16;
const LEAST = 288;
const BUTTONS = { heads: 32, below: 56 };

/**
 * @param {Marks} marks
 * @param {import("./layout.js").Options} given
 * @param {Both} both
 */
export function down(marks, given, { axis, labels, ground }) {
  const options = { ...given, width: Math.max(LEAST, given.width) };
  const x = columns(marks, options);
  const start = HEAD + (options.gutter ? BUTTONS.heads : 0);
  const scale = { ...rulerDown(marks, options, start), places, arc: arcDown, labels };
  const { along, knot, lead, before, playhead, row } = scale;
  const reach = playhead + Math.max(FUTURE, waitingRoomDown(marks, { across: x, options }) + MARGIN) + (options.gutter ? BUTTONS.below : 0);
  /** @param {number} from @param {number} to @returns {Frame} */
  const window = (from, to) => ({
    axis, along, knot, lead, across: x, down: scale, start, end: reach, playhead, from, to, options,
    stretch: (v) => ({ from: row(v.from).top, to: Math.max(row(v.from).bottom, along(v.to)) }),
    touches: (a, b) => row(a).top <= to && row(b).bottom >= from,
  });
  const frame = window(0, reach);
  return {
    frame, before, reach,
    /** Nothing stands over the veil here: what has not happened pales as a whole. @param {number} from @param {number} to @returns {Group[]} */
    draw(from, to) {
      const part = window(from, to);
      return [
        ...ground(marks, part, causesDown(marks, part)),
        ...bandWordsDown(marks, part),
        ...textsDown(marks, part),
        ...flagsDown(part),
        ...causeWordsDown(part),
      ].map(({ layer, since, ...group }) => group);
    },
    heads: (/** @type {import("../trace/state.js").State} */ state) => headsDown(marks, state, frame),
  };
}
