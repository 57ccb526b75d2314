/**
 * Key bands under the lane of each node: value, writer, until when.
 *
 * @typedef {import("../model.js").Marks} Marks
 * @typedef {import("../model.js").Band} Band
 * @typedef {import("../layout.js").Frame} Frame
 * @typedef {import("../shapes.js").Group} Group
 */

import { hatch, path, rect } from "../shapes.js";
import { SIZE, bandText } from "../labels.js";
import { BAND } from "../scale.js";
import { fill, seconds } from "../text.js";
import { text } from "./label.js";

/** @param {Marks} marks @param {Frame} frame @returns {Group[]} */
export function keyBands({ bands }, frame) {
  return bands.flatMap((b) => [band(b, frame), ...(b.over ? [expiry(b, frame)] : [])]);
}

/** @param {Band} b @param {Frame} frame @returns {Group} */
function band(b, { x, rows, options: { words, measure } }) {
  const box = { x: x(b.from), y: rows.band(b.node, b.key), width: x(b.to) - x(b.from), height: BAND.height };
  const shapes = [rect(b.open ? "band open" : "band", box.x, box.y, box.width, box.height, 2)];
  const baseline = box.y + BAND.height / 2 + 4;
  const solid = x(Math.min(b.expired, b.to)) - box.x;
  const content = longest(forms(b, words.until), Math.max(solid, measure(bandText(b), SIZE) + 16) - 16, measure);
  if (b.expired === Infinity) {
    return group(b, [...shapes, text("band-value", box.x + 8, baseline, content, SIZE, "start", measure)]);
  }
  const over = { ...box, x: x(b.expired), width: x(b.to) - x(b.expired) };
  const from = Math.max(over.x, box.x + measure(content, SIZE) + 16);
  const word = text("band-expired", from + 8, baseline, words.expired, SIZE, "start", measure);
  return group(b, [...shapes, hatch("band-hatch", over, "rising", 8), text("band-value", box.x + 8, baseline, content, SIZE, "start", measure), word]);
}

/** @param {Band} b @param {import("../shapes.js").Shape[]} shapes @returns {Group} */
const group = (b, shapes) => ({ key: `${b.seq} ${b.node} ${b.key} band`, seq: b.seq, class: "key-band", title: b.sentence, shapes });

/** What a band may say, the longest first.
 * @param {Band} b
 * @param {string} until
 */
function forms(b, until) {
  const short = bandText(b);
  return b.expires ? [`${short} · ${fill(until, { time: seconds(b.expires) })}`, short] : [short];
}

/** @param {string[]} texts @param {number} width @param {import("../text.js").Measure} measure */
const longest = (texts, width, measure) => texts.find((t) => measure(t, SIZE) <= width) ?? texts[texts.length - 1];

/** The TTL ran out: a diamond on the end of the band.
 * @param {Band} b
 * @param {Frame} frame
 * @returns {Group}
 */
function expiry(b, { x, rows }) {
  const y = rows.band(b.node, b.key) + BAND.height / 2;
  return { key: `${b.over} ${b.node} ${b.key} expiry`, seq: b.over, class: "expiry", title: b.overSentence, shapes: [path("expiry-mark", `M${x(b.to)} ${y - 8}l6 8l-6 8l-6 -8Z`)] };
}
