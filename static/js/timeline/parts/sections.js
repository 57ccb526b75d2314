/**
 * What lasts along a client's lane: critical sections with their belief strips, pauses, sleeps.
 *
 * @typedef {import("../model.js").Marks} Marks
 * @typedef {import("../model.js").Section} Section
 * @typedef {import("../layout.js").Frame} Frame
 * @typedef {import("../shapes.js").Group} Group
 * @typedef {import("../shapes.js").Shape} Shape
 */

import { hatch, rect } from "../shapes.js";
import { BAR, STRIP } from "../scale.js";
import { SIZE } from "../labels.js";
import { text } from "./label.js";

/** @param {Marks} marks @param {Frame} frame @returns {Group[]} */
export function criticalSections({ sections }, frame) {
  return sections.map((s) => ({
    key: `${s.seq} section`, seq: s.seq, class: "section", title: s.sentence,
    shapes: [...strip(s, frame), ...bar(s, frame)],
  }));
}

/** @param {Section} s @param {Frame} frame @returns {Shape[]} */
function bar(s, { x, rows, options: { words, measure } }) {
  const top = rows.lane(s.client) - BAR;
  const shapes = [rect("hold", x(s.from), top, x(s.to) - x(s.from), BAR * 2, 2)].concat(
    s.hatched.map((h) => rect("overlap", x(h.from), top, x(h.to) - x(h.from), BAR * 2, 2)),
  );
  const stripes = s.hatched.map((h) => hatch("overlap-hatch", { x: x(h.from), y: top, width: x(h.to) - x(h.from), height: BAR * 2 }, "rising", 12));
  const room = measure(words.inside, SIZE) + 16;
  const plain = unhatched(s).find((p) => x(p.to) - x(p.from) >= room);
  const word = plain ? [text("hold-word", x(plain.from) + 8, top + 12, words.inside, SIZE, "start", measure)] : [];
  return [...shapes, ...stripes, ...word];
}

/** Where words can be read.
 * @param {Section} s
 */
function unhatched({ from, to, hatched }) {
  const edges = [...hatched].sort((a, b) => a.from - b.from);
  return [from, ...edges.map((h) => h.to)].map((start, i) => ({ from: start, to: edges[i]?.from ?? to }));
}

/** @param {Section} s @param {Frame} frame @returns {Shape[]} */
function strip(s, { x, rows }) {
  const top = rows.lane(s.client) + STRIP.top;
  return s.strip.map((b) => rect(b.borneOut ? "lease" : "lease-over", x(b.from), top, x(b.to) - x(b.from), STRIP.height));
}

/** A pause frames what stands still: it is seen around a bar too.
 * @param {Marks} marks
 * @param {Frame} frame
 * @returns {Group[]}
 */
export function pauses({ pauses, sections }, { x, rows }) {
  return pauses.map((p) => {
    const inside = sections.some((s) => s.client === p.lane && s.from < p.to && p.from < s.to);
    const y = rows.lane(p.lane);
    const box = { x: x(p.from), y: y - 12, width: x(p.to) - x(p.from), height: inside ? 31 : 24 };
    return {
      key: `${p.seq} pause`, seq: p.seq, class: "pause", title: p.sentence,
      shapes: [rect("pause-box", box.x, box.y, box.width, box.height, 2), hatch("pause-hatch", box, "upright", 8)],
    };
  });
}

/** @param {Marks} marks @param {Frame} frame @returns {Group[]} */
export function sleeps({ sleeps }, { x, rows, options: { words, measure } }) {
  return sleeps.map((s) => {
    const y = rows.lane(s.lane);
    const width = x(s.to) - x(s.from);
    const word = measure(words.asleep, SIZE) + 16 <= width
      ? [text("sleep-word", x(s.from) + width / 2, y + 4, words.asleep, SIZE, "middle", measure)]
      : [];
    return { key: `${s.seq} sleep`, seq: s.seq, class: "sleep", title: s.sentence, shapes: [rect("sleep-box", x(s.from), y - 8, width, 16, 8), ...word] };
  });
}
