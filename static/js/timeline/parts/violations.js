/**
 * Violations: a tint over the lanes, a flag in words, an arrow from the guilty command.
 *
 * @typedef {import("../model.js").Marks} Marks
 * @typedef {import("../model.js").Violation} Violation
 * @typedef {import("../model.js").Cause} Cause
 * @typedef {import("../layout.js").Frame} Frame
 * @typedef {import("../layout.js").Options} Options
 * @typedef {import("../shapes.js").Group} Group
 * @typedef {{row: number, x: number, width: number, text: string}} Placed
 * @typedef {Placed & {violation: Violation}} Flag
 * @typedef {Placed & {cause: Cause}} CauseLabel
 */

import { columnOf } from "../moments.js";
import { head, path, rect } from "../shapes.js";
import { CAUSE, FLAG, LEAN } from "../scale.js";
import { fill } from "../text.js";
import { text } from "./label.js";

const SIZE = 14;

/** @param {Marks} marks @param {Frame} frame @returns {Group[]} */
export function tints({ violations }, { x, rows }) {
  return violations.map((v) => {
    const { from, to } = stretch(v, x);
    return { key: `${v.seq} tint`, seq: v.seq, class: "violation", title: v.sentence, shapes: [rect("tint", from, rows.axis, to - from, rows.bottom - rows.axis)] };
  });
}

/** All of the column in which it began, and at least that.
 * @param {Violation} v
 * @param {(at: number) => number} x
 */
function stretch(v, x) {
  const column = x(columnOf(v.from));
  return { from: column - LEAN, to: Math.max(x(v.to), column + LEAN) };
}

/**
 * @param {Marks} marks
 * @param {(at: number) => number} x
 * @param {number} left
 * @param {Options} options
 * @returns {Flag[]}
 */
export function placeFlags({ violations }, x, left, { words, measure }) {
  return stack(violations.map((violation) => {
    const content = flagText(violation, words);
    const size = Math.ceil(measure(content, SIZE)) + 24;
    const { from, to } = stretch(violation, x);
    // One that is over keeps to the left of its end, which leaves the row to what follows from it.
    const wish = violation.open ? from : Math.min(from, to - size);
    return { violation, text: content, width: size, x: Math.max(left, wish), row: 0 };
  }));
}

/** @param {Violation} v @param {Options["words"]} words */
function flagText(v, words) {
  const pattern = v.property === "mutual-exclusion" ? words.holders : (words.property[v.property] ?? v.property);
  return fill(pattern, { n: v.clients.length, clients: v.clients.join(" + "), a: v.clients[0], b: v.clients[1] ?? "" });
}

/** @param {Flag[]} placed @param {Frame} frame @returns {Group[]} */
export function flags(placed, { rows, options: { measure } }) {
  return placed.map(({ violation: v, x, width, row, text: content }) => {
    const y = rows.flags + row * FLAG.pitch;
    return {
      key: `${v.seq} flag`, seq: v.seq, class: "violation", title: v.sentence,
      shapes: [rect("flag", x, y, width, FLAG.height, 4), text("flag-word", x + width / 2, y + 17, content, SIZE, "middle", measure)],
    };
  });
}

/**
 * Only a cause that lies before what it led to needs an arrow.
 * @param {Marks} marks
 * @param {(at: number) => number} x
 * @param {number} left
 * @param {number} width
 * @param {Options} options
 * @returns {CauseLabel[]}
 */
export function placeCauses({ causes }, x, left, width, { words, measure }) {
  const earlier = causes.filter((c) => columnOf(c.from) < columnOf(c.to));
  return stack(earlier.map((cause) => {
    const content = cause.order ? `#${cause.order}: ${words.cause}` : words.cause;
    const size = Math.ceil(measure(content, SIZE));
    const middle = (x(cause.from) + x(cause.to)) / 2;
    const arc = x(cause.to) - x(cause.from);
    const span = Math.max(size, arc);
    return { cause, text: content, width: span, x: within(middle - span / 2, span, left, width), row: 0 };
  }));
}

/** @param {CauseLabel[]} placed @param {Frame} frame @returns {Group[]} */
export function causes(placed, { x, rows, options: { measure } }) {
  return placed.map(({ cause: c, x: at, width, row, text: content }) => {
    const top = rows.bottom + 4 + row * CAUSE.pitch;
    const [from, to] = [x(c.from), x(c.to)];
    const low = top + 16;
    return {
      key: `${c.seq} cause`, seq: c.seq, class: "cause", title: c.sentence,
      shapes: [
        path("cause-arc", `M${from} ${top}C${from} ${low} ${to} ${low} ${to} ${top + 2}`),
        head("cause-head", { x1: to, y1: top + 12, x2: to, y2: top - 2 }, true),
        text("cause-word", at + width / 2, top + 30, content, SIZE, "middle", measure),
      ],
    };
  });
}

/** @param {number} wish @param {number} size @param {number} left @param {number} width */
const within = (wish, size, left, width) => Math.max(left, Math.min(wish, width - size - 8));

/**
 * Each in the first row where it touches none before it.
 * @template {Placed} P
 * @param {P[]} placed
 * @returns {P[]}
 */
function stack(placed) {
  /** @type {P[]} */
  const done = [];
  for (const p of placed) {
    let row = 0;
    while (done.some((d) => d.row === row && d.x < p.x + p.width + 8 && p.x < d.x + d.width + 8)) row++;
    done.push({ ...p, row });
  }
  return done;
}
