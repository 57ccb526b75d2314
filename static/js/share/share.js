/**
 * Gives a run away, as a link or a picture, and takes one in from a file.
 *
 * @typedef {object} Run
 * @property {() => string | Promise<string>} scenario  its text
 * @property {() => number} step  the position that is shown
 * @property {() => SVGSVGElement} svg  the whole timeline, in the page
 * @property {string} base  the path before /p and /runs
 * @property {string} lang
 * @property {Record<string, string>} words
 */

import { encode } from "./fragment.js";
import { Mistake } from "./mistake.js";
import { opening } from "./open.js";
import { pngFile, svgFile } from "./picture.js";

/** Characters that every chat and mail program leaves whole in a link. */
const LONG = 2_000;

/** How long a note stays, ms. */
const NOTE = 8_000;

/**
 * @param {HTMLElement} root  the details element of views.Share
 * @param {Run} run
 */
export function share(root, { scenario, step, svg, base, lang, words }) {
  const link = /** @type {HTMLInputElement} */ (part("share-link"));
  const long = part("share-long");
  let notes = 0;

  for (const section of root.querySelectorAll("[data-script]")) section.removeAttribute("hidden");
  const details = /** @type {HTMLDetailsElement} */ (root);
  details.addEventListener("toggle", () => details.open && attempt(write));
  details.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !details.open) return;
    event.stopPropagation(); // what lies below stays
    details.open = false;
    root.querySelector("summary")?.focus();
  });
  document.addEventListener("pointerdown", (event) => {
    if (!root.contains(/** @type {Node} */ (event.target))) details.open = false;
  });
  link.addEventListener("focus", () => whole(link));
  part("share-copy").addEventListener("click", () => attempt(copy));
  part("share-svg").addEventListener("click", () => attempt(async () => save("svg", "image/svg+xml", svgFile(svg(), await carried()))));
  part("share-png").addEventListener("click", () => attempt(async () => save("png", "image/png", await pngFile(svg(), await carried()))));
  opening({
    field: /** @type {HTMLInputElement} */ (part("share-file")),
    form: /** @type {HTMLFormElement} */ (part("share-form")),
    target: part("share-drop"),
  }, explain);

  /** The link to what is shown now. */
  async function write() {
    const fragment = await encode(await scenario());
    link.value = `${location.origin}${base}/p?step=${step()}#${fragment}`;
    long.hidden = link.value.length <= LONG;
    long.textContent = words.long.replace("{n}", String(link.value.length));
  }

  async function copy() {
    await write(); // the run may have gone on
    if (await toClipboard(link)) note(words.copied);
    else note(words.selected);
  }

  const carried = async () => ({ scenario: await scenario(), step: String(step()), lang });

  /** @param {string} extension @param {string} type @param {BlobPart} content */
  function save(extension, type, content) {
    const name = `lockstep-${location.pathname.split("/").at(-1)}.${extension}`;
    const address = URL.createObjectURL(new Blob([content], { type }));
    const anchor = document.createElement("a");
    anchor.href = address;
    anchor.download = name;
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000); // the browser may still be asking where to save it
    note(words.saved.replace("{name}", name));
  }

  /** @param {() => Promise<void>} what */
  const attempt = (what) => what().catch(explain);

  /** @param {unknown} error */
  function explain(error) {
    if (error instanceof Mistake) return note(words[error.fault]);
    note(words.failed);
    console.error(error);
  }

  /** @param {string} sentence */
  function note(sentence) {
    const place = part("share-note");
    const mine = ++notes;
    place.textContent = sentence;
    setTimeout(() => {
      if (notes === mine) place.textContent = "";
    }, NOTE);
  }
}

/**
 * Over plain http only localhost has the clipboard of modern browsers; the
 * command is what the others have.
 * @param {HTMLInputElement} field
 * @returns {Promise<boolean>}  whether it is on the clipboard
 */
async function toClipboard(field) {
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(field.value);
      return true;
    }
  } catch {
    // not allowed here: the command below may be
  }
  const before = /** @type {HTMLElement | null} */ (document.activeElement);
  whole(field);
  if (!document.execCommand("copy")) return false;
  before?.focus();
  return true;
}

/** Selects a field's text, with its beginning in view. @param {HTMLInputElement} field */
function whole(field) {
  if (document.activeElement !== field) field.focus();
  field.setSelectionRange(0, field.value.length, "backward");
}

/** @param {string} id @returns {HTMLElement} */
function part(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element ${id}`);
  return found;
}
