/**
 * The timer of a round or an exercise. The server says how long it is; the page counts by a clock that nobody sets, and
 * shows it wherever a panel has a place for it. It says once that the time is up.
 */

/** The end, as performance.now() counts; null: there is no timer. @type {number | null} */
let end = null;
/** The server has told of time left, and nobody has heard yet that it is up. */
let running = false;
/** The end of which it was said that it has come. */
let heard = -Infinity;
/** So far apart, ms, may the server's words about one end be: they take their time to come here. */
const LATE_MS = 2000;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let next;
/** Says that the time is up. It is in the page before it speaks: a screen reader hears changes alone. @type {HTMLElement | undefined} */
let voice;

/** Returns how a number of seconds reads. @param {number} seconds */
export const minutes = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

/** Takes what the server says. @param {number | null} left  ms; 0: the time is up; null: there is no timer */
export function hearTimer(left) {
  end = left === null ? null : performance.now() + left;
  if (left && Math.abs(performance.now() + left - heard) > LATE_MS) {
    running = true;
    if (!voice) {
      voice = document.createElement("p");
      voice.className = "visually-hidden";
      voice.setAttribute("role", "status");
      document.querySelector("main")?.append(voice);
    }
    voice.textContent = "";
  }
  showTimer();
}

/** Shows it in the panels, which may be new, and goes on with each second. */
export function showTimer() {
  clearTimeout(next);
  const left = end === null ? 0 : end - performance.now();
  const seconds = Math.max(0, Math.ceil(left / 1000));
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".timer"))) {
    const { up = "" } = place.dataset;
    const text = end === null ? "" : seconds ? minutes(seconds) : up;
    if (place.textContent !== text) place.textContent = text;
    place.toggleAttribute("data-over", end !== null && !seconds);
    if (end !== null && !seconds && running && voice) {
      voice.textContent = up;
      running = false;
      heard = end;
    }
  }
  if (seconds) next = setTimeout(showTimer, left - (seconds - 1) * 1000 + 1);
}
