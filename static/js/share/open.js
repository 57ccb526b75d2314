/**
 * Turns a file into a run: chosen in the field, or dropped anywhere on the page.
 */

import { element } from "../lib/element.js";
import { MAX_FILE, MAX_LOG, isLog, runIn } from "./file.js";
import { Mistake } from "./mistake.js";
import { notes } from "./note.js";

/** The page's sentences about files. */
export const words = () => /** @type {Record<string, string>} */ (JSON.parse(element("share-words").textContent ?? ""));

/**
 * Wires the markup of views.Opening.
 * @param {HTMLInputElement} [field]  for choosing a file
 * @returns {ReturnType<typeof notes> & {open: (file: File | undefined) => Promise<void>}}
 */
export function opening(field) {
  const target = element("share-drop"); // shown while a file hovers over the page
  const form = /** @type {HTMLFormElement} */ (element("share-form")); // posts a scenario to /runs
  const told = notes(element("share-note"), words());

  /** Sends a log of a Redis to the server, which imports it. @param {File} file */
  function imports(file) {
    if (file.size > MAX_LOG) throw new Mistake("log-large");
    const form = /** @type {HTMLFormElement} */ (element("import-form"));
    const chosen = new DataTransfer();
    chosen.items.add(file);
    /** @type {HTMLInputElement} */ (form.elements.namedItem("log")).files = chosen.files;
    form.submit();
  }

  /** @param {File | undefined} file */
  async function open(file) {
    if (!file) return;
    try {
      if (file.size > MAX_FILE) throw new Mistake("file-large");
      const bytes = new Uint8Array(await file.arrayBuffer());
      if (isLog(bytes)) return imports(file);
      const { scenario, step } = runIn(bytes);
      /** @type {HTMLInputElement} */ (form.elements.namedItem("scenario")).value = scenario;
      /** @type {HTMLInputElement} */ (form.elements.namedItem("step")).value = step;
      form.submit();
    } catch (error) {
      told.explain(error);
    }
  }

  field?.addEventListener("change", async () => {
    await open(field.files?.[0]);
    field.value = ""; // so that the same file can be chosen again
  });

  // Text that is dragged into a field is left to the browser.
  const brings = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("Files") ?? false;
  const show = (/** @type {DragEvent} */ event) => {
    if (!brings(event)) return;
    event.preventDefault();
    target.hidden = false;
  };
  addEventListener("dragenter", show);
  addEventListener("dragover", show);
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) target.hidden = true; // the file has left the window
  });
  addEventListener("drop", (event) => {
    target.hidden = true;
    if (!brings(event)) return;
    event.preventDefault();
    open(event.dataTransfer?.files[0]);
  });
  return { ...told, open };
}
