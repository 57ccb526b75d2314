/**
 * Keeps a choice of the reader in the browser. If the browser refuses its storage to
 * the page, as in some private windows, the page goes on without it.
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
