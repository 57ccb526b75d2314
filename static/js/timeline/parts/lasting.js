/**
 * Draws a stretch of time as a box along a lane, and its hatching.
 *
 * @typedef {import("../layout.js").Frame} Frame
 * @typedef {import("../shapes.js").Box} Box
 */

import { hatch } from "../shapes.js";

/** How far beyond a window a box is hatched, px. */
const BEYOND = 64;

/**
 * @param {string} name
 * @param {(at: number) => number} place  px of a moment on its lane
 * @param {{from: number, to: number}} span
 * @param {number} across
 * @param {number} wide
 * @param {Pick<Frame, "axis">} frame
 * @param {number} [rx]
 */
export function lasting(name, place, { from, to }, across, wide, { axis }, rx) {
  const start = place(from);
  return axis.rect(name, start, across, Math.max(0, place(to) - start), wide, rx);
}

/** Hatches the part of a box that is in the window.
 * @param {string} name
 * @param {Box} box
 * @param {"rising" | "upright"} direction
 * @param {number} step
 * @param {Pick<Frame, "axis" | "from" | "to">} frame
 */
export const hatched = (name, box, direction, step, frame) => hatch(name, within(box, step, frame), direction, step);

/** @param {Box} box @param {number} step @param {Pick<Frame, "axis" | "from" | "to">} frame @returns {Box} */
export function within({ x, y, width, height }, step, { axis, from, to }) {
  if (axis.name === "x") {
    const left = Math.max(x, Math.min(from - BEYOND, x + width));
    return { x: left, y, width: Math.max(0, Math.min(x + width, to + BEYOND) - left), height };
  }
  // The lines hang on the upper edge: it moves by whole steps.
  const top = y + Math.max(0, Math.floor((from - BEYOND - y) / step)) * step;
  return { x, y: top, width, height: Math.max(0, Math.min(y + height, to + BEYOND) - top) };
}
