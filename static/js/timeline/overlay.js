/**
 * Draws the parts that move over the picture: the playhead, the veil over the future,
 * and the line at which two runs diverge. They work for either direction of time, and
 * no plan knows of them.
 *
 * @typedef {import("./plan.js").Plan} Plan
 * @typedef {import("./shapes.js").Group} Group
 */

import { AXES } from "./axis.js";
import { text } from "./parts/label.js";
import { path, rect } from "./shapes.js";
import { fitted } from "./text.js";

const SIZE = 14;

/** The part of a narrow picture that has lanes; the rest has the keys. */
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
  const axis = AXES[plan.axis];
  const [long, wide] = axis.xy(plan.width, plan.height);
  const right = plan.axis === "x";
  const axisAt = plan.axisAt ?? top;
  const [from, to, handle] = right ? [axisAt, bottom - 40, axisAt - 6] : [0, wide, 0];
  const shapes = [axis.line("playhead-line", at, from, at, to), axis.rect("playhead-handle", at - 6, handle, 12, 12, 2)];
  const target = axis.rect("playhead-target", at - TARGET / 2, right ? from - TARGET / 2 : 0, TARGET, TARGET);
  return [group("veil", [axis.rect("veil", at, 0, Math.max(0, long - at), wide)]), group("playhead", dragged ? [...shapes, target] : shapes)];
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
  const { width, head } = plan;
  const at = plan.after(differs.seq - 1);
  const right = plan.axis === "x";
  const says = fitted(`≠ ${differs.says}`, SIZE, (right ? width - head : width * SIDE) - 16, measure);
  const size = measure(says, SIZE) + 16;
  const [from, to] = right ? [top + 22, bottom - 8] : [0, width];
  const box = right ? { x: Math.max(head, Math.min(at, width - size)), y: top + 1 } : { x: 8, y: at - 11 };
  return [group("divergence", [
    AXES[plan.axis].line("divergence-line", at, from, at, to),
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
  const { place } = AXES[plan.axis];
  const [at, edge] = [plan.place(seq), plan.axis === "x" ? top + 22 : 0];
  return [group("pointer", [path("pointer", `M${place(at - 6, edge)}L${place(at + 6, edge)}L${place(at, edge + 9)}Z`)])];
}

/** @param {string} key @param {Group["shapes"]} shapes @returns {Group} */
const group = (key, shapes) => ({ key, seq: 0, class: key, title: null, shapes });
