/**
 * Draws the key bands beside the lane of each node: value, writer, end.
 *
 * @typedef {import("../model.js").Marks} Marks
 * @typedef {import("../model.js").Band} Band
 * @typedef {import("../layout.js").Frame} Frame
 * @typedef {import("../shapes.js").Group} Group
 */

import { path } from "../shapes.js";
import { BY, bandRoom, valueText, writerText } from "../labels.js";
import { ROUND } from "../scale.js";
import { timeText } from "../../trace/time.js";
import { fill } from "../text.js";
import { WORD } from "../type.js";
import { text } from "./label.js";
import { hatched, lasting } from "./lasting.js";

/** @param {Marks} marks @param {Frame} frame @returns {Group[]} */
export function keyBands({ bands }, frame) {
  return bands.filter((b) => frame.touches(b.from, b.to)).flatMap((b) => [band(b, frame), ...(b.over ? [expiry(b, frame)] : [])]);
}

/** @param {Band} b @param {Frame} frame @returns {Group} */
function band(b, frame) {
  const { at, size } = frame.across.band(b.node, b.key);
  const shapes = [lasting(b.open ? "band open" : "band", frame.knot, b, at, size, frame, Math.min(ROUND.band, size / 2))];
  const over = lasting("", frame.knot, { from: b.expired, to: b.to }, at, size, frame);
  return {
    key: `${b.seq} ${b.node} ${b.key} band`, seq: b.seq, class: "key-band", title: b.sentence,
    shapes: b.expired === Infinity ? shapes : [...shapes, hatched("band-hatch", over, "rising", 8, frame)],
  };
}

/** @param {Marks} marks @param {import("../layout.js").Right} frame @returns {Group[]} */
export function bandWords({ bands, at, began }, frame) {
  const { along, rows, touches, type, options: { words, measure, zoom = 1 } } = frame;
  return bands.filter((b) => touches(b.from, b.to)).flatMap((b) => {
    const [left, right] = [along(b.from), along(b.to)];
    const row = rows.band(b.node, b.key);
    const solid = along(Math.min(b.expired, b.to)) - left;
    // The column spacing has kept room for value and writer; zoomed out, it may be gone.
    const pad = zoom < 1 ? 2 : 8;
    const least = bandRoom(b, words, rows.compact, rows.under > 0, measure) + 2 * pad;
    const { shapes, width } = wordsIn(b, left + pad, (zoom < 1 ? right - left : Math.max(solid, least)) - 2 * pad, began, frame);
    /** @param {string} name @param {number} since @param {import("../shapes.js").Shape} shape @returns {Group} */
    const word = (name, since, shape) => ({
      key: `${b.seq} ${b.node} ${b.key} ${name}`, seq: b.seq, class: "label", title: b.sentence, layer: "words", since, shapes: [shape],
    });
    const said = shapes.map((shape, i) => word(i ? "writer" : "value", b.seq, shape));
    if (b.expired === Infinity || shapes.length === 0) return said;
    const from = Math.max(along(b.expired), left + width + 2 * pad) + pad;
    if (zoom < 1 && right - from < measure(words.expired, type.inside)) return said;
    const baseline = row.at + row.size / 2 + 5;
    return [...said, word("expired", firstFrom(at, b.expired), text("band-expired", from, baseline, words.expired, type.inside, "start", measure))];
  });
}

/**
 * Returns the words of a band as far as they have room, and how much of it they take: the value, and behind or under it
 * who wrote it and until when.
 * @param {Band} b
 * @param {number} left
 * @param {number} room
 * @param {number} began  the wall time at which the run starts, Unix ms; 0: it has none
 * @param {import("../layout.js").Right} frame
 */
export function wordsIn(b, left, room, began, { rows, type: { value: size }, options: { words, measure } }) {
  const { at, size: high } = rows.band(b.node, b.key);
  const value = valueText(b);
  const width = measure(value, size);
  if (width > room) return { shapes: [], width: 0 };
  const shapes = [text("band-value", left, at + high / 2 + size * 0.36, value, size, "start", measure)];
  const [x, rest] = rows.under ? [left, room] : [left + width + BY, room - width - BY];
  const more = told(b, words, began).find((form) => measure(form, WORD) <= rest);
  if (!more) return { shapes, width };
  shapes.push(text(rows.under ? "band-writer under" : "band-writer", x, rows.under ? at + rows.under : at + high / 2 + 5, more, WORD, "start", measure));
  return { shapes, width: rows.under ? width : width + BY + measure(more, WORD) };
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

/** Returns what can be said of a value, the longest first: who wrote it, and until when.
 * @param {Band} b
 * @param {import("../layout.js").Words} words
 * @param {number} began
 */
function told(b, words, began) {
  const writer = writerText(b, words);
  const until = b.expires ? fill(words.until, { time: timeText(b.expires, began) }) : "";
  return [[writer, until].filter(Boolean).join(" · "), writer].filter(Boolean);
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
