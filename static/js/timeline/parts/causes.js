/**
 * Draws the arrow from the guilty command to the violation it led to: under the lanes, or down the left edge.
 *
 * @typedef {import("../model.js").Marks} Marks
 * @typedef {import("../model.js").Cause} Cause
 * @typedef {import("../layout.js").Frame} Frame
 * @typedef {import("../layout.js").Right} Right
 * @typedef {import("../layout.js").Down} Down
 * @typedef {import("../shapes.js").Group} Group
 */

import { columnOf } from "../moments.js";
import { CAUSE } from "../ruler-down.js";
import { FLAG } from "../scale.js";
import { head, path, rounded } from "../shapes.js";
import { text } from "./label.js";
import { LEFT } from "./violations.js";

export const SIZE = 14;

/** Where the arrows run if time runs down, px. */
const EDGE = 6;

/** Only a cause that lies before what it led to needs an arrow. @param {Cause} cause */
const needed = ({ from, to }) => columnOf(from) < columnOf(to);

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
    const size = Math.ceil(measure(content, SIZE));
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
        ...(room ? [text("cause-word", at + size / 2, top + 28, content, SIZE, "middle", measure)] : []),
      ],
    }];
  });
}

/** Where time runs down, the words stand under the flag.
 * @param {Marks} marks
 * @param {Down} frame
 * @returns {Group[]}
 */
export function causesDown({ causes, requests }, frame) {
  const earlier = causes.filter((c) => needed(c) && frame.touches(c.from, c.to));
  const guilty = new Map(earlier.length ? requests.filter((q) => q.blamed).map((q) => [q.arrival, q.call.client]) : []);
  return earlier.map((c) => {
    const { start, top, bottom } = ends(c, guilty.get(c.seq), frame);
    return {
      key: `${c.seq} cause`, seq: c.seq, class: "cause", title: c.sentence, ends: c.reached,
      shapes: [
        path("cause-arc", `M${start} ${top}H${EDGE + 8}Q${EDGE} ${top} ${EDGE} ${top + 8}V${bottom - 6}Q${EDGE} ${bottom} ${LEFT - 8} ${bottom}`),
        head("cause-head", { x1: EDGE, y1: bottom, x2: LEFT, y2: bottom }, true),
      ],
    };
  });
}

/** @param {Down} frame @returns {Group[]} */
export function causeWordsDown({ down, across, from, to, options: { words, measure } }) {
  return down.rows(from, to).flatMap(({ causes, bottom }) => {
    let x = LEFT;
    return causes.flatMap((c) => {
      const shape = text("cause-word", x, bottom - CAUSE + 13, causeText(c, words), SIZE, "start", measure);
      x += shape.box.width + 12;
      return x - 12 <= across.end - 4 ? [{ key: `${c.seq} cause word`, seq: c.seq, class: "cause", title: c.sentence, ends: c.reached, shapes: [shape] }] : [];
    });
  });
}

/** Where an arrow begins and ends if time runs down.
 * @param {Cause} c @param {string | undefined} client  whose command is guilty @param {Pick<Frame, "across" | "along"> & Pick<Down, "down">} frame
 */
const ends = (c, client, { across, along, down }) => ({
  start: client ? across.lane(client) - 6 : LEFT + 12, top: along(c.from), bottom: down.row(c.to).flags + FLAG.height / 2,
});

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
  if (down) {
    const { start, top, bottom } = ends(c, guilty?.call.client, { along, across, down });
    return partOfWay([[LEFT - 8, bottom], [EDGE, bottom], [EDGE, top], [start, top]], t);
  }
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

/** @param {number[][]} way @param {number} t */
function partOfWay(way, t) {
  const lengths = way.slice(1).map(([x, y], i) => Math.hypot(x - way[i][0], y - way[i][1]));
  let rest = t * lengths.reduce((a, b) => a + b, 0);
  let d = `M${way[0].join(" ")}`;
  for (const [i, length] of lengths.entries()) {
    const [[x, y], [nextX, nextY]] = [way[i], way[i + 1]];
    const much = Math.min(1, rest / (length || 1));
    d += `L${rounded(x + (nextX - x) * much)} ${rounded(y + (nextY - y) * much)}`;
    rest -= length;
    if (rest <= 0) break;
  }
  return d;
}
