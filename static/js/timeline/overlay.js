/**
 * Draws the parts that move over the picture: the playhead, the veil over the future,
 * and the line at which two runs diverge. They work for either direction of time, and
 * no plan knows of them.
 *
 * @typedef {import("./plan.js").Plan} Plan
 * @typedef {import("./shapes.js").Group} Group
 */

import { text } from "./parts/label.js";
import { line, path, rect } from "./shapes.js";
import { fitted } from "./text.js";

const SIZE = 14;

/** So much of a narrow picture has lanes; the rest has the keys. */
const SIDE = 0.75;

/** The pointer takes the playhead in a square of this, px. */
const TARGET = 44;

/**
 * Returns the part of a plan with scrolling lanes that stays in view.
 * @typedef {{top: number, bottom: number}} Stay  px across the axis
 */

/** @param {Plan} plan @returns {Stay} */
const all = ({ height }) => ({ top: 0, bottom: height });

/**
 * @param {Plan} plan
 * @param {number} at  px, the playhead
 * @param {Stay} [stay]
 * @param {boolean} [dragged]  it can be
 * @returns {Group[]}
 */
export function playhead(plan, at, { top, bottom } = all(plan), dragged = false) {
  const { axis, width, height } = plan;
  const across = axis === "x";
  const veil = across ? rect("veil", at, 0, Math.max(0, width - at), height) : rect("veil", 0, at, width, Math.max(0, height - at));
  const shaft = across ? line("playhead-line", at, top + 32, at, bottom - 40) : line("playhead-line", 0, at, width, at);
  const handle = across ? rect("playhead-handle", at - 6, top + 26, 12, 12, 2) : rect("playhead-handle", 0, at - 6, 12, 12, 2);
  const target = across ? rect("playhead-target", at - TARGET / 2, top + 32 - TARGET / 2, TARGET, TARGET) : rect("playhead-target", 0, at - TARGET / 2, TARGET, TARGET);
  return [group("veil", [veil]), group("playhead", dragged ? [shaft, handle, target] : [shaft, handle])];
}

/**
 * The first event in which a run differs from another.
 * @typedef {{seq: number, says: string}} Divergence  says: what happens instead
 */

/**
 * Its words stand above the axis, where no lane is and no key, or at the lanes' side of a narrow picture.
 * @param {Plan} plan
 * @param {Divergence | null} differs
 * @param {import("./text.js").Measure} measure
 * @param {Stay} stay
 * @returns {Group[]}
 */
export function divergence(plan, differs, measure, { top, bottom }) {
  if (!differs) return [];
  const { axis, width, head } = plan;
  const at = plan.after(differs.seq - 1);
  const across = axis === "x";
  const says = fitted(`≠ ${differs.says}`, SIZE, (across ? width - head : width * SIDE) - 16, measure);
  const size = measure(says, SIZE) + 16;
  const box = across ? { x: Math.max(head, Math.min(at, width - size)), y: top + 1 } : { x: 8, y: at - 11 };
  return [group("divergence", [
    across ? line("divergence-line", at, top + 22, at, bottom - 8) : line("divergence-line", 0, at, width, at),
    rect("divergence-flag", box.x, box.y, size, 22, 4),
    text("divergence-word", box.x + 8, box.y + 16, says, SIZE, "start", measure),
  ])];
}

/**
 * Points at the selected event from the axis, at every zoom.
 * @param {Plan} plan
 * @param {number} seq  0: nothing is selected
 * @param {Stay} stay
 * @returns {Group[]}
 */
export function pointer(plan, seq, { top }) {
  if (seq === 0) return [];
  const at = plan.place(seq);
  const d = plan.axis === "x" ? `M${at - 6} ${top + 22}h12l-6 9Z` : `M0 ${at - 6}v12l9 -6Z`;
  return [group("pointer", [path("pointer", d)])];
}

/** @param {string} key @param {Group["shapes"]} shapes @returns {Group} */
const group = (key, shapes) => ({ key, seq: 0, class: key, title: null, shapes });
