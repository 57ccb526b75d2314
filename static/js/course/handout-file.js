/**
 * The pictures of handouts that are in the same file: the timelines of their runs, as wide as paper.
 */

import { element } from "../lib/element.js";
import { paper } from "../timeline/paper.js";

/** @typedef {{lang: "en" | "zh", timeline: import("../timeline/layout.js").Words, moments: number[], events: import("../trace/state.js").Event[]}} Drawn */

/** @type {Drawn[]} */
const all = JSON.parse(element("handout-data").textContent ?? "") ?? [];
for (const [i, box] of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-picture]")).entries()) {
  const { lang, timeline: words, moments: stops, events } = all[i];
  box.hidden = false;
  box.replaceChildren(...paper(events, { lang, words, stops }));
}
