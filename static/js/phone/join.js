/**
 * Joins at once when there is nothing to fill in: scanning the code is enough. Each
 * window joins a room once: a browser without cookies would join for ever, and take a
 * seat each time.
 */

/** @param {HTMLFormElement} form */
export function joinAtOnce(form) {
  if (!form.hasAttribute("data-at-once") || !first(`joined-${form.dataset.code}`)) return;
  // A prerendered page takes no seat until somebody sees it.
  if (document.visibilityState === "visible") return form.requestSubmit();
  document.addEventListener("visibilitychange", () => form.requestSubmit(), { once: true });
}

/** @param {string} name */
function first(name) {
  try {
    if (!navigator.cookieEnabled || sessionStorage.getItem(name)) return false;
    sessionStorage.setItem(name, "1");
    return true;
  } catch {
    return false; // nothing can be kept here
  }
}
