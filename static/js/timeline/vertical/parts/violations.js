/**
 * Draws violations: tinted rows, a flag in words, an arrow from the guilty command.
 *
 * @typedef {import("../../model.js").Marks} Marks
 * @typedef {import("../../model.js").Violation} Violation
 * @typedef {import("../../model.js").Cause} Cause
 * @typedef {import("../layout.js").Frame} Frame
 * @typedef {import("../../layout.js").Options} Options
 * @typedef {import("../../shapes.js").Group} Group
 * @typedef {import("../../shapes.js").Shape} Shape
 */

import { columnOf } from "../../moments.js";
import { head, path, rect, rounded } from "../../shapes.js";
import { shorten } from "../../text.js";
import { text } from "../../parts/label.js";
import { flagText } from "../../parts/violations.js";
import { CAUSE, FLAG } from "../scale.js";

const SIZE = 14;

/** x of the flags, and of the arrows that lead to them. */
const LEFT = 18;
const EDGE = 6;

/** @param {Marks} marks @param {Frame} frame @returns {Group[]} */
export function tints({ violations }, { across, down, touches }) {
  return violations.filter((v) => touches(v.from, v.to)).map((v) => {
    const row = down.at(columnOf(v.from));
    const bottom = Math.max(row.bottom, down.client(v.to));
    return { key: `${v.seq} tint`, seq: v.seq, class: "violation", title: v.sentence, opens: v.seq, shapes: [rect("tint", 0, row.top, across.width, bottom - row.top)] };
  });
}

/** @param {Frame} frame @returns {Group[]} */
export function flags({ story, across, down, from, to, options: { words, measure } }) {
  const [first, end] = down.columns(from, to);
  return story.slice(first, end).flatMap(({ violations, causes }, i) => {
    const row = down.at(first + i);
    const room = across.width - LEFT - 8;
    const flagged = violations.map((v, n) => {
      const y = row.flags + n * FLAG.pitch;
      const content = shortened(flagText(v, words), SIZE, room - 24, measure);
      const width = Math.ceil(measure(content, SIZE)) + 24;
      return {
        key: `${v.seq} flag`, seq: v.seq, class: "violation", title: v.sentence, opens: v.seq,
        shapes: [rect("flag", LEFT, y, width, FLAG.height, 4), text("flag-word", LEFT + width / 2, y + 17, content, SIZE, "middle", measure)],
      };
    });
    let x = LEFT;
    const named = causes.flatMap((c) => {
      const content = c.order ? `#${c.order} · ${words.cause}` : words.cause;
      const shape = text("cause-word", x, row.bottom - CAUSE + 13, content, SIZE, "start", measure);
      x += shape.box.width + 12;
      return x - 12 <= across.width - 4 ? [{ key: `${c.seq} cause word`, seq: c.seq, class: "cause", title: c.sentence, ends: c.reached, shapes: [shape] }] : [];
    });
    return [...flagged, ...named];
  });
}

/** Down the left edge, from the foot of the guilty arrow to the flag.
 * @param {Marks} marks
 * @param {Frame} frame
 * @returns {Group[]}
 */
export function causes({ causes, requests }, { across, down, touches }) {
  const earlier = causes.filter((c) => columnOf(c.from) < columnOf(c.to) && touches(c.from, c.to));
  const guilty = new Map(earlier.length ? requests.filter((q) => q.blamed).map((q) => [q.arrival, q.call.client]) : []);
  return earlier.map((c) => {
    const client = guilty.get(c.seq);
    const { start, top, bottom } = ends(c, client, { across, down });
    return {
      key: `${c.seq} cause`, seq: c.seq, class: "cause", title: c.sentence, ends: c.reached,
      shapes: [
        path("cause-arc", `M${start} ${top}H${EDGE + 8}Q${EDGE} ${top} ${EDGE} ${top + 8}V${bottom - 6}Q${EDGE} ${bottom} ${LEFT - 8} ${bottom}`),
        head("cause-head", { x1: EDGE, y1: bottom, x2: LEFT, y2: bottom }, true),
      ],
    };
  });
}

/** Where an arrow from a cause begins, and where it ends.
 * @param {Cause} c @param {string | undefined} client  whose command is guilty @param {Pick<Frame, "across" | "down">} frame
 */
const ends = (c, client, { across, down }) => ({
  start: client ? across.x(client) - 6 : LEFT + 12, top: down.client(c.from), bottom: down.at(columnOf(c.to)).flags + FLAG.height / 2,
});

/**
 * Returns the path of the part of an arrow that is nearest to what the cause led to; "": it needs no arrow.
 * @param {Cause} c
 * @param {Marks["requests"][number] | undefined} guilty
 * @param {Frame} frame
 * @param {number} t  how much of it, from 0 to 1
 */
export function part(c, guilty, frame, t) {
  if (columnOf(c.from) >= columnOf(c.to)) return "";
  const { start, top, bottom } = ends(c, guilty?.call.client, frame);
  const way = [[LEFT - 8, bottom], [EDGE, bottom], [EDGE, top], [start, top]];
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

/** @param {string} content @param {number} size @param {number} room @param {import("../../text.js").Measure} measure */
function shortened(content, size, room, measure) {
  let length = [...content].length;
  while (length > 2 && measure(shorten(content, length), size) > room) length--;
  return shorten(content, length);
}
