/**
 * Opens and closes the drawers beside the stage: code, keys, events. The browser
 * keeps which ones the reader opened; a lesson, a room, a comparison and a projector begin with
 * none, for the picture is what counts there. On a narrow page, and without this script,
 * they are all there, below.
 */

import { keep, kept } from "../lib/kept.js";

const NAMES = ["code", "keys", "events"];

/** Where the browser keeps the open drawers of the playground. */
const KEPT = "drawers";

/**
 * @param {Document} document
 * @param {{closed: boolean, changed: () => void}} options  closed: the page begins without them; changed: the stage has another size now
 */
export function drawers(document, { closed, changed }) {
  const tabs = /** @type {HTMLElement} */ (document.getElementById("drawer-tabs"));
  const open = new Set(closed ? [] : (kept(KEPT)?.split(" ") ?? NAMES)); // at first, all of them

  /** @param {string} name */
  const tab = (name) => /** @type {HTMLElement} */ (document.getElementById(`tab-${name}`));
  /** @param {string} name */
  const drawer = (name) => /** @type {HTMLElement} */ (document.getElementById(`drawer-${name}`));

  function show() {
    for (const name of NAMES) {
      drawer(name).toggleAttribute("data-closed", !open.has(name));
      tab(name).setAttribute("aria-expanded", String(open.has(name)));
    }
    changed();
  }

  /** @param {string} name @param {boolean} yes */
  function set(name, yes) {
    if (yes === open.has(name)) return;
    if (yes) open.add(name);
    else open.delete(name);
    if (!closed) keep(KEPT, [...open].join(" "));
    show();
  }

  tabs.addEventListener("click", (event) => {
    const button = /** @type {Element} */ (event.target).closest("button");
    const name = button?.id.replace("tab-", "");
    if (name) set(name, !open.has(name));
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || !closed) return;
    for (const name of NAMES) {
      if (open.has(name) && drawer(name).contains(document.activeElement)) tab(name).focus();
      set(name, false);
    }
  });
  tabs.hidden = false;
  show();

  return {
    /** Opens one, for something in it is to be seen. @param {string} name */
    open: (name) => set(name, true),
  };
}
