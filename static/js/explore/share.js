/**
 * Shares an answer: the address of its question, and the picture that the server draws
 * of it, as for a link that is pasted into a chat.
 */

import { toClipboard } from "../lib/clipboard.js";

/**
 * @param {HTMLElement} page  has views.answerShare in its card
 * @param {object} options
 * @param {Record<string, string>} options.words
 * @param {() => Promise<string>} options.address  of the question
 * @param {() => string} options.picture  its address; empty: the server does not know the program
 */
export function sharing(page, { words, address, picture }) {
  const menu = () => /** @type {HTMLDetailsElement} */ (page.querySelector("#answer-share"));
  const link = () => /** @type {HTMLInputElement} */ (page.querySelector("#answer-link"));

  page.addEventListener("toggle", async ({ target }) => {
    if (target !== menu() || !menu().open) return;
    const card = /** @type {HTMLAnchorElement} */ (page.querySelector("#answer-picture"));
    card.hidden = picture() === "";
    card.href = picture();
    link().value = await address();
  }, true);
  page.addEventListener("click", async ({ target }) => {
    if (!(target instanceof Element) || !target.closest("#answer-copy")) return;
    const copied = await toClipboard(link());
    /** @type {HTMLElement} */ (page.querySelector("#answer-shared")).textContent = copied ? words.copied : words.selected;
  });
}
