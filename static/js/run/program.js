/**
 * The pane of the program: shows the chosen program, its selected line, and the
 * reader's own version of it.
 */

import { putCaret } from "../lib/caret.js";
import { element } from "../lib/element.js";
import { reveal } from "../lib/reveal.js";

/** Where a draft waits for the next page. */
const DRAFT = "draft";

export function program() {
  const choice = /** @type {HTMLSelectElement} */ (element("program"));
  const from = /** @type {HTMLInputElement} */ (element("own-from"));
  const own = /** @type {HTMLTextAreaElement} */ (element("own-source"));
  choice.addEventListener("change", show);
  takeUp();
  show();

  /** Shows the chosen program; the panels may be new. */
  function show() {
    for (const section of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-source]"))) {
      section.hidden = section.dataset.source !== choice.value;
    }
    const text = textOf(choice.value);
    if (from.value === choice.value || !text) return; // the socket brings the text of a long program
    if (own.value !== textOf(from.value)) return; // the reader's changes stay
    from.value = choice.value;
    own.value = text;
  }

  /** Restores the draft of the page before, if it is still about the same text. */
  function takeUp() {
    const draft = sessionStorage.getItem(DRAFT);
    sessionStorage.removeItem(DRAFT);
    if (!draft) return;
    const { name, original, text } = JSON.parse(draft);
    if (textOf(name) !== original) return;
    from.value = name;
    own.value = text;
  }

  return {
    show,

    /** Keeps the reader's draft for the next page: a branch, or the other language. */
    keep() {
      const original = textOf(from.value);
      if (own.value === original) return;
      sessionStorage.setItem(DRAFT, JSON.stringify({ name: from.value, original, text: own.value }));
    },

    /** Selects a line. @param {{program: string, number: number}} [line]  left out: none */
    select(line) {
      for (const old of document.querySelectorAll(".source .selected")) old.classList.remove("selected");
      if (!line) return;
      choice.value = line.program;
      show();
      const shown = document.querySelector(`#source-${line.program} li:nth-child(${line.number})`);
      shown?.classList.add("selected");
      reveal(shown);
    },

    /** Says what is wrong with the reader's own version, and puts the cursor there.
     * @param {import("./socket.js").Refusal} refusal
     */
    refuse({ text, line, column }) {
      element("own-error").textContent = text;
      if (line) putCaret(own, line, column ?? 1);
    },
  };
}

/** Returns a program's text, also where the page shows a translated comment. @param {string} name */
function textOf(name) {
  const lines = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(`#source-${name} code`));
  return [...lines].map((line) => `${line.dataset.text ?? line.textContent}\n`).join("");
}
