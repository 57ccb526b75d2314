/**
 * Shows a list in a pane that scrolls. Of a long list, the page holds only the rows in view and some around them.
 *
 * @template T
 * @typedef {object} Roll
 * @property {(items: T[], at: number, whole: number) => void} show  shows the list; the rows include the item at that index
 * @property {(i: number) => HTMLElement | undefined} row  the row of an item; undefined: it is not in the page
 * @property {() => void} clear
 */

import { around, further } from "./visible-rows.js";

/** Distance from an end of the pane at which rows are added, px. */
const NEAR = 200;

/**
 * @template T
 * @param {HTMLElement} box  holds the rows
 * @param {(item: T) => HTMLElement} make  a row
 * @param {number} [first]  the item of the first row that is there already
 * @returns {Roll<T>}
 */
export function virtualList(box, make, first = 0) {
  const pane = /** @type {HTMLElement} */ (box.closest(".rows"));
  /** @type {T[]} */
  let items = [];
  let rows = { from: first, to: first + box.children.length };

  /** @param {import("./visible-rows.js").Rows} wanted */
  function put({ from, to }) {
    if (from >= rows.to || to <= rows.from) {
      box.replaceChildren(...items.slice(from, to).map(make));
    } else {
      for (let i = rows.from; i < from; i++) box.firstElementChild?.remove();
      for (let i = rows.to; i > to; i--) box.lastElementChild?.remove();
      if (from < rows.from) box.prepend(...items.slice(from, rows.from).map(make));
      if (to > rows.to) box.append(...items.slice(rows.to, to).map(make));
    }
    rows = { from, to };
  }

  /** @param {"first" | "last"} edge */
  function goOn(edge) {
    const kept = /** @type {HTMLElement} */ (edge === "first" ? box.firstElementChild : box.lastElementChild);
    const was = kept.offsetTop;
    put(further(rows, edge, items.length));
    pane.scrollTop += kept.offsetTop - was; // what the reader looks at stays where it is
  }

  pane.addEventListener("scroll", () => {
    if (box.childElementCount === 0) return;
    if (rows.from > 0 && pane.scrollTop < NEAR) goOn("first");
    else if (rows.to < items.length && pane.scrollHeight - pane.clientHeight - pane.scrollTop < NEAR) goOn("last");
  }, { passive: true });

  // On paper there is nothing to scroll.
  addEventListener("beforeprint", () => put({ from: 0, to: items.length }));

  return {
    show(list, at, whole) {
      items = list;
      put(around(rows, at, list.length, whole));
    },
    row: (i) => /** @type {HTMLElement | undefined} */ (box.children[i - rows.from]),
    clear() {
      box.replaceChildren();
      rows = { from: 0, to: 0 };
    },
  };
}
