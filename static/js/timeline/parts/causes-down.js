/**
 * Draws the arrow from the guilty command to the violation it led to where time runs down: along the left edge.
 *
 * @typedef {import("../model.js").Marks} Marks
 * @typedef {import("../model.js").Cause} Cause
 * @typedef {import("../layout.js").Down} Frame
 * @typedef {import("../shapes.js").Group} Group
 */

import { CAUSE } from "../ruler-down.js";
import { FLAG } from "../scale.js";
import { head, path, rounded } from "../shapes.js";
import { WORD } from "../type.js";
import { causeText, needed } from "./causes.js";
import { text } from "./label.js";
import { LEFT } from "./violations-down.js";

/** Where the arrows run, px. */
const EDGE = 6;

/** The words stand under the flag.
 * @param {Marks} marks
 * @param {Frame} frame
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

/** @param {Frame} frame @returns {Group[]} */
export function causeWordsDown({ down, across, from, to, options: { words, measure } }) {
  return down.rows(from, to).flatMap(({ causes, bottom }) => {
    let x = LEFT;
    return causes.flatMap((c) => {
      const shape = text("cause-word", x, bottom - CAUSE + 13, causeText(c, words), WORD, "start", measure);
      x += shape.box.width + 12;
      return x - 12 <= across.end - 4 ? [{ key: `${c.seq} cause word`, seq: c.seq, class: "cause", title: c.sentence, ends: c.reached, shapes: [shape] }] : [];
    });
  });
}

/** Where an arrow begins and ends.
 * @param {Cause} c @param {string | undefined} client  whose command is guilty @param {Pick<Frame, "across" | "along" | "down">} frame
 */
const ends = (c, client, { across, along, down }) => ({
  start: client ? across.lane(client) - 6 : LEFT + 12, top: along(c.from), bottom: down.row(c.to).flags + FLAG.height / 2,
});

/**
 * Returns the path of the part of an arrow that is nearest to what the cause led to.
 * @param {Cause} c @param {string | undefined} client  whose command is guilty @param {Pick<Frame, "across" | "along" | "down">} frame
 * @param {number} t  how much of it, from 0 to 1
 */
export function arcDown(c, client, frame, t) {
  const { start, top, bottom } = ends(c, client, frame);
  return partOfWay([[LEFT - 8, bottom], [EDGE, bottom], [EDGE, top], [start, top]], t);
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
