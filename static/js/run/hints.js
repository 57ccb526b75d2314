/**
 * The hints of a challenge: three of growing help, one at a time, and then the button that does the next action. Each
 * position has its own.
 */

import { element } from "../lib/element.js";

/** @param {HTMLDetailsElement} root  has the hints, which the reader opens @param {() => void} onAction  the next action is shown */
export function hints(root, onAction) {
  const summary = /** @type {HTMLElement} */ (root.querySelector("summary"));
  const [says, more, go] = ["hint-says", "hint-more", "ahead-go"].map(element);
  /** @type {string[]} */
  let all = [];
  let shown = 0;

  function tell() {
    says.textContent = all[shown - 1] ?? "";
    more.hidden = shown >= all.length;
    go.hidden = all.length === 0 || shown < all.length;
  }

  more.addEventListener("click", () => {
    shown++;
    tell();
    if (!more.hidden) return;
    go.focus({ preventScroll: true });
    onAction();
  });

  // The key that opens the hints then shows the next one.
  root.addEventListener("toggle", () => {
    if (root.open) summary.removeAttribute("aria-keyshortcuts");
    else summary.setAttribute("aria-keyshortcuts", "N");
  });

  return {
    /** Shows the first hint of a position. @param {string[]} given  none: nothing leads to a violation */
    show(given) {
      const stays = document.activeElement === go;
      all = given;
      shown = Math.min(1, all.length);
      tell();
      if (stays) (more.hidden ? summary : more).focus({ preventScroll: true });
    },
  };
}
