/**
 * Draws violations: a tint over the lanes and a flag in words. Neither is ever left
 * out: where time runs to the right, a flag without room for its words is short, and the flag before it counts one
 * without any room.
 *
 * @typedef {import("../model.js").Marks} Marks
 * @typedef {import("../model.js").Violation} Violation
 * @typedef {import("../layout.js").Frame} Frame
 * @typedef {import("../layout.js").Right} Right
 * @typedef {import("../layout.js").Options} Options
 * @typedef {import("../shapes.js").Group} Group
 * @typedef {{violation: Violation, count: number, row: number, x: number, width: number, text: string}} Flag  count: of violations
 */

import { columnOf } from "../moments.js";
import { rect } from "../shapes.js";
import { FLAG } from "../scale.js";
import { fill } from "../text.js";
import { WORD, typeOf } from "../type.js";
import { text } from "./label.js";

const APART = 8;

/** The width of a flag that has only a number, px. */
const SHORT = 40;

/** @param {Marks} marks @param {Frame} frame @returns {Group[]} */
export function tints({ violations }, { axis, stretch, across: { body }, touches }) {
  return violations.filter((v) => touches(columnOf(v.from), v.to)).map((v) => {
    const { from, to } = stretch(v);
    return {
      key: `${v.seq} tint`, seq: v.seq, class: "violation", title: v.sentence, opens: v.seq,
      shapes: [axis.rect("tint", from, body.from, to - from, body.to - body.from)],
    };
  });
}

/** Returns the stretch of a violation: all of the column in which it began, and at least that.
 * @param {{along: (at: number) => number, lead: number}} ruler
 * @returns {Frame["stretch"]}
 */
export const stretched = ({ along, lead }) => (v) => {
  const column = along(columnOf(v.from));
  return { from: column - lead, to: Math.max(along(v.to), column + lead) };
};

/**
 * @param {Marks} marks
 * @param {Frame["stretch"]} stretch
 * @param {number} left
 * @param {Options} options
 * @param {number} rows  how many rows there are for them
 * @param {boolean} close
 * @returns {Flag[]}
 */
export function placeFlags({ violations }, stretch, left, { words, measure, stacked }, rows, close) {
  const { flag: size } = typeOf(close);
  /** @type {Flag[]} */
  const placed = [];
  /** @type {(Flag | undefined)[]} the last of each row */
  const last = Array.from({ length: rows });
  /** @param {Omit<Flag, "row">[]} some */
  const inRows = (...some) => last.flatMap((_, row) => some.map((one) => ({ ...one, row })));
  for (const violation of violations) {
    const { from, to } = stretch(violation);
    const content = flagText(violation, words);
    const width = Math.ceil(measure(content, size)) + 20;
    // Words that are longer than what they are about reach back from its end, and into the future only where others are in the way.
    const back = { violation, count: 1, text: content, width, x: Math.max(left, Math.min(from, to - width)) };
    const on = { ...back, x: Math.max(left, from) };
    const short = { violation, count: 1, text: "1", width: SHORT, x: Math.max(left, from) };
    const flag = [stacked ? inRows(back) : inRows(back, on), inRows(on, short)].flat().find(({ x, row }) => {
      const before = last[row];
      return !before || before.x + before.width + APART <= x;
    });
    if (!flag) {
      const nearest = last.reduce((a, b) => (a && b && b.x > a.x ? b : a));
      if (nearest) nearest.count++;
      continue;
    }
    last[flag.row] = flag;
    placed.push(flag);
  }
  return placed;
}

/** Returns the words of a flag. @param {Violation} v @param {Options["words"]} words */
export function flagText(v, words) {
  return fill(words.property[v.property] ?? v.property, { n: v.clients.length, clients: v.clients.join(" + "), a: v.clients[0], b: v.clients[1] ?? "" });
}

/** @param {Flag[]} placed @param {Right} frame @returns {Group[]} */
export function flags(placed, { rows, from, to, options: { measure } }) {
  return placed.filter((f) => f.x <= to && f.x + f.width >= from).map(({ violation: v, count, x, width, row, text: words }) => {
    const y = rows.flags + row * rows.flagPitch;
    // A short flag says how many it stands for; one with words says so only if it is more than one.
    const content = words === "1" ? String(count) : words;
    const others = words !== "1" && count > 1
      ? [text("flag-more", x + width + 4, y + FLAG.baseline, `+${count - 1}`, WORD, "start", measure)]
      : [];
    return flag(v, x, y, width, content, typeOf(rows.compact).flag, measure, others);
  });
}

/**
 * @param {Violation} v @param {number} x @param {number} y @param {number} width @param {string} content @param {number} size @param {Options["measure"]} measure
 * @param {Group["shapes"]} [others] @returns {Group}
 */
export const flag = (v, x, y, width, content, size, measure, others = []) => ({
  key: `${v.seq} flag`, seq: v.seq, class: "violation", title: v.sentence, layer: "words", since: v.seq, opens: v.seq,
  shapes: [rect("flag", x, y, width, FLAG.height, 6), text("flag-word", x + width / 2, y + FLAG.baseline, content, size, "middle", measure), ...others],
});
