/**
 * Draws the key bands right of the lane of each node: the value and its writer stand
 * in a wide band, and else left of the lane, in the row that wrote it.
 *
 * @typedef {import("../../model.js").Marks} Marks
 * @typedef {import("../../model.js").Band} Band
 * @typedef {import("../layout.js").Frame} Frame
 * @typedef {import("../../shapes.js").Group} Group
 */

import { hatch, path, rect } from "../../shapes.js";
import { text } from "../../parts/label.js";
import { inside } from "../row-texts.js";
import { SIZE } from "../scale.js";

/** @param {Marks} marks @param {Frame} frame @returns {Group[]} */
export function keyBands({ bands }, frame) {
  return bands.filter((b) => frame.touches(b.from, b.to)).flatMap((b) => [band(b, frame), ...words(b, frame), ...(b.over ? [expiry(b, frame)] : [])]);
}

/** @param {Band} b @param {Frame} frame @returns {Group} */
function band(b, { across, down, from, to }) {
  const { x, width } = across.band(b.node, b.key);
  const [top, bottom] = [down.node(b.from), down.node(b.to)];
  const shapes = [
    rect(b.open ? "band open" : "band", x, top, width, bottom - top, 2),
    ...(b.expired === Infinity ? [] : [hatch("band-hatch", shown(down.node(b.expired), bottom, from, to, x, width), "rising", 8)]),
  ];
  return { key: `${b.seq} ${b.node} ${b.key} band`, seq: b.seq, class: "key-band", title: b.sentence, shapes };
}

/** Value and writer, below each other, where they fit.
 * @param {Band} b @param {Frame} frame @returns {Group[]}
 */
function words(b, { across, down, options: { measure } }) {
  if (!inside(b, across, measure)) return [];
  const { x, width } = across.band(b.node, b.key);
  return [b.value, b.writer].map((content, i) => ({
    key: `${b.seq} ${b.node} ${b.key} word ${i}`, seq: b.seq, class: "label", title: b.sentence,
    shapes: [text("band-value", x + width / 2, down.node(b.from) + 15 + i * 14, content, SIZE, "middle", measure)],
  }));
}

/** The part of the hatching that is asked for, in phase.
 * @param {number} top
 * @param {number} bottom
 * @param {number} from
 * @param {number} to
 * @param {number} x
 * @param {number} width
 */
function shown(top, bottom, from, to, x, width) {
  const y = top + Math.max(0, Math.floor((from - top) / 8) - 1) * 8;
  return { x, width, y, height: Math.max(0, Math.min(bottom, to + 8) - y) };
}

/** The TTL ran out: a diamond on the end of the band.
 * @param {Band} b
 * @param {Frame} frame
 * @returns {Group}
 */
function expiry(b, { across, down }) {
  const { x, width } = across.band(b.node, b.key);
  const y = down.node(b.to);
  return { key: `${b.over} ${b.node} ${b.key} expiry`, seq: b.over, class: "expiry", title: b.overSentence, shapes: [path("expiry-mark", `M${x + width / 2} ${y - 8}l6 8l-6 8l-6 -8Z`)] };
}
