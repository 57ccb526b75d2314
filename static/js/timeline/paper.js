/**
 * The picture on paper: the timeline of a run in rows, as wide as a page, with letters
 * of one size. A row ends where one that is longer would not fit.
 *
 * @typedef {import("../trace/state.js").Event} Event
 */

import { playhead } from "../trace/log.js";
import { START, fold } from "../trace/state.js";
import { marks } from "./model.js";
import { since } from "./since.js";
import { whole } from "./whole.js";

/** A picture fills the page. At the least width, px, its letters keep their 12 px; at the greatest they are 7 pt on A4. */
const WIDTH = { least: 720, most: 880 };

/** Distance of two lanes, px: two rows fit on a page. */
const PITCH = 64;

/** A longer run is one row, however small: its rows would fill a book. */
const LONGEST = 500;

/**
 * @param {Event[]} events
 * @param {object} options
 * @param {"en" | "zh"} options.lang
 * @param {import("./layout.js").Words} options.words
 * @param {number[]} [options.stops]  positions at which a row ends rather than elsewhere
 * @returns {SVGSVGElement[]}
 */
export function paper(events, { lang, words, stops = [] }) {
  /** Draws the run between two positions. @param {number} from @param {number} to */
  function row(from, to) {
    const before = events.slice(0, playhead(events, from));
    const now = events.slice(0, playhead(events, to));
    const drawn = since(marks(now), marks(before).end, before.at(-1)?.time ?? START);
    return whole(drawn, fold(now), now.length, { words, lang, scale: "steps", pitch: PITCH });
  }

  /** Returns the last position to which a row fits. @param {number} from @param {number} last */
  function reach(from, last) {
    let [fits, step] = [from + 1, 1];
    while (fits + step <= last && width(row(from, fits + step)) <= WIDTH.most) step *= 2;
    // It fits up to half of the last step, and not beyond the step.
    for (; step >= 1; step = Math.floor(step / 2)) {
      if (fits + step <= last && width(row(from, fits + step)) <= WIDTH.most) fits += step;
    }
    return fits;
  }

  const last = events.at(-1)?.action ?? 0;
  const all = [];
  for (let from = 0; from < last;) {
    const far = events.length > LONGEST ? last : reach(from, last);
    const to = far === last ? last : (stops.findLast((at) => at > from && at <= far) ?? far);
    all.push(row(from, to));
    from = to;
  }
  const widest = Math.max(WIDTH.least, ...all.map(width));
  for (const drawn of all) {
    drawn.setAttribute("viewBox", `0 0 ${widest} ${drawn.viewBox.baseVal.height}`);
    for (const name of ["width", "height", "role", "aria-label"]) drawn.removeAttribute(name);
    drawn.setAttribute("aria-hidden", "true"); // the list of events, or the picture's text, says the same
  }
  return all;
}

/** @param {SVGSVGElement} drawn */
const width = (drawn) => drawn.viewBox.baseVal.width;

/**
 * Puts the picture for paper in a pane's place while the page is printed.
 * @param {HTMLElement} pane
 * @param {() => SVGSVGElement[]} draw
 */
export function printed(pane, draw) {
  const sheet = document.createElement("div");
  sheet.className = "paper";
  const done = new AbortController();
  addEventListener("beforeprint", () => {
    if (!pane.isConnected) return done.abort(); // its page has another picture by now
    sheet.replaceChildren(...draw());
    pane.after(sheet);
  }, { signal: done.signal });
  addEventListener("afterprint", () => sheet.remove(), { signal: done.signal });
}
