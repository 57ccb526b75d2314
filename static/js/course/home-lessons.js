/** Marks the finished lessons on the home page. */

import { element } from "../lib/element.js";
import { progress } from "./progress.js";

const list = element("home-lessons");
const { course = "", done = "" } = list.dataset;
const kept = progress();

for (const item of /** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll("[data-lesson]"))) {
  if (!kept.of(course, item.dataset.lesson ?? "").done) continue;
  const mark = document.createElement("span");
  mark.className = "quiet";
  mark.textContent = ` · ${done}`;
  item.append(mark);
}
