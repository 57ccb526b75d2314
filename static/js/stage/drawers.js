/**
 * Opens and closes the drawers, of which one is seen at a time. On a wide page it stands beside the stage, and the browser
 * keeps which one the reader opened in the playground. On a narrow page it is a sheet over the lower half. Without this script
 * all of them are there, beside or below.
 */

import { keep, kept } from "../lib/kept.js";

/** Where the browser keeps the open drawer of the playground; empty: none is open. */
const KEPT = "drawers";

/** In so low a window the card needs the width that a drawer would take. */
const low = matchMedia("(max-height: 30rem)");

/**
 * @param {Document} document  has a tab for each drawer
 * @param {object} options
 * @param {boolean} [options.keeps]  the browser keeps which one is open
 * @param {string} [options.first]  the one that is open at first
 * @param {boolean} [options.asks]  the reader has something to do there, so that a sheet begins with it, too
 * @param {() => void} options.changed  the stage has another size now, and another drawer is seen
 */
export function drawers(document, { keeps = false, first = "", asks = false, changed }) {
  const tabs = /** @type {HTMLElement} */ (document.getElementById("drawer-tabs"));
  const opener = /** @type {HTMLElement} */ (document.getElementById("open-drawers"));
  const closer = /** @type {HTMLElement} */ (document.getElementById("close-drawers"));
  const all = /** @type {HTMLElement} */ (document.getElementById("drawers"));
  const names = [...all.children].map((drawer) => /** @type {HTMLElement} */ (drawer).dataset.drawer ?? "").filter(Boolean);

  /** Reports whether it is a sheet: the style sheet knows how wide the page is. */
  const isSheet = () => getComputedStyle(all).getPropertyValue("--sheet") !== "";
  let sheet = isSheet();
  let open = begin();
  let latest = open || first || names[0] || "";

  function begin() {
    if ((sheet && !asks) || low.matches) return "";
    const name = first || (keeps && kept(KEPT)) || "";
    return names.includes(name) ? name : "";
  }

  /** @param {string} name */
  const tab = (name) => /** @type {HTMLElement} */ (document.getElementById(`tab-${name}`));
  /** @param {string} name */
  const drawer = (name) => /** @type {HTMLElement} */ (document.getElementById(`drawer-${name}`));

  function show() {
    for (const name of names) {
      drawer(name).toggleAttribute("data-closed", open !== name);
      tab(name).setAttribute("aria-expanded", String(open === name));
    }
    opener.setAttribute("aria-expanded", String(open !== ""));
    document.body.classList.toggle("drawn", open !== "");
    changed();
  }

  /** @param {string} name  empty: none */
  function set(name) {
    if (name === open) return;
    open = name;
    latest = name || latest;
    if (keeps && !sheet) keep(KEPT, open);
    show();
  }

  function close() {
    const focused = all.contains(document.activeElement);
    set("");
    if (focused) opener.focus();
  }

  opener.addEventListener("click", () => set(open ? "" : latest));
  closer.addEventListener("click", close);
  tabs.addEventListener("click", (event) => {
    const { drawer = "" } = /** @type {Element} */ (event.target).closest("button")?.dataset ?? {};
    if (drawer === open) return drawer && close();
    if (drawer) set(drawer);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || !open) return;
    if (document.querySelector(".menu[open]") || document.activeElement?.matches("input, textarea, [contenteditable]")) return; // the key closes that, or leaves it
    if (!asks) close();
  });
  const resized = new ResizeObserver(() => {
    if (isSheet() === sheet) return;
    sheet = !sheet;
    open = begin();
    show();
  });
  for (const one of [document.documentElement, tabs]) resized.observe(one); // the letters may grow, too

  tabs.hidden = opener.hidden = false;
  all.dataset.live = "";
  show();

  return {
    /** Opens one, for something in it is to be seen. A sheet would hide what it is about. @param {string} name */
    open: (name) => sheet || set(name),
  };
}
