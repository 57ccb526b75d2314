/**
 * Keeps a choice of the reader in the browser. If the browser refuses its storage to
 * the page, as in some private windows and in frames, the page goes on without it.
 */

/** Returns what is kept under a name; undefined: nothing. @param {string} name */
export function kept(name) {
  try {
    return localStorage.getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** @param {string} name @param {string} value */
export function keep(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // the choice holds as long as the page
  }
}

/** Hands a text on to the next page of this window. @param {string} name @param {string} text */
export function handOn(name, text) {
  try {
    sessionStorage.setItem(name, text);
  } catch {
    // the next page begins without it
  }
}

/** Takes what the page before has handed on; empty: nothing. @param {string} name */
export function takeOver(name) {
  try {
    const text = sessionStorage.getItem(name) ?? "";
    sessionStorage.removeItem(name);
    return text;
  } catch {
    return "";
  }
}
