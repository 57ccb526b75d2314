/**
 * Says that the connection is lost, after a second without it: most losses end
 * before anybody needs to know.
 */

const LATE_MS = 1000;

/** @param {HTMLElement} chip @returns {(connected: boolean) => void} */
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

  return (now) => {
    if (now) {
      clearTimeout(late);
      chip.hidden = true;
    }
    if (connected === now) return;
    connected = now;
    wait();
  };
}
