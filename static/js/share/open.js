/**
 * A file becomes a run: chosen in the field, or dropped anywhere on the page.
 */

import { MAX_FILE, runIn } from "./file.js";
import { Mistake } from "./mistake.js";

/**
 * @typedef {object} Elements
 * @property {HTMLInputElement} field  for choosing a file
 * @property {HTMLElement} target  shown while a file hovers over the page
 * @property {HTMLFormElement} form  posts a scenario to /runs
 */

/**
 * @param {Elements} elements
 * @param {(error: unknown) => void} failed
 */
export function opening({ field, target, form }, failed) {
  /** @param {File | undefined} file */
  async function open(file) {
    if (!file) return;
    try {
      if (file.size > MAX_FILE) throw new Mistake("file-large");
      const { scenario, step } = runIn(new Uint8Array(await file.arrayBuffer()));
      /** @type {HTMLInputElement} */ (form.elements.namedItem("scenario")).value = scenario;
      /** @type {HTMLInputElement} */ (form.elements.namedItem("step")).value = step;
      form.submit();
    } catch (error) {
      failed(error);
    }
  }

  field.addEventListener("change", async () => {
    await open(field.files?.[0]);
    field.value = ""; // so that the same file can be chosen again
  });

  // A text that is dragged into a field is none of our business.
  const brings = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("Files") ?? false;
  const show = (/** @type {DragEvent} */ event) => {
    if (!brings(event)) return;
    event.preventDefault();
    target.hidden = false;
  };
  addEventListener("dragenter", show);
  addEventListener("dragover", show);
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) target.hidden = true; // it has left the window
  });
  addEventListener("drop", (event) => {
    target.hidden = true;
    if (!brings(event)) return;
    event.preventDefault();
    open(event.dataTransfer?.files[0]);
  });
}
