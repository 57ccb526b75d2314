/**
 * Draws the key bands beside the lane of each node: value, writer, end.
 *
 * @typedef {import("../model.js").Marks} Marks
 * @typedef {import("../model.js").Band} Band
 * @typedef {import("../layout.js").Frame} Frame
 * @typedef {import("../shapes.js").Group} Group
 */

import { path } from "../shapes.js";
import { SIZE, bandText } from "../labels.js";
import { timeText } from "../../trace/time.js";
import { fill, shorten } from "../text.js";
import { text } from "./label.js";
import { hatched, lasting } from "./lasting.js";

/** @param {Marks} marks @param {Frame} frame @returns {Group[]} */
export function keyBands({ bands }, frame) {
  return bands.filter((b) => frame.touches(b.from, b.to)).flatMap((b) => [band(b, frame), ...(b.over ? [expiry(b, frame)] : [])]);
}

/** @param {Band} b @param {Frame} frame @returns {Group} */
function band(b, frame) {
  const { at, size } = frame.across.band(b.node, b.key);
  const shapes = [lasting(b.open ? "band open" : "band", frame.knot, b, at, size, frame, 2)];
  const over = lasting("", frame.knot, { from: b.expired, to: b.to }, at, size, frame);
  return {
    key: `${b.seq} ${b.node} ${b.key} band`, seq: b.seq, class: "key-band", title: b.sentence,
    shapes: b.expired === Infinity ? shapes : [...shapes, hatched("band-hatch", over, "rising", 8, frame)],
  };
}

/** @param {Marks} marks @param {Frame} frame @returns {Group[]} */
export function bandWords({ bands, at, began }, { along, across, touches, options: { words, measure, zoom = 1 } }) {
  return bands.filter((b) => touches(b.from, b.to)).flatMap((b) => {
    const [left, right] = [along(b.from), along(b.to)];
    const row = across.band(b.node, b.key);
    const baseline = row.at + row.size / 2 + 4;
    const solid = along(Math.min(b.expired, b.to)) - left;
    // The column spacing has kept room for value and writer; zoomed out, it may be gone.
    const pad = zoom < 1 ? 4 : 8;
    const room = zoom < 1 ? right - left : Math.max(solid, measure(bandText(b), SIZE) + 2 * pad);
    const content = forms(b, words.until, began).find((form) => measure(form, SIZE) + 2 * pad <= room);
    if (!content) return [];
    /** @param {string} name @param {number} since @param {import("../shapes.js").Shape} shape @returns {Group} */
    const word = (name, since, shape) => ({
      key: `${b.seq} ${b.node} ${b.key} ${name}`, seq: b.seq, class: "label", title: b.sentence, layer: "words", since, shapes: [shape],
    });
    const value = word("value", b.seq, text("band-value", left + pad, baseline, content, SIZE, "start", measure));
    if (b.expired === Infinity) return [value];
    const from = Math.max(along(b.expired), left + measure(content, SIZE) + 2 * pad) + pad;
    if (zoom < 1 && right - from < measure(words.expired, SIZE)) return [value];
    return [value, word("expired", firstFrom(at, b.expired), text("band-expired", from, baseline, words.expired, SIZE, "start", measure))];
  });
}

/** Returns the first event at a moment or after it.
 * @param {number[]} at
 * @param {number} moment
 */
function firstFrom(at, moment) {
  let [low, high] = [0, at.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at[middle] >= moment) high = middle;
    else low = middle + 1;
  }
  return low + 1;
}

/** Returns the possible words of a band, the longest first.
 * @param {Band} b
 * @param {string} until
 * @param {number} began  the wall time at which the run starts, Unix ms; 0: it has none
 */
export function forms(b, until, began) {
  const short = bandText(b);
  return [...(b.expires ? [`${short} · ${fill(until, { time: timeText(b.expires, began) })}`] : []), short, shorten(b.value, 16)];
}

/** The TTL ran out: a diamond on the end of the band.
 * @param {Band} b
 * @param {Frame} frame
 * @returns {Group}
 */
function expiry(b, { axis, knot, across }) {
  const { at, size } = across.band(b.node, b.key);
  const [x, y] = axis.xy(knot(b.to), at + size / 2);
  return { key: `${b.over} ${b.node} ${b.key} expiry`, seq: b.over, class: "expiry", title: b.overSentence, shapes: [path("expiry-mark", `M${x} ${y - 8}l6 8l-6 8l-6 -8Z`)] };
}
