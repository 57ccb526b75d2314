/**
 * The panels that the server renders, brought up to date in place. What the
 * reader has opened, chosen or focused stays.
 */

import { Idiomorph } from "../../vendor/idiomorph/idiomorph.esm.js";

/** @param {Record<string, string>} panels  HTML by the id of its element */
export function morph(panels) {
  const program = /** @type {HTMLSelectElement | null} */ (document.getElementById("program"));
  const chosen = program?.value ?? "";
  for (const [id, html] of Object.entries(panels)) {
    const element = document.getElementById(id);
    if (!element || shown.get(id) === html) continue;
    shown.set(id, html);
    Idiomorph.morph(element, html, {
      callbacks: { beforeAttributeUpdated: (name, node) => !reader(name, node) },
    });
  }
  if (program && panels.program && [...program.options].some((o) => o.value === chosen)) program.value = chosen;
}

/** What each panel was last made to show. @type {Map<string, string>} */
const shown = new Map();

/** What the reader has set, which no panel takes back. @param {string} name  of an attribute @param {Element} node */
function reader(name, node) {
  if (name === "open") return node.tagName === "DETAILS";
  if (name === "value") return node.matches("input[type=search]");
  return (name === "checked" || name === "selected") && node.closest("#room") !== null;
}
