/**
 * Draws the complete run as an element of its own, without window or scrolling, to
 * print or save.
 *
 * @typedef {import("./model.js").Marks} Marks
 * @typedef {import("../trace/state.js").State} State
 */

import { layer, svgNode } from "./draw.js";
import { layout } from "./layout.js";
import { playhead } from "./overlay.js";
import { approximate } from "./text.js";

const COLUMN = 48;

/**
 * @param {Marks} marks
 * @param {State} state  where the playhead stands
 * @param {number} at  seq of the last event that has happened
 * @param {object} options
 * @param {import("./layout.js").Words} options.words
 * @param {"en" | "zh"} options.lang
 * @param {"steps" | "real"} options.scale
 * @param {number} [options.pitch]  from lane to lane at most, px
 * @param {"x" | "y"} [options.axis]
 * @param {number} [options.width]  which the lanes share where time runs downwards, px
 * @returns {SVGSVGElement}
 */
export function whole(marks, state, at, { words, lang, scale, pitch, axis = "x", width = 0 }) {
  const plan = layout(marks, { axis, words, measure: approximate, columnWidth: COLUMN, width, scale, pitch });
  const svg = /** @type {SVGSVGElement} */ (svgNode("svg"));
  const attributes = {
    class: "timeline", role: "img", "aria-label": words.timeline, width: plan.width, height: plan.height, viewBox: `0 0 ${plan.width} ${plan.height}`,
  };
  for (const [name, value] of Object.entries(attributes)) svg.setAttribute(name, String(value));
  const waiting = plan.waiting(state, at);
  const all = plan.groups(-Infinity, Infinity);
  const look = {
    playhead: at, selected: () => false, hovered: 0, explained: 0, coming: null,
    taken: waiting.flatMap((g) => g.shapes.flatMap((s) => (s.kind === "text" ? [s.box] : []))),
  };
  for (const groups of [
    all.filter((g) => !g.layer), playhead(plan, plan.after(at)), all.filter((g) => g.layer === "words"), waiting, plan.heads(state),
  ]) {
    const part = svgNode("g");
    svg.append(part);
    layer(part, lang).draw(groups.map((g) => ({ ...g, seq: 0 })), look);
  }
  return svg;
}
