/**
 * Draws the arrow from the guilty command to the violation it led to.
 *
 * @typedef {import("../model.js").Marks} Marks
 * @typedef {import("../layout.js").Frame} Frame
 * @typedef {import("../shapes.js").Group} Group
 */

import { columnOf } from "../moments.js";
import { head, path, rounded } from "../shapes.js";
import { text } from "./label.js";

export const SIZE = 14;

/**
 * Only a cause that lies before what it led to needs an arrow. The words are left
 * out where those of the cause before are in the way.
 * @param {Marks} marks
 * @param {Frame} frame
 * @returns {Group[]}
 */
export function causes({ causes }, { x, rows, left, width, touches, options: { words, measure } }) {
  const top = rows.bottom + rows.arc;
  let taken = -Infinity;
  return [...causes].sort((a, b) => a.from - b.from).flatMap((c) => {
    if (columnOf(c.from) >= columnOf(c.to)) return [];
    const content = causeText(c, words);
    const size = Math.ceil(measure(content, SIZE));
    const [from, to] = [x(c.from), x(c.to)];
    const at = causeAt(c, { x, left, width }, size);
    const room = at > taken + 12;
    if (room) taken = at + size;
    if (!touches(c.from, c.to)) return [];
    const low = top + 16;
    return [{
      key: `${c.seq} cause`, seq: c.seq, class: "cause", title: c.sentence, layer: /** @type {const} */ ("words"), since: c.led, ends: c.reached,
      shapes: [
        path("cause-arc", `M${from} ${top}C${from} ${low} ${to} ${low} ${to} ${top + 2}`),
        head("cause-head", { x1: to, y1: top + 12, x2: to, y2: top - 2 }, true),
        ...(room ? [text("cause-word", at + size / 2, top + 28, content, SIZE, "middle", measure)] : []),
      ],
    }];
  });
}

/** @param {Marks["causes"][number]} cause @param {{cause: string}} words */
export const causeText = ({ order }, { cause }) => (order ? `#${order} · ${cause}` : cause);

/** Returns where the words of an arrow begin: under its middle, but within the picture.
 * @param {Marks["causes"][number]} cause @param {Pick<Frame, "x" | "left" | "width">} frame @param {number} size  px, how long they are
 */
export const causeAt = ({ from, to }, { x, left, width }, size) => Math.max(left, Math.min((x(from) + x(to) - size) / 2, width - size - 8));

/**
 * Returns the path of the part of an arrow that is nearest to what the cause led to; "": it needs no arrow.
 * @param {import("../model.js").Marks["causes"][number]} cause
 * @param {Frame} frame
 * @param {number} t  how much of it, from 0 to 1
 */
export function part({ from, to }, { x, rows }, t) {
  if (columnOf(from) >= columnOf(to)) return "";
  const top = rows.bottom + rows.arc;
  const [right, left, low] = [x(to), x(from), top + 16];
  // The first part of a Bézier curve is one as well: its points are halved by t again and again.
  let points = [[right, top + 2], [right, low], [left, low], [left, top]];
  const first = points.map(() => {
    const [corner] = points;
    points = points.slice(1).map(([px, py], i) => [points[i][0] + (px - points[i][0]) * t, points[i][1] + (py - points[i][1]) * t]);
    return `${rounded(corner[0])} ${rounded(corner[1])}`;
  });
  return `M${first[0]}C${first.slice(1).join(" ")}`;
}
