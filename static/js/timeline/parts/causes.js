/**
 * Draws the arrow from the guilty command to the violation it led to: under the lanes.
 *
 * @typedef {import("../model.js").Marks} Marks
 * @typedef {import("../model.js").Cause} Cause
 * @typedef {import("../layout.js").Frame} Frame
 * @typedef {import("../layout.js").Right} Right
 * @typedef {import("../shapes.js").Group} Group
 */

import { columnOf } from "../moments.js";
import { head, path, rounded } from "../shapes.js";
import { WORD } from "../type.js";
import { text } from "./label.js";


/** Only a cause that lies before what it led to needs an arrow. @param {Cause} cause */
export const needed = ({ from, to }) => columnOf(from) < columnOf(to);

/**
 * The words are left out where those of the cause before are in the way.
 * @param {Marks} marks
 * @param {Right} frame
 * @returns {Group[]}
 */
export function causes({ causes }, frame) {
  const { along, rows, touches, options: { words, measure } } = frame;
  const top = rows.body.to + rows.arc;
  let taken = -Infinity;
  return [...causes].filter(needed).sort((a, b) => a.from - b.from).flatMap((c) => {
    const content = causeText(c, words);
    const size = Math.ceil(measure(content, WORD));
    const at = causeAt(c, frame, size);
    const room = at > taken + 12;
    if (room) taken = at + size;
    if (!touches(c.from, c.to)) return [];
    const [from, to, low] = [along(c.from), along(c.to), top + 16];
    return [{
      key: `${c.seq} cause`, seq: c.seq, class: "cause", title: c.sentence, layer: /** @type {const} */ ("words"), since: c.led, ends: c.reached,
      shapes: [
        path("cause-arc", `M${from} ${top}C${from} ${low} ${to} ${low} ${to} ${top + 2}`),
        head("cause-head", { x1: to, y1: top + 12, x2: to, y2: top - 2 }, true),
        ...(room ? [text("cause-word", at + size / 2, top + 28, content, WORD, "middle", measure)] : []),
      ],
    }];
  });
}

/** @param {Cause} cause @param {{cause: string}} words */
export const causeText = ({ order }, { cause }) => (order ? `#${order} · ${cause}` : cause);

/** Returns where the words of an arrow begin: under its middle, but within the picture.
 * @param {Cause} cause @param {Pick<Frame, "along" | "start" | "end">} frame @param {number} size  px, how long they are
 */
export const causeAt = ({ from, to }, { along, start, end }, size) => Math.max(start, Math.min((along(from) + along(to) - size) / 2, end - size - 8));

/**
 * Returns the path of the part of an arrow that is nearest to what the cause led to; "": it needs no arrow.
 * @param {Cause} c
 * @param {Marks["requests"][number] | undefined} guilty
 * @param {Frame} frame
 * @param {number} t  how much of it, from 0 to 1
 */
export function part(c, guilty, frame, t) {
  if (!needed(c)) return "";
  const { along, across, rows, down } = frame;
  if (down) return down.arc(c, guilty?.call.client, /** @type {import("../layout.js").Down} */ (frame), t);
  const top = across.body.to + (rows?.arc ?? 0);
  const [right, left, low] = [along(c.to), along(c.from), top + 16];
  // The first part of a Bézier curve is one as well: its points are halved by t again and again.
  let points = [[right, top + 2], [right, low], [left, low], [left, top]];
  const first = points.map(() => {
    const [corner] = points;
    points = points.slice(1).map(([px, py], i) => [points[i][0] + (px - points[i][0]) * t, points[i][1] + (py - points[i][1]) * t]);
    return `${rounded(corner[0])} ${rounded(corner[1])}`;
  });
  return `M${first[0]}C${first.slice(1).join(" ")}`;
}
