/**
 * Draws the shape of a search: a bar for each number of actions, as wide as the root of
 * the number of states that this many actions lead to. It grows as the search did.
 */

import { COUNT_MS, runUp } from "../lib/run-up.js";
import { svgNode } from "../timeline/draw.js";

/** From one bar to the next, px; a low window has less room for them. */
const PITCH = 11;

/** The least of it: a deeper search has several depths in one bar. */
const LEAST = 2;

/** Of the pitch, a bar is so high. */
const HIGH = 0.72;

/** How wide the widest bar is for the height of all. */
const WIDE = 1.1;

/** Bars begin one after the other in this part of the time; each takes the rest. */
const STAGGER = 0.75;

/** A shape that changes while a control moves takes this long, ms. */
const CHANGE_MS = 160;

/** @param {HTMLElement | null} figure  of views.searchShape */
export const depthsOf = (figure) => figure?.dataset.depths?.trim().split(" ").filter(Boolean).map(Number) ?? [];

/** What a figure shows now. @type {WeakMap<HTMLElement, number[]>} */
const shown = new WeakMap();

/**
 * Shows a shape. It grows from its first depth to its last; one that takes another's place changes from that one.
 * @param {HTMLElement | null} figure
 * @param {object} [options]
 * @param {number[]} [options.depths]
 * @param {number[]} [options.from]  what stood there before; none: it grows
 * @param {number} [options.ms]  0: at once
 */
export function show(figure, { depths = depthsOf(figure), from = [], ms = from.length > 0 ? CHANGE_MS : COUNT_MS } = {}) {
  if (!figure) return;
  const grows = from.length === 0;
  runUp(figure, ms, (part) => {
    if (part < 1) draw(figure, grows ? depths.map((n, i) => n * grown(part, i / depths.length)) : depths.map((n, i) => (from[i] ?? 0) + (n - (from[i] ?? 0)) * part), depths);
    else draw(figure, depths, depths);
  });
}

/** Draws the figure again after its room has changed. @param {HTMLElement | null} figure */
export function resize(figure) {
  const depths = figure && shown.get(figure);
  if (depths) draw(figure, depths, depths);
}

/** @param {number} part of the time @param {number} place of the bar, from 0 to 1 */
const grown = (part, place) => Math.max(0, Math.min(1, (part - place * STAGGER) / (1 - STAGGER)));

/** @param {HTMLElement} figure @param {number[]} depths  at this moment @param {number[]} whole  at the end */
function draw(figure, depths, whole) {
  shown.set(figure, whole);
  const svg = /** @type {SVGSVGElement} */ (figure.querySelector("svg"));
  const { width, height } = svg.getBoundingClientRect();
  if (width > 0 && height > 0) svg.replaceChildren(...bars(depths, whole, width, height));
}

/** Returns its bars, in the middle of the room. @param {number[]} depths @param {number[]} whole @param {number} width px @param {number} height px */
function bars(depths, whole, width, height) {
  const per = Math.max(1, Math.ceil((whole.length * LEAST) / height)); // depths in a bar
  const rows = Math.ceil(whole.length / per);
  const pitch = Math.min(PITCH, height / rows);
  const high = pitch * HIGH;
  const most = Math.max(1, ...whole);
  const room = Math.min(width, Math.max(height, rows * pitch) * WIDE);
  const top = (height - rows * pitch) / 2;
  return Array.from({ length: rows }, (_, i) => {
    const n = Math.max(...depths.slice(i * per, (i + 1) * per));
    const wide = n > 0 ? high + Math.sqrt(n / most) * (room - high) : 0;
    const bar = svgNode("rect");
    for (const [name, value] of Object.entries({ x: (width - wide) / 2, y: top + i * pitch, width: wide, height: high, rx: high / 2, "fill-opacity": 0.28 + 0.72 * (n / most) })) {
      bar.setAttribute(name, value.toFixed(2));
    }
    return bar;
  });
}
