/**
 * Keeps the focus where the reader works, when what has it vanishes: with the same
 * client, in the same menu, or on what the page offers as the next thing to do.
 */

/** What a key can press; one that is refused has nothing to go on with. */
const ENABLED = "button:not([aria-disabled=true], [disabled]), summary";

/** What goes on, in the order of preference. */
const NEXT = ["#card .primary:not([aria-disabled=true])", "#step"];

/** Returns the ids of an element and of what it belongs to, from the inside out. @param {Element | null} [element] */
export function wayTo(element) {
  const all = [element, element?.closest(".client"), element?.closest("details.menu")];
  return all.flatMap((one) => one?.id || []);
}

/**
 * Gives the focus to the first of the elements that can have it, or to the first button in one of them,
 * or else to what goes on.
 * @param {string[]} way  ids
 */
export function focusNear(way) {
  const [same, ...around] = way.map((id) => document.getElementById(id));
  const found = [
    same,
    ...around.flatMap((one) => [...(one?.querySelectorAll(ENABLED) ?? [])]),
    ...NEXT.flatMap((selector) => [...document.querySelectorAll(selector)]),
  ].find((one) => one instanceof HTMLElement && one.checkVisibility());
  if (found instanceof HTMLElement) found.focus();
}

/**
 * Keeps the focus during a change of the page. Call what it returns when the page has changed.
 * @returns {() => void}
 */
export function keepFocus() {
  const before = document.activeElement;
  const way = wayTo(before);
  if (!(before instanceof HTMLElement) || before === document.body) return () => {};
  return () => {
    const lost = !before.isConnected || !before.checkVisibility();
    const elsewhere = document.activeElement !== before && document.activeElement !== document.body;
    if (lost && !elsewhere) focusNear(way);
  };
}
