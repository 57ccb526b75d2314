/**
 * Updates the panels that the server renders in place. The reader's open panes,
 * choices and focus stay.
 */

import { Idiomorph } from "../../vendor/idiomorph/idiomorph.esm.js";
import { keepFocus } from "../lib/focus.js";

/** @param {Record<string, string>} panels  HTML by the id of its element */
export function morph(panels) {
  const changed = keepFocus();
  for (const [id, html] of Object.entries(panels)) {
    const element = document.getElementById(id);
    if (!element || shown.get(id) === html) continue;
    shown.set(id, html);
    Idiomorph.morph(element, html, {
      callbacks: { beforeAttributeUpdated: (name, node) => !reader(name, node) },
    });
  }
  changed();
}

/** The last HTML of each panel. @type {Map<string, string>} */
const shown = new Map();

/** Reports whether the reader sets an attribute, which no panel takes back. @param {string} name  of an attribute @param {Element} node */
function reader(name, node) {
  if (name === "open") return node.tagName === "DETAILS";
  if (name === "style") return true; // where a script has put it
  if (name === "value") return node.matches("input:is([type=search], .typed)");
  return (name === "checked" || name === "selected") && node.closest("#room, #program") !== null;
}
