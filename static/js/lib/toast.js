/**
 * Shows a sentence that goes away by itself, for what alarms nobody: somebody else
 * was faster, or a button does nothing now.
 */

const SHOWN_MS = 5000;

/** @param {HTMLElement} note @returns {(text: string) => void} */
export function toast(note) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let over;
  return (text) => {
    clearTimeout(over);
    note.textContent = text;
    if (text) over = setTimeout(() => (note.textContent = ""), SHOWN_MS);
  };
}
