/**
 * The menu of settings: a choice holds at once, and the server keeps it. Each is a
 * data-… attribute of the root element.
 */

import { menus } from "../lib/menus.js";

const names = ["theme", "mode", "scale", "speed", "sound", "speak", "letters"];

/**
 * Makes the menu and the projector button work without loading the page again, and closes the page's menus.
 *
 * @param {Document} document
 * @param {{changed?: () => void}} [then]  changed: called when the root element has a new attribute, as the
 *   drawing follows the size of letters
 */
export function settings(document, { changed } = {}) {
  menus(document);
  const root = document.documentElement;
  const menu = /** @type {HTMLDetailsElement | null} */ (document.querySelector("#settings"));
  const form = /** @type {HTMLFormElement | null} */ (document.querySelector("#settings-form"));
  const projector = /** @type {HTMLButtonElement | null} */ (document.querySelector("#projector"));
  if (!menu || !form || !projector?.form) return;
  /** The choices before: the server adds each to those that the browser has kept. @type {Promise<unknown>} */
  let saved = Promise.resolve();
  root.dataset.live = ""; // the button to apply is for those without scripts

  /** @param {FormData} data  of two values of a name the last counts, as in web/settings.go */
  const apply = (data) => {
    const { action } = form;
    for (const [name, value] of data) {
      if (names.includes(name)) root.dataset[name] = String(value);
    }
    reflect(root.dataset, form, projector);
    // Without a server the choice holds while the page is open.
    saved = saved.then(() => fetch(action, { method: "POST", body: new URLSearchParams(strings(data)), redirect: "manual" })).catch(() => undefined);
    changed?.();
  };

  form.addEventListener("change", () => apply(new FormData(form)));
  for (const own of [form, projector.form]) {
    own.addEventListener("submit", (event) => {
      event.preventDefault();
      event.stopPropagation(); // this form is no action of the run
      apply(new FormData(own, event.submitter));
    });
  }

  // A menu closes when the reader turns to something else.
  document.addEventListener("pointerdown", (event) => {
    if (!menu.contains(/** @type {Node} */ (event.target))) menu.open = false;
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary")?.focus();
    event.preventDefault();
  });
}

/** Returns how many times as fast as usual pictures move. @param {Document} document */
export function speed(document) {
  return Number(document.documentElement.dataset.speed) || 1;
}

/**
 * Shows in the menu and on the button what the reader chose in the other.
 * @param {DOMStringMap} chosen
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement} projector
 */
function reflect(chosen, form, projector) {
  const mode = form.querySelector("[name=mode]");
  if (mode instanceof HTMLSelectElement) mode.value = chosen.mode ?? "";
  projector.setAttribute("aria-pressed", String(chosen.mode === "projector"));
  projector.value = chosen.mode === "projector" ? "desk" : "projector";
}

/** @param {FormData} data @returns {[string, string][]} */
function strings(data) {
  return [...data].map(([name, value]) => [name, String(value)]);
}
