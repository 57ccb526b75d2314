/**
 * Joins at once where there is nothing to fill in: whoever has scanned the code
 * is in. Only once for each room and window: a browser that keeps no cookies would
 * join for ever, and take a seat each time.
 */

/** @param {HTMLFormElement} form */
export function joinAtOnce(form) {
  if (!form.hasAttribute("data-at-once") || !first(`joined-${form.dataset.code}`)) return;
  // A page that is fetched ahead and never looked at takes no seat.
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
