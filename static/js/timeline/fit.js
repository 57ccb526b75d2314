/**
 * Finds a place for a text where it touches no other text.
 *
 * @typedef {import("./shapes.js").Box} Box
 * @typedef {import("./shapes.js").Text} Text
 * @typedef {import("./text.js").Measure} Measure
 * @typedef {{x: number, anchor: "start" | "middle" | "end", text: string}} Choice
 *
 * @typedef {object} Room
 * @property {Box[]} taken  by other texts
 * @property {Box[]} busy  bars, over which a text can be read, but not well
 * @property {number} left
 * @property {number} right
 * @property {Measure} measure
 * @property {number} size  px, of the letters
 */

import { text } from "./parts/label.js";
import { shorten } from "./text.js";

/** Wider than a space, so that two texts do not read as one. */
const BETWEEN = 6;

/**
 * The first choice that is free, if need be over a bar; it is taken then.
 * @param {Choice[]} choices
 * @param {string} name
 * @param {number} y  of the baseline
 * @param {Room} room
 * @returns {Text | null}
 */
export function fit(choices, name, y, { taken, busy, left, right, measure, size }) {
  const texts = choices
    .map((c) => text(name, c.x, y, c.text, size, c.anchor, measure))
    .filter(({ box }) => box.x >= left && box.x + box.width <= right && !taken.some((other) => touch(box, other)));
  const found = texts.find(({ box }) => !busy.some((other) => touch(box, other))) ?? texts[0] ?? null;
  if (found) taken.push(found.box);
  return found;
}

/**
 * Right of a lane, over it if the pane ends there, or left of it; first the whole
 * text, then less and less of it.
 * @param {string[]} forms  the longest first
 * @param {number} x  of the lane
 * @param {{left: number, right: number}} aside  how far from the lane
 * @param {Room} room
 * @returns {Choice[]}
 */
export function beside(forms, x, aside, { left, right, measure, size }) {
  const last = [...forms[forms.length - 1]].length;
  const shorter = Array.from({ length: Math.max(0, last - 2) }, (_, i) => shorten(forms[forms.length - 1], last - 1 - i));
  return [...forms, ...shorter].flatMap((form) => {
    const half = measure(form, size) / 2;
    const middle = Math.max(left + half, Math.min(x, right - half));
    return [
      { x: x + aside.right, anchor: /** @type {const} */ ("start"), text: form },
      { x: middle, anchor: /** @type {const} */ ("middle"), text: form },
      { x: x - aside.left, anchor: /** @type {const} */ ("end"), text: form },
    ];
  });
}

/** @param {Box} a @param {Box} b */
function touch(a, b) {
  return a.x < b.x + b.width + BETWEEN && b.x < a.x + a.width + BETWEEN && a.y < b.y + b.height && b.y < a.y + a.height;
}
