/**
 * The pane of the program: the text of the one that is chosen, the line that is
 * selected in it, and the reader's own version of it.
 */

import { putCursor } from "../lib/caret.js";
import { element } from "../lib/element.js";
import { reveal } from "../lib/reveal.js";

/** Where a version that is being written waits for the next page. */
const DRAFT = "draft";

export function program() {
  const choice = /** @type {HTMLSelectElement} */ (element("program"));
  const from = /** @type {HTMLInputElement} */ (element("own-from"));
  const own = /** @type {HTMLTextAreaElement} */ (element("own-source"));
  choice.addEventListener("change", show);
  takeUp();
  show();

  /** Shows the program that is chosen; the panels may have been made anew. */
  function show() {
    for (const section of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-source]"))) {
      section.hidden = section.dataset.source !== choice.value;
    }
    const text = textOf(choice.value);
    if (from.value === choice.value || !text) return; // of many long programs the socket brings the text
    if (own.value !== textOf(from.value)) return; // what the reader has changed stays
    from.value = choice.value;
    own.value = text;
  }

  /** What the reader was writing on the page before, if it is still about the same text. */
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

    /** Keeps what the reader has written for the page that comes next: a branch, or the other language. */
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
      if (line) putCursor(own, line, column ?? 1);
    },
  };
}

/** A program's text as the page shows it. @param {string} name */
function textOf(name) {
  const lines = document.querySelectorAll(`#source-${name} code`);
  return [...lines].map((line) => `${line.textContent}\n`).join("");
}
