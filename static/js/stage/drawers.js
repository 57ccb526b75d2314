/**
 * Opens and closes the drawers. On a wide page they stand beside the stage, and the browser keeps which ones the
 * reader opened; a lesson, a room, a comparison and a projector begin with none, for the picture is what counts there. On
 * a narrow page they are a sheet over its lower half, which shows one of them. Without this script all of them are
 * there, beside or below.
 */

import { keep, kept } from "../lib/kept.js";

/** Where the browser keeps the open drawers of the playground. */
const KEPT = "drawers";

/** In so low a window the card needs the width that drawers would take. */
const low = matchMedia("(max-height: 30rem)");

/** Those that open at first. */
const FIRST = "code";

/**
 * @param {Document} document  has a tab for each drawer
 * @param {object} options
 * @param {boolean} options.closed  the page begins without them
 * @param {string} [options.one]  the page has room for one at a time, and begins with this one
 * @param {boolean} [options.asks]  the reader has something to do there, so that a sheet begins with it, too
 * @param {() => void} options.changed  the stage has another size now, and other drawers are seen
 */
export function drawers(document, { closed, one, asks = false, changed }) {
  const tabs = /** @type {HTMLElement} */ (document.getElementById("drawer-tabs"));
  const opener = /** @type {HTMLElement} */ (document.getElementById("open-drawers"));
  const all = /** @type {HTMLElement} */ (document.getElementById("drawers"));
  const names = [...all.children].map((drawer) => /** @type {HTMLElement} */ (drawer).dataset.drawer ?? "");

  /** Reports whether they are a sheet: the style sheet knows how wide the page is. */
  const isSheet = () => getComputedStyle(all).getPropertyValue("--sheet") !== "";
  let sheet = isSheet();
  /** @type {Set<string>} */
  let open = begin();
  /** The last one on the sheet. */
  let latest = one ?? FIRST;

  function begin() {
    if (closed || (sheet && !asks) || low.matches) return new Set();
    return new Set(one ? [one] : (kept(KEPT) ?? FIRST).split(" ").filter((name) => names.includes(name)));
  }

  /** @param {string} name */
  const tab = (name) => /** @type {HTMLElement} */ (document.getElementById(`tab-${name}`));
  /** @param {string} name */
  const drawer = (name) => /** @type {HTMLElement} */ (document.getElementById(`drawer-${name}`));

  function show() {
    for (const name of names) {
      drawer(name).toggleAttribute("data-closed", !open.has(name));
      tab(name).setAttribute("aria-expanded", String(open.has(name)));
    }
    opener.setAttribute("aria-expanded", String(open.size > 0));
    document.body.classList.toggle("drawn", open.size > 0);
    changed();
  }

  /** @param {string} name @param {boolean} yes */
  function set(name, yes) {
    if (yes === open.has(name)) return;
    if (sheet || one) open.clear();
    if (yes) open.add(name);
    else open.delete(name);
    if (yes) latest = name;
    if (!closed && !sheet && !one) keep(KEPT, [...open].join(" "));
    show();
  }

  /** @param {string} name */
  function close(name) {
    const back = sheet ? opener : tab(name);
    const focused = drawer(name).contains(document.activeElement) || (sheet && tabs.contains(document.activeElement));
    set(name, false);
    if (focused) back.focus();
  }

  tabs.addEventListener("click", (event) => {
    const button = /** @type {Element} */ (event.target).closest("button");
    if (button === opener) return set([...open][0] ?? latest, open.size === 0);
    const name = button?.dataset.drawer;
    if (name) set(name, sheet || !open.has(name));
  });
  for (const name of names) {
    const button = /** @type {HTMLElement} */ (drawer(name).querySelector(".drawer-close"));
    button.hidden = false;
    button.addEventListener("click", () => close(name));
  }
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || !(closed || sheet)) return;
    if (document.querySelector(".menu[open]")) return; // the key closes that
    for (const name of open) close(name);
  });
  const resized = new ResizeObserver(() => {
    if (isSheet() === sheet) return;
    sheet = !sheet;
    open = begin();
    show();
  });
  for (const one of [document.documentElement, tabs]) resized.observe(one); // the letters may grow, too

  tabs.hidden = false;
  all.dataset.live = "";
  show();

  return {
    /** Opens one, for something in it is to be seen. A sheet would hide what it is about. @param {string} name */
    open: (name) => sheet || set(name, true),
  };
}
