/**
 * The picture of a handout: the timeline of the run, as wide as paper. A long run
 * is cut where the lesson stops, and goes on in a row below.
 */

import { element } from "../lib/element.js";
import { paper } from "../timeline/paper.js";

/** @type {{lang: "en" | "zh", timeline: import("../timeline/layout.js").Words, moments: number[], events: import("../trace/state.js").Event[]}} */
const { lang, timeline: words, moments: stops, events } = JSON.parse(element("handout-data").textContent ?? "");
element("paper-picture").replaceChildren(...paper(events, { lang, words, stops }));
