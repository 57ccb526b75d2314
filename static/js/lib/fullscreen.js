/**
 * The button that gives the page the whole screen, where a browser can.
 * @param {Document} document
 */
export function fullScreen(document) {
  const button = /** @type {HTMLElement} */ (document.querySelector("#full"));
  if (!document.fullscreenEnabled) return;
  button.hidden = false;
  button.addEventListener("click", () => {
    const change = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
    change.catch(() => undefined); // the browser has said why
  });
  document.addEventListener("fullscreenchange", () => button.setAttribute("aria-pressed", String(document.fullscreenElement !== null)));
}
