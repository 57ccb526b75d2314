/**
 * Reads the question from its form, and writes the address that asks it again. The
 * text of an own program is too long for a query and stands in the fragment.
 */

import { putCaret } from "../lib/caret.js";
import { element } from "../lib/element.js";
import { decode, encode } from "../share/fragment.js";

/** Fields that an address leaves out: the text of a program, and bounds that do not count. */
const ofNodes = ["node-crashes", "restart-delay", "lose"];

/** @param {HTMLFormElement} form */
export function question(form) {
  const link = /** @type {HTMLAnchorElement} */ (element("explore-link"));
  const source = /** @type {HTMLTextAreaElement | null} */ (document.getElementById("explore-source"));
  const here = new URL(form.action);

  for (const slider of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("[data-for]"))) {
    const number = /** @type {HTMLInputElement} */ (element(slider.dataset.for ?? ""));
    slider.addEventListener("input", () => (number.value = slider.value));
    number.addEventListener("input", () => (slider.value = number.value));
  }

  /** Returns the fields as an address has them. @param {string} run */
  function query(run) {
    const fields = new URLSearchParams();
    const alone = /** @type {HTMLSelectElement} */ (element("explore-nodes")).value === "1";
    for (const [name, value] of new FormData(form)) {
      if (name === "source" || value === "" || (alone && (ofNodes.includes(name) || name === "nodes"))) continue;
      fields.set(name, String(value));
    }
    if (run) fields.set("run", run);
    return fields;
  }

  /** @param {string} run */
  async function address(run) {
    const to = new URL(here);
    to.search = String(query(run));
    if (source) to.hash = await encode(source.value);
    return to.href;
  }

  async function follow() {
    link.href = await address("search");
    link.hidden = false;
  }
  form.addEventListener("input", follow);
  form.addEventListener("change", follow);

  return {
    query,
    address,
    follow,
    source: () => source?.value ?? "",

    /** Takes the own text out of the address, if there is one. */
    async takeUp() {
      if (!source || location.hash.length < 2) return;
      source.value = await decode(location.hash.slice(1));
    },

    /** Puts the cursor where the own text is wrong. @param {number} [line] @param {number} [column] */
    point(line = Number(source?.dataset.line), column = Number(source?.dataset.column)) {
      if (source && line) putCaret(source, line, column);
    },
  };
}
