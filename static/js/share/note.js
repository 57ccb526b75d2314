/**
 * Shows a sentence about sharing for a while.
 */

import { Mistake } from "./mistake.js";

/** How long a note stays, ms. */
const NOTE = 8_000;

/**
 * @param {HTMLElement} place
 * @param {Record<string, string>} words
 */
export function notes(place, words) {
  let last = 0;

  /** @param {string} sentence */
  function note(sentence) {
    const mine = ++last;
    place.textContent = sentence;
    setTimeout(() => {
      if (last === mine) place.textContent = "";
    }, NOTE);
  }

  return {
    note,

    /** @param {unknown} error */
    explain(error) {
      if (error instanceof Mistake) return note(words[error.fault]);
      note(words.failed);
      console.error(error);
    },
  };
}
