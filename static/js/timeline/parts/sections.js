/**
 * Draws what lasts along a client's lane: critical sections with their belief strips, pauses, sleeps.
 *
 * @typedef {import("../model.js").Marks} Marks
 * @typedef {import("../model.js").Section} Section
 * @typedef {import("../layout.js").Frame} Frame
 * @typedef {import("../shapes.js").Group} Group
 * @typedef {import("../shapes.js").Shape} Shape
 */

import { byClient, firstAfter } from "../sections.js";
import { hatch, rect } from "../shapes.js";
import { SIZE, sectionText } from "../labels.js";
import { within } from "./bands.js";
import { text } from "./label.js";

/** A dead holder's belief goes on after it. @param {Section} s */
const lastOf = (s) => s.strip.reduce((last, b) => Math.max(last, b.to), s.to);

/** @param {Marks} marks @param {Frame} frame @returns {Group[]} */
export function criticalSections({ sections }, frame) {
  return sections.filter((s) => frame.touches(s.from, lastOf(s)) && frame.rows.seen(s.client)).flatMap((s) => [
    { key: `${s.seq} section`, seq: s.seq, class: "section", title: s.sentence, shapes: [...strip(s, frame), bar(s, frame)] },
    ...s.hatched.map((h) => hatching(s, h, frame)),
  ]);
}

/** @param {Section} s @param {Frame} frame @returns {Shape} */
function bar(s, { x, rows }) {
  const half = rows.scale.bar;
  return rect("hold", x(s.from), rows.lane(s.client) - half, x(s.to) - x(s.from), half * 2, 2);
}

/** Where it is one holder of several.
 * @param {Section} s @param {Section["hatched"][number]} h @param {Frame} frame @returns {Group}
 */
function hatching(s, h, { x, rows, from, to }) {
  const half = rows.scale.bar;
  const box = { x: x(h.from), y: rows.lane(s.client) - half, width: x(h.to) - x(h.from), height: half * 2 };
  return {
    key: `${s.seq} ${h.seq} overlap`, seq: s.seq, class: "section", title: s.sentence, opens: h.seq,
    shapes: [rect("overlap", box.x, box.y, box.width, box.height, 2), hatch("overlap-hatch", within(box, from, to), "rising", 12)],
  };
}

/** @param {Section} s @param {Frame} frame @returns {Shape[]} */
function strip(s, { x, rows }) {
  const top = rows.lane(s.client) + rows.scale.strip.top;
  return s.strip.map((b) => rect(b.borneOut ? "lease" : "lease-over", x(b.from), top, x(b.to) - x(b.from), rows.scale.strip.height));
}

/** @param {Marks} marks @param {Frame} frame @returns {Group[]} */
export function sectionWords({ sections }, { x, rows, touches, options: { words, measure } }) {
  return sections.filter((s) => touches(s.from, s.to) && rows.seen(s.client)).flatMap((s) => {
    const plain = unhatched(s);
    // The sign of a crash lies over the end of its bar.
    const pad = s.ending === "crash" ? 28 : 16;
    const content = [sectionText(s, words), words.inside].find((t) => plain.some((p) => x(p.to) - x(p.from) >= measure(t, SIZE) + pad));
    const place = content && plain.find((p) => x(p.to) - x(p.from) >= measure(content, SIZE) + pad);
    if (!place) return [];
    return [{
      key: `${s.seq} inside`, seq: s.seq, class: "label", title: s.sentence, layer: /** @type {const} */ ("words"), since: s.seq,
      shapes: [text("hold-word", x(place.from) + 8, rows.lane(s.client) + 4, content, SIZE, "start", measure)],
    }];
  });
}

/** Words need a free place.
 * @param {Section} s
 */
export function unhatched({ from, to, hatched }) {
  const edges = [...hatched].sort((a, b) => a.from - b.from);
  return [from, ...edges.map((h) => h.to)].map((start, i) => ({ from: start, to: edges[i]?.from ?? to }));
}

/** A pause frames what stands still: it is seen around a bar too.
 * @param {Marks} marks
 * @param {Frame} frame
 * @returns {Group[]}
 */
export function pauses({ pauses, sections }, { x, rows, touches, from, to }) {
  const inside = byClient(sections);
  return pauses.filter((p) => touches(p.from, p.to) && rows.seen(p.lane)).map((p) => {
    const own = inside.get(p.lane) ?? [];
    const around = own[firstAfter(own, p.from)]?.from < p.to;
    const y = rows.lane(p.lane);
    const { bar, strip } = rows.scale;
    const box = { x: x(p.from), y: y - bar - 4, width: x(p.to) - x(p.from), height: around ? bar + 4 + strip.top + strip.height + 3 : 2 * bar + 8 };
    return {
      key: `${p.seq} pause`, seq: p.seq, class: "pause", title: p.sentence,
      shapes: [rect("pause-box", box.x, box.y, box.width, box.height, 2), hatch("pause-hatch", within(box, from, to), "upright", 8)],
    };
  });
}

/** @param {Marks} marks @param {Frame} frame @returns {Group[]} */
export function sleeps({ sleeps }, { x, rows, touches, options: { words, measure } }) {
  return sleeps.filter((s) => touches(s.from, s.to) && rows.seen(s.lane)).map((s) => {
    const y = rows.lane(s.lane);
    const { bar } = rows.scale;
    const width = x(s.to) - x(s.from);
    const word = measure(words.asleep, SIZE) + 16 <= width
      ? [text("sleep-word", x(s.from) + width / 2, y + 4, words.asleep, SIZE, "middle", measure)]
      : [];
    return { key: `${s.seq} sleep`, seq: s.seq, class: "sleep", title: s.sentence, shapes: [rect("sleep-box", x(s.from), y - bar, width, 2 * bar, bar), ...word] };
  });
}
