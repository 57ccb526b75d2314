/**
 * The stage of every page that shows a run: the picture, in which time runs downwards
 * where the window is narrow, and on its lanes what the page offers to do there.
 *
 * @typedef {import("../timeline/timeline.js").timeline} Timeline
 * @typedef {Omit<Parameters<Timeline>[1], "gutter" | "loadDown" | "onPlaces">} Options
 */

import { NARROW } from "../timeline/axis.js";
import { loadDown } from "../timeline/downwards.js";
import { timeline } from "../timeline/timeline.js";
import { lights } from "./lights.js";

/** Left of the lanes there is room for their buttons, which are larger under a finger, px. */
const gutter = () => (matchMedia("(pointer: coarse)").matches ? 228 : 200);

/** Two pictures have as much room there as the heads of most lanes need: then the same moments stand below each other. */
const PAIRED = 144;

/**
 * @param {HTMLElement} box  has the picture, and perhaps its controls
 * @param {Options & {tools?: HTMLElement | null, laneTools?: typeof import("./lane-tools.js").laneTools, paired?: boolean}} options  tools: what stands
 * on the lanes, where laneTools puts it; paired: there is another picture with the same moments, above or below
 */
export function stage(box, { tools, laneTools, paired, ...options }) {
  const pane = /** @type {HTMLElement} */ (box.querySelector(".picture"));
  const words = lights(box, () => picture);
  const picture = timeline(box, {
    ...options, loadDown,
    onHover(seq) {
      options.onHover?.(seq);
      words.point(seq);
    },
    onArrive(seq) {
      options.onArrive?.(seq);
      words.moved();
    },
    gutter: tools ? gutter() : paired && innerWidth > NARROW ? PAIRED : 0,
    onPlaces: tools ? laneTools?.(tools, pane).place : undefined,
  });
  return picture;
}
