/**
 * Closes open menus at a press elsewhere, at a press on one of their buttons, and at
 * Escape. A client's menu stays, and so do the meter's and the page's: several actions follow one another.
 */

/** @param {Document} document */
export function menus(document) {
  const opened = () => document.querySelectorAll("details.menu[open]");

  document.addEventListener("click", (event) => {
    const target = /** @type {Element} */ (event.target);
    for (const menu of opened()) {
      if (!menu.contains(target) || (target.closest("button") && !menu.matches(".more, .stays"))) menu.removeAttribute("open");
    }
  });

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || document.querySelector("dialog[open]")) return; // which closes first
    for (const menu of opened()) {
      menu.removeAttribute("open");
      if (menu.contains(document.activeElement)) menu.querySelector("summary")?.focus();
    }
  });
}
