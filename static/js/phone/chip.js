/**
 * Says that the connection is lost, after a second without it: most losses end
 * before anybody needs to know. A server that fell silent has been lost for longer.
 */

const LATE_MS = 1000;

/** @param {HTMLElement} chip @returns {(connected: boolean, silent?: boolean) => void} */
export function lateChip(chip) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let late;
  let connected = true;

  function wait() {
    clearTimeout(late);
    if (!connected) late = setTimeout(() => (chip.hidden = false), LATE_MS);
  }

  // A phone that wakes up gets the same second.
  document.addEventListener("visibilitychange", () => {
    if (chip.hidden && document.visibilityState === "visible") wait();
  });

  return (now, silent = false) => {
    if (now || silent) {
      clearTimeout(late);
      chip.hidden = now;
    }
    if (connected === now) return;
    connected = now;
    if (!silent) wait();
  };
}
