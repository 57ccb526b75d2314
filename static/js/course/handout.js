/**
 * The picture of a handout: the timeline of the run, as wide as paper. A long run
 * is cut where the lesson stops, and goes on in a row below.
 */

import { element } from "../lib/element.js";
import { playhead } from "../trace/log.js";
import { START, fold } from "../trace/state.js";
import { marks } from "../timeline/model.js";
import { since } from "../timeline/since.js";
import { whole } from "../timeline/whole.js";

/** A picture fills the page. At the least width, px, its letters keep their 12 px; at the greatest they are 7 pt on A4. */
const WIDTH = { least: 720, most: 880 };

/** Distance of two lanes, px: two rows fit on a page. */
const PITCH = 64;

/** @type {{lang: "en" | "zh", timeline: import("../timeline/layout.js").Words, moments: number[], events: import("../trace/state.js").Event[]}} */
const { lang, timeline: words, moments, events } = JSON.parse(element("handout-data").textContent ?? "");

/** Draws the run between two positions. @param {number} from @param {number} to */
function row(from, to) {
  const before = events.slice(0, playhead(events, from));
  const now = events.slice(0, playhead(events, to));
  const drawn = since(marks(now), marks(before).end, before.at(-1)?.time ?? START);
  return whole(drawn, fold(now), now.length, { words, lang, scale: "steps", pitch: PITCH });
}

function rows() {
  const last = events[events.length - 1].action;
  const all = [];
  for (let from = 0; from < last;) {
    const ahead = Array.from({ length: last - from }, (_, i) => from + i + 1);
    const stops = ahead.filter((at) => at === last || moments.includes(at));
    /** @param {number} at */
    const fits = (at) => width(row(from, at)) <= WIDTH.most;
    const to = stops.findLast(fits) ?? ahead.findLast(fits) ?? from + 1;
    all.push(row(from, to));
    from = to;
  }
  return all;
}

/** @param {SVGSVGElement} drawn */
const width = (drawn) => drawn.viewBox.baseVal.width;

const all = rows();
const widest = Math.max(WIDTH.least, ...all.map(width));
for (const drawn of all) {
  // All rows have letters of one size.
  drawn.setAttribute("viewBox", `0 0 ${widest} ${drawn.viewBox.baseVal.height}`);
  for (const name of ["width", "height", "role", "aria-label"]) drawn.removeAttribute(name);
  drawn.setAttribute("aria-hidden", "true"); // the picture's text says the same
}
element("paper-picture").replaceChildren(...all);
