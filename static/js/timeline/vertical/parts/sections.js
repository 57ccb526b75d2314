/**
 * Draws what lasts along a client's lane: critical sections with their belief strips, pauses, sleeps.
 *
 * @typedef {import("../../model.js").Marks} Marks
 * @typedef {import("../../model.js").Section} Section
 * @typedef {import("../layout.js").Frame} Frame
 * @typedef {import("../../shapes.js").Box} Box
 * @typedef {import("../../shapes.js").Group} Group
 * @typedef {import("../../shapes.js").Shape} Shape
 */

import { hatch, rect } from "../../shapes.js";

/** @param {Marks} marks @param {Frame} frame @returns {Group[]} */
export function criticalSections({ sections }, frame) {
  // A dead holder's belief goes on after it.
  return sections.filter((s) => frame.touches(s.from, s.strip.reduce((last, b) => Math.max(last, b.to), s.to))).flatMap((s) => [
    { key: `${s.seq} section`, seq: s.seq, class: "section", title: s.sentence, shapes: [...strip(s, frame), filled("hold", along(s, s, frame), 2)] },
    ...s.hatched.map((h) => {
      const box = along(s, h, frame);
      return {
        key: `${s.seq} ${h.seq} overlap`, seq: s.seq, class: "section", title: s.sentence, opens: h.seq,
        shapes: [filled("overlap", box, 2), hatch("overlap-hatch", clipped(box, 12, frame), "rising", 12)],
      };
    }),
  ]);
}

/** A stretch of a bar. @param {Section} s @param {{from: number, to: number}} span @param {Frame} frame */
const along = (s, span, frame) => lasting(span, frame.across.x(s.client) - frame.across.bar, frame.across.bar * 2, frame);

/** @param {Section} s @param {Frame} frame @returns {Shape[]} */
function strip(s, frame) {
  const { left, width } = frame.across.strip;
  const x = frame.across.x(s.client) + left;
  return s.strip.map((b) => filled(b.borneOut ? "lease" : "lease-over", lasting(b, x, width, frame)));
}

/** A pause frames what stands still: it is seen around a bar too.
 * @param {Marks} marks
 * @param {Frame} frame
 * @returns {Group[]}
 */
export function pauses({ pauses, sections }, frame) {
  const { bar: half, strip } = frame.across;
  return pauses.filter((p) => frame.touches(p.from, p.to)).map((p) => {
    const inside = sections.some((s) => s.client === p.lane && s.from < p.to && p.from < s.to);
    const left = half * 1.5;
    const right = inside ? strip.left + strip.width + 3 : left;
    const box = lasting(p, frame.across.x(p.lane) - left, left + right, frame);
    return {
      key: `${p.seq} pause`, seq: p.seq, class: "pause", title: p.sentence,
      shapes: [filled("pause-box", box, 2), hatch("pause-hatch", clipped(box, 8, frame), "upright", 8)],
    };
  });
}

/** @param {Marks} marks @param {Frame} frame @returns {Group[]} */
export function sleeps({ sleeps }, frame) {
  const { bar: half } = frame.across;
  return sleeps.filter((s) => frame.touches(s.from, s.to)).map((s) => ({
    key: `${s.seq} sleep`, seq: s.seq, class: "sleep", title: s.sentence,
    shapes: [filled("sleep-box", lasting(s, frame.across.x(s.lane) - half, half * 2, frame), half)],
  }));
}

/** @param {{from: number, to: number}} span @param {number} x @param {number} width @param {Frame} frame @returns {Box} */
function lasting({ from, to }, x, width, { down }) {
  const y = down.client(from);
  return { x, y, width, height: Math.max(0, down.client(to) - y) };
}

/** The part of a long box that is asked for, cut so that the hatching keeps its phase.
 * @param {Box} box
 * @param {number} step
 * @param {Frame} frame
 * @returns {Box}
 */
function clipped(box, step, { from, to }) {
  const y = box.y + Math.max(0, Math.floor((from - box.y) / step) - 1) * step;
  const end = Math.min(box.y + box.height, to + step);
  return { ...box, y, height: Math.max(0, end - y) };
}

/** @param {string} name @param {Box} box @param {number} [rx] */
const filled = (name, box, rx) => rect(name, box.x, box.y, box.width, box.height, rx);
