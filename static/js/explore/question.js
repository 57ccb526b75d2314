/**
 * Reads the question from its form, and writes the address that asks it again. The
 * text of an own program is too long for a query and stands in the fragment.
 */

import { element } from "../lib/element.js";
import { field } from "../lib/field.js";
import { decode, encode } from "../share/fragment.js";

/** Fields that an address leaves out: the text of a program, and bounds that do not count. */
const ofNodes = ["node-crashes", "restart-delay", "lose"];

/** @param {HTMLFormElement} form */
export function question(form) {
  const area = /** @type {HTMLTextAreaElement | null} */ (document.getElementById("explore-source"));
  const source = area && field(area);
  const here = new URL(form.action);

  const sliders = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[data-for]"));
  /** @param {HTMLInputElement} slider */
  const number = (slider) => /** @type {HTMLInputElement} */ (element(slider.dataset.for ?? ""));
  for (const slider of sliders) {
    slider.addEventListener("input", () => (number(slider).value = slider.value));
    number(slider).addEventListener("input", () => (slider.value = number(slider).value));
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

  /** Reports whether something is a field of the question. @param {unknown} what */
  const has = (what) => (what instanceof HTMLInputElement || what instanceof HTMLSelectElement || what instanceof HTMLTextAreaElement) && what.form === form;

  /** Lets the sentence read well with the values that stand in it. */
  function read() {
    const property = /** @type {HTMLSelectElement} */ (element("explore-property")).value;
    for (const clause of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-asks]"))) clause.hidden = clause.dataset.asks !== property;
    for (const noun of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-of]"))) {
      const { value } = /** @type {HTMLSelectElement} */ (element(`explore-${noun.dataset.of}`));
      noun.textContent = (value === "1" ? noun.dataset.one : noun.dataset.many) ?? "";
    }
    if (CSS.supports("field-sizing", "content")) return;
    for (const word of /** @type {NodeListOf<HTMLSelectElement>} */ (form.querySelectorAll(".word-field"))) {
      word.style.width = `${[...word.selectedOptions[0].label].reduce((wide, letter) => wide + (letter > "\u2e80" ? 2 : 1.05), 0.8)}ch`;
    }
  }

  read();
  return {
    query,
    has,
    read,
    address,
    source: () => source?.value ?? "",

    /** Asks another question, as an address has it. @param {URLSearchParams} fields */
    fill(fields) {
      for (const field of /** @type {Iterable<HTMLInputElement | HTMLSelectElement>} */ (form.elements)) {
        if (!field.name || field.type === "submit" || field.type === "hidden") continue;
        if (field instanceof HTMLInputElement && field.type === "checkbox") field.checked = fields.has(field.name);
        else if (fields.has(field.name)) field.value = fields.get(field.name) ?? "";
      }
      for (const slider of sliders) slider.value = number(slider).value;
    },

    /** Takes the own text out of the address, if there is one. */
    async takeUp() {
      if (!source || location.hash.length < 2) return;
      source.value = await decode(location.hash.slice(1));
    },

    /** Turns the own text's field into the editor. */
    edit: () => source?.edit(),

    /** Puts the cursor where the own text is wrong, and reports whether the reader sees the mistake there. @param {string} mistake @param {number} [line] @param {number} [column] */
    point(mistake, line = Number(area?.dataset.line), column = Number(area?.dataset.column)) {
      return Boolean(line && source?.point(line, column, mistake));
    },
  };
}
