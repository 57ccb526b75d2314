/**
 * The words of a card that follow the picture. They are written only when they are
 * new: a screen reader speaks a rewritten text again.
 */

import { unbroken } from "../lib/unbroken.js";

/** @param {HTMLElement} element @param {string} sentence */
export function say(element, sentence) {
  const text = unbroken(sentence);
  if (element.textContent?.trim() !== text) element.textContent = text;
}

/** Gives each sentence a paragraph. @param {HTMLElement} element @param {string[]} sentences */
export function sayEach(element, sentences) {
  const texts = sentences.map(unbroken);
  if ([...element.children].map((child) => child.textContent?.trim()).join("\n") === texts.join("\n")) return;
  element.replaceChildren(...texts.map((text) => {
    const p = document.createElement("p");
    p.textContent = text;
    return p;
  }));
}
