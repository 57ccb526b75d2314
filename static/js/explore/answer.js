/**
 * Puts the parts of an answer in their places. What has the focus there hands it to the
 * next thing to do; the stage with pictures stays, as its pictures only show another run.
 */

import { element } from "../lib/element.js";

/** @param {HTMLElement} page */
export function places(page) {
  /** @type {Element | null} the stage that has pictures, on the page or aside */
  let pictured = page.querySelector("#stage.pictured");

  return {
    /** @param {string} html  of views.OutcomePanel */
    put(html) {
      const parts = /** @type {HTMLTemplateElement} */ (document.createElement("template"));
      parts.innerHTML = html;
      const stage = parts.content.querySelector("#stage.pictured");
      if (stage && pictured) adopt(pictured, stage);
      else if (stage) pictured = stage;
      const focused = ["stage", "card", "answer-causes"].some((id) => element(id).contains(document.activeElement));
      for (const part of [...parts.content.children]) document.getElementById(part.id)?.replaceWith(part === stage ? /** @type {Element} */ (pictured) : part);
      if (focused) /** @type {HTMLElement} */ (page.querySelector("#card .primary") ?? element("stage")).focus({ preventScroll: true });
    },
  };
}

/** Takes over what another stage has more, and what its pictures are called. @param {Element} stage @param {Element} from */
function adopt(stage, from) {
  for (const box of [...from.querySelectorAll(".timeline-box")]) {
    const here = stage.querySelector(`#${box.id}`);
    const name = (/** @type {Element} */ of) => of.querySelector(".picture");
    if (here) name(here)?.setAttribute("aria-label", name(box)?.getAttribute("aria-label") ?? "");
    else stage.append(box);
  }
  for (const box of /** @type {NodeListOf<HTMLElement>} */ (stage.querySelectorAll(".timeline-box"))) box.hidden = true;
}
