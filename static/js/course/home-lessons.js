/** Marks the finished lessons on the home page. */

import { progress } from "./progress.js";

const kept = progress();

for (const list of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".home-map"))) {
  const { course = "", done = "" } = list.dataset;
  for (const item of /** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll("[data-lesson]"))) {
    if (!kept.of(course, item.dataset.lesson ?? "").done) continue;
    const mark = document.createElement("span");
    mark.className = "visually-hidden";
    mark.textContent = ` · ${done}`;
    item.dataset.done = "";
    item.querySelector("a")?.append(mark);
  }
}
