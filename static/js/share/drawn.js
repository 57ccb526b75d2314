/**
 * Draws the run of a link: the whole picture at once, which stands still.
 */

import { element } from "../lib/element.js";
import { downHere } from "../timeline/downwards.js";
import { timeline } from "../timeline/timeline.js";

export async function draw() {
  /** @type {{lang: "en" | "zh", timeline: import("../timeline/layout.js").Words, events: import("../trace/state.js").Event[]}} */
  const { lang, timeline: words, events } = JSON.parse(element("link-data").textContent ?? "");
  await downHere();
  const picture = timeline(element("link-box"), { lang, words, onSelect: (seq) => picture.select(seq) });
  picture.show(events);
}
